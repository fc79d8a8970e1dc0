"""Back through time: how much of a gradient comes back to each word."""

from itertools import pairwise
from typing import Any

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, INK
from tutor.explorers.lesson01_rnn_limits.states_and_weights import WORDS, states_and_weights
from tutor.gradients import jacobian_norms
from tutor.say import say

_CUTS = [("never", 0), ("every 6", 6), ("every 3", 3)]


def back_through_time() -> Explorer:
    """Draw twelve steps, and back through them arrows as wide as what is left of the gradient.

    Example:
        >>> back_through_time().frame(cut=3).caption
        'Radius 0.7, inputs 0.5: the gradient of the last loss reaches word 10, with 0.68 of it.'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        across = [1.0 + 1.27 * step for step in range(WORDS)]
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
            norms = jacobian_norms(*states_and_weights(radius, WORDS, inputs)).tolist()
            first = WORDS - cut + 1 if cut else 1  # the word to which the gradient comes back
            for number in range(1, WORDS):
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
