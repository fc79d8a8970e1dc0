"""One clock at three positions: its height, and how far right it reaches."""

import math

import torch
from matplotlib.figure import Figure

from tutor.display.palette import HIGHLIGHT, NEUTRAL, mixed
from tutor.display.plots import Picture
from tutor.explorers.lesson03_positional_encoding.clock_face import (
    SINE,
    add_hand,
    clock_face,
    turn_hand,
    two_digits,
)
from tutor.say import say

_PERIOD = 8
_SHOWN = (0, 4, 8)


def one_clock_alone() -> Picture:
    """Draw the clock that turns once in eight positions at three of them, and its wave."""

    def draw(fig: Figure) -> str:
        grid = fig.add_gridspec(1, len(_SHOWN) + 1, width_ratios=[2.6, 1, 1, 1])
        wave = fig.add_subplot(grid[0])
        times = torch.linspace(0, 1.25 * _PERIOD, 400)
        heights = torch.sin(2 * math.pi * times / _PERIOD)
        wave.axhline(0, color=mixed(NEUTRAL, 0.5), linewidth=0.8)
        wave.plot(times.numpy(), heights.numpy(), color=SINE, linewidth=1.8)
        wave.plot(_SHOWN, [0] * len(_SHOWN), "o", color=HIGHLIGHT, markersize=8)
        wave.set(ylim=(-1.25, 1.25), xticks=_SHOWN, yticks=[-1, 0, 1], xlabel=say("position"))
        wave.set_title(say("height"))
        for n, position in enumerate(_SHOWN):
            face = fig.add_subplot(grid[n + 1])
            clock_face(face, say("position {position}", position=position))
            turn_hand(add_hand(face), 2 * math.pi * position / _PERIOD)
        return say(
            "At positions {positions} the height is {heights}, the reach to the right {reaches}.",
            positions=", ".join(map(str, _SHOWN)),
            heights=", ".join(two_digits(math.sin(2 * math.pi * p / _PERIOD)) for p in _SHOWN),
            reaches=", ".join(two_digits(math.cos(2 * math.pi * p / _PERIOD)) for p in _SHOWN),
        )

    return Picture(
        draw,
        alt=say(
            "A wave that is at height 0 at positions 0, 4 and 8, and the clock's hand at each: it "
            "points right, left, and right again."
        ),
        size=(8.0, 2.0),
    )
