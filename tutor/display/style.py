"""How the course's pictures look: lines, and letters of one typeface in three sizes.

The typeface is Course Sans (Pretendard, cut down), which has Korean words too; matplotlib's own
DejaVu Sans stands behind it for rare signs. Formulas are set as in the text.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib import font_manager

from tutor.display.canvas import DRAWING
from tutor.display.palette import INK, NEUTRAL, SERIES, mixed

FONTS = Path(__file__).parents[1] / "data" / "fonts"

TITLE, LABEL, SMALL = 12.5, 11.0, 9.5  # points, by what words are for
BOLD = "semibold"

# The fonts behind the first have other weights, and matplotlib would say so at every bold word.
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)

_STYLE: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.prop_cycle": f"cycler(color={list(SERIES)})",
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": TITLE,
    "axes.titleweight": BOLD,
    "font.size": LABEL,
    "grid.color": mixed(NEUTRAL, 0.25),
    "image.interpolation": "nearest",
    "legend.fontsize": SMALL,
    "legend.frameon": False,
    "lines.linewidth": 2,
    "mathtext.fontset": "cm",
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}


@contextmanager
def style() -> Iterator[None]:
    """Make figures that are drawn inside look like the course's.

    Settings are shared by the whole process, so this also holds the drawing lock.

    Example:
        >>> with style():
        ...     mpl.rcParams["font.size"]
        11.0
    """
    with DRAWING, mpl.rc_context(_STYLE | {"font.family": families()}):
        yield


def families() -> list[str]:
    """Return the course's typeface, and behind it the font that has the signs it lacks.

    Matplotlib takes each character from the first family that has it: one that is named, not a
    generic one's.

    Example:
        >>> families()
        ['Course Sans', 'DejaVu Sans']
    """
    return [*vendored_fonts(), "DejaVu Sans"]


@cache
def vendored_fonts() -> tuple[str, ...]:
    """Register the fonts that come with the course and return the names of their families.

    Example:
        >>> set(vendored_fonts()) <= set(font_manager.get_font_names())
        True
    """
    names = []
    for path in sorted([*FONTS.glob("*.ttf"), *FONTS.glob("*.otf")]):
        font_manager.fontManager.addfont(path)
        names.append(font_manager.FontProperties(fname=path).get_name())
    found = tuple(dict.fromkeys(names))
    # Behind the fonts of a learner's own figures, so that a Korean title has its letters there too.
    mpl.rcParams["font.family"] = [*dict.fromkeys([*mpl.rcParams["font.family"], *found])]
    return found
