"""Lesson 8: the plain model trained with its mask and without, by stored runs."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tutor.claims.runs import Runs, load_sweep
from tutor.display.palette import SERIES
from tutor.display.plots import Picture
from tutor.say import say

SENTENCES = 95
_SIXTHS = range(7)
_LOSSES = ("loss 0", "loss 1", "loss 2", "loss 3", "loss 4", "loss 5", "loss 6")


def mask_taken_out() -> Picture:
    """Show the loss of training runs with mask and without, and how many sentences come out right.

    Example:
        >>> mask_taken_out().caption[:15]
        'sentences right'
    """
    runs = load_sweep("broken_parts").runs
    kinds = {say("with mask"): runs.at(broken="nothing"), say("without"): runs.at(broken="mask")}

    def draw(fig: Figure) -> str:
        losses, right = fig.subplots(1, 2, width_ratios=[3, 2])
        for number, (label, some) in enumerate(kinds.items()):
            _draw_losses(losses, some, number, label)
            _draw_right(right, some, number)
        losses.set(yscale="log", xlabel=say("share of the training"), title=say("Loss"))
        losses.legend(loc="upper right")
        right.set(
            title=say("Sentences right, of 95"), xticks=[0, 1], xlim=(-0.5, 1.5), ylim=(-4, 100)
        )
        right.set_xticklabels(list(kinds))
        right.grid(visible=True, axis="y")
        with_mask, without = (some.numbers("right") for some in kinds.values())
        return say(
            "sentences right in 12 training runs each: with mask {low} to {high}, without {least} "
            "to {most}",
            low=f"{min(with_mask):.0f}",
            high=f"{max(with_mask):.0f}",
            least=f"{min(without):.0f}",
            most=f"{max(without):.0f}",
        )

    return Picture(
        draw,
        alt=say(
            "Left: the loss of 24 training runs, with mask and without, falls alike; all but one "
            "end below a thousandth. Right: with mask nearly all sentences come out right, without "
            "it half of them or fewer, in some runs none."
        ),
        size=(8.0, 3.0),
    )


def _draw_losses(ax: Axes, runs: Runs, number: int, label: str) -> None:
    curves = zip(*(runs.numbers(name) for name in _LOSSES), strict=True)
    for place, curve in enumerate(curves):
        ax.plot(
            [sixth / 6 for sixth in _SIXTHS],
            curve,
            color=SERIES[2 * number],
            linestyle=("-", "--")[number],
            alpha=0.7,
            label=label if place == 0 else None,
        )


def _draw_right(ax: Axes, runs: Runs, number: int) -> None:
    found = sorted(runs.numbers("right"))
    places = [number + 0.03 * (place - len(found) / 2) for place in range(len(found))]
    ax.plot(places, found, linestyle="", marker="os"[number], color=SERIES[2 * number])
