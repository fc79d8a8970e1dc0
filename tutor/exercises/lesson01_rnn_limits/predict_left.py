"""predict_left: what a gate leaves of a number after many steps."""

import math
from collections.abc import Mapping

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import say


def _left_case(seed: int) -> Mapping[str, Arguments]:
    """Draw a gate that stands neither half open nor all open, and steps enough to tell."""
    rng = Rng(seed)
    return {"yours": {"bias": rng.choice([1, 2, 3]), "steps": rng.number(3, 6)}}


def _sigmoid(z: float) -> float:
    return 1 / (1 + math.exp(-z))


predict_left = Exercise(
    "predict_left",
    points=1,
    reference=lambda bias, steps: _sigmoid(bias) ** steps,
    cases=_left_case,
    absolute=0.002,
    question=lambda bias, steps: say(
        "All weights of an LSTM are 0, and so are its biases, but that of the forget gate is "
        "{bias}. The cell starts at 1. What is left of it after {steps} steps? Let Python compute "
        "it, and give three decimals.",
        bias=bias,
        steps=steps,
    ),
    mistakes=[
        Mistake(
            "left-after-one-step",
            lambda bias, steps: _sigmoid(bias),
            "That is what one step leaves. How many steps are there?",
        ),
        Mistake(
            "left-steps-in-the-gate",
            lambda bias, steps: _sigmoid(bias * steps),
            "You put the steps inside the sigmoid. Does the gate know how many have passed?",
        ),
        Mistake(
            "left-multiplied",
            lambda bias, steps: _sigmoid(bias) * steps,
            "Yours is more than was there. What does a second step do to what the first has left?",
        ),
        Mistake(
            "left-lost",
            lambda bias, steps: 1 - _sigmoid(bias) ** steps,
            "That is what has gone. What is asked for?",
        ),
        Mistake(
            "left-gate-inverted",
            lambda bias, steps: _sigmoid(-bias) ** steps,
            "Your gate is more shut than open. Does a large bias open a forget gate, or shut it?",
        ),
        Mistake(
            "left-tanh",
            lambda bias, steps: math.tanh(bias) ** steps,
            "You squeezed the bias with tanh. Between which numbers does a gate lie?",
        ),
        Mistake(
            "left-bias-itself",
            lambda bias, steps: float(bias**steps),
            "You multiplied by the bias itself at each step. Through which function does a bias "
            "become a gate?",
        ),
        Mistake(
            "left-half-gate",
            lambda bias, steps: 0.5**steps,
            "That is a gate without a bias. What does the bias make of one half?",
        ),
        Mistake(
            "left-one-step-more",
            lambda bias, steps: _sigmoid(bias) ** (steps + 1),
            "You have a factor too many. How often does the gate act?",
        ),
        Mistake(
            "left-one-step-less",
            lambda bias, steps: _sigmoid(bias) ** (steps - 1),
            "You have a factor too few. How often does the gate act?",
        ),
    ],
    hints=[
        "With all weights 0 the gate is the same at every step: the sigmoid of its bias.",
        "The candidate is tanh 0 = 0, so nothing is written. By what is the cell multiplied?",
    ],
)
