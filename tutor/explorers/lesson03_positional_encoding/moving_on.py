"""By which angle each clock turns when one moves on, and the one matrix that does it."""

from typing import Any

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from torch import Tensor

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, NEUTRAL, colour_map
from tutor.display.style import SMALL
from tutor.explorers.lesson03_positional_encoding.clock_face import (
    add_arc,
    add_hand,
    bend_arc,
    clock_face,
    turn_hand,
    two_digits,
)
from tutor.explorers.lesson03_positional_encoding.one_clock_a_pair import (
    D_MODEL,
    DIVISORS,
    PAIRS,
    clock_title,
)
from tutor.position import shift_matrix
from tutor.say import say

_RADIUS = 0.45  # of the arcs


def moving_on() -> Explorer:
    """Show by which angle each clock turns when one moves on, and the one matrix that does it.

    Example:
        >>> moving_on().frame(start=50, on=5).caption
        'From 50 to 55 the four hands turn by 5, 0.5, 0.05, 0.005 radians, as from 0 to 5.'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        grid = fig.add_gridspec(2, 3, width_ratios=[1, 1, 2.15])
        clocks = [
            _clock(fig.add_subplot(grid[pair // 2, pair % 2]), clock_title(pair))
            for pair in range(PAIRS)
        ]
        fill = _matrix(fig.add_subplot(grid[:, 2]))

        def update(start: int, on: int) -> str:
            turns = [on / divisor for divisor in DIVISORS]
            for (before, after, arc), divisor, turn in zip(clocks, DIVISORS, turns, strict=True):
                first = start / divisor
                turn_hand(before, first)
                turn_hand(after, first + turn)
                bend_arc(arc, first, first + turn, _RADIUS)
            fill(shift_matrix(on, D_MODEL))
            return say(
                "From {start} to {end} the four hands turn by {turns} radians, as from 0 to {on}.",
                start=start,
                end=start + on,
                turns=", ".join(f"{turn:g}" for turn in turns),
                on=on,
            )

        return update

    return live(
        draw,
        alt=say(
            "Four clocks, each with a grey hand where one starts and a coloured one some positions "
            "on; beside them a matrix with four blocks of two by two numbers along its diagonal. "
            "Angles and matrix depend on how far one moves, and not on the start."
        ),
        size=(8.0, 3.9),
        start=([0, 3, 50], 3),
        on=(0, 10, 1, 5),
        labels={"on": say("positions on")},
    )


def _clock(ax: Axes, title: str) -> tuple[Line2D, Line2D, Line2D]:
    """Draw a clock; give its hand before the move, the one after it, and the way between."""
    clock_face(ax, title)
    arc = add_arc(ax, HIGHLIGHT, _RADIUS)
    return add_hand(ax, NEUTRAL), add_hand(ax), arc


def _matrix(ax: Axes) -> Any:
    """Draw the cells of a matrix; give what fills them."""
    picture = ax.imshow(
        torch.zeros(D_MODEL, D_MODEL).numpy(),
        cmap=colour_map("signed", under_text=True),
        vmin=-1,
        vmax=1,
    )
    inside = [(row, column) for row in range(D_MODEL) for column in (row - row % 2, row | 1)]
    texts = [
        ax.text(column, row, "", ha="center", va="center", fontsize=SMALL) for row, column in inside
    ]
    for edge in range(2, D_MODEL, 2):
        ax.axhline(edge - 0.5, color=NEUTRAL, linewidth=0.8)
        ax.axvline(edge - 0.5, color=NEUTRAL, linewidth=0.8)
    ax.set_title(say("the matrix M of this move"))
    ax.set(xticks=[], yticks=[])

    def fill(numbers: Tensor) -> None:
        picture.set_data(numbers.numpy())
        for text, (row, column) in zip(texts, inside, strict=True):
            text.set_text(two_digits(numbers[row, column].item()))

    return fill
