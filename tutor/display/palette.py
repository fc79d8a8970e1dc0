"""The course's colours, all of them, and what each one means.

Query, key, value and attention keep one colour each from the first lesson to the last. Numbers
above zero are red, below zero blue, and zero is white. The hues are those of seaborn's colour-blind
palette; their lightness was chosen anew, so that colours which meet in one picture differ in
three ways at once: to everybody's eyes, to eyes that confuse red and green, and (query, key,
value, attention; the series; the statuses) in grey. The tests compute all of this.

Signs are the exception in grey: from white at zero both ways lead to dark. So a number that is
small enough to read is printed with its sign.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tutor.say import say

if TYPE_CHECKING:  # reports and grading take colours from here and load no matplotlib
    from matplotlib.colors import Colormap

QUERY = "#124a7f"
KEY = "#bf8a1e"
VALUE = "#2a7e57"
ATTENTION = "#b363ac"
HIGHLIGHT = "#b84812"  # what to look at: a frame, a lit part
ABOVE = "#b62d3f"  # numbers above zero
BELOW = "#204eca"  # numbers below zero
NEUTRAL = "#8e8e8e"
INK = "#222222"
PAPER = "#ffffff"

KINDS: Mapping[str, str] = {
    "query": QUERY,
    "key": KEY,
    "value": VALUE,
    "attention": ATTENTION,
    "neutral": NEUTRAL,
}

# Things that are compared and have no colour of their own, such as models: in this order.
SERIES = ("#3e6fc2", "#889b3b", "#8f3742", "#116a84", "#0e4d04", "#548a7a")

STATUS: Mapping[str, str] = {
    "right": "#17694a",
    "half": "#69bae7",
    "wrong": HIGHLIGHT,
    "open": NEUTRAL,
    "missing": "#eec5a0",
    "not graded": "#fad9f3",
}

# On a dark page pictures are shown through this filter of CSS: light and dark change places, and
# hues stay. White paper gets the colour of JupyterLab's dark page.
DARK_FILTER = "invert(0.93) hue-rotate(180deg)"


def mixed(colour: str, share: float, ground: str = PAPER) -> str:
    """Return a colour thinned with the ground it stands on.

    Args:
        colour: six hexadecimal digits after "#", as in this module.
        share: how much of it, from 0 (the ground alone) to 1 (the colour itself).
        ground: what it is mixed with.

    Example:
        >>> mixed("#000000", 0.2)
        '#cccccc'
    """
    pairs = zip(_channels(colour), _channels(ground), strict=True)
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in pairs)


def readable(colour: str) -> str:
    """Return a colour mixed with as little ink as makes it fit for small letters on paper.

    Example:
        >>> contrast(KEY, PAPER) < 4.5 <= contrast(readable(KEY), PAPER)
        True
    """
    shares = (1 - step / 20 for step in range(21))
    mixtures = (mixed(colour, share, INK) for share in shares)
    return next(mixture for mixture in mixtures if contrast(mixture, PAPER) >= 4.5)


def tint(colour: str) -> str:
    """Return the strongest mixture with paper on which ink can be read, on light and dark pages.

    Example:
        >>> tint(INK) != INK and tint(PAPER) == PAPER
        True
    """
    shares = (1 - step / 50 for step in range(51))
    mixtures = (mixed(colour, share) for share in shares)
    return next(ground for ground in mixtures if _holds_ink(ground))


def _holds_ink(ground: str) -> bool:
    return min(contrast(INK, ground), contrast(on_dark(INK), on_dark(ground))) >= 4.5


def contrast(first: str, second: str) -> float:
    """Return how well two colours are told apart by lightness alone, from 1 to 21 (WCAG 2).

    Letters need 4.5, lines and large letters 3.

    Example:
        >>> contrast("#000000", "#ffffff")
        21.0
    """
    dark, bright = sorted((_luminance(first), _luminance(second)))
    return (bright + 0.05) / (dark + 0.05)


def on_dark(colour: str) -> str:
    """Return what a colour becomes on a dark page, where `DARK_FILTER` is at work.

    Example:
        >>> on_dark(PAPER)
        '#121212'
    """
    inverted = [0.93 * 255 - 0.86 * channel for channel in _channels(colour)]
    grey = sum(part * channel for part, channel in zip((0.213, 0.715, 0.072), inverted))
    turned = (min(255, max(0, round(2 * grey - channel))) for channel in inverted)
    return "#" + "".join(f"{channel:02x}" for channel in turned)


def colour_map(kind: str, *, under_text: bool = False) -> "Colormap":
    """Return the colours for numbers of one kind.

    Args:
        kind: "signed" for numbers on both sides of 0, blue, white, red; otherwise the name of one
            of `KINDS`, whose map starts white at 0.
        under_text: whether the numbers are printed on it, so that the map must stay light.

    Raises:
        ValueError: if there is no such kind.

    Example:
        >>> colour_map("query")(0.0)[:3] == (1.0, 1.0, 1.0)
        True
    """
    from matplotlib.colors import LinearSegmentedColormap

    if kind != "signed" and kind not in KINDS:
        raise ValueError(
            say(
                "no colours for {kind!r}; expected 'signed' or one of {kinds}",
                kind=kind,
                kinds=[*KINDS],
            )
        )
    stops = [BELOW, PAPER, ABOVE] if kind == "signed" else [PAPER, KINDS[kind]]
    if under_text:
        stops = [tint(colour) for colour in stops]
    return LinearSegmentedColormap.from_list(kind, stops)


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour.removeprefix("#")))


def _luminance(colour: str) -> float:
    """Return how bright a colour looks, from 0 (black) to 1 (white), as WCAG 2 defines it."""
    parts = [channel / 255 for channel in _channels(colour)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(part * c for part, c in zip((0.2126, 0.7152, 0.0722), linear))
