"""Cosine and dot product of two arrows, of which one turns and grows."""

import math
from typing import Any

import torch
from matplotlib.figure import Figure

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import NEUTRAL, SERIES
from tutor.display.style import TITLE
from tutor.say import say


def two_arrows() -> Explorer:
    """Show cosine and dot product of two arrows, of which one turns and grows.

    Example:
        >>> two_arrows().frame(angle=60, length=2).caption
        'cosine 0.50, dot product 2.00'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        ax.set(xlim=(-3.6, 3.6), ylim=(-0.55, 3.4), aspect="equal")
        ax.axis("off")
        arrow = {"arrowstyle": "-|>", "linewidth": 2.4, "mutation_scale": 18}
        ax.annotate("", (2, 0), (0, 0), arrowprops=arrow | {"color": SERIES[0]})
        ax.text(1.8, -0.14, "a", ha="center", va="top", fontsize=TITLE, color=SERIES[0])
        (turning,) = ax.plot([], [], color=SERIES[2], linewidth=2.6, solid_capstyle="round")
        (head,) = ax.plot([], [], "o", color=SERIES[2], markersize=8)
        (arc,) = ax.plot([], [], color=NEUTRAL, linewidth=1.2)
        name = ax.text(0, 0, "b", ha="center", va="center", fontsize=TITLE, color=SERIES[2])

        def update(angle: float, length: float) -> str:
            cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            turning.set_data([0, length * cos], [0, length * sin])
            head.set_data([length * cos], [length * sin])
            name.set_position((length * cos - 0.32 * sin, length * sin + 0.32 * cos))
            turn = torch.linspace(0, math.radians(angle), 30, dtype=torch.float64)
            arc.set_data((0.6 * turn.cos()).numpy(), (0.6 * turn.sin()).numpy())
            return say(
                "cosine {cosine:.2f}, dot product {dot:.2f}",
                cosine=round(cos, 6) + 0.0,
                dot=round(2 * length * cos, 6) + 0.0,
            )

        return update

    return live(
        draw,
        alt=say(
            "Two arrows from one point: a lies still, b turns by an angle and grows or shrinks."
        ),
        size=(6.0, 2.7),
        angle=(0, 180, 15, 60),
        length=(1.0, 3.0, 0.5, 1.5),
    )
