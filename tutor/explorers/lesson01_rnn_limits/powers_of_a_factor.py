"""One factor, multiplied fifty times, and what tanh makes of it."""

import torch
from matplotlib.figure import Figure

from tutor.display.palette import NEUTRAL, SERIES
from tutor.display.plots import Picture
from tutor.say import say


def powers_of_a_factor() -> Picture:
    """Draw one factor, multiplied fifty times, and what tanh makes of it."""
    steps = range(51)

    def draw(fig: Figure) -> str:
        ax = fig.subplots()
        for number, w in enumerate((1.5, 1.0, 0.9)):
            ax.plot(steps, [w**n for n in steps], color=SERIES[number], label=f"w = {w}")
        bounded = _with_tanh(1.5)
        ax.plot(steps, bounded, color=SERIES[0], linestyle="--", label="w = 1.5, tanh and inputs")
        ax.axhline(1.0, color=NEUTRAL, linewidth=0.8)
        ax.set(yscale="log", xlabel="steps back", ylabel="what is left", xlim=(0, 50))
        ax.grid(visible=True)
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        shown = (0.9**50, 1.5**50, bounded[-1])
        return say(
            "After 50 steps: 0.9 leaves {small:.0e}, 1.5 leaves {large:.0e}, with tanh {bent:.0e}.",
            small=shown[0],
            large=shown[1],
            bent=shown[2],
        )

    return Picture(
        draw,
        alt=(
            "On a logarithmic axis powers are straight lines: 0.9 falls, 1 stays, 1.5 rises. The "
            "dashed line, 1.5 with tanh and inputs, falls."
        ),
        size=(8.0, 2.8),
    )


def _with_tanh(w: float) -> list[float]:
    """Multiply the slopes of h ← tanh(w h + x) over words x of standard deviation 1."""
    words = torch.randn(50, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    h, left = 0.0, [1.0]
    for x in words.tolist():
        h = float(torch.tanh(torch.tensor(w * h + x, dtype=torch.float64)))
        left.append(left[-1] * w * (1 - h * h))
    return left
