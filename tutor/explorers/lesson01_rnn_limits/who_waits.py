"""n steps one after the other beside one step in which all words meet."""

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.palette import HIGHLIGHT
from tutor.display.plots import Picture
from tutor.display.style import SMALL
from tutor.explorers.lesson01_rnn_limits.subscripts import SUBSCRIPTS
from tutor.say import say


def who_waits() -> Picture:
    """Draw n steps one after the other beside one step in which all words meet."""
    words = ("Mina", "drinks", "tea", "every", "day", "here")

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        stairs = [
            d.box(f"h{SUBSCRIPTS[n]}", (0.9 + 1.15 * n, 0.9 + 0.72 * n), width=0.9, height=0.55)
            for n in range(1, len(words) + 1)
        ]
        d.chain(stairs, kind=HIGHLIGHT)
        d.words(say("recurrent: step after step"), (4.5, 0.5), size=SMALL)
        below = [d.node("", (10 + n, 1.7), width=0.45) for n in range(len(words))]
        above = [d.node("", (10 + n, 4.6), width=0.45) for n in range(len(words))]
        for start in below:
            for end in above:
                d.link(start, end, kind="attention", head=False)
        d.words(say("attention: one step, all at once"), (12.5, 0.5), size=SMALL)
        return say(
            "Steps that wait for each other, in one layer: {steps} and 1. Pairs compared: {pairs}.",
            steps=len(words),
            pairs=len(words) ** 2,
        )

    return Picture(
        draw,
        alt=say(
            "Left, six states as a staircase, each waiting for the one before. Right, six words "
            "below and six above, joined all with all in one layer."
        ),
        size=(8.0, 2.9),
    )
