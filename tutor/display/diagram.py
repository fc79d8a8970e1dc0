"""The figure that opens every lesson: the Transformer, with this lesson's part lit.

The boxes are those of the paper's figures 1 and 2. What came before (recurrent networks) stands
at the left, what happens inside one head at the right.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from tutor.display.plots import HIGHLIGHT, NEUTRAL, Picture

_LIT, _UNLIT = "#f6cfae", "#f4f4f4"
_SIZE = (8.0, 4.4)


class Place(NamedTuple):
    """Where a lesson stands in the figure: the parts it lights, and what they are, in words."""

    parts: tuple[str, ...]
    words: str


PLACES: Mapping[str, Place] = {
    "01_rnn_limits": Place(("recurrence",), "what the Transformer replaces"),
    "02_embeddings": Place(("embedding",), "how words become rows of numbers"),
    "03_positional_encoding": Place(("position",), "how a row of numbers says where it stands"),
    "04_self_attention": Place(
        ("project", "score", "scale", "softmax", "average"), "what happens inside one attention"
    ),
    "05_multi_head_attention": Place(
        ("self-attention", "masked self-attention", "cross-attention", "project", "join"),
        "several attentions side by side",
    ),
    "06_residual_and_layer_norm": Place(
        ("add and norm", "feed-forward"), "what stands between the attentions"
    ),
    "07_masking": Place(("masked self-attention", "mask"), "who may look at whom"),
    "08_full_transformer": Place(("stack",), "how the parts make one model"),
    "09_output_softmax": Place(("linear", "output softmax"), "from rows of numbers back to words"),
}


class Box(NamedTuple):
    """A box of the figure: the part it shows, its label, and its middle."""

    part: str
    label: str
    x: float
    y: float


_ENCODER_X, _DECODER_X, _HEAD_X = 3.4, 6.2, 9.45
_HALF_WIDTH, _HALF_HEIGHT = 0.98, 0.33
_FRAME = 1.3  # half the width of the frame round a stack

# Each column from the bottom up: part, label, height.
_ENCODER = (
    ("embedding", "embedding", 0.9),
    ("position", "+ positions", 1.8),
    ("self-attention", "self-attention", 3.2),
    ("add and norm", "add & norm", 4.1),
    ("feed-forward", "feed-forward", 5.3),
    ("add and norm", "add & norm", 6.2),
)
_DECODER = (
    ("embedding", "embedding", 0.9),
    ("position", "+ positions", 1.8),
    ("masked self-attention", "masked self-att.", 3.2),
    ("add and norm", "add & norm", 4.1),
    ("cross-attention", "cross-attention", 5.3),
    ("add and norm", "add & norm", 6.2),
    ("feed-forward", "feed-forward", 7.4),
    ("add and norm", "add & norm", 8.3),
    ("linear", "linear", 9.85),
    ("output softmax", "softmax", 10.75),
)
_HEAD = (
    ("project", "Q, K, V", 2.5),
    ("score", "scores Q Kᵀ", 3.5),
    ("scale", "scores / √d_k", 4.5),
    ("mask", "mask", 5.5),
    ("softmax", "softmax", 6.5),
    ("average", "weights · V", 7.5),
    ("join", "join heads", 8.5),
)
_COLUMNS = ((_ENCODER_X, _ENCODER), (_DECODER_X, _DECODER), (_HEAD_X, _HEAD))


def you_are_here(lesson: str) -> Picture:
    """Show the Transformer with the part lit that a lesson is about.

    Args:
        lesson: the lesson's name, such as "04_self_attention".

    Raises:
        ValueError: if there is no such lesson.

    Example:
        >>> you_are_here("04_self_attention").caption
        'Lesson 4: what happens inside one attention.'

    Source: "Attention Is All You Need", figures 1 and 2.
    """
    if lesson not in PLACES:
        raise ValueError(f"no lesson is called {lesson!r}; expected one of {[*PLACES]}")
    place = PLACES[lesson]

    def draw(fig: Figure) -> str:
        ax = fig.add_axes((0.0, 0.0, 1.0, 1.0))
        ax.set(xlim=(0, 10.8), ylim=(-0.1, 11.2))
        ax.axis("off")
        _draw_frames(ax, lit="stack" in place.parts)
        _draw_flow(ax)
        for box in _boxes():
            _draw_box(ax, box, lit=box.part in place.parts)
        return f"Lesson {int(lesson[:2])}: {place.words}."

    return Picture(draw, alt=_alt(place), size=_SIZE)


def _alt(place: Place) -> str:
    lit = [part for part in dict.fromkeys(box.part for box in _boxes()) if part in place.parts]
    return (
        "The Transformer: encoder and decoder side by side, the inside of an attention at the "
        "right, recurrent networks, which came before, at the left. Lit: "
        f"{', '.join(lit) or 'encoder and decoder as a whole'}."
    )


def _boxes() -> Iterator[Box]:
    yield Box("recurrence", "recurrent net", 1.06, 4.1)
    for x, column in _COLUMNS:
        for part, label, y in column:
            yield Box(part, label, x, y)


def _draw_box(ax: Axes, box: Box, *, lit: bool) -> None:
    _draw_frame(ax, box.x, _HALF_WIDTH, box.y - _HALF_HEIGHT, box.y + _HALF_HEIGHT, _UNLIT, lit)
    weight = "bold" if lit else "normal"
    ax.text(box.x, box.y, box.label, ha="center", va="center", fontsize=10, fontweight=weight)


def _draw_frames(ax: Axes, *, lit: bool) -> None:
    """Draw the frames round what is repeated six times and round the inside of an attention."""
    for x, top, name in ((_ENCODER_X, 6.8, "encoder"), (_DECODER_X, 8.9, "decoder")):
        _draw_frame(ax, x, _FRAME, 2.45, top, "white", lit)
        ax.text(x - _FRAME, top + 0.13, f"{name}, × 6", fontsize=9)
    _draw_frame(ax, _HEAD_X, _FRAME, 1.95, 9.05, "white", lit=False)
    ax.text(_HEAD_X, 9.2, "inside an attention", ha="center", fontsize=9)


def _draw_frame(
    ax: Axes, x: float, half: float, bottom: float, top: float, colour: str, lit: bool
) -> None:
    """Draw a rectangle with round corners, x being its middle."""
    ax.add_patch(
        FancyBboxPatch(
            (x - half, bottom),
            2 * half,
            top - bottom,
            boxstyle="round,pad=0,rounding_size=0.12",
            facecolor=_LIT if lit else colour,
            edgecolor=HIGHLIGHT if lit else NEUTRAL,
            linewidth=2.0 if lit else 0.8,
        )
    )


def _draw_flow(ax: Axes) -> None:
    """Draw the arrows: up each column, past each sub-layer, and from encoder to decoder."""
    for x, column in _COLUMNS:
        heights = [y for _, _, y in column]
        for below, above in pairwise(heights):
            _arrow(ax, (x, below + _HALF_HEIGHT), (x, above - _HALF_HEIGHT))
        for (_, _, y), (part, _, above) in pairwise(column):
            if part == "add and norm":  # the residual path starts below the sub-layer
                aside, below = x + 1.15, y - 0.5
                _arrow(ax, (x, below), (aside, below), (aside, above), (x + _HALF_WIDTH, above))
    top, aside, goal = 6.2 + _HALF_HEIGHT, (_ENCODER_X + _DECODER_X) / 2, _DECODER_X - _HALF_WIDTH
    _arrow(ax, (_ENCODER_X, top), (_ENCODER_X, 7.6), (aside, 7.6), (aside, 5.3), (goal, 5.3))
    ax.text(1.06, 4.6, "before:", ha="center", fontsize=9)
    ax.text(_ENCODER_X, 0.1, "source words", ha="center", fontsize=9)
    ax.text(_DECODER_X, 0.1, "target words so far", ha="center", fontsize=9)
    ax.text(_DECODER_X + 1.1, 10.75, "next word", va="center", fontsize=9)


def _arrow(ax: Axes, *corners: tuple[float, float]) -> None:
    """Draw an arrow along the corners of its path."""
    xs, ys = zip(*corners)
    ax.plot(xs[:-1], ys[:-1], color=NEUTRAL, linewidth=1.0)  # the last stretch is the arrow's own
    ax.annotate(
        "",
        xy=corners[-1],
        xytext=corners[-2],
        arrowprops={
            "arrowstyle": "-|>",
            "color": NEUTRAL,
            "linewidth": 1.0,
            "mutation_scale": 8,
            "shrinkA": 0,
            "shrinkB": 0,
        },
    )
