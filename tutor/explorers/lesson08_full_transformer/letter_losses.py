"""Our own small scaling law: five sizes of models that predict letters (lesson 8)."""

from statistics import mean

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter, ScalarFormatter

from tutor.claims.letter_models import losses_by_size
from tutor.claims.power_law import fitted
from tutor.claims.runs import load_sweep
from tutor.display.palette import NEUTRAL, SERIES
from tutor.display.plots import Picture
from tutor.display.style import SMALL
from tutor.say import say

_TICKS = [2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7]


def letter_losses() -> Picture:
    """Draw the losses of models of letters by size, three seeds each, and a law with a floor.

    Example:
        >>> letter_losses().caption
        'From 496 to 100,000 parameters our loss falls from 2.63 to 2.23 nats per letter.'
    """
    ours = losses_by_size(load_sweep("letter_models").runs)

    def draw(fig: Figure) -> str:
        _draw_runs(fig.subplots(), ours)
        return say(
            "From {least:,} to {most:,} parameters our loss falls from {high:.2f} to {low:.2f} "
            "nats per letter.",
            least=min(ours),
            most=round(max(ours), -3),  # stored with four digits
            high=mean(ours[min(ours)]),
            low=mean(ours[max(ours)]),
        )

    return Picture(
        draw,
        alt=say(
            "Loss against the number of parameters, both axes logarithmic: three dots for each of "
            "five sizes. They leave the dashed straight line through the two smallest, and bend "
            "with a curve towards a floor."
        ),
        size=(8.0, 2.8),
    )


def _draw_runs(ax: Axes, ours: dict[int, list[float]]) -> None:
    """Draw each run as a dot, the law with a floor, and the straight line that begins it."""
    sizes, means = [*ours], [mean(losses) for losses in ours.values()]
    law = fitted(sizes, means)
    straight = fitted(sizes[:2], means[:2], floor=False)
    between = [sizes[0] * (sizes[-1] / sizes[0]) ** (step / 60) for step in range(61)]
    ax.plot(between, [straight.at(n) for n in between], "--", color=NEUTRAL, linewidth=1.2)
    ax.plot(between, [law.at(n) for n in between], color=SERIES[0])
    ax.axhline(law.floor, color=NEUTRAL, linewidth=1.2)
    ax.text(sizes[0], law.floor, say("floor"), va="bottom", fontsize=SMALL)
    for size, losses in ours.items():
        ax.scatter([size] * len(losses), losses, s=14, color=SERIES[2], zorder=3)
    ax.set(xscale="log", yscale="log", ylim=(2.1, 2.7), yticks=_TICKS)
    ax.set(xlabel=say("parameters N, without the embedding table"))
    ax.set(ylabel=say("loss, nats per letter"))
    ax.yaxis.set_major_formatter(ScalarFormatter())
    ax.yaxis.set_minor_formatter(NullFormatter())
    ax.grid(visible=True)
