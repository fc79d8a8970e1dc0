"""Maps of attention in lesson 8's smallest translator, with the words that ask and answer."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from torch import Tensor

from tutor.display.diagram import Diagram
from tutor.display.matrix import Matrix
from tutor.display.shapes import Words
from tutor.display.style import SMALL
from tutor.explorers.lesson08_full_transformer.traced_sentence import (
    TracedSentence,
    read_and_written,
)
from tutor.say import data, later, say

LOOKS = "encoder.layers.0.self_attention.weights"
BACK = "decoder.layers.0.self_attention.weights"
OVER = "decoder.layers.0.cross_attention.weights"


class Heads:
    """The maps of both heads of an attention side by side, with the words that are looked at.

    Args:
        d: the diagram.
        left: where the first map begins.
        top: the middle of its first row.
        row: the height of a row.
    """

    def __init__(self, d: Diagram, left: float, top: float, row: float) -> None:
        self._maps = [
            d.matrix(
                np.zeros((4, 4)),
                (left + 1.4 + 3.3 * head, top - 1.5 * row),
                name=say("head {number}", number=head),
                kind="attention",
                cell=(0.7, row),
                decimals=2,
            )
            for head in range(2)
        ]
        below = self._maps[0].bottom[1] - 1.0
        self._words = [
            d.words("", (part.column_edge(column)[0], below), size=SMALL, rotation=90)
            for part in self._maps
            for column in range(4)
        ]

    def show(self, weights: Tensor | None, looked_at: Sequence[str], asks: int = -1) -> None:
        """Show weights, (h, 4, 4), with a frame round the row that asks; or nothing."""
        for head, part in enumerate(self._maps):
            fill(part, None if weights is None else weights[head].round(decimals=2))
            if weights is not None and asks >= 0:
                part.mark(row=asks)
        for words, word in zip(self._words, [*looked_at, *looked_at], strict=True):
            words.write(data(word))
            words.show(weights is not None)


class AllMaps:
    """All six maps of attention in one picture, with who asks and who is looked at."""

    _PLACES = ((3.4, 4.85), (11.4, 4.85), (7.4, 1.95))
    _CELL = 0.42

    def __init__(self, d: Diagram) -> None:
        self._maps: list[list[Matrix]] = []
        self._words: list[tuple[list[Words], list[Words]]] = []
        names = (later("encoder {number}"), later("decoder {number}"), later("cross {number}"))
        for name, (x, y) in zip(names, self._PLACES, strict=True):
            maps = [
                d.matrix(
                    np.zeros((4, 4)),
                    (x + 2.5 * head, y),
                    name=say(name, number=head),
                    kind="attention",
                    cell=(self._CELL, self._CELL),
                )
                for head in range(2)
            ]
            left = x - 2 * self._CELL - 0.15
            asking = [
                d.words("", (left, maps[0].cell(row, 0)[1]), size=SMALL, align="right")
                for row in range(4)
            ]
            looked_at = [
                d.words("", (part.cell(0, column)[0], y - 1.5), size=SMALL, rotation=90)
                for part in maps
                for column in range(4)
            ]
            self._maps.append(maps)
            self._words.append((asking, looked_at))

    def show(self, found: TracedSentence, visible: bool) -> None:
        """Show what a sentence's words looked at, or nothing."""
        crossing = read_and_written(found.read, found.written)
        edges = ((found.source,) * 2, (found.read,) * 2, (crossing, found.source))
        for path, maps, words, (rows, columns) in zip(
            (LOOKS, BACK, OVER), self._maps, self._words, edges, strict=True
        ):
            for head, part in enumerate(maps):
                fill(part, found.tensors[path][0, head].round(decimals=2) if visible else None)
            for texts, named in zip(words, (rows, [*columns, *columns]), strict=True):
                for text, word in zip(texts, named, strict=True):
                    text.write(data(word))
                    text.show(visible)


def fill(part: Matrix, numbers: ArrayLike | None) -> None:
    """Show a matrix with these numbers, or hide it."""
    part.show(numbers is not None)
    if numbers is not None:
        part.set(numbers)
