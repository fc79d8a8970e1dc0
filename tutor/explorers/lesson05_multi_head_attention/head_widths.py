"""How h heads share a row of queries, and what stays and what grows with h."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tutor.data.files import load_results
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import ATTENTION, HIGHLIGHT, INK, NEUTRAL, colour_map
from tutor.say import say


def head_widths() -> Explorer:
    """Show how h heads share a row of queries, and what stays and what grows with h.

    Example:
        >>> head_widths().frame(h=8).caption[:39]
        'h = 8: each head is 512 / 8 = 64 wide; '
    """
    values = load_results("heads_time")["values"]
    counts, width = values["heads"], values["d_model"]

    def draw(fig: Figure, **_start: Any) -> Update:
        strip, below = fig.subplots(2, 1, height_ratios=[1, 2.6])
        image = strip.imshow(
            np.zeros((1, width)), cmap=colour_map("query"), vmin=0, vmax=1, aspect="auto"
        )
        strip.set(title=say("a token's row of {width} queries, a block for each head", width=width))
        strip.set_yticks([])
        strip.set_xticks([0, width // 2, width])
        _draw_costs(below, values)
        here = below.axvline(8, color=HIGHLIGHT, linewidth=6, alpha=0.35)

        def update(h: int) -> str:
            blocks = (np.arange(width) // (width // h)) % 2  # neighbours differ
            image.set_data(0.25 + 0.5 * blocks[None])
            here.set_xdata([h, h])
            place = counts.index(h)
            return say(
                "h = {h}: each head is {width} / {h} = {wide} wide; {parameters} parameters; "
                "{weights} attention weights",
                h=h,
                width=width,
                wide=width // h,
                parameters=f"{values['parameters'][place]:,}",
                weights=f"{values['weights'][place]:,}",
            )

        return update

    return live(
        draw,
        alt=say(
            "Above, a token's row of queries cut into equal blocks, one for each head. Below, "
            "three curves against the number of heads, relative to one head: the parameters stay "
            "level, the attention weights grow in proportion, and the time of the core grows too."
        ),
        h=(counts, 8),
    )


def _draw_costs(ax: Axes, values: dict[str, Any]) -> None:
    """Draw what depends on the number of heads, each relative to one head."""
    for name, label, colour in (
        ("parameters", say("parameters"), NEUTRAL),
        ("weights", say("attention weights"), ATTENTION),
        ("core milliseconds", say("time of the core, measured"), INK),
    ):
        ax.plot(
            values["heads"],
            [number / values[name][0] for number in values[name]],
            marker=".",
            color=colour,
            label=label,
        )
    ax.set_xscale("log", base=2)
    ax.set_yscale("log", base=2)
    ax.set_xticks(values["heads"], [str(h) for h in values["heads"]])
    ax.set_yticks([1, 4, 16, 64], ["1", "4", "16", "64"])
    ax.set(xlabel=say("number of heads, h"), ylabel=say("times one head's"))
    ax.grid(visible=True)
    ax.legend(loc="upper left")
