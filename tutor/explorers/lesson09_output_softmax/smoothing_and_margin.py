"""The smoothed loss against how far the right word's score is ahead."""

from functools import cache
from typing import Any

import torch
from matplotlib.figure import Figure
from torch import Tensor

from tutor.display.controls import as_data
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, INK, NEUTRAL, SERIES
from tutor.loss import SmoothingForm, smoothed_cross_entropy, smoothing_floor
from tutor.say import say

_V, _MARGINS = 5, torch.linspace(-2, 10, 121)


@cache
def _losses(epsilon: float, form: SmoothingForm) -> Tensor:
    """Give the loss at each margin of the right word, 0, over all others, which score alike."""
    scores = torch.zeros(len(_MARGINS), _V)
    scores[:, 0] = _MARGINS
    label = torch.zeros(1, dtype=torch.long)
    return torch.stack(
        [smoothed_cross_entropy(row[None], label, _V - 1, epsilon, form) for row in scores]
    )


def smoothing_and_margin() -> Explorer:
    """Show the loss against how far the right word's score is ahead, for any ε and both forms.

    Example:
        >>> smoothing_and_margin().frame(epsilon=0.1, form="torch", ahead=5.0).caption[:51]
        'loss at 5.0 ahead: 0.427 (without smoothing 0.027);'
    """
    plain = _losses(0.0, "torch")

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        ax.plot(_MARGINS, plain, color=NEUTRAL, label=say("without smoothing"))
        (smoothed,) = ax.plot([], [], color=SERIES[0], linewidth=2.5, label=say("with smoothing"))
        (floor,) = ax.plot([], [], color=INK, linestyle="--", linewidth=1, label=say("floor"))
        (here,) = ax.plot([], [], marker="o", linestyle="", color=HIGHLIGHT)
        ax.set(
            xlim=(-2, 10),
            ylim=(0, 4.2),
            xlabel=say("how far the right word's score is ahead of all others"),
            title=say("Loss of one guess among five words"),
        )
        ax.legend(loc="upper center")

        def update(epsilon: float, form: SmoothingForm, ahead: float) -> str:
            losses = _losses(epsilon, form)
            lowest = smoothing_floor(_V, epsilon, form)
            smoothed.set_data(_MARGINS, losses)
            floor.set_data([-2, 10], [lowest, lowest])
            place = int(((_MARGINS - ahead).abs()).argmin())
            here.set_data([ahead], [losses[place]])
            where = _MARGINS[losses.argmin()]
            return say(
                "loss at {ahead:.1f} ahead: {loss:.3f} (without smoothing {plain:.3f}); lowest "
                "here {lowest:.3f}, at {where:.1f} ahead; floor {floor:.3f}",
                ahead=ahead,
                loss=losses[place],
                plain=plain[place],
                lowest=losses.min(),
                where=where,
                floor=lowest,
            )

        return update

    return live(
        draw,
        alt=say(
            "The loss as the right word's score moves ahead of four others. Without smoothing it "
            "falls towards 0; with smoothing it has a lowest point above 0 and rises again when "
            "the model is surer than the smoothed label."
        ),
        size=(8.0, 3.2),
        labels={"epsilon": "ε"},
        kept={"ahead": [-2.0, 0.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0]},
        epsilon=([0.0, 0.05, 0.1, 0.2, 0.4], 0.1),
        form=as_data(["torch", "paper"]),
        ahead=(-2.0, 10.0, 0.5, 5.0),
    )
