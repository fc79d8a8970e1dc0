"""Decoders that saw too much, compared by their loss as trained and in use."""

from collections.abc import Mapping

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tutor.display.palette import HIGHLIGHT, PAPER, SERIES, readable
from tutor.display.plots import Picture
from tutor.explorers.lesson07_masking.a_fortune_teller import GUESSING
from tutor.say import later, say

_TOP = 5.0  # higher bars are cut off
_NAMES = (later("mask and shift"), later("no mask"), later("no shift"))  # of those in the lesson


def losses_of_decoders(losses: Mapping[str, tuple[float, float]]) -> Picture:
    """Compare decoders by their loss as trained and in use; bars above 5 are torn.

    Args:
        losses: for each decoder the loss as trained and the loss in use.

    Example:
        >>> losses_of_decoders({"no mask": (0.0, 8.2)}).caption
        'no mask: as trained 0.0, in use over 5'
    """

    def draw(fig: Figure) -> str:
        ax = fig.subplots()
        for series, (label, shift) in enumerate(((say("as trained"), -0.2), (say("in use"), 0.2))):
            for place, pair in enumerate(losses.values()):
                height = min(pair[series], _TOP)
                ax.bar(
                    place + shift,
                    height,
                    0.36,
                    color=SERIES[series],
                    label=label if place == 0 else None,
                )
                ax.text(place + shift, height + 0.1, _written(pair[series]), ha="center")
                if pair[series] > _TOP:
                    _tear(ax, place + shift)
        end = len(losses) - 0.5
        ax.plot([-0.6, end], [GUESSING, GUESSING], color=HIGHLIGHT, linestyle="--")
        ax.text(end + 0.06, GUESSING, say("guessing"), va="center", color=readable(HIGHLIGHT))
        ax.set_xticks(range(len(losses)), [*map(say, losses)])
        ax.set(ylabel=say("loss"), xlim=(-0.6, end + 0.6), ylim=(0, _TOP + 1.1))
        fig.legend(loc="outside upper left", ncols=2)
        return "; ".join(
            say(
                "{name}: as trained {trained}, in use {used}",
                name=say(name),
                trained=_written(trained),
                used=_written(used),
            )
            for name, (trained, used) in losses.items()
        )

    return Picture(
        draw,
        alt=say(
            "For each decoder two bars, its loss as trained and in use, and a dashed line at the "
            "loss of guessing: a loss below the line was read off, and is paid for in use. "
            "A bar above 5 is torn."
        ),
        size=(7.0, 2.5),
    )


def _tear(ax: Axes, x: float) -> None:
    """Draw a tear through a bar that goes on above its end."""
    across = [x + step / 15 for step in range(-3, 4)]
    ax.plot(across, [_TOP - 0.5 + 0.2 * (step % 2) for step in range(7)], color=PAPER, linewidth=3)


def _written(loss: float) -> str:
    return f"{loss:.1f}" if loss < _TOP else say("over {top}", top=f"{_TOP:.0f}")
