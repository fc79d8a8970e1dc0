"""What the smallest translator writes when its memory is zeros, or the mean of all memories."""

from typing import Any

import torch
from matplotlib.figure import Figure
from torch import Tensor

from tutor.display.controls import as_said
from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT
from tutor.display.style import TITLE
from tutor.explorers.lesson08_full_transformer.memory_between import (
    NONE,
    OWN,
    SENTENCE,
    Wire,
    WrittenWords,
    mean_memory,
    memory_of,
)
from tutor.explorers.lesson08_full_transformer.traced_sentence import glossed
from tutor.say import later, say
from tutor.training.talker import talker, write

MEMORIES = (later("whole"), later("zeros"), later("mean of all"))


def cut_the_wire() -> Explorer:
    """Write from the memory of a sentence, from zeros, or from the mean of all memories.

    Example:
        >>> cut_the_wire().frame(memory="whole").caption
        'memory whole: 나는 (I) 그녀를 (her) 사랑한다 (love), 4 runs'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        wire = Wire(d, SENTENCE, 4.3, OWN)
        scissors = d.words("✂", (9.0, 4.3), size=TITLE, colour=HIGHLIGHT)
        decoder = d.box(say("decoder"), (14.4, 4.3), width=2.2, height=1.0)
        d.link(wire.memory, decoder)
        written = WrittenWords(d, decoder)

        def update(memory: str) -> str:
            whole = memory == "whole"
            rows = _memory(memory)
            wire.show(rows, connected=whole)
            scissors.show(not whole)
            words = write(*talker(), [rows])
            written.show(words, [OWN if whole else NONE] * len(words))
            return say(
                "memory {memory}: {words}, {runs} runs",
                memory=say(memory),
                words=glossed(words),
                runs=len(words),
            )

        return update

    return live(
        draw,
        alt=say(
            "Source words, the encoder, the memory as four strips of numbers, the decoder, and "
            "below the words written. When the wire is cut, scissors stand before the memory, its "
            "strips are empty or alike, and the words written are grey."
        ),
        size=(8.0, 2.9),
        memory=(as_said(MEMORIES), "zeros"),
    )


def _memory(name: str) -> Tensor:
    whole = memory_of(SENTENCE)
    return {"whole": whole, "zeros": torch.zeros_like(whole), "mean of all": mean_memory()}[name]
