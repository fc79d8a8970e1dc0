"""Lesson 6's right angles: what two layers add to a token, by a residual alone and in pre-norm."""

import math

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tutor.display.palette import HIGHLIGHT, INK, NEUTRAL, SERIES
from tutor.display.plots import Picture
from tutor.say import say

_R = math.sqrt(2)  # He's
_LAYERS = 2
_Place = tuple[float, float]


def right_angles() -> Picture:
    """Draw a token of length 1 and what two layers add at right angles, in two kinds of stack.

    Example:
        >>> right_angles().caption
        'r = 1.41. After two layers the length is 3.0 with a residual, 2.2 in pre-norm'
    """

    def draw(fig: Figure) -> str:
        left, right = fig.subplots(1, 2)
        left.set_title(say("residual"))
        right.set_title(say("pre-norm"))
        return say(
            "r = {r:.2f}. After two layers the length is {residual:.1f} with a residual, "
            "{pre:.1f} in pre-norm",
            r=_R,
            residual=_draw_stack(left, of_stream=True),
            pre=_draw_stack(right, of_stream=False),
        )

    return Picture(
        draw,
        alt=say(
            "Two panels of arrows. In both a token of length 1 gets an arrow of length 1.41 at a "
            "right angle. The second arrow, again at a right angle to the sum, is 1.41 times as "
            "long as the sum with a residual alone, but of length 1.41 in pre-norm."
        ),
        size=(8.0, 3.2),
    )


def _draw_stack(ax: Axes, of_stream: bool) -> float:
    """Draw the arrows of one stack; give the length of their sum."""
    ax.set(xlim=(-1.6, 1.9), ylim=(-0.4, 3.0), aspect="equal")
    ax.axis("off")
    end, length = (1.0, 0.0), 1.0
    _arrow(ax, (0.0, 0.0), end, INK, "1")
    for _ in range(_LAYERS):
        found = _R * length if of_stream else _R
        start = end
        ax.plot([0, start[0]], [0, start[1]], color=NEUTRAL, linewidth=1, linestyle="--")
        end = start[0] - found * start[1] / length, start[1] + found * start[0] / length
        _arrow(ax, start, end, HIGHLIGHT, f"{found:.2f}")
        length = math.hypot(*end)
    _arrow(ax, (0.0, 0.0), end, SERIES[0], f"{length:.2f}")
    return length


def _arrow(ax: Axes, start: _Place, end: _Place, colour: str, words: str) -> None:
    look = {"arrowstyle": "-|>,head_width=0.3,head_length=0.6", "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", end, start, arrowprops={**look, "color": colour, "linewidth": 2.2})
    along = end[0] - start[0], end[1] - start[1]
    aside = 0.2 / math.hypot(*along)  # the number is at the right of the arrow
    middle = (start[0] + end[0]) / 2 + aside * along[1], (start[1] + end[1]) / 2 - aside * along[0]
    ax.text(*middle, words, color=colour, ha="center", va="center")
