"""The face of a clock with its hand, for the pictures of lesson 3."""

import math

import torch
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from tutor.display.palette import HIGHLIGHT, NEUTRAL


def clock_face(ax: Axes, title: str) -> Line2D:
    """Draw a clock of radius 1 and return its hand."""
    turn = torch.linspace(0, 2 * math.pi, 100)
    ax.plot(turn.cos().numpy(), turn.sin().numpy(), color=NEUTRAL, linewidth=1)
    ax.set(xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), aspect="equal")
    ax.set_title(title, fontsize=9)
    ax.set_axis_off()
    (hand,) = ax.plot([0, 1], [0, 0], color=HIGHLIGHT, linewidth=2.5, solid_capstyle="round")
    return hand
