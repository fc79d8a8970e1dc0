"""Back through time: how much of a gradient comes back to each of fifty words."""

import math
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, INK, NEUTRAL
from tutor.explorers.lesson01_rnn_limits.states_and_weights import states_and_weights
from tutor.gradients import jacobian_norms
from tutor.say import say

_WORDS = 50
_POWERS = 10  # of ten from the width of a whole gradient to none
_NUMBERED = [1, 10, 20, 30, 40, 50]


def back_through_time() -> Explorer:
    """Draw fifty steps, and back through them a band as wide as what is left of the gradient.

    Example:
        >>> back_through_time().frame(radius=0.9, inputs=0.5).caption
        'Radius 0.9, inputs 0.5: of the gradient at word 50, word 1 gets 4e-8.'
    """
    across = np.arange(1, _WORDS + 1)

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        ax.set(xlim=(-1.5, _WORDS + 2.5), ylim=(-3.9, 3.2), yticks=[])
        ax.set_xticks(_NUMBERED, [str(number) for number in _NUMBERED])
        ax.set_xlabel(say("word"))
        ax.spines[:].set_visible(False)
        ax.plot(across, 0 * across, "o-", color=INK, markersize=3.5, linewidth=0.8, zorder=4)
        ax.vlines(across[:-1], 2.1, 2.5, color=NEUTRAL, linewidth=1.0)
        ax.vlines([_WORDS], 0.0, 2.5, color=HIGHLIGHT, linewidth=2.0)
        ax.text(_WORDS, 2.6, say("the last loss"), color=HIGHLIGHT, ha="right", va="bottom")
        ax.text(1, 2.6, say("a loss at every step"), color=NEUTRAL, va="bottom")
        (upper,) = ax.plot([], [], color=HIGHLIGHT, linewidth=1.0)
        (lower,) = ax.plot([], [], color=HIGHLIGHT, linewidth=1.0)
        bands = [
            ax.fill([n, n + 1, n + 1, n], [0, 0, 0, 0], color=HIGHLIGHT, alpha=0.45, linewidth=0)[0]
            for n in across[:-1]
        ]
        left = [ax.text(n, -2.6, "", ha="center", va="center") for n in _NUMBERED]

        def update(radius: float, inputs: float) -> str:
            norms = jacobian_norms(*states_and_weights(radius, _WORDS, inputs)).tolist()
            half = np.array([_half(norm) for norm in norms])
            upper.set_data(across, half)
            lower.set_data(across, -half)
            for n, band in enumerate(bands):
                a, b = half[n], half[n + 1]
                band.set_xy([(n + 1, -a), (n + 2, -b), (n + 2, b), (n + 1, a)])
            for number, label in zip(_NUMBERED, left, strict=True):
                label.set_text(_short(norms[number - 1]))
            return say(
                "Radius {radius:.1f}, inputs {inputs:.1f}: of the gradient at word {last}, word 1 "
                "gets {left}.",
                radius=radius,
                inputs=inputs,
                last=_WORDS,
                left=_short(norms[0]),
            )

        return update

    return live(
        draw,
        alt=say(
            "Fifty states in a row, a loss at each. From the last loss a band leads back to word "
            "1, as wide as the logarithm of the gradient that is left; numbers stand below it. It "
            "narrows where each step shrinks the gradient and widens where each step stretches it."
        ),
        size=(8.0, 2.7),
        radius=(0.5, 1.5, 0.1, 1.5),
        inputs=(0.0, 1.0, 0.5, 0.0),
    )


def _half(norm: float) -> float:
    """Give half the width of the band: 1 for a whole gradient, a tenth less for each power."""
    return float(np.clip(1 + math.log10(norm) / _POWERS, 0.02, 2.0))


def _short(number: float) -> str:
    """Write a number of any size in few letters."""
    if 0.1 <= number < 10:
        return f"{number:.1f}"
    digit, power = f"{number:.0e}".split("e")
    return f"{digit}e{int(power)}"
