"""What a position vector has to be: five ways to number the positions of a sentence."""

from typing import Any

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, NEUTRAL, SERIES, readable
from tutor.display.style import SMALL
from tutor.say import say

_LENGTHS = [10, 20, 30]
_BESIDE = 10  # the length drawn beside, in grey
_MARKED = 3  # the position that is marked in every sentence
_BITS = 4


def five_candidates() -> Explorer:
    """Draw five ways to number the positions of a sentence, for sentences of several lengths.

    Example:
        >>> five_candidates().frame(length=30).caption
        'Position 3 of 30: number 3, fraction 0.10, sigmoid 0.95; the last position has number 29.'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        axes = [*fig.subplot_mosaic("AABBCC;DDDEEE").values()]
        _set_axes(axes)
        marks: dict[str, Any] = {"marker": "o", "markersize": 7, "linestyle": "none"}
        lines, dots = [], []
        for ax, curve in zip(axes[:4], _curves(_BESIDE), strict=True):
            ax.plot(range(_BESIDE), curve.numpy(), color=NEUTRAL, linewidth=4, alpha=0.5)
            ax.plot([_MARKED], [curve[_MARKED].item()], color=NEUTRAL, **marks)
            lines += ax.plot([], [], color=SERIES[0], linewidth=1.8)
            dots += ax.plot([], [], color=HIGHLIGHT, **marks)
        axes[1].text(-0.6, 0.9, say("10 words"), color=readable(NEUTRAL), fontsize=SMALL)
        bits = [
            axes[4].plot([], [], color=SERIES[0], drawstyle="steps-post")[0] for _ in range(_BITS)
        ]

        def update(length: int) -> str:
            positions, curves = torch.arange(length), _curves(length)
            for line, dot, curve in zip(lines, dots, curves, strict=True):
                line.set_data(positions.numpy(), curve.numpy())
                dot.set_data([_MARKED], [curve[_MARKED].item()])
            for bit, line in enumerate(bits):
                line.set_data(positions.numpy(), (1.5 * bit + positions // 2**bit % 2).numpy())
            return say(
                "Position {position} of {length}: number {position}, fraction {fraction:.2f}, "
                "sigmoid {bent:.2f}; the last position has number {last}.",
                position=_MARKED,
                length=length,
                fraction=curves[1][_MARKED].item(),
                bent=curves[2][_MARKED].item(),
                last=length - 1,
            )

        return update

    return live(
        draw,
        alt=say(
            "Five curves over the positions of a sentence, position 3 marked; in grey a sentence "
            "of 10 words. The number grows without bound, the fraction depends on the length, the "
            "sigmoid is soon 1 everywhere, one-hot has a single 1, and binary digits jump."
        ),
        size=(8.0, 3.8),
        length=(_LENGTHS, 20),
    )


def _curves(length: int) -> list[Tensor]:
    """Give the first four candidates' values at each position of a sentence."""
    positions = torch.arange(length, dtype=torch.float64)
    return [
        positions,
        positions / (length - 1),
        positions.sigmoid(),
        (positions == _MARKED).double(),
    ]


def _set_axes(axes: list[Axes]) -> None:
    titles = (
        say("number"),
        say("fraction"),
        say("sigmoid"),
        say("one-hot: column 3"),
        say("binary: four digits"),
    )
    for ax, title in zip(axes, titles, strict=True):
        ax.set_title(title)
        ax.set(xlim=(-1, 30), ylim=(-0.1, 1.1), xticks=[0, 10, 20, 30], yticks=[0, 1])
    axes[0].set(ylim=(-1, 31), yticks=[0, 10, 20, 30])
    for ax in axes[3:]:
        ax.set_xlabel(say("position"))
    axes[4].set_ylim(-0.3, 5.8)
    names = (say("ones"), say("twos"), say("fours"), say("eights"))
    axes[4].set_yticks([1.5 * bit + 0.5 for bit in range(_BITS)], names)
    axes[4].tick_params(axis="y", length=0)
