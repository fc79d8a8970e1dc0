"""A position's eight numbers as four clocks, each ten times slower than the one before."""

from typing import Any

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from torch import Tensor

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import colour_map, readable
from tutor.display.style import SMALL, TITLE
from tutor.explorers.lesson03_positional_encoding.clock_face import (
    COSINE,
    SINE,
    add_hand,
    clock_face,
    turn_hand,
    two_digits,
)
from tutor.position import sinusoidal_encoding
from tutor.say import say

D_MODEL = 8
PAIRS = D_MODEL // 2
DIVISORS = [10**pair for pair in range(PAIRS)]  # 10000 ** (2 * pair / D_MODEL)
_FARTHEST = 99


def clock_title(pair: int) -> str:
    """Name a clock by what it divides the position by."""
    return say("position / {divisor:,}", divisor=DIVISORS[pair])


def one_clock_a_pair() -> Explorer:
    """Show a position's eight numbers as four clocks, each ten times slower than the one before.

    Example:
        >>> one_clock_a_pair().frame(position=7).caption
        'Position 7: 0.66, 0.75, 0.64, 0.76, 0.07, 1.00, 0.01, 1.00.'
    """
    rows = sinusoidal_encoding(_FARTHEST + 1, D_MODEL, dtype=torch.float64)

    def draw(fig: Figure, **_start: Any) -> Update:
        faces, cells = fig.subplots(2, PAIRS, height_ratios=[4, 1])
        clocks = [_clock(ax, clock_title(pair)) for pair, ax in enumerate(faces)]
        pairs = [_cells(ax, 2 * pair) for pair, ax in enumerate(cells)]
        cells[0].set_ylabel(say("row"), rotation=0, labelpad=18, va="center")

        def update(position: int) -> str:
            row = rows[position]
            for pair, ((hand, high, right), show) in enumerate(zip(clocks, pairs, strict=True)):
                sine, cosine = row[2 * pair : 2 * pair + 2].tolist()
                turn_hand(hand, position / DIVISORS[pair])
                high.set_data([cosine, cosine], [0, sine])
                right.set_data([0, cosine], [0, 0])
                show(row[2 * pair : 2 * pair + 2])
            numbers = ", ".join(map(two_digits, row.tolist()))
            return say("Position {position}: {numbers}.", position=position, numbers=numbers)

        return update

    return live(
        draw,
        alt=say(
            "Four clocks, and under each two cells of the position's row: how high the tip of the "
            "hand is, and how far to the right. From one position to the next the first hand "
            "turns by a radian, each later one ten times less."
        ),
        size=(8.0, 3.2),
        play="position",
        pace=0.5,
        position=(0, _FARTHEST, 1, 7),
    )


def _clock(ax: Axes, title: str) -> tuple[Line2D, Line2D, Line2D]:
    """Draw a clock; give its hand, its tip's height, and how far right that is."""
    clock_face(ax, title)
    (right,) = ax.plot([0, 1], [0, 0], color=COSINE, linewidth=4, solid_capstyle="butt")
    (high,) = ax.plot([1, 1], [0, 0], color=SINE, linewidth=4, solid_capstyle="butt")
    return add_hand(ax), high, right


def _cells(ax: Axes, column: int) -> Any:
    """Draw two cells of a row; give what fills them."""
    picture = ax.imshow(
        torch.zeros(1, 2).numpy(),
        cmap=colour_map("signed", under_text=True),
        vmin=-1,
        vmax=1,
        aspect="auto",
    )
    texts = [ax.text(n, 0, "", ha="center", va="center", fontsize=TITLE) for n in range(2)]
    names = (
        say("column {column}\nsine", column=column),
        say("column {column}\ncosine", column=column + 1),
    )
    ax.set_xticks([0, 1], names, fontsize=SMALL)
    for label, colour in zip(ax.get_xticklabels(), (SINE, COSINE), strict=True):
        label.set_color(readable(colour))
    ax.set_yticks([])
    ax.tick_params(length=0)

    def fill(numbers: Tensor) -> None:
        picture.set_data(numbers[None].numpy())
        for text, number in zip(texts, numbers.tolist(), strict=True):
            text.set_text(two_digits(number))

    return fill
