"""What repeating costs a model whose heads that copy are switched off (lesson 9)."""

from statistics import fmean

from matplotlib.figure import Figure

from tutor.claims.runs import load_sweep
from tutor.display.palette import NEUTRAL, SERIES
from tutor.display.plots import Picture
from tutor.say import say

_LENGTH = 50  # tokens, before they come again


def heads_that_copy() -> Picture:
    """Show the surprise at random tokens, read for the first time and again, with heads off.

    Example:
        >>> heads_that_copy().caption
        'Mean surprise in nats: first 14.6; again 3.1, 8 other heads off 3.8, 8 that copy off 12.9.'
    """
    runs = load_sweep("smollm_copying").runs.at(length=_LENGTH)
    again = {one: fmean(runs.at(off=one).numbers("again")) for one in _bars()}
    first = fmean(runs.at(off="none").numbers("first"))

    def draw(fig: Figure) -> str:
        heights = [first, *again.values()]
        ax = fig.subplots()
        bars = ax.bar(range(len(heights)), heights, color=[NEUTRAL, *[SERIES[0]] * len(again)])
        ax.bar_label(bars, [f"{height:.1f}" for height in heights])
        ax.set_xticks(range(len(heights)), [say("first time"), *_bars().values()])
        ax.set(ylabel=say("mean surprise, nats"), ylim=(0, 17))
        return say(
            "Mean surprise in nats: first {first:.1f}; again {whole:.1f}, 8 other heads off "
            "{others:.1f}, 8 that copy off {copying:.1f}.",
            first=first,
            whole=again["none"],
            others=again["8 others"],
            copying=again["8 induction"],
        )

    return Picture(
        draw,
        alt=say(
            "Four bars: the mean surprise at random tokens is tall the first time, short when they "
            "come again, hardly taller with eight other heads switched off, and nearly as tall as "
            "the first time with the eight heads off that look at what followed."
        ),
        size=(8.0, 2.8),
    )


def _bars() -> dict[str, str]:
    """Say what is switched off when the tokens come again, as the sweep names it and as shown."""
    return {
        "none": say("again"),
        "8 others": say("again, 8 others off"),
        "8 induction": say("again, 8 that copy off"),
    }
