"""Lesson 8's wire between encoder and decoder: cut it, or change what comes through it."""

from collections.abc import Sequence
from typing import Any

import torch
from matplotlib.figure import Figure
from torch import Tensor

from tutor.data.talk import MEANINGS
from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, NEUTRAL, SERIES
from tutor.explorers.passage import glossed
from tutor.say import say
from tutor.training.talker import talker, write

SENTENCE, OTHER = "I love her", "they know him"
MEMORIES = ("whole", "zeros", "mean of all")
_MOST = 8  # words written, at most
_OWN, _NONE, _OTHERS = SERIES[0], NEUTRAL, SERIES[2]


def memory_of(text: str) -> Tensor:
    """Return what the encoder hands over of a sentence, (1, S, D)."""
    model, task = talker()
    return model.encode(task.read(text))


def mean_memory() -> Tensor:
    """Return the mean of all rows of all memories of the sentences learned, as four equal rows."""
    model, task = talker()
    memories = model.encode(task.read(*[" ".join(pair.source) for pair in task.train]))
    return memories.mean((0, 1), keepdim=True).expand(1, memories.size(1), -1)  # (1, S, D)


def cut_the_wire() -> Explorer:
    """Write from the memory of a sentence, from zeros, or from the mean of all memories.

    Example:
        >>> cut_the_wire().caption
        'memory whole: 나는 (I) 그녀를 (her) 사랑한다 (love), 4 runs'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        wire = _Wire(d, SENTENCE, 4.3, _OWN)
        scissors = d.words("✂", (9.0, 4.3), size=26, colour=HIGHLIGHT)
        decoder = d.box("decoder", (14.4, 4.3), width=2.2, height=1.0)
        d.link(wire.memory, decoder)
        written = _Written(d)

        def update(memory: str) -> str:
            whole = memory == "whole"
            rows = _memory(memory)
            wire.show(rows, connected=whole)
            scissors.show(not whole)
            words = write(*talker(), [rows])
            written.show(words, [_OWN if whole else _NONE] * len(words))
            return say(
                "memory {memory}: {words}, {runs} runs",
                memory=memory,
                words=glossed(words),
                runs=len(words),
            )

        return update

    return live(
        draw,
        alt=(
            "Source words, the encoder, the memory as four strips of numbers, the decoder, and "
            "below the words written. When the wire is cut, scissors stand before the memory, its "
            "strips are empty or alike, and the words written are grey."
        ),
        size=(8.0, 2.9),
        memory=[*MEMORIES],
    )


def change_the_memory() -> Explorer:
    """Hand the decoder another sentence's memory after some words.

    Example:
        >>> change_the_memory().caption
        'changed after 1: 나는 (I) 그를 (him) 안다 (know)'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        own, other = _Wire(d, SENTENCE, 5.0, _OWN), _Wire(d, OTHER, 3.1, _OTHERS)
        decoder = d.box("decoder", (14.4, 4.05), width=2.2, height=1.0)
        links = [d.link(wire.memory, decoder, kind=wire.colour) for wire in (own, other)]
        written = _Written(d)
        memories = [memory_of(SENTENCE), memory_of(OTHER)]
        for wire, rows in zip((own, other), memories, strict=True):
            wire.show(rows, connected=True)

        def update(after: int) -> str:
            words = write(*talker(), [*[memories[0]] * after, memories[1]])
            links[0].show(after > 0)
            links[1].show(after < len(words))
            colours = [_OWN if place < after else _OTHERS for place in range(len(words))]
            written.show(words, colours)
            return say("changed after {after}: {words}", after=after, words=glossed(words))

        return update

    return live(
        draw,
        alt=(
            "Two sentences, each with an encoder and a memory, and one decoder. Below, the words "
            "written, each in the colour of the memory it was written from."
        ),
        size=(8.0, 3.2),
        labels={"after": "changed after"},
        after=(0, 4, 1, 1),
    )


def _memory(name: str) -> Tensor:
    whole = memory_of(SENTENCE)
    return {"whole": whole, "zeros": torch.zeros_like(whole), "mean of all": mean_memory()}[name]


class _Wire:
    """A sentence, its encoder, and what comes out of it, from left to right."""

    def __init__(self, d: Diagram, sentence: str, y: float, colour: str) -> None:
        self.colour = colour
        words = d.tokens([*sentence.split(), "<eos>"], (2.7, y), size=10, gap=0.1, kind=colour)
        encoder = d.box("encoder", (7.0, y), width=2.0, height=0.9)
        d.link(words[-1], encoder)
        self.memory = d.matrix(
            torch.linspace(-1, 1, 128).reshape(4, 32),
            (11.0, y),
            cell=(0.075, 0.26),
            limit=2,
            name=say("memory") if y > 4 else "",
        )
        self._link = d.link(encoder, self.memory)

    def show(self, rows: Tensor, *, connected: bool) -> None:
        """Show what the decoder is given, and whether it comes from the encoder."""
        self.memory.set(rows[0])
        self._link.show(connected)


class _Written:
    """The words written, with their meanings, in the colours of what they were written from."""

    def __init__(self, d: Diagram) -> None:
        self._boxes = [
            d.box("", (1.6 + 1.85 * place, 0.95), width=1.75, height=1.1, size=11)
            for place in range(_MOST)
        ]

    def show(self, words: Sequence[str], colours: Sequence[str]) -> None:
        """Show so many words."""
        for place, box in enumerate(self._boxes):
            box.show(place < len(words))
            if place < len(words):
                word = words[place]
                box.write(f"{word}\n{MEANINGS[word]}" if word in MEANINGS else word)
                box.paint(colours[place])
