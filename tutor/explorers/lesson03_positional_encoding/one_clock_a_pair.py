"""A place's eight numbers as four clocks, each ten times slower than the one before."""

from typing import Any

import torch
from matplotlib.figure import Figure
from torch import Tensor

from tutor.display.explorer import Explorer, Update, live
from tutor.explorers.lesson03_positional_encoding.clock_face import clock_face
from tutor.position import sinusoidal_encoding
from tutor.say import say

D_MODEL = 8
_FARTHEST = 110


def _row(place: int) -> Tensor:
    return sinusoidal_encoding(_FARTHEST + 1, D_MODEL, dtype=torch.float64)[place]


def one_clock_a_pair() -> Explorer:
    """Show a place's eight numbers as four clocks, each ten times slower than the one before.

    Example:
        >>> one_clock_a_pair().frame(place=7).caption
        'Place 7: 0.66, 0.75, 0.64, 0.76, 0.07, 1.00, 0.01, 1.00.'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        axes = fig.subplots(1, D_MODEL // 2)
        hands = [clock_face(ax, f"place / {10**i:,}") for i, ax in enumerate(axes)]
        notes = [ax.text(0, -1.55, "", ha="center", fontsize=9) for ax in axes]

        def update(place: int) -> str:
            row = _row(place).tolist()
            for pair, (hand, note) in enumerate(zip(hands, notes, strict=True)):
                sine, cosine = row[2 * pair : 2 * pair + 2]
                hand.set_data([0, cosine], [0, sine])
                note.set_text(f"sin {sine:.2f}\ncos {cosine:.2f}")
            numbers = ", ".join(f"{number + 0.0:.2f}" for number in row)
            return say("Place {place}: {numbers}.", place=place, numbers=numbers)

        return update

    return live(
        draw,
        alt=(
            "Four clocks over the eight numbers of a place, a sine and a cosine under each. From "
            "place to place the first hand turns by a radian, each later one ten times less."
        ),
        size=(8.0, 2.6),
        play="place",
        pace=0.5,
        place=(0, 99, 1, 7),
    )
