"""How the course's pictures look: lines, letters, and fonts that have Korean words."""

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

# The Korean font has one weight, and matplotlib would say so on stderr at every bold word.
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)

_STYLE: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.prop_cycle": f"cycler(color={list(SERIES)})",
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 12,
    "axes.titleweight": "normal",
    "font.size": 11,
    "grid.color": mixed(NEUTRAL, 0.25),
    "image.interpolation": "nearest",
    "legend.frameon": False,
    "lines.linewidth": 2,
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
    # Matplotlib takes a missing character from the next family named here, not a generic one's.
    with DRAWING, mpl.rc_context(_STYLE | {"font.family": ["DejaVu Sans", *vendored_fonts()]}):
        yield


@cache
def vendored_fonts() -> tuple[str, ...]:
    """Register the fonts that come with the course and return the names of their families.

    Matplotlib takes each character from the first font that has it, so Korean words show without
    a font being named.

    Example:
        >>> set(vendored_fonts()) <= set(font_manager.get_font_names())
        True
    """
    families = []
    for path in sorted([*FONTS.glob("*.ttf"), *FONTS.glob("*.otf")]):
        font_manager.fontManager.addfont(path)
        families.append(font_manager.FontProperties(fname=path).get_name())
    return tuple(dict.fromkeys(families))
