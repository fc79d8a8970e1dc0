"""What stands in diagrams: labels with room, set formulas, numbers of which none looks like 0."""

import re
from collections.abc import Sequence
from functools import cache

from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from tutor.display.style import LABEL, families
from tutor.display.table import display_width, is_wide
from tutor.say import say

POINTS = 36.0  # a diagram's unit is half an inch
_WIDEST = 14  # columns of a line; a translation may have twice as many
_SMALLEST = 6.5  # points


def label(words: str) -> str:
    """Return a label after a look at its width.

    Raises:
        ValueError: if a line of it is wider than 14 columns, or 28 where it has Korean letters,
            which take two.
    """
    for line in words.split("\n"):
        if display_width(plain(line)) > (2 * _WIDEST if is_wide(line) else _WIDEST):
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


# What code and captions write in plain letters: √d_k, W_hy or d_ff, weights_1, h₁ or xₙ, W, Kᵀ.
_SYMBOLS = re.compile(
    r"√(?P<under>[a-z]_[a-z]+)"
    r"|\b(?P<letter>[A-Za-z])_(?P<below>[A-Za-z0-9]+)\b"
    r"|\b(?P<word>[a-z]{2,})_(?P<number>\d+)\b"
    r"|(?<![^\W_])(?P<base>[A-Za-z])(?P<low>[₀-₉ₘₙₜ]+)"
    r"|\b(?P<matrix>W)\b"
    r"|\b(?P<product>(?:[A-Z] )*[A-Z])ᵀ"
)
_THIN = r"\,"
_MARKS = {"\\sqrt": "√", "^\\top": "ᵀ", _THIN: " ", "$": "", "{": "", "}": ""}
_LOW = str.maketrans("₀₁₂₃₄₅₆₇₈₉ₘₙₜ", "0123456789mnt")


def typeset(words: str) -> str:
    r"""Set the symbols in a label as the text sets them, in matplotlib's way of writing formulas.

    Example:
        >>> typeset("W_hy"), typeset("÷ √d_k"), typeset("Q Kᵀ")
        ('$W_{hy}$', '÷ $\\sqrt{d_{k}}$', '$Q\\,K^\\top$')
        >>> typeset("h₁"), typeset("weights_1"), typeset("one W for the river bank")
        ('$h_{1}$', 'weights$_{1}$', 'one $W$ for the river bank')
    """
    return _SYMBOLS.sub(_formula, words)


def plain(words: str) -> str:
    r"""Return a label without the marks of its formulas, for those who hear it.

    Example:
        >>> plain(typeset("scores Q Kᵀ / √d_k"))
        'scores Q Kᵀ / √d_k'
    """
    for mark, letters in _MARKS.items():
        words = words.replace(mark, letters)
    return words


def _formula(found: re.Match[str]) -> str:
    part = found.groupdict()
    if part["under"]:
        return rf"$\sqrt{{{part['under'][0]}_{{{part['under'][2:]}}}}}$"
    if part["letter"]:
        return f"${part['letter']}_{{{part['below']}}}$"
    if part["word"]:
        return f"{part['word']}$_{{{part['number']}}}$"
    if part["matrix"]:
        return "$W$"
    if part["product"]:
        return rf"${part['product'].replace(' ', _THIN)}^\top$"
    return f"${part['base']}_{{{part['low'].translate(_LOW)}}}$"


@cache
def text_width(line: str, size: float = LABEL) -> float:
    """Return how wide a line of text is in a diagram, in its units.

    Example:
        >>> 1.2 < text_width("attention") < 1.4
        True
    """
    font = FontProperties(family=families(), size=size, math_fontfamily="cm")
    line = typeset(line)
    width, _, _ = text_to_path.get_text_width_height_descent(line, font, ismath="$" in line)
    return float(width) / POINTS


def fitted(words: str, width: float, height: float, size: float) -> tuple[str, float]:
    r"""Break words into two lines, and make them smaller, as far as their room asks for it.

    Example:
        >>> fitted("masked attention", width=2.0, height=0.9, size=11)
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
