"""Names of lines, beside their ends: a thin line leads from each name to the end it belongs to."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.text import Annotation

from tutor.display.palette import NEUTRAL
from tutor.display.style import SMALL

Point = tuple[float, float]


def name_at_end(ax: Axes, words: str, end: Point, at: Point, **look: Any) -> Annotation:
    """Write a line's name beside its end, where there is room, and lead from one to the other.

    Args:
        ax: where the line is drawn.
        words: its name.
        end: the line's end. Where that moves, set the `xy` of what is returned.
        at: the middle of the name's edge that faces the end, in the same numbers.
        look: more of what matplotlib's texts take.

    Example:
        >>> from matplotlib.figure import Figure
        >>> ax = Figure().subplots()
        >>> name_at_end(ax, "no warm-up", end=(240, 5.5), at=(270, 5.8)).get_horizontalalignment()
        'left'
        >>> name_at_end(ax, "no norm", end=(0, 1), at=(-4, 3)).get_horizontalalignment()
        'right'
    """
    right = at[0] > end[0]
    leader = {"arrowstyle": "-", "color": NEUTRAL, "lw": 0.6, "shrinkA": 1}
    return ax.annotate(
        words,
        end,
        at,
        ha="left" if right else "right",
        va="center",
        fontsize=SMALL,
        annotation_clip=False,
        arrowprops={**leader, "relpos": (0 if right else 1, 0.5)},
        **look,
    )
