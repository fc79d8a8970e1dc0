"""What joins the parts of a diagram: arrows, straight, bent or round corners, and ribbons."""

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.patches import PathPatch, Polygon
from matplotlib.path import Path

from tutor.display.lettering import POINTS, label, short, typeset
from tutor.display.palette import PAPER
from tutor.display.parts import Part, Point, Sheet, colour_of, glide
from tutor.display.style import LABEL, SMALL

_WIDEST = 13.0  # points: a link of weight 1
_THINNEST = 0.7
_CORNER = 0.18


class Link(Part):
    """A line from one part or point to another, as thick as its weight says.

    Attributes:
        weight: the number its width stands for; None for a plain arrow.
    """

    is_link = True

    def __init__(
        self,
        sheet: Sheet,
        start: Part | Point,
        end: Part | Point,
        *,
        weight: float | None = None,
        kind: str = "neutral",
        head: bool = True,
        via: Sequence[Point] = (),
        bend: float = 0.0,
        ribbon: bool = False,
        words: str = "",
    ) -> None:
        super().__init__(sheet, (0.0, 0.0), 0.0, 0.0)
        self.start, self.end, self._via, self._bend = start, end, via, bend
        self._head, self._ribbon = head, ribbon
        self._line = PathPatch(Path([(0, 0)]), fill=False, capstyle="butt", joinstyle="round")
        self._tip = Polygon([(0, 0)] * 3, closed=True, linewidth=0)
        self._add(self._line, 2)
        self._add(self._tip, 2.1)
        is_formula = "$" in typeset(words)  # whose letters are smaller than the typeface's
        self._text = self._write(0, 0, label(words), LABEL if is_formula else SMALL)
        self._text.set_bbox({"facecolor": PAPER, "edgecolor": "none", "pad": 1.2})
        self.paint(kind)
        self.set(weight)
        for part in (start, end):
            if isinstance(part, Part):
                part.followers.append(self)

    def set(self, weight: float | None) -> None:
        """Give it another weight, from 0, a dotted hair, to 1."""
        self.weight = weight
        self._points = 1.3 if weight is None else max(_THINNEST, _WIDEST * min(1.0, abs(weight)))
        dotted = weight is not None and _WIDEST * abs(weight) < _THINNEST
        self._line.set(linewidth=self._points, linestyle=(0, (1, 2)) if dotted else "-")
        self.follow()

    def paint(self, kind: str) -> None:
        """Give it another colour."""
        colour = colour_of(kind)
        self._line.set_edgecolor(colour)
        self._tip.set_facecolor(colour)

    def write(self, words: str) -> None:
        """Put other words at its middle."""
        self._text.set_text(typeset(label(words)))

    def follow(self) -> None:
        """Draw it between its ends, wherever they are now."""
        path = self._ribbon_path() if self._ribbon else self._arrow_path()
        if self._head:
            path = self._with_tip(path, (6.0 + 1.1 * self._points) / POINTS)
        else:
            self._tip.set_visible(False)
        self._line.set_path(path)
        self._text.set_position(_middle(path))
        self._changed()

    def show(self, visible: bool = True) -> None:
        """Show it, or hide it."""
        super().show(visible)
        self._tip.set_visible(visible and self._head)

    def said(self) -> str:
        """Return its ends and its weight, if it has one and they have names."""
        names = [getattr(part, "name", "") for part in (self.start, self.end)]
        if self.weight is None or not all(names):
            return ""
        return f"{names[0]} → {names[1]} {short(self.weight)}"

    def _ends(self) -> tuple[Point, Point]:
        """Return where it leaves and where it arrives: at the edges that look at each other."""
        first = self._via[0] if self._via else _place(self.end)
        last = self._via[-1] if self._via else _place(self.start)
        return _edge(self.start, first), _edge(self.end, last)

    def _arrow_path(self) -> Path:
        start, end = self._ends()
        if self._bend:
            across, up = end[0] - start[0], end[1] - start[1]
            side = 1.0 if across > 0 or (across == 0 and up < 0) else -1.0  # always up, or right
            middle = glide(start, end, 0.5)
            bow = 2 * side * self._bend
            control = (middle[0] - bow * up, middle[1] + bow * across)
            return Path([start, control, end], [Path.MOVETO, Path.CURVE3, Path.CURVE3])
        return _round_corners([start, *self._via, end])

    def _ribbon_path(self) -> Path:
        """Return an arc over a row of words, or a wave from one row to another."""
        codes = [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4]
        (x0, y0), (x1, y1) = _place(self.start), _place(self.end)
        if abs(y1 - y0) < 0.5:
            start, end = self._over(self.start), self._over(self.end)
            rise = 0.5 + 0.24 * abs(x1 - x0)
            controls = [(x0, start[1] + rise), (x1, end[1] + rise)]
        else:
            start, end = _edge(self.start, (x0, y1)), _edge(self.end, (x1, y0))
            half = (start[1] + end[1]) / 2
            controls = [(x0, half), (x1, half)]
        return Path([start, *controls, end], codes)

    @staticmethod
    def _over(end: Part | Point) -> Point:
        return end.top if isinstance(end, Part) else end

    def _with_tip(self, path: Path, length: float) -> Path:
        """End the line where its tip begins, and put the tip there."""
        points = np.array(path.vertices, dtype=float)
        way = points[-1] - points[-2]
        way *= length / (np.linalg.norm(way) or 1.0)
        foot, side = points[-1] - way, 0.5 * way[::-1] * (-1, 1)
        self._tip.set_xy([foot - side, points[-1], foot + side])
        points[-1] -= 0.9 * way
        return Path(points, path.codes)


def _place(end: Part | Point) -> Point:
    return end.at if isinstance(end, Part) else end


def _edge(end: Part | Point, towards: Point) -> Point:
    return end.edge_towards(*towards) if isinstance(end, Part) else end


def _round_corners(points: Sequence[Point]) -> Path:
    """Return a path of straight pieces whose corners are rounded off."""
    vertices, codes = [points[0]], [Path.MOVETO]
    for before, corner, after in zip(points, points[1:], points[2:]):
        shares = [min(0.5, _CORNER / (math.dist(corner, end) or 1.0)) for end in (before, after)]
        vertices += [glide(corner, before, shares[0]), corner, glide(corner, after, shares[1])]
        codes += [Path.LINETO, Path.CURVE3, Path.CURVE3]
    return Path([*vertices, points[-1]], [*codes, Path.LINETO])


def _middle(path: Path) -> Point:
    """Return the point half way along a path."""
    points = np.array(path.to_polygons(closed_only=False)[0], dtype=float)
    lengths = np.linalg.norm(np.diff(points, axis=0), axis=1).cumsum()
    half = lengths[-1] / 2
    along = np.concatenate([[0.0], lengths])
    return float(np.interp(half, along, points[:, 0])), float(np.interp(half, along, points[:, 1]))
