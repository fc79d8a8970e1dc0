"""What the smallest translator's encoder hands over, and how it is drawn (lesson 8)."""

from collections.abc import Sequence

import torch
from torch import Tensor

from tutor.data.talk import MEANINGS
from tutor.display.diagram import Diagram
from tutor.display.palette import NEUTRAL, SERIES
from tutor.display.shapes import Box
from tutor.display.style import SMALL
from tutor.say import data, say
from tutor.training.talker import talker

SENTENCE, OTHER = "I love her", "they know him"
_WRITTEN, _RIGHT = 0.95, 14.75  # where the last word written stands
MOST_WORDS_WRITTEN = 8  # words written, at most
OWN, NONE, OTHERS = SERIES[0], NEUTRAL, SERIES[2]


def memory_of(text: str) -> Tensor:
    """Return what the encoder hands over of a sentence, (1, S, D)."""
    model, task = talker()
    return model.encode(task.read(text))


def mean_memory() -> Tensor:
    """Return the mean of all rows of all memories of the sentences learned, as four equal rows."""
    model, task = talker()
    memories = model.encode(task.read(*[" ".join(pair.source) for pair in task.train]))
    return memories.mean((0, 1), keepdim=True).expand(1, memories.size(1), -1)  # (1, S, D)


class Wire:
    """A sentence, its encoder, and what comes out of it, from left to right."""

    def __init__(self, d: Diagram, sentence: str, y: float, colour: str) -> None:
        self.colour = colour
        words = d.tokens([*sentence.split(), "<eos>"], (2.7, y), size=SMALL, gap=0.1, kind=colour)
        encoder = d.box(say("encoder"), (7.0, y), width=2.0, height=0.9)
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


class WrittenWords:
    """The words a decoder wrote, below it, in the colours of what they were written from."""

    def __init__(self, d: Diagram, decoder: Box) -> None:
        self._boxes = [d.box("", (0, 0), width=1.75, height=1.1) for _ in range(MOST_WORDS_WRITTEN)]
        d.link(decoder, (decoder.at[0], _WRITTEN + 0.6))

    def show(self, words: Sequence[str], colours: Sequence[str]) -> None:
        """Show so many words."""
        for place, box in enumerate(self._boxes):
            box.show(place < len(words))
            if place < len(words):
                word = words[place]
                box.move(_RIGHT - 1.85 * (len(words) - 1 - place), _WRITTEN)
                box.write(data(f"{word}\n{MEANINGS[word]}" if word in MEANINGS else word))
                box.paint(colours[place])
