"""Diagrams in the course's hand: words, boxes, arrows, matrices, ribbons, and what moves.

**In one page.** A diagram is drawn on a figure, still (`Picture`) or live (`live`), like every
picture of the course::

    def draw(fig):
        d = Diagram(fig)                                     # 8 × 4 inches: 16 × 8 units
        words = d.tokens("the river bank".split(), at=(8, 1))
        head = d.box("attention", at=(8, 4), kind="attention")
        for word, weight in zip(words, (0.01, 0.75, 0.24)):
            d.link(word, head, weight=weight, kind="attention")
        return "river 0.75"                                  # the caption

    Picture(draw, alt="Three words; their arrows into attention are as wide as their weights.")

*Places.* A unit is half an inch; x goes right, y up, and every `at` is a middle. Parts have edges,
`left`, `right`, `top`, `bottom`, and links find them by themselves.

*Parts.* `box`, `node` (round: × + σ), `tokens` (a row of tiles), `words`, `matrix`, `cube`, `bar`,
`frame` (round other parts), `bracket` (with a size), `link` (an arrow: `via` its corners, `bend`,
`weight`), `ribbon` (an arc over a sentence, or between two). `row` lays matrices and operators out
side by side: ``d.row(Q, "·", K, "=", scores, at=(8, 4))``.

*Colours* are kinds ("query", "key", "value", "attention", "neutral") or a colour of
`tutor.display.palette`. Signs need no word: a matrix with numbers below 0 is red and blue.

*Motion.* Make in `draw` all that ever appears; in `update` call `move`, `show`, `fade`, `light`,
`paint`, `write`, `set`. What hangs on a part's edges follows it. `glide(start, end, share)` is a
place on the way. With ``play="step"`` an explorer has a play button.

*Words.* A label has at most 14 columns in a line (Korean letters count two); it breaks and shrinks
to fit its box. Colour and bold are never the only sign: write the number too. The alt text says in
a sentence what there is to see; the weights and numbers are added to it from the parts.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from tutor.display.cube import Cube
from tutor.display.lettering import text_width
from tutor.display.links import Link
from tutor.display.matrix import Matrix
from tutor.display.parts import Part, Point, Sheet
from tutor.display.shapes import Bar, Box, Bracket, Frame, Words
from tutor.display.style import LABEL, TITLE
from tutor.say import data

_OPERATOR, _DOT = 16.0, 26.0  # points
_BETWEEN = 0.28  # at both sides of an operator, in units


class Diagram:
    """A sheet of paper as large as its figure, on which parts are drawn.

    Args:
        fig: the figure; its size gives the sheet's, two units an inch.

    Attributes:
        width, height: of the sheet, in units.

    Example:
        >>> d = Diagram(Figure(figsize=(8, 4)))
        >>> word, head = d.box("river", at=(2, 1)), d.box("attention", at=(2, 4))
        >>> arrow = d.link(word, head, weight=0.75)
        >>> d.sheet.said()
        'Links: river → attention 0.75.'
        >>> word.move(4, 1)
        >>> word.top
        (4, 1.4)
    """

    def __init__(self, fig: Figure) -> None:
        self.sheet = Sheet(fig)
        self.width, self.height = self.sheet.units

    def box(self, words: str, at: Point, **look: Any) -> Box:
        """Draw a box with words: width (2.6), height (0.8), kind, size of the letters, name."""
        return Box(self.sheet, words, at, **look)

    def node(self, words: str, at: Point, *, kind: str = "neutral", width: float = 0.72) -> Box:
        """Draw a round node, for + × σ or a single state."""
        return Box(
            self.sheet, words, at, width=width, height=width, kind=kind, size=TITLE, node=True
        )

    def tokens(
        self,
        words: Sequence[str],
        at: Point,
        *,
        step: float | None = None,
        kind: str = "neutral",
        gap: float = 0.2,
        size: float = LABEL,
    ) -> list[Box]:
        """Draw words as tiles in a row, its middle at `at`.

        Args:
            words: one a tile; the tile is as wide as its word. They are the data's, and stay
                as they are in every language.
            at: the middle of the row.
            step: how far one tile's middle is from the next one's; side by side unless given.
            kind: their colour.
            gap: what is between two tiles side by side.
            size: of the letters, in points.
        """
        widths = [max(0.8, text_width(word, size) + 0.4) for word in words]
        middles, x = [], 0.0
        for place, width in enumerate(widths):
            middles.append(place * step if step else x + width / 2)
            x += width + gap
        ends = (0.0, 0.0) if step else (widths[0] / 2, widths[-1] / 2)
        shift = at[0] - (middles[0] - ends[0] + middles[-1] + ends[1]) / 2
        return [
            self.box(data(word), (middle + shift, at[1]), width=width, kind=kind, size=size)
            for word, middle, width in zip(words, middles, widths, strict=True)
        ]

    def words(self, words: str, at: Point, **look: Any) -> Words:
        """Write a line without a box: size, colour, align, room, rotation, bold."""
        return Words(self.sheet, words, at, **look)

    def matrix(self, numbers: ArrayLike, at: Point = (0.0, 0.0), **look: Any) -> Matrix:
        """Draw a matrix: name, kind, rows, columns, asks, looked_at, cell, limit, decimals."""
        return Matrix(self.sheet, numbers, at, **look)

    def cube(self, shape: tuple[int, int, int], at: Point, **look: Any) -> Cube:
        """Draw a block of cells: cell, axes, name; `light` colours them."""
        return Cube(self.sheet, shape, at, **look)

    def bar(self, foot: Point, value: float = 0.0, **look: Any) -> Bar:
        """Draw a bar on its foot: width (0.6), full height (2), limit (1), kind, name."""
        return Bar(self.sheet, foot, value, **look)

    def frame(self, parts: Sequence[Part], words: str = "", **look: Any) -> Frame:
        """Draw a frame round some parts, a name "above" or "below": side, kind, pad (0.35)."""
        return Frame(self.sheet, parts, words, **look)

    def bracket(self, parts: Sequence[Part], words: str, side: str = "below") -> Bracket:
        """Draw a bracket along a side of some parts: "below", "above", "left" or "right"."""
        return Bracket(self.sheet, parts, words, side)

    def link(self, start: Part | Point, end: Part | Point, **look: Any) -> Link:
        """Draw an arrow between parts or points: weight, kind, words, via, bend, head."""
        return Link(self.sheet, start, end, **look)

    def ribbon(self, start: Part, end: Part, weight: float, kind: str = "attention") -> Link:
        """Draw a ribbon as wide as its weight: an arc over a row, a wave between two rows."""
        return Link(self.sheet, start, end, weight=weight, kind=kind, ribbon=True, head=False)

    def row(self, *parts: Part | str, at: Point, gap: float = _BETWEEN) -> list[Part]:
        """Lay parts and operators out side by side, with room for all names.

        Args:
            parts: matrices and other parts, drawn anywhere, and operators between them: "·", "+",
                "=", "→"; words above an arrow stand before it, "softmax →".
            at: the middle of the whole row.
            gap: what is left free between two neighbours.

        Returns:
            All of them in order, operators as `Words`.
        """
        drawn = [self._operator(part) if isinstance(part, str) else part for part in parts]
        sides = [part.margins[:2] if isinstance(part, Matrix) else (0.0, 0.0) for part in drawn]
        widths = [part.width + sum(side) for part, side in zip(drawn, sides, strict=True)]
        x = at[0] - (sum(widths) + gap * (len(drawn) - 1)) / 2
        for part, (left, _), width in zip(drawn, sides, widths, strict=True):
            part.move(x + left + part.width / 2, at[1])
            x += width + gap
        return drawn

    def _operator(self, words: str) -> Words:
        over, _, sign = words.rpartition(" ")
        if not over:
            return self.words(sign, (0.0, 0.0), size=_DOT if sign == "·" else _OPERATOR)
        return Words(self.sheet, sign, (0.0, 0.0), size=_OPERATOR, above=over)

    def chain(self, parts: Sequence[Part], **look: Any) -> list[Link]:
        """Draw an arrow from each part to the next."""
        return [self.link(before, after, **look) for before, after in pairwise(parts)]
