"""One token normalised, and what gamma, beta and epsilon do to it."""

from typing import Any

import torch
from matplotlib.figure import Figure
from torch import Tensor

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import INK, NEUTRAL, SERIES
from tutor.layers import layer_norm
from tutor.say import say

_ROW = torch.tensor([1.0, 2.0, 3.0, 6.0, 4.0, 2.0])


def one_row() -> Explorer:
    """Show what layer norm makes of one token, and what gamma, beta and epsilon do to it."""

    def draw(fig: Figure, **_start: Any) -> Update:
        before, after = fig.subplots(1, 2)
        places = range(1, len(_ROW) + 1)
        ins = before.bar(places, torch.zeros(len(_ROW)), color=NEUTRAL)
        outs = after.bar(places, torch.zeros(len(_ROW)), color=SERIES[0])
        (level,) = before.plot([0.5, len(_ROW) + 0.5], [0, 0], color=INK, linestyle="--")
        (centre,) = after.plot([0.5, len(_ROW) + 0.5], [0, 0], color=INK, linestyle="--")
        before.set(title=say("the token"), ylim=(-4, 18), xlabel=say("feature"))
        after.set(title=say("after layer norm"), ylim=(-7, 7), xlabel=say("feature"))

        def update(stretch: float, shift: float, gamma: float, beta: float, epsilon: float) -> str:
            row = (_ROW - _ROW.mean()) * stretch + _ROW.mean() + shift
            scale, offset = torch.full((6,), gamma), torch.full((6,), beta)
            normed = layer_norm(row, scale, offset, epsilon)
            for bars, heights in ((ins, row), (outs, normed)):
                for bar, height in zip(bars, heights.tolist()):
                    bar.set_height(height)
            level.set_ydata([row.mean(), row.mean()])
            centre.set_ydata([normed.mean(), normed.mean()])
            return say(
                "In: mean {mean_in}, standard deviation {deviation_in}; out: mean {mean_out}, "
                "standard deviation {deviation_out}",
                mean_in=_short(row.mean()),
                deviation_in=_short(row.std(correction=0)),
                mean_out=_short(normed.mean()),
                deviation_out=_short(normed.std(correction=0)),
            )

        return update

    return live(
        draw,
        alt=say(
            "Bars of one token before and after layer norm. Whatever the token's mean and "
            "standard deviation, the bars on the right keep their pattern, with mean beta and a "
            "standard deviation close to gamma unless epsilon is large beside the variance."
        ),
        size=(8.0, 2.8),
        labels={"epsilon": "ε", "gamma": "γ", "beta": "β"},
        kept={
            "stretch": [0.0, 2.0],
            "shift": [5.0],
            "gamma": [0.5, 2.0],
            "beta": [3.0],
            "epsilon": [10.0],
        },
        stretch=(0.0, 2.0, 0.25, 1.0),
        shift=(-2.0, 8.0, 1.0, 0.0),
        gamma=(0.0, 2.0, 0.25, 1.0),
        beta=(-3.0, 3.0, 0.5, 0.0),
        epsilon=([1e-5, 0.01, 0.1, 1.0, 10.0], 1e-5),
    )


def _short(number: Tensor) -> str:
    return f"{round(number.item(), 2) + 0.0:.2f}"  # no minus before a zero
