"""Names of lines, beside their ends: a thin line leads from each name to the end it belongs to."""

from collections.abc import Sequence
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


def rows_apart(wanted: Sequence[float], least: float) -> list[float]:
    """Move heights as little as keeps them apart: those that are too near share out their middle.

    Example:
        >>> rows_apart([0.0, 0.5, 9.0], least=1.0)
        [-0.25, 0.75, 9.0]
    """
    groups: list[list[int]] = []
    middles: list[float] = []
    for place in sorted(range(len(wanted)), key=wanted.__getitem__):
        groups.append([place])
        middles.append(wanted[place])
        while (
            len(groups) > 1
            and middles[-1] - middles[-2] < least * (len(groups[-1]) + len(groups[-2])) / 2
        ):
            groups[-2:] = [groups[-2] + groups[-1]]
            middles[-2:] = [sum(wanted[i] for i in groups[-1]) / len(groups[-1])]
    rows = [0.0] * len(wanted)
    for group, middle in zip(groups, middles, strict=True):
        for number, place in enumerate(group):
            rows[place] = middle + least * (number - (len(group) - 1) / 2)
    return rows
