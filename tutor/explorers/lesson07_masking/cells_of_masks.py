"""Cells of a mask and their colours, for lesson 7's pictures of padding and of leaks."""

import torch
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.image import AxesImage
from torch import Tensor

from tutor.display.palette import ATTENTION, NEUTRAL, mixed
from tutor.say import say

HIDDEN, PADDING, UNUSED = mixed(NEUTRAL, 0.2), mixed(NEUTRAL, 0.6), mixed(ATTENTION, 0.25)


def coloured(keep: Tensor, may_look: str, hidden: str) -> Tensor:
    """Turn a table of True and False into the colours of its cells, (rows, columns, 3)."""
    return torch.where(
        keep[..., None], torch.tensor(to_rgb(may_look)), torch.tensor(to_rgb(hidden))
    )


def draw_cells(ax: Axes, places: int, title: str) -> AxesImage:
    """Draw a white table with room for a cell of each query and key."""
    image = ax.imshow(torch.ones(places, places, 3).numpy())
    edges = [place - 0.5 for place in range(places + 1)]
    ax.hlines(edges, -0.5, places - 0.5, color="white", linewidth=1.5)
    ax.vlines(edges, -0.5, places - 0.5, color="white", linewidth=1.5)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    numbers = [str(place + 1) for place in range(places)]
    ax.set_xticks(range(places), numbers)
    ax.set_yticks(range(places), numbers)
    ax.set(xlabel=say("key"), ylabel=say("query"), title=title)
    return image
