"""What a position vector has to be: five ways to number the places of a sentence."""

from typing import Any

import torch
from matplotlib.figure import Figure

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, SERIES
from tutor.say import say

_LENGTHS = [5, 10, 20, 50]
_SEEN = 3  # the place that is marked in every sentence


def five_candidates() -> Explorer:
    """Draw five ways to number the places of a sentence, for sentences of several lengths.

    Example:
        >>> five_candidates().frame(length=50).caption
        'Place 3 of 50: number 3, fraction 0.06, sigmoid 0.95; the last place has number 49.'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        axes = fig.subplots(1, 5)
        titles = (
            "number",
            "fraction",
            "sigmoid",
            "one-hot:\nnumber 3 of it",
            "binary:\nlast 3 bits",
        )
        for ax, title in zip(axes, titles, strict=True):
            ax.set_title(title, fontsize=9)
            ax.set(xlim=(-1, 50), xlabel="place", xticks=[0, 25, 49])
            ax.tick_params(labelsize=8)
            ax.set_ylim((-2, 51) if title == "number" else (-0.1, 1.1))
        axes[4].set(ylim=(-0.3, 4.3), yticks=[])
        lines = [ax.plot([], [], ".-", color=SERIES[0], markersize=4)[0] for ax in axes[:4]]
        dots = [ax.plot([], [], "o", color=HIGHLIGHT)[0] for ax in axes[:4]]
        bits = [axes[4].plot([], [], color=SERIES[n], drawstyle="steps-mid")[0] for n in range(3)]

        def update(length: int) -> str:
            places = torch.arange(length, dtype=torch.float64)
            curves = [
                places,
                places / (length - 1),
                places.sigmoid(),
                (places == _SEEN).double(),
            ]
            for line, curve in zip(lines, curves, strict=True):
                line.set_data(places.numpy(), curve.numpy())
            for dot, curve in zip(dots, curves, strict=True):
                dot.set_data([_SEEN], [curve[_SEEN].item()])
            for bit, line in enumerate(bits):
                line.set_data(places.numpy(), (1.5 * bit + places // 2**bit % 2).numpy())
            return say(
                "Place {place} of {length}: number {place}, fraction {fraction:.2f}, sigmoid "
                "{bent:.2f}; the last place has number {last}.",
                place=_SEEN,
                length=length,
                fraction=curves[1][_SEEN].item(),
                bent=curves[2][_SEEN].item(),
                last=length - 1,
            )

        return update

    return live(
        draw,
        alt=(
            "Five curves over the places of a sentence, place 3 marked: its number grows without "
            "bound, its fraction depends on the length, its sigmoid is soon 1 everywhere, one-hot "
            "has a single 1, and binary jumps."
        ),
        size=(8.0, 2.6),
        length=_LENGTHS,
    )
