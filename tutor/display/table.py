"""Tables of text whose columns stand below each other, also where a word is Korean."""

from collections.abc import Sequence
from unicodedata import east_asian_width


def text_table(head: Sequence[str], rows: Sequence[Sequence[str]], gap: int = 2) -> str:
    """Return a table as lines of text; the first column stands left, the others right.

    Args:
        head: what stands above each column.
        rows: the cells, already written as they are to be read.
        gap: spaces between two columns.

    Example:
        >>> print(text_table(["words", "RNN", "LSTM"], [["3", "1.00", "1.00"], ["40", ".13", "1"]]))
        words   RNN  LSTM
        3      1.00  1.00
        40      .13     1
    """
    lines = [list(head), *(list(row) for row in rows)]
    widths = [max(map(display_width, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        (" " * gap)
        .join(padded(cell, widths[place], place == 0) for place, cell in enumerate(line))
        .rstrip()
        for line in lines
    )


def display_width(text: str) -> int:
    """Return how many columns a text takes: a Korean letter two, others one."""
    return sum(2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def is_wide(text: str) -> bool:
    """Say whether a text has letters of two columns.

    Example:
        >>> is_wide("키 key"), is_wide("key √d")
        (True, False)
    """
    return display_width(text) > len(text)


def padded(text: str, width: int, left: bool = True) -> str:
    """Fill a text with spaces to a number of columns, behind it or before it.

    Example:
        >>> padded("yours", 8) + "|", padded("당신", 8, left=False)
        ('yours   |', '    당신')
    """
    space = " " * (width - display_width(text))
    return text + space if left else space + text
