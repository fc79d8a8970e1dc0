"""A decoder as one column of boxes, with the residual stream beside it (lesson 9)."""

from itertools import pairwise

from tutor.display.diagram import Diagram
from tutor.display.shapes import Box
from tutor.display.style import SMALL
from tutor.say import say

WIDTH, HEIGHT = 3.2, 0.43
ASIDE = 0.4  # from the boxes to the residual stream


class Column:
    """Boxes one above the other, in rows counted from below.

    Args:
        d: where they are drawn.
        x: their middle.
        foot: the lowest row's middle.
        step: from row to row.
    """

    def __init__(self, d: Diagram, x: float, foot: float, step: float) -> None:
        self._d, self.x, self._foot, self._step = d, x, foot, step
        self.boxes: list[Box] = []

    def height(self, row: float) -> float:
        """Give a row's middle."""
        return self._foot + self._step * row

    def box(self, words: str, row: int, kind: str = "neutral") -> Box:
        """Draw a box in a row above those that are drawn."""
        at = (self.x, self.height(row))
        box = self._d.box(say(words), at, width=WIDTH, height=HEIGHT, kind=kind, size=SMALL)
        self.boxes.append(box)
        return box

    def chain(self) -> None:
        """Draw an arrow from each box to the one above it."""
        for below, above in pairwise(self.boxes):
            self._d.link(below.top, above.bottom)

    def residual(self, start: int, end: int) -> None:
        """Draw the way round a sub-layer, from above one row into the side of another."""
        low, high = self.height(start + 0.5), self.height(end)
        side = self.x - WIDTH / 2
        self._d.link((self.x, low), (side, high), via=[(side - ASIDE, low), (side - ASIDE, high)])
