"""Which Python a cell needs that this one cannot read."""

import re
import sys

# What newer versions can read, by signs that hardly stand in older code.
_SIGNS = {
    (3, 12): (
        r"^\s*(?:async\s+)?def\s+\w+\s*\[",  # def first[T](rows: list[T])
        r"^\s*class\s+\w+\s*\[",
        r"^\s*type\s+\w+\s*(?:\[[^\]]*\])?\s*=",
        r"""\bf"[^"\n]*\{[^"}\n]*"[^"\n]*"[^}\n]*\}""",  # f"{row["word"]}"
        r"""\bf'[^'\n]*\{[^'}\n]*'[^'\n]*'[^}\n]*\}""",
    ),
    (3, 14): (
        r"^\s*except\s+\w[\w.]*\s*,\s*\w[\w., ]*:",  # except ValueError, TypeError:
        r"""\b[tT][rR]?["']""",
    ),
}


def needed_python(cell: str) -> str:
    """Name the version of Python that can read a cell, if it is newer than this one; else "".

    Example:
        >>> needed_python("except ValueError, TypeError:")
        '3.14'
    """
    for version, signs in sorted(_SIGNS.items(), reverse=True):
        if version > sys.version_info[:2] and any(
            re.search(sign, cell, re.MULTILINE) for sign in signs
        ):
            return "{}.{}".format(*version)
    return ""
