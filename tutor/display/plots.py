"""How the course's pictures look: its colours, its style, and small maps with their numbers.

Query, key, value and attention keep one colour each from the first lesson to the last. The
colours are seaborn's colour-blind palette. Weights, which run from 0 to 1, are shown from white
to the colour of attention; signed numbers from blue over white to red.
"""

import base64
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.rcsetup import cycler
from numpy.typing import ArrayLike

from tutor.display.canvas import DRAWING, Canvas, smaller

PALETTE = (
    "#0173b2",
    "#de8f05",
    "#029e73",
    "#d55e00",
    "#cc78bc",
    "#ca9161",
    "#fbafe4",
    "#949494",
    "#ece133",
    "#56b4e9",
)

QUERY, KEY, VALUE, HIGHLIGHT, ATTENTION = PALETTE[:5]
NEUTRAL = PALETTE[7]
INK = "#222222"

COLOURS: Mapping[str, str] = {
    "query": QUERY,
    "key": KEY,
    "value": VALUE,
    "attention": ATTENTION,
    "neutral": NEUTRAL,
}

FONTS = Path(__file__).parents[1] / "data" / "fonts"

# The Korean font has one weight, and matplotlib would say so on stderr at every bold word.
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)

_STYLE: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.prop_cycle": cycler(color=PALETTE),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 12,
    "axes.titleweight": "normal",
    "font.size": 11,
    "grid.color": "#e3e3e3",
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


def colour_map(kind: str) -> Colormap:
    """Return the colours for numbers of one kind.

    Args:
        kind: "signed" for numbers on both sides of 0; otherwise the name of one of `COLOURS`,
            whose map starts white at 0 and stays light enough to read a number on.

    Raises:
        ValueError: if there is no such kind.

    Example:
        >>> colour_map("query")(0.0)[:3] == (1.0, 1.0, 1.0)
        True
    """
    if kind == "signed":
        return LinearSegmentedColormap.from_list("signed", ["#2166ac", "#ffffff", "#b2182b"])
    if kind not in COLOURS:
        raise ValueError(f"no colours for {kind!r}; expected 'signed' or one of {[*COLOURS]}")
    return LinearSegmentedColormap.from_list(kind, ["#ffffff", COLOURS[kind]])


class SmallMap:
    """A matrix as coloured cells, each with its number printed in it.

    Args:
        ax: the axes to draw in.
        numbers: the matrix (rows, columns).
        kind: "attention" for weights, whose colours run from 0 to 1; "query", "key", "value" or
            "neutral" for numbers from 0 up; "signed" for numbers on both sides of 0.
        limit: the number that has the full colour; 1 for weights, else the largest, unless given.
            Give it where the numbers will change, so that a colour keeps its meaning.
        decimals: how many are printed; whole numbers print without, unless given.
        title, rows, columns: what stands above, and beside each row and below each column.

    Raises:
        ValueError: if `numbers` is not a matrix.

    Example:
        >>> fig = Figure()
        >>> small = SmallMap(fig.subplots(), [[0.25, 0.75], [1.0, 0.0]], kind="attention")
        >>> small.printed()
        [['0.25', '0.75'], ['1.00', '0.00']]
        >>> small.set([[0.5, 0.5], [0.0, 1.0]])
        >>> small.printed()[0]
        ['0.50', '0.50']
    """

    def __init__(
        self,
        ax: Axes,
        numbers: ArrayLike,
        *,
        kind: str = "neutral",
        limit: float | None = None,
        decimals: int | None = None,
        title: str = "",
        rows: Sequence[str] = (),
        columns: Sequence[str] = (),
    ) -> None:
        """Draw the cells, then print the numbers in them."""
        matrix = _matrix(numbers)
        self.ax = ax
        self._decimals = decimals if decimals is not None else (0 if _is_whole(matrix) else 2)
        high = limit or (1.0 if kind == "attention" else float(np.abs(matrix).max()) or 1.0)
        self.image = ax.imshow(
            matrix, cmap=colour_map(kind), vmin=-high if kind == "signed" else 0.0, vmax=high
        )
        self.texts = [
            [
                ax.text(j, i, "", ha="center", va="center", fontsize=12)
                for j in range(matrix.shape[1])
            ]
            for i in range(matrix.shape[0])
        ]
        _label_cells(ax, rows, columns)
        self.title = ax.set_title(title, color=COLOURS.get(kind, INK))
        self.set(matrix)

    def set(self, numbers: ArrayLike) -> None:
        """Show other numbers in the same cells; a NaN leaves its cell empty.

        Raises:
            ValueError: if their shape is another.
        """
        matrix = _matrix(numbers)
        shape = (len(self.texts), len(self.texts[0]))
        if matrix.shape != shape:
            raise ValueError(f"numbers have shape {matrix.shape}; this map has {shape}")
        self.image.set_data(matrix)
        dark = _luminance(self.image.to_rgba(matrix)) < 0.21  # where white is read better than ink
        for i, row in enumerate(self.texts):
            for j, text in enumerate(row):
                text.set_text(self._print(matrix[i, j]))
                text.set_color("white" if dark[i, j] else INK)

    def _print(self, number: float) -> str:
        if np.isnan(number):
            return ""
        # + 0.0 turns -0.0, which would print a sign, into 0.0.
        return f"{round(number, self._decimals) + 0.0:.{self._decimals}f}"

    def printed(self) -> list[list[str]]:
        """Return the numbers as they stand in the cells."""
        return [[text.get_text() for text in row] for row in self.texts]

    def mark(self, colour: str = HIGHLIGHT) -> Rectangle:
        """Return a frame, invisible until `put_mark` puts it round some cells."""
        frame = Rectangle((-0.5, -0.5), 1, 1, fill=False, edgecolor=colour, linewidth=3, zorder=4)
        frame.set(visible=False, clip_on=False)
        self.ax.add_patch(frame)
        return frame

    def put_mark(
        self, frame: Rectangle, *, row: int | None = None, column: int | None = None
    ) -> None:
        """Put a frame round one cell, round a whole row or, without a row, a whole column."""
        frame.set_visible(True)
        frame.set_xy(((column or 0) - 0.5, (row or 0) - 0.5))
        frame.set_width(len(self.texts[0]) if column is None else 1)
        frame.set_height(len(self.texts) if row is None else 1)


