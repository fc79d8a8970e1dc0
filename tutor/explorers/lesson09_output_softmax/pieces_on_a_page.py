"""Pieces of a text written line by line on a sheet."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont, get_font
from matplotlib.patches import Rectangle

from tutor.display.palette import HIGHLIGHT, INK, NEUTRAL, mixed
from tutor.display.style import SMALL, vendored_fonts
from tutor.models.smollm_excerpt import Written
from tutor.say import data

COLUMNS = 96  # letters a line of a page holds
_WIDE = 97.7  # letters of this size, side by side over a page
_LETTERS: dict[str, Any] = {
    "family": ["DejaVu Sans Mono", *vendored_fonts()],
    "fontsize": SMALL,
    "va": "center",
    "parse_math": False,
}


def blank_page(fig: Figure, lines: int) -> Axes:
    """Give a sheet on which a letter is one unit wide and a line one unit high."""
    return _page(fig, (0.01, 0.01, 0.98, 0.98), lines)


def write_pieces(ax: Axes, text: Written, line: int, indent: int = 0, grey: int = 0) -> int:
    """Write a text's pieces in lines, from a line on; give the line after the last."""
    placed = laid_out(text.pieces, indent)
    for number, (piece, column, row) in enumerate(placed):
        colour = NEUTRAL if number < grey else INK
        ax.text(column, line + row + 0.5, data(piece), color=colour, **_LETTERS)
    return line + 1 + placed[-1][2]


class Lines:
    """A prompt and a text behind it, whose pieces change; one of them framed.

    Args:
        fig: the figure it stands in.
        box: left, bottom, width and height of its part, as shares of the figure.
        lines: that have room.
        pieces: that a text has at most.
    """

    def __init__(
        self, fig: Figure, box: tuple[float, float, float, float], lines: int, pieces: int
    ) -> None:
        ax = _page(fig, box, lines)
        self._frame = ax.add_patch(Rectangle((0, 0), 1, 0.92, facecolor=mixed(HIGHLIGHT, 0.25)))
        self._parts = [ax.text(0, 0.5, "", color=INK, **_LETTERS) for _ in range(pieces + 1)]
        self._parts[0].set_color(NEUTRAL)
        self._lines = lines

    def write(self, prompt: str, pieces: Sequence[str], framed: int) -> None:
        """Write a prompt and pieces, and frame the piece of that number; no piece is number −1."""
        self._frame.set_visible(framed >= 0)
        for part in self._parts:
            part.set_text("")
        for number, (piece, column, row) in enumerate(laid_out([prompt, *pieces])):
            self._parts[number].set(
                text=data(piece) if row < self._lines else "", x=column, y=row + 0.5
            )
            if number == framed + 1 > 0:
                self._frame.set(x=column, y=row + 0.04, width=max(1, len(piece)))


def laid_out(pieces: Sequence[str], indent: int = 0) -> list[tuple[str, int, int]]:
    r"""Give each piece with its column and line; what has no room begins the next line.

    Example:
        >>> laid_out(["a" * 95, " b", "\n"])[1:]
        [('b', 0, 1), ('¶', 1, 1)]
    """
    column, line, found = indent, 0, []
    for piece in pieces:
        shown = as_label(piece, strip=False)
        if column + len(shown) > COLUMNS:
            column, line, shown = indent, line + 1, shown.lstrip(" ")
        found.append((shown, column, line))
        column += len(shown)
    return found


def as_label(piece: str, strip: bool = True) -> str:
    r"""Give a piece as it can be read in a picture: one line, no signs that the font lacks.

    Example:
        >>> as_label(" need"), as_label(".\n"), as_label(" a", strip=False)
        ('need', '.¶', ' a')
    """
    shown = "".join(c if ord(c) in _known() else "□" for c in piece.replace("\n", "¶"))
    return (shown.strip() or "␣") if strip else shown


@cache
def _known() -> frozenset[int]:
    """Give the characters that the fonts of the course's pictures have."""
    files = [findfont("DejaVu Sans Mono"), *(findfont(name) for name in vendored_fonts())]
    return frozenset(code for file in files for code in get_font(file).get_charmap())


def _page(fig: Figure, box: tuple[float, float, float, float], lines: int) -> Axes:
    ax = fig.add_axes(box)
    ax.set(xlim=(0, _WIDE), ylim=(lines, 0))
    ax.axis("off")
    return ax
