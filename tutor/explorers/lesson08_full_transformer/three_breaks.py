"""Lesson 8: three things broken in the plain model, by stored runs."""

from matplotlib.figure import Figure

from tutor.claims.runs import load_sweep
from tutor.display.palette import SERIES
from tutor.display.plots import Picture
from tutor.say import later, say

_BROKEN = {
    "nothing": later("nothing"),
    "mask": later("no mask"),
    "shift": later("labels not shifted"),
    "scale": later("no √D"),
}


def three_breaks() -> Picture:
    """Show the last loss of training runs with something broken, and what comes out right.

    Example:
        >>> three_breaks().caption.splitlines()[0][:8]
        'nothing:'
    """
    runs = load_sweep("broken_parts").runs

    def draw(fig: Figure) -> str:
        lines = []
        losses, right = fig.subplots(1, 2, sharey=True)
        for number, (broken, label) in enumerate(_BROKEN.items()):
            some = runs.at(broken=broken)
            for ax, what in ((losses, "loss 6"), (right, "right")):
                found = sorted(some.numbers(what))
                places = [number + 0.05 * (place - len(found) / 2) for place in range(len(found))]
                ax.plot(found, places, linestyle="", marker="os^D"[number], color=SERIES[number])
            lines.append(
                say(
                    "{broken}: {least} to {most} sentences of 95 right",
                    broken=say(label),
                    least=f"{some.lowest('right'):.0f}",
                    most=f"{some.highest('right'):.0f}",
                )
            )
        losses.set(title=say("Loss at the end"), xscale="log", yticks=range(len(_BROKEN)))
        losses.set_yticklabels(list(map(say, _BROKEN.values())))
        losses.invert_yaxis()
        right.set(title=say("Sentences right, of 95"), xlim=(-4, 100))
        for ax in (losses, right):
            ax.grid(visible=True)
        return "\n".join(lines)

    return Picture(
        draw,
        alt=say(
            "Dots, one for each training run. Left: the loss at the end is about as low whatever "
            "is broken. Right: how many sentences come out right."
        ),
        size=(8.0, 2.7),
    )
