"""Boxes, nodes, bars, brackets, frames and words: the parts of a diagram that stand alone."""

import math
from collections.abc import Sequence

from matplotlib.patches import Ellipse, FancyBboxPatch, PathPatch, Rectangle
from matplotlib.path import Path

from tutor.display.lettering import POINTS, fitted, label, plain, short, text_width, typeset
from tutor.display.palette import HIGHLIGHT, INK, NEUTRAL, PAPER, mixed, readable
from tutor.display.parts import Part, Point, Sheet, bounds, colour_of
from tutor.display.style import BOLD, LABEL, SMALL


class Words(Part):
    """A line or two of text; `above` is a smaller line over it, and titles are `bold`."""

    def __init__(
        self,
        sheet: Sheet,
        words: str,
        at: Point,
        *,
        size: float = LABEL,
        colour: str = INK,
        align: str = "center",
        room: float | None = None,
        rotation: float = 0.0,
        above: str = "",
        bold: bool = False,
    ) -> None:
        self._size, self._room = size, room
        lines = words.split("\n")
        wide = max(text_width(line, size) for line in lines)
        tall = len(lines) * 1.25 * size / POINTS
        wide = max(wide, text_width(above, SMALL)) + 0.2
        super().__init__(sheet, at, *((tall, wide) if rotation else (wide, tall)))
        colour = INK if colour == INK else readable(colour_of(colour))
        self.text = self._write(0, 0, "", size, ha=align, color=colour, rotation=rotation)
        self.text.set_fontweight(BOLD if bold else "normal")
        if above:
            self._write(0, tall / 2 - 0.1, label(above), SMALL, va="bottom")
        self.write(words)

    def write(self, words: str) -> None:
        """Put other words in its place."""
        room = self._room or float("inf")
        words, size = fitted(words, room, float("inf"), self._size)
        self.text.set(text=typeset(words), fontsize=size)


class Box(Part):
    """A box, a tile or a round node, with its words inside.

    Attributes:
        words: what stands in it.
        name: what it is called in the alt text; its words unless another is given.
    """

    def __init__(
        self,
        sheet: Sheet,
        words: str,
        at: Point,
        *,
        width: float = 2.6,
        height: float = 0.8,
        kind: str = "neutral",
        size: float = LABEL,
        node: bool = False,
        name: str = "",
    ) -> None:
        super().__init__(sheet, at, width, height)
        self.name = name or plain(words)
        self._size = size
        self._colour = colour_of(kind)
        corner = (-width / 2, -height / 2)
        self.patch: Ellipse | FancyBboxPatch = (
            Ellipse((0, 0), width, height)
            if node
            else FancyBboxPatch(corner, width, height, "round,pad=0,rounding_size=0.14")
        )
        self._add(self.patch, 3)
        self.text = self._write(0, 0, "", size)
        self.paint(kind)
        self.write(words)

    def edge_towards(self, x: float, y: float) -> Point:
        """Return where an arrow to or from a point meets it: a round node's nearest place."""
        across, up = x - self.at[0], y - self.at[1]
        if isinstance(self.patch, FancyBboxPatch) or not (across or up):
            return super().edge_towards(x, y)
        radius = self.width / 2 / math.hypot(across, up)
        return self.at[0] + radius * across, self.at[1] + radius * up

    def write(self, words: str) -> None:
        """Put other words in it; they are made to fit."""
        self.words = words
        room = 0.92 * self.width - 0.1  # bold letters, of what is lit, are wider
        text, size = fitted(label(words), room, self.height - 0.05, self._size)
        self.text.set(text=typeset(text), fontsize=size)

    def paint(self, kind: str, share: float | None = None) -> None:
        """Give it another colour, filled with this share of it: 0 is white."""
        self._colour = colour_of(kind)
        self._share = share if share is not None else 0.08 if self._colour == NEUTRAL else 0.3
        fill = mixed(self._colour, self._share)
        self.patch.set(facecolor=fill, edgecolor=self._colour, linewidth=1.0)

    def light(self, lit: bool = True) -> None:
        """Make it stand out, or not any more."""
        if lit:
            self.patch.set(facecolor=mixed(HIGHLIGHT, 0.3), edgecolor=HIGHLIGHT, linewidth=2.4)
        else:
            self.paint(self._colour, self._share)
        self.text.set_fontweight("bold" if lit else "normal")

    def empty(self, hollow: bool = True) -> None:
        """Show a dashed outline alone: something is missing here, or it is here again."""
        self.patch.set_linestyle((0, (3, 2)) if hollow else "-")
        self.patch.set_facecolor(PAPER if hollow else mixed(self._colour, self._share))
        self.text.set_visible(not hollow)


