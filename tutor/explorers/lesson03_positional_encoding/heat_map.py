"""The whole positional encoding as a map, and one of its rows as a curve."""

import math
from typing import Any

import torch
from matplotlib.figure import Figure

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import INK, colour_map
from tutor.display.regions import touch_along
from tutor.explorers.lesson03_positional_encoding.clock_face import COSINE, SINE
from tutor.position import sinusoidal_encoding
from tutor.say import say

_POSITIONS, _WIDEST = 50, 256
_WIDTHS = (4, 8, 32, 128, 256)


def heat_map() -> Explorer:
    """Show the whole encoding as a map, and one of its rows as a curve."""

    def draw(fig: Figure, **_start: Any) -> Update:
        whole, row = fig.subplots(1, 2, width_ratios=[3, 2])
        picture = whole.imshow(
            torch.zeros(_POSITIONS, _WIDEST).numpy(),
            cmap=colour_map("signed"),
            vmin=-1,
            vmax=1,
            aspect="auto",
            interpolation="nearest",
            extent=(0, 1, _POSITIONS - 0.5, -0.5),
        )
        (line,) = whole.plot([0, 1], [0, 0], color=INK)
        curves = [
            row.plot([], [], color=colour, marker=".", label=label)[0]
            for label, colour in ((say("sines"), SINE), (say("cosines"), COSINE))
        ]
        whole.set(ylabel=say("position"), title=say("the encoding"))
        row.set(xlim=(0, 1), ylim=(-1.5, 1.05), title=say("the row at this position"))
        for ax in (whole, row):
            ax.set_xticks([])
            ax.text(0, -0.03, say("first column"), transform=ax.transAxes, va="top")
            ax.text(1, -0.03, say("last"), transform=ax.transAxes, va="top", ha="right")
        row.set_yticks([-1, 0, 1])
        row.legend(loc="lower center", ncols=2)
        touch_along(whole, y=("position", range(_POSITIONS)))

        def update(position: int, d_model: int, base: int) -> str:
            encoding = sinusoidal_encoding(_POSITIONS, d_model, base=float(base))
            picture.set_data(encoding.numpy())
            line.set_ydata([position, position])
            places = (torch.arange(d_model) + 0.5) / d_model
            for start, curve in enumerate(curves):  # even columns, odd columns
                curve.set_data(places[start::2].numpy(), encoding[position, start::2].numpy())
            shown = ", ".join(f"{number + 0.0:.2f}" for number in encoding[position, :4].tolist())
            return say(
                "Position {position} begins {shown}. The slowest clock turns once in "
                "{longest:,.0f} positions.",
                position=position,
                shown=shown,
                longest=2 * math.pi * base ** ((d_model - 2) / d_model),
            )

        return update

    return live(
        draw,
        alt=say(
            "A map of 50 positions. The first columns change fast from position to position, later "
            "ones ever more slowly. In the row at the chosen position the sines and cosines "
            "wave at first and then settle, the sines near 0 and the cosines near 1."
        ),
        kept={"position": [0, 20], "d_model": [8, 32, 256]},
        position=(0, _POSITIONS - 1, 1, 1),
        d_model=(list(_WIDTHS), 256),
        base=([10, 100, 10_000, 1_000_000], 10_000),
    )
