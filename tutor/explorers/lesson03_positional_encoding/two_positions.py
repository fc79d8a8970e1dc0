"""The dot product of two positions' vectors, and how it falls with their distance."""

import math
from typing import Any

import torch
from matplotlib.figure import Figure

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import INK, SERIES
from tutor.position import sinusoidal_encoding
from tutor.say import say


def two_positions() -> Explorer:
    """Show the dot product of two positions' vectors, and how it falls with their distance."""
    longest = 60
    encodings = {
        width: sinusoidal_encoding(longest + 1, width, dtype=torch.float64)
        for width in (4, 8, 64, 512)
    }

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        (curve,) = ax.plot([], [], color=SERIES[0], marker=".")
        (here,) = ax.plot([], [], color=INK, marker="o", markersize=9, linestyle="none")
        ax.set(
            xlim=(-0.5, longest + 0.5),
            ylim=(-0.2, 1.05),
            xlabel=say("distance between the two positions"),
            title=say("dot product, as a part of that at distance 0"),
        )
        ax.grid(visible=True)

        def update(first: int, second: int, d_model: int) -> str:
            encoding = encodings[d_model]
            dots = encoding @ encoding[0] / (encoding[0] @ encoding[0])  # (longest + 1,)
            curve.set_data(range(longest + 1), dots.numpy())
            distance = abs(first - second)
            here.set_data([distance], [dots[distance].item()])
            a, b = encoding[first], encoding[second]
            angle = math.degrees(math.acos(min(1.0, (a @ b / (a.norm() * b.norm())).item())))
            return say(
                "PE({first}) · PE({second}) = {product}, angle {angle}°; each has length {length}",
                first=first,
                second=second,
                product=f"{a @ b:.2f}",
                angle=f"{angle:.0f}",
                length=f"{a.norm():.2f}",
            )

        return update

    return live(
        draw,
        alt=say(
            "The dot product of two positions' vectors by their distance: it falls at first and "
            "then wavers. It depends on the distance alone, so that moving both positions together "
            "leaves the dot where it is."
        ),
        kept={"first": [0, 13], "second": [17, 30]},
        first=(0, 30, 1, 3),
        second=(0, 30, 1, 7),
        d_model=([4, 8, 64, 512], 64),
    )