class Bar(Part):
    """A bar on its foot that is `full` units high where its number is `limit`."""

    def __init__(
        self,
        sheet: Sheet,
        foot: Point,
        value: float = 0.0,
        *,
        width: float = 0.6,
        full: float = 2.0,
        limit: float = 1.0,
        kind: str = "attention",
        name: str = "",
    ) -> None:
        super().__init__(sheet, foot, width, full)
        self.name, self._full, self._limit = name, full, limit
        colour = colour_of(kind)
        self.patch = Rectangle((-width / 2, 0), width, 0, facecolor=colour, edgecolor=colour)
        self._add(self.patch, 3)
        self.text = self._write(0, 0, "", SMALL, va="bottom")
        self.set(value)

    def set(self, value: float, printed: str = "") -> None:
        """Give it another number; `printed` is what stands above it."""
        self.value = value
        height = self._full * value / self._limit
        self.patch.set_height(height)
        self.text.set(text=printed, y=max(0.0, height) + 0.06)

    def said(self) -> str:
        """Return its name and its number."""
        return f"{self.name} {short(self.value)}" if self.name else ""


class Bracket(Part):
    """A square bracket along one side of some parts, with a size or a name at its middle."""

    def __init__(self, sheet: Sheet, parts: Sequence[Part], words: str, side: str) -> None:
        super().__init__(sheet, (0.0, 0.0), 0.0, 0.0)
        self._parts, self._side = parts, side
        self._line = PathPatch(Path([(0, 0)]), fill=False, edgecolor=INK, linewidth=1.2)
        self._add(self._line, 2)
        self._text = self._write(0, 0, label(words), LABEL)
        for part in parts:
            part.followers.append(self)
        self.follow()

    def follow(self) -> None:
        """Draw it along the parts, wherever they are now."""
        low, high = bounds(self._parts)
        out, tick = 0.35, 0.18
        outside = {
            "below": ([(low[0], low[1] - tick), (high[0], low[1] - tick)], (0, -1)),
            "above": ([(low[0], high[1] + tick), (high[0], high[1] + tick)], (0, 1)),
            "left": ([(low[0] - tick, low[1]), (low[0] - tick, high[1])], (-1, 0)),
            "right": ([(high[0] + tick, low[1]), (high[0] + tick, high[1])], (1, 0)),
        }
        (start, end), (across, up) = outside[self._side]
        reach = (across * (out - tick), up * (out - tick))
        corners = [(x + reach[0], y + reach[1]) for x, y in (start, end)]
        self._line.set_path(Path([start, *corners, end]))
        middle = [(a + b) / 2 for a, b in zip(*corners, strict=True)]
        self._text.set(
            x=middle[0] + 0.12 * across,
            y=middle[1] + 0.12 * up,
            ha={0: "center", 1: "left", -1: "right"}[across],
            va={0: "center", 1: "bottom", -1: "top"}[up],
        )
        self._changed()


class Frame(Part):
    """A frame round some parts, with a name above or below it."""

    def __init__(
        self,
        sheet: Sheet,
        parts: Sequence[Part],
        words: str = "",
        *,
        kind: str = "neutral",
        pad: float = 0.35,
        side: str = "above",
    ) -> None:
        low, high = bounds(parts)
        middle = ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2)
        width, height = high[0] - low[0] + 2 * pad, high[1] - low[1] + 2 * pad
        super().__init__(sheet, middle, width, height)
        colour = colour_of(kind)
        corner = (-width / 2, -height / 2)
        self.patch = FancyBboxPatch(
            corner,
            width,
            height,
            "round,pad=0,rounding_size=0.2",
            facecolor=mixed(colour, 0.06),
            edgecolor=colour,
            linewidth=1.0,
        )
        self._add(self.patch, 1)
        y, foot = (height / 2 + 0.08, "bottom") if side == "above" else (-height / 2 - 0.08, "top")
        self._write(-width / 2 + 0.1, y, label(words), SMALL, ha="left", va=foot)

    def light(self, lit: bool = True) -> None:
        """Make it stand out, or not any more."""
        self.patch.set(edgecolor=HIGHLIGHT if lit else NEUTRAL, linewidth=2.4 if lit else 1.0)
