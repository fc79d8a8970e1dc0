"""One factor, multiplied fifty times."""

from matplotlib.figure import Figure

from tutor.display.palette import NEUTRAL, SERIES
from tutor.display.plots import Picture
from tutor.say import say


def powers_of_a_factor() -> Picture:
    """Draw one factor, multiplied fifty times."""
    steps = range(51)

    def draw(fig: Figure) -> str:
        ax = fig.subplots()
        for number, w in enumerate((1.5, 1.0, 0.9)):
            ax.plot(steps, [w**n for n in steps], color=SERIES[number], label=f"w = {w}")
        ax.axhline(1.0, color=NEUTRAL, linewidth=0.8)
        ax.set(yscale="log", xlabel=say("steps back"), ylabel=say("what is left"), xlim=(0, 50))
        ax.grid(visible=True)
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        shown = (0.9**50, 1.5**50)
        return say(
            "After 50 steps 0.9 leaves {small:.0e} of a change, and 1.5 makes {large:.0e} of it.",
            small=shown[0],
            large=shown[1],
        )

    return Picture(
        draw,
        alt=(
            say("On a logarithmic axis powers are straight lines: 0.9 falls, 1 stays, 1.5 rises.")
        ),
        size=(8.0, 2.8),
    )
