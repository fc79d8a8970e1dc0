"""Lesson 4's picture of an output: a point among the values, held by arms as thick as weights."""

import math
from typing import Any

from matplotlib.figure import Figure
from matplotlib.patches import Polygon
from torch import Tensor

from tutor.attention import attend, dot_product_scores
from tutor.display.controls import as_data
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import ATTENTION, HIGHLIGHT, NEUTRAL, VALUE, mixed
from tutor.explorers.worked_example import W_K, W_Q, W_V, phrase, short
from tutor.say import data, say

_OTHER = {"river": "savings", "savings": "river"}
_WIDEST = 14.0  # points: an arm of weight 1


def output_among_values() -> Explorer:
    """Show an output as a point among the three values, for two phrases.

    Example:
        >>> output_among_values().caption
        'bank: weights .007 .755 .238, output at (7.48, 0.74)'
        >>> output_among_values().frame(middle="savings").caption
        'bank: weights .007 .755 .238, output at (5.97, 7.53)'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        ax.set(xlim=(-0.5, 10.5), ylim=(-1.6, 10.6), aspect="equal")
        ax.set(xlabel=say("feature 2"), ylabel=say("feature 3"))
        ax.grid(visible=True)
        triangle = Polygon([(0, 0)] * 3, facecolor=mixed(VALUE, 0.12))
        ax.add_patch(triangle)
        arms = [ax.plot([], [], color=ATTENTION, solid_capstyle="butt")[0] for _ in range(3)]
        corners = [ax.plot([], [], "s", color=VALUE, markersize=11, zorder=4)[0] for _ in range(3)]
        names = [ax.text(0, 0, "", ha="center", va="center", zorder=6) for _ in range(3)]
        (ghost,) = ax.plot([], [], "o", color=NEUTRAL, fillstyle="none", markersize=13, zorder=3)
        (dot,) = ax.plot([], [], "o", color=HIGHLIGHT, markersize=13, zorder=5)

        def update(asks: int, middle: str, times: float) -> str:
            words, values, weights, output = worked(middle, asks, times)
            for place, (arm, corner, name) in enumerate(zip(arms, corners, names, strict=True)):
                x, y = values[place].tolist()
                arm.set_data([x, output[0]], [y, output[1]])
                arm.set_linewidth(max(0.6, _WIDEST * weights[place].item()))
                corner.set_data([x], [y])
                above = y > values[:, 1].mean().item()
                name.set(text=f"{data(words[place])} {short(weights[place].item())}")
                name.set_position((x, y + 0.85 if above else y - 0.85))
            triangle.set_xy(values)
            dot.set_data(*output[:, None].tolist())
            ghost.set_data(*worked(_OTHER[middle], asks, times)[3][:, None].tolist())
            return say(
                "{word}: weights {weights}, output at ({x}, {y})",
                word=words[asks],
                weights=" ".join(short(weight) for weight in weights.tolist()),
                x=f"{output[0]:.2f}",
                y=f"{output[1]:.2f}",
            )

        return update

    return live(
        draw,
        alt=say(
            "Features 2 and 3 of the three values are the corners of a triangle. The output is a "
            "dot inside it, with an arm to each corner as thick as that word's weight; a ring "
            "shows where the dot would be in the other phrase."
        ),
        size=(4.4, 3.5),
        labels={
            "asks": say("who asks"),
            "middle": say("the word in the middle"),
            "times": say("scores ×"),
        },
        asks=([(data("the"), 0), (say("the middle word"), 1), (data("bank"), 2)], 2),
        middle=as_data(_OTHER),
        times=(0.0, 4.0, 0.5, 1.0),
    )


def worked(middle: str, asks: int, times: float) -> tuple[list[str], Tensor, Tensor, Tensor]:
    """Work out what a word of a phrase takes from it.

    Args:
        middle: the word between *the* and *bank*.
        asks: the place of the word that asks.
        times: what all scaled scores are multiplied with.

    Returns:
        The words; of their values features 2 and 3, (3, 2); the weights, (3,); of the output the
        same two features.

    Example:
        >>> words, values, weights, output = worked("savings", asks=2, times=1.0)
        >>> values.tolist(), [round(weight, 3) for weight in weights.tolist()]
        ([[2.0, 3.0], [6.0, 9.0], [6.0, 3.0]], [0.007, 0.755, 0.238])
    """
    words, x = phrase(middle)
    q, k, v = x @ W_Q, x @ W_K, x @ W_V  # each (3, 3)
    scaled = times * dot_product_scores(q, k) / math.sqrt(k.size(-1))
    output, weights = attend(scaled, v)
    return words, v[:, 1:], weights[asks], output[asks, 1:]
