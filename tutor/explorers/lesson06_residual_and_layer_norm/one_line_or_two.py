"""A line, or a fold, turned through four verdicts: how many stand on the wrong side."""

import math
from typing import Any

import numpy as np
import torch
from matplotlib.figure import Figure
from torch import Tensor

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, INK, colour_map
from tutor.say import data, say

# (good?, not?) -> is it praise?
_CORNERS = {"bad": (0, 0, 0), "good": (1, 0, 1), "not bad": (0, 1, 1), "not good": (1, 1, 0)}


def one_line_or_two() -> Explorer:
    """Turn a line, or a fold, through four verdicts: how many stand on the wrong side?

    Example:
        >>> one_line_or_two().frame(turn=135).caption
        'One line: 1 of 4 on the wrong side'
        >>> one_line_or_two().frame(turn=135, fold=True).caption
        'ReLU left and right of a fold: 0 of 4 on the wrong side'
    """
    grid = torch.linspace(-0.4, 1.4, 91)
    ys, xs = torch.meshgrid(grid, grid, indexing="ij")

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        ax.set(xlim=(-0.4, 1.4), ylim=(-0.4, 1.4), aspect="equal")
        ax.set_xticks([0, 1], [say("no"), say("yes")])
        ax.set_yticks([0, 1], [say("no"), say("yes")])
        ax.set(xlabel=say('says "good"'), ylabel=say('says "not"'))
        shade = ax.imshow(
            np.zeros((91, 91)),
            extent=(-0.4, 1.4, -0.4, 1.4),
            origin="lower",
            cmap=colour_map("value"),
            vmin=0,
            vmax=2.2,
        )
        for name, (x, y, praise) in _CORNERS.items():
            ax.plot(x, y, "o" if praise else "X", color=INK, markersize=11)
            ax.annotate(data(name), (x, y), (0, 11), textcoords="offset points", ha="center")
        wrong = {
            name: ax.plot(x, y, "o", color=HIGHLIGHT, markersize=20, fillstyle="none", mew=2.5)[0]
            for name, (x, y, _) in _CORNERS.items()
        }

        def update(turn: int, fold: bool) -> str:
            shade.set_data((_verdict(xs, ys, turn, fold) > 0.5).double().numpy())
            missed = 0
            for name, (x, y, praise) in _CORNERS.items():
                found = float(_verdict(torch.tensor(x), torch.tensor(y), turn, fold)) > 0.5
                wrong[name].set_visible(found != bool(praise))
                missed += found != bool(praise)
            if fold:
                return say(
                    "ReLU left and right of a fold: {missed} of 4 on the wrong side", missed=missed
                )
            return say("One line: {missed} of 4 on the wrong side", missed=missed)

        return update

    return live(
        draw,
        alt=say(
            "A square whose corners are bad, good, not bad and not good; praise is a dot, blame a "
            "cross. The plane is parted by one line, or by a fold with two lines; what the shade "
            "says wrongly has a ring. No single line leaves fewer than one ring."
        ),
        size=(8.0, 2.7),
        labels={"turn": say("turn"), "fold": say("two detectors with ReLU")},
        turn=(0, 165, 15, 135),
        fold=False,
    )


def _verdict(x: Tensor, y: Tensor, turn: int, fold: bool) -> Tensor:
    """Give the height over a place: of a tilted plane, or of one folded upwards along a line."""
    angle = math.radians(turn)
    along = math.cos(angle) * (x - 0.5) + math.sin(angle) * (y - 0.5)
    return torch.relu(along) + torch.relu(-along) if fold else along + 0.3
