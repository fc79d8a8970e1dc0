"""The one clock of lesson 3: its hand starts at the right and turns upwards, its height is a sine.

All pictures draw it alike, from the counter to rotary positions, and so that what a hand has
turned is an angle as mathematics counts it.
"""

import math
from typing import Any

import torch
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from tutor.display.palette import HIGHLIGHT, INK, NEUTRAL, SERIES, mixed

SINE, COSINE = SERIES[0], SERIES[1]  # how high the hand's tip is, and how far to the right


def clock_face(ax: Axes, title: str = "") -> None:
    """Draw a clock of radius 1, with a mark where every hand starts."""
    turn = torch.linspace(0, 2 * math.pi, 100)
    ax.plot(turn.cos().numpy(), turn.sin().numpy(), color=NEUTRAL, linewidth=1)
    ax.plot([-1, 1], [0, 0], color=mixed(NEUTRAL, 0.4), linewidth=0.8)
    ax.plot([0.92, 1.08], [0, 0], color=INK, linewidth=1.5)
    ax.set(xlim=(-1.25, 1.25), ylim=(-1.25, 1.25), aspect="equal")
    ax.set_title(title)
    ax.set_axis_off()


def add_hand(ax: Axes, colour: str = HIGHLIGHT) -> Line2D:
    """Draw a hand in its start."""
    look: dict[str, Any] = {
        "linewidth": 2.5,
        "solid_capstyle": "round",
        "marker": "o",
        "markevery": [1],
    }
    (hand,) = ax.plot([0, 1], [0, 0], color=colour, markersize=5, **look)
    return hand


def turn_hand(hand: Line2D, angle: float) -> None:
    """Turn a hand by an angle from its start, in radians."""
    hand.set_data([0, math.cos(angle)], [0, math.sin(angle)])


def add_arc(ax: Axes, colour: str, radius: float) -> Line2D:
    """Draw the way between two hands."""
    (arc,) = ax.plot([radius], [0], color=colour, linewidth=2)
    return arc


def bend_arc(arc: Line2D, first: float, last: float, radius: float) -> None:
    """Let a way go from one angle to another, once round at most."""
    way = torch.linspace(first, first + max(-2 * math.pi, min(last - first, 2 * math.pi)), 60)
    arc.set_data((radius * way.cos()).numpy(), (radius * way.sin()).numpy())


def two_digits(number: float) -> str:
    """Write a number with two digits behind the point, and nought without a sign.

    Example:
        >>> two_digits(-0.654), two_digits(-0.004)
        ('−0.65', '0.00')
    """
    return f"{round(number, 2) + 0.0:.2f}".replace("-", "−")
