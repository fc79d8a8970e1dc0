"""Back through time: how much of a gradient comes back to each word, and the power behind it."""

from itertools import pairwise
from typing import Any

import torch
from matplotlib.figure import Figure
from torch import Tensor

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, INK, NEUTRAL, SERIES
from tutor.display.plots import Picture
from tutor.gradients import jacobian_norms, with_spectral_radius
from tutor.rnn import rnn_forward
from tutor.say import say

_HIDDEN, _WORDS = 32, 12
_CUTS = [("never", 0), ("every 6", 6), ("every 3", 3)]


def states_and_weights(radius: float, length: int, inputs: float) -> tuple[Tensor, Tensor]:
    """Run an RNN with a random W_hh of this spectral radius; give its states and W_hh.

    Args:
        radius: the spectral radius of W_hh: its largest eigenvalue, in absolute value.
        length: number of words.
        inputs: standard deviation of the inputs; 0 leaves every state at 0, where tanh has slope 1.

    Example:
        >>> states, W_hh = states_and_weights(0.9, length=5, inputs=0.0)
        >>> tuple(states.shape), float(states.abs().max())
        ((5, 32), 0.0)
    """
    generator = torch.Generator().manual_seed(1)
    W = torch.randn(_HIDDEN, _HIDDEN, generator=generator, dtype=torch.float64)
    W_hh = with_spectral_radius(W, radius)
    x = inputs * torch.randn(1, length, _HIDDEN, generator=generator, dtype=torch.float64)
    zero = torch.zeros(_HIDDEN, dtype=torch.float64)
    unit = torch.eye(_HIDDEN, dtype=torch.float64)
    outputs, _ = rnn_forward(x, zero[None], unit, W_hh, zero, zero)
    return outputs[0], W_hh  # (T, H), (H, H)


def back_through_time() -> Explorer:
    """Draw twelve steps, and back through them arrows as wide as what is left of the gradient.

    Example:
        >>> back_through_time().frame(cut=3).caption
        'Radius 0.7, inputs 0.5: the gradient of the last loss reaches word 10, with 0.68 of it.'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        across = [1.0 + 1.27 * step for step in range(_WORDS)]
        states = [d.box(f"h{n}", (x, 2.5), width=0.8) for n, x in enumerate(across, 1)]
        for number, state in enumerate(states, 1):
            d.link(d.words(f"{number}", (state.at[0], 0.9), size=10), state)
        d.chain(states)
        d.words("loss", (across[-1], 4.9), size=10, colour=HIGHLIGHT)
        d.link((across[-1], 4.6), states[-1], kind=HIGHLIGHT)
        backs = [
            d.link(later.top, earlier.top, weight=1.0, kind=HIGHLIGHT, bend=0.35)
            for earlier, later in pairwise(states)
        ]
        walls = [
            d.link(((a + b) / 2, 1.5), ((a + b) / 2, 4.3), kind=INK, head=False)
            for a, b in pairwise(across)
        ]
        left = [d.words("", (x, 4.1), size=8.5) for x in across[:-1]]

        def update(radius: float, inputs: float, cut: int) -> str:
            norms = jacobian_norms(*states_and_weights(radius, _WORDS, inputs)).tolist()
            first = _WORDS - cut + 1 if cut else 1  # the word to which the gradient comes back
            for number in range(1, _WORDS):
                reached = number >= first
                backs[number - 1].set(min(1.0, norms[number - 1]))
                backs[number - 1].show(reached)
                left[number - 1].write(_short(norms[number - 1]) if reached else "0")
                walls[number - 1].show(bool(cut) and number % cut == 0)
            return say(
                "Radius {radius:.1f}, inputs {inputs:.1f}: the gradient of the last loss reaches "
                "word {first}, with {left} of it.",
                radius=radius,
                inputs=inputs,
                first=first,
                left=_short(norms[first - 1]),
            )

        return update

    return live(
        draw,
        alt=(
            "Twelve states in a row. Arrows lead back from the last one, as wide as the gradient "
            "that is left; the number stands over each. Where the text is cut a wall stops them, "
            "while the states are handed on."
        ),
        size=(8.0, 2.7),
        radius=(0.5, 1.5, 0.1, 0.7),
        inputs=(0.0, 1.0, 0.5, 0.5),
        cut=_CUTS,
    )


def _short(number: float) -> str:
    """Write a number of any size in few letters."""
    return f"{number:.2g}"


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
