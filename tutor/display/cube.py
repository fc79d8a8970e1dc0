"""A block of cells seen from a corner, for tensors with three axes."""

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb
from numpy.typing import ArrayLike

from tutor.display.lettering import label
from tutor.display.palette import NEUTRAL, mixed
from tutor.display.parts import Part, Point, Sheet, colour_of
from tutor.display.style import LABEL
from tutor.say import say

_BACK = (0.5, 0.34)  # where a step along the first axis goes: back, to the right and up


class Cube(Part):
    """A block of depth × rows × columns cells, of which the front, top and right faces are seen.

    Args:
        sheet, at: where it is drawn: the middle of what it takes.
        shape: how many cells along each axis: back, down, across.
        cell: how wide and high a cell is.
        axes: the names of the three axes.
        name: what stands below it.
    """

    def __init__(
        self,
        sheet: Sheet,
        shape: tuple[int, int, int],
        at: Point,
        *,
        cell: float = 0.4,
        axes: Sequence[str] = ("", "", ""),
        name: str = "",
    ) -> None:
        self.shape, self._cell, self.name = shape, cell, name
        depth, rows, columns = shape
        back = (depth * cell * _BACK[0], depth * cell * _BACK[1])
        width, height = columns * cell + back[0], rows * cell + back[1]
        super().__init__(sheet, at, width, height)
        self._corner = (-width / 2, -height / 2 + rows * cell)  # the front face's upper left
        self._places, shapes = self._faces()
        self._cells = PolyCollection(shapes, edgecolors=NEUTRAL, linewidths=0.6)
        self._add(self._cells, 3)
        self._write_axes(axes)
        self.light(np.zeros(shape))

    def light(self, cells: ArrayLike, kind: str = "attention") -> None:
        """Colour cells: those that are True, or each by its number from 0 to 1."""
        strengths = np.asarray(cells, dtype=float)
        self._lit = int((strengths > 0).sum())
        colour = colour_of(kind)
        shades = {s: to_rgb(mixed(colour, 0.75 * s)) for s in set(strengths.flat)}
        self._cells.set_facecolor([shades[strengths[place]] for place in self._places])

    def said(self) -> str:
        """Return how many cells are coloured."""
        if not self.name:
            return ""
        count = math.prod(self.shape)
        return say("{name}: {lit} of {count} cells", name=self.name, lit=self._lit, count=count)

    def _faces(self) -> tuple[list[tuple[int, int, int]], list[list[Point]]]:
        """Return which cell each visible square belongs to, and its corners."""
        depth, rows, columns = self.shape
        front = [(0, r, c) for r in range(rows) for c in range(columns)]
        top = [(d, 0, c) for d in range(depth) for c in range(columns)]
        right = [(d, r, columns - 1) for d in range(depth) for r in range(rows)]
        squares = [
            [self._point(0, r + i, c + j) for i, j in ((0, 0), (0, 1), (1, 1), (1, 0))]
            for _, r, c in front
        ]
        squares += [
            [self._point(d + i, 0, c + j) for i, j in ((0, 0), (0, 1), (1, 1), (1, 0))]
            for d, _, c in top
        ]
        squares += [
            [self._point(d + i, r + j, columns) for i, j in ((0, 0), (0, 1), (1, 1), (1, 0))]
            for d, r, _ in right
        ]
        return [*front, *top, *right], squares

    def _point(self, back: float, down: float, across: float) -> Point:
        x, y = self._corner
        return (
            x + self._cell * (across + back * _BACK[0]),
            y + self._cell * (back * _BACK[1] - down),
        )

    def _write_axes(self, axes: Sequence[str]) -> None:
        depth, rows, columns = self.shape
        back, down, across = (label(axis) for axis in axes)
        x, y = self._point(depth / 2, 0, 0)
        self._write(x - 0.1, y + 0.05, back, 9.5, ha="right", va="bottom")
        x, y = self._point(0, rows / 2, 0)
        self._write(x - 0.18, y, down, 9.5, rotation=90)
        x, y = self._point(0, rows, columns / 2)
        self._write(x, y - 0.06, across, 9.5, va="top")
        below = -self.height / 2 - 0.46  # and below the name of the axis
        self._write(0.0, below, label(self.name), LABEL, va="top")
