"""What is written in diagrams: labels that have room, and numbers of which none looks like 0."""

from collections.abc import Sequence
from functools import cache

from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from tutor.display.style import vendored_fonts
from tutor.display.table import display_width
from tutor.say import say

POINTS = 36.0  # a diagram's unit is half an inch
_WIDEST = 14  # columns of a line; a translation may need twice as many
_SMALLEST = 6.5  # points


def label(words: str) -> str:
    """Return a label after a look at its width.

    Raises:
        ValueError: if a line of it is wider than 14 columns; a Korean letter takes two.
    """
    for line in words.split("\n"):
        if display_width(line) > _WIDEST:
            raise ValueError(
                say(
                    "label {line!r} is {columns} columns wide; expected at most {widest} in a "
                    "line, so that a translation has room",
                    line=line,
                    columns=display_width(line),
                    widest=_WIDEST,
                )
            )
    return words


@cache
def text_width(line: str, size: float = 11.0) -> float:
    """Return how wide a line of text is in a diagram, in its units.

    Example:
        >>> 1.3 < text_width("attention") < 1.5
        True
    """
    font = FontProperties(family=["DejaVu Sans", *vendored_fonts()], size=size)
    width, _, _ = text_to_path.get_text_width_height_descent(line, font, ismath=False)
    return float(width) / POINTS


def fitted(words: str, width: float, height: float, size: float) -> tuple[str, float]:
    r"""Break words into two lines, and make them smaller, as far as their room asks for it.

    Example:
        >>> fitted("masked attention", width=2.4, height=0.9, size=11)
        ('masked\nattention', 11)
    """

    def largest(lines: Sequence[str]) -> float:
        wide = max(text_width(line, 10.0) for line in lines) or 1.0
        tall = len(lines) * 12.5 / POINTS  # of letters of 10 points
        return 10.0 * min(width / wide, height / tall)

    spaces = [place for place, letter in enumerate(words) if letter == " "]
    layouts = [words.split("\n")]
    if len(layouts[0]) == 1 and spaces:
        middle = min(spaces, key=lambda place: abs(place - len(words) / 2))
        layouts.append([words[:middle], words[middle + 1 :]])
    best = layouts[0] if largest(layouts[0]) >= size else max(layouts, key=largest)
    return "\n".join(best), max(_SMALLEST, min(size, largest(best)))


def short(number: float, decimals: int = 2) -> str:
    """Print a number so that it fits into a cell, and none but 0 looks like 0.

    Example:
        >>> [short(number) for number in (0.7551, 0.0009, -0.25, 0.0, 3e-7)]
        ['0.76', '0.0009', '−0.25', '0.00', '3e−7']
        >>> short(4, decimals=0)
        '4'
    """
    if number == 0.0 or abs(number) > 1e-5:
        number = round(number, 6) + 0.0  # numbers half way round alike, and −0 is 0
    printed = f"{number:.{decimals}f}"
    if float(printed) == 0.0 and number != 0.0:
        small = abs(number) < 0.0001
        printed = f"{number:.0e}".replace("e-0", "e-") if small else f"{number:.4f}".rstrip("0")
    return printed.replace("-", "−")