class Picture:
    """A finished picture with its alt text, as the last line of a cell shows it.

    Args:
        draw: `draw(fig)` draws it; a text it returns is the caption, one line of computed values.
        alt: what the picture shows, for those who cannot see it.
        size: width and height in inches, at 100 pixels an inch.

    Raises:
        ValueError: if `alt` is empty.

    Example:
        >>> def draw(fig):
        ...     fig.subplots().plot([0, 1])
        >>> Picture(draw, alt="A rising line.")
        A rising line.
    """

    def __init__(
        self,
        draw: Callable[[Figure], str | None],
        *,
        alt: str,
        size: tuple[float, float] = (8.0, 4.0),
    ) -> None:
        """Draw it at once."""
        if not alt.strip():
            raise ValueError("alt is empty; expected a sentence that says what the picture shows")
        self.alt = alt
        canvas = Canvas(*size)
        with style():
            self.caption = draw(canvas.figure) or ""
            canvas.freeze_layout()
            self.png = canvas.png()

    def __repr__(self) -> str:
        """Return the alt text and the caption."""
        return f"{self.alt}\n{self.caption}".strip()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict, dict]:
        """Give the picture and, for those who cannot see it, its text."""
        return still_bundle(self.png, self.alt, self.caption)


def still_bundle(png: bytes, alt: str, caption: str = "") -> tuple[dict, dict]:
    """Return a picture with its texts in the form notebooks store, and the metadata to it."""
    text = f"{alt}\n{caption}".strip()
    data = {"image/png": base64.b64encode(smaller(png)).decode(), "text/plain": text}
    return data, {"image/png": {"alt": alt}}


def show_maps(
    *, alt: str, kinds: Mapping[str, str] | None = None, **matrices: ArrayLike
) -> Picture:
    """Show matrices side by side as small maps with their names above.

    Args:
        alt: what the picture shows.
        kinds: for each name, what kind of numbers they are (see `SmallMap`); else "neutral".
        matrices: the numbers, by name.

    Example:
        >>> import torch
        >>> show_maps(alt="Two queries.", kinds={"Q": "query"}, Q=torch.eye(2))
        Two queries.
    """
    kinds = kinds or {}

    def draw(fig: Figure) -> None:
        widths = [_matrix(matrix).shape[1] for matrix in matrices.values()]
        axes = fig.subplots(1, len(matrices), squeeze=False, width_ratios=widths)[0]
        for ax, (name, matrix) in zip(axes, matrices.items(), strict=True):
            SmallMap(ax, matrix, kind=kinds.get(name, "neutral"), title=name)

    tallest = max(_matrix(matrix).shape[0] for matrix in matrices.values())
    width = sum(_matrix(matrix).shape[1] + 0.8 for matrix in matrices.values())
    return Picture(draw, alt=alt, size=(min(10.0, 0.6 * width), 0.6 * tallest + 0.6))


def _matrix(numbers: ArrayLike) -> np.ndarray:
    matrix = np.asarray(numbers, dtype=float)
    if matrix.ndim != 2 or matrix.size == 0:
        raise ValueError(f"numbers have shape {matrix.shape}; expected (rows, columns)")
    return matrix


def _is_whole(matrix: np.ndarray) -> bool:
    return bool((matrix == matrix.round()).all())


def _luminance(rgba: np.ndarray) -> np.ndarray:
    """Return how bright colours look, from 0 (black) to 1 (white), as WCAG 2 defines it."""
    rgb = rgba[..., :3]
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


def _label_cells(ax: Axes, rows: Sequence[str], columns: Sequence[str]) -> None:
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_xticks(range(len(columns)), columns)
    ax.set_yticks(range(len(rows)), rows)
