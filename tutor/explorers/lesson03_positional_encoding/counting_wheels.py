"""Counting in binary, each wheel drawn as a wave and as the hand of a clock."""

import math
from typing import Any

import torch
from matplotlib.figure import Figure

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import INK, SERIES
from tutor.explorers.lesson03_positional_encoding.clock_face import clock_face
from tutor.say import say

_WHEELS = 4
_LAST = 2**_WHEELS - 1


def counting_wheels() -> Explorer:
    """Count in binary, and draw each wheel as a wave and as the hand of a clock.

    Example:
        >>> counting_wheels().frame(place=6).caption
        'Place 6: in binary 0110. The fastest wheel turns once in 2 places, the slowest in 16.'
    """
    places = torch.linspace(-0.49, _LAST + 0.49, 1200)

    def draw(fig: Figure, **_start: Any) -> Update:
        grid = fig.subplots(_WHEELS, 2, width_ratios=[7, 1])
        bits, squares, waves, cursors, hands = [], [], [], [], []
        for wheel, (ax, face) in enumerate(grid):
            period = 2 ** (wheel + 1)
            square = (places + 0.5) // (period / 2) % 2
            squares += ax.plot(places.numpy(), square.numpy(), color=SERIES[0], linewidth=2)
            middle = (period / 2 - 1) / 2  # of the first half turn, in which the wheel shows 0
            wave = (1 - torch.cos(2 * math.pi * (places - middle) / period)) / 2
            waves += ax.plot(places.numpy(), wave.numpy(), color=SERIES[2], linewidth=2)
            cursors.append(ax.axvline(0.0, color=INK, linewidth=1))
            ax.set(xlim=(-0.5, _LAST + 0.5), ylim=(-0.15, 1.15), yticks=[0, 1])
            ax.set_ylabel(f"{2**wheel}s", rotation=0, labelpad=14)
            if wheel < _WHEELS - 1:
                ax.set_xticks([])
            bits.append(ax.text(1.02, 0.5, "0", transform=ax.transAxes, va="center", fontsize=15))
            hands.append(clock_face(face, ""))
        grid[-1][0].set_xlabel("place")

        def update(place: int, shown: str) -> str:
            binary = f"{place:0{_WHEELS}b}"
            for wheel in range(_WHEELS):
                squares[wheel].set_visible(shown != "waves")
                waves[wheel].set_visible(shown != "wheels")
                cursors[wheel].set_xdata([place, place])
                bits[wheel].set_text(binary[-1 - wheel])
                angle = math.pi / 2 - 2 * math.pi * place / 2 ** (wheel + 1)
                hands[wheel].set_data([0, math.cos(angle)], [0, math.sin(angle)])
            return say(
                "Place {place}: in binary {binary}. The fastest wheel turns once in 2 places, the "
                "slowest in {longest}.",
                place=place,
                binary=binary,
                longest=2**_WHEELS,
            )

        return update

    return live(
        draw,
        alt=(
            "Four rows, for ones, twos, fours and eights. In each a wheel jumps between 0 and 1, "
            "twice as slowly as in the row above; a wave of the same period goes gently; a clock's "
            "hand turns with it."
        ),
        size=(8.0, 3.5),
        play="place",
        place=(0, _LAST, 1, 6),
        shown=["wheels", "both", "waves"],
    )
