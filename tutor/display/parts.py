"""What all parts of a diagram have in common: a place, edges, and being shown or not."""

from collections.abc import Sequence
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Affine2D

from tutor.display.lettering import POINTS, typeset
from tutor.display.palette import INK, KINDS
from tutor.say import say

Point = tuple[float, float]


class Sheet(Axes):
    """The axes of a diagram: all of its figure, two units an inch, and the parts drawn on it."""

    def __init__(self, fig: Figure) -> None:
        super().__init__(fig, (0.0, 0.0, 1.0, 1.0))
        fig.add_axes(self)
        width, height = fig.get_size_inches() * 72 / POINTS
        self.units = (float(width), float(height))
        self.set(xlim=(0, width), ylim=(0, height), autoscale_on=False)
        self.axis("off")
        self.parts: list[Part] = []

    def said(self) -> str:
        """Return the data all parts show, in whole sentences."""
        links = [part.said() for part in self.parts if part.is_link and part.said()]
        others = [f"{part.said()}." for part in self.parts if not part.is_link and part.said()]
        linked = [say("Links: {links}.", links=", ".join(links))] if links else []
        return " ".join([*linked, *others])


class Part:
    """Something drawn with a place of its own.

    Attributes:
        at: its middle.
        width, height: its size, in the diagram's units.
    """

    is_link = False

    def __init__(self, sheet: Sheet, at: Point, width: float, height: float) -> None:
        self.sheet, self.at, self.width, self.height = sheet, at, width, height
        sheet.parts.append(self)
        self.artists: list[Artist] = []
        self.followers: list[Part] = []  # what is drawn from its edges: links, brackets
        self._shift = Affine2D().translate(*at)

    @property
    def left(self) -> Point:
        """The middle of its left edge."""
        return self.at[0] - self.width / 2, self.at[1]

    @property
    def right(self) -> Point:
        """The middle of its right edge."""
        return self.at[0] + self.width / 2, self.at[1]

    @property
    def top(self) -> Point:
        """The middle of its upper edge."""
        return self.at[0], self.at[1] + self.height / 2

    @property
    def bottom(self) -> Point:
        """The middle of its lower edge."""
        return self.at[0], self.at[1] - self.height / 2

    def edge_towards(self, x: float, y: float) -> Point:
        """Return the middle of the edge that looks at a point."""
        across, up = x - self.at[0], y - self.at[1]
        if abs(across) * self.height > abs(up) * self.width:
            return self.right if across > 0 else self.left
        return self.top if up > 0 else self.bottom

    def move(self, x: float, y: float) -> None:
        """Put its middle there; what is drawn from its edges follows."""
        self.at = (x, y)
        self._shift.clear().translate(x, y)
        self._changed()
        for follower in self.followers:
            follower.follow()

    def follow(self) -> None:
        """Draw it again, as what it depends on has moved."""

    def show(self, visible: bool = True) -> None:
        """Show it, or hide it."""
        for artist in self.artists:
            artist.set_visible(visible)

    def fade(self, faded: bool = True) -> None:
        """Show it pale, as what does not count now, or in full again."""
        for artist in self.artists:
            artist.set_alpha(0.25 if faded else None)

    def said(self) -> str:
        """Return the data it shows in words, for the alt text; nothing if it shows none."""
        return ""

    def _changed(self) -> None:
        """Let the canvas know: matplotlib does not notice new paths, numbers and transforms."""
        for artist in self.artists:
            artist.stale = True

    def _add(self, artist: Artist, order: float) -> None:
        """Draw an artist whose zero is the part's middle."""
        artist.set(transform=self._shift + self.sheet.transData, zorder=order, clip_on=False)
        self.sheet.add_artist(artist)
        self.artists.append(artist)

    def _write(self, x: float, y: float, words: str, size: float, **look: Any) -> Text:
        """Write words, their middle at a place seen from the part's middle."""
        text = Text(x, y, typeset(words), **{"ha": "center", "va": "center", "color": INK, **look})
        text.set_fontsize(size)
        self._add(text, 4)
        return text


def bounds(parts: Sequence[Part]) -> tuple[Point, Point]:
    """Return the lower left and the upper right corner of what some parts take together."""
    low = (min(part.left[0] for part in parts), min(part.bottom[1] for part in parts))
    high = (max(part.right[0] for part in parts), max(part.top[1] for part in parts))
    return low, high


def glide(start: Point, end: Point, share: float) -> Point:
    """Return the place that lies a share of the way from one to the other.

    Example:
        >>> glide((0.0, 0.0), (4.0, 2.0), 0.5)
        (2.0, 1.0)
    """
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def colour_of(kind: str) -> str:
    """Return the colour of a kind such as "query"; any other text is a colour itself."""
    return KINDS.get(kind, kind)
