"""More and more heads taken out of MiniLM, in three orders; all from stored measurements."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from tutor.data.files import load_results
from tutor.display.controls import as_said
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, SERIES, colour_map
from tutor.explorers.lesson05_multi_head_attention.head_maps import (
    HEADS,
    LAYERS,
    label_heads,
)
from tutor.say import later, say


def prune_heads() -> Explorer:
    """Take more and more heads out of MiniLM, in three orders; all from stored measurements.

    Example:
        >>> prune_heads().frame(order="at random", out=36).caption
        '36 of 72 heads out: 51 of 80 sentences still find their paraphrase; 55 with all heads'
    """
    values = load_results("pruned_heads")["values"]
    orders = {
        later("least change first"): (values["order"], values["found"]["least change first"]),
        later("most change first"): (values["order"][::-1], values["found"]["most change first"]),
        later("at random"): (values["drawn orders"][0], values["found, drawn"][0]),
    }
    counts, sentences = values["counts"], values["sentences"]

    def draw(fig: Figure, **_start: Any) -> Update:
        left, right = fig.subplots(1, 2, width_ratios=[1.25, 1])
        crosses = _draw_all_heads(left, np.array(values["change"]).reshape(LAYERS, HEADS))
        for (name, (_, found)), colour in zip(orders.items(), SERIES[:3], strict=True):
            right.plot(counts, [sentences * f for f in found], ".-", color=colour, label=say(name))
        right.set(
            ylim=(0, sentences), xlabel=say("heads out"), title=say("paraphrases found, of 80")
        )
        right.set_xticks(range(0, 73, 12))
        right.legend(loc="lower left")
        (here,) = right.plot([], [], "o", markersize=14, fillstyle="none", color=HIGHLIGHT)

        def update(order: str, out: int) -> str:
            gone, found = orders[order][0][:out], orders[order][1]
            for number, cross in enumerate(crosses):
                cross.set_visible(number in gone)
            now = round(sentences * found[counts.index(out)])
            here.set_data([out], [now])
            return say(
                "{out} of {heads} heads out: {now} of {sentences} sentences still find their "
                "paraphrase; {whole} with all heads",
                out=out,
                heads=LAYERS * HEADS,
                now=now,
                sentences=sentences,
                whole=round(sentences * found[0]),
            )

        return update

    return live(
        draw,
        alt=say(
            "At the left all 72 heads, darker where taking the head out alone changes the "
            "sentence vectors more: most in layer 5. Crosses mark the heads that are out. At the "
            "right three curves of paraphrases found: level at first, then falling, never to 0."
        ),
        order=as_said(orders),
        out=(counts, 24),
    )


def _draw_all_heads(ax: Axes, change: np.ndarray) -> list[Line2D]:
    """Draw what taking out each head alone changes, and give the crosses that strike heads out."""
    ax.imshow(change, cmap=colour_map("neutral"), vmin=0, vmax=change.max())
    label_heads(ax, say("change when this head alone is out"))
    return [
        ax.plot(column, row, "x", color=HIGHLIGHT, markersize=9)[0]
        for row in range(LAYERS)
        for column in range(HEADS)
    ]
