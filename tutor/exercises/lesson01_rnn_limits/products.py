"""Two products of many factors to predict: a gradient far back, and what a gate leaves."""

import math
from collections.abc import Mapping

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import say


def _chain_case(seed: int) -> Mapping[str, Arguments]:
    """Draw a negative factor and an odd distance, so that size and sign both tell."""
    rng = Rng(seed)
    start = rng.number(3, 5)
    return {"yours": {"w": -rng.number(2, 3), "start": start, "end": start + rng.choice([3, 5])}}


predict_chain = Exercise(
    "predict_chain",
    points=1,
    reference=lambda w, start, end: w ** (end - start),
    cases=_chain_case,
    question=lambda w, start, end: say(
        "A recurrence without tanh, with a single number as its state: h_t = {w} · "
        "h_(t−1) + x_t. What is the derivative of h_{end} with respect to h_{start}?",
        w=w,
        end=end,
        start=start,
    ),
    mistakes=[
        Mistake(
            "predict-one-step-more",
            lambda w, start, end: w ** (end - start + 1),
            "You have a factor too many. How many steps lead from one state to the other?",
        ),
        Mistake(
            "predict-one-step-less",
            lambda w, start, end: w ** (end - start - 1),
            "You have a factor too few. How many steps lead from one state to the other?",
        ),
        Mistake(
            "predict-from-the-beginning",
            lambda w, start, end: w**end,
            "You went all the way back to h_0. Where does this path begin?",
        ),
        Mistake(
            "predict-factors-added",
            lambda w, start, end: w * (end - start),
            "You added one factor for each step. What does the chain rule do with them?",
        ),
        Mistake(
            "predict-sign-lost",
            lambda w, start, end: abs(w) ** (end - start),
            "The size is right. What is the sign of a product of an odd number of negative "
            "factors?",
        ),
        Mistake(
            "predict-single-step",
            lambda w, start, end: w,
            "That is what a single step passes on. How many steps are there?",
        ),
        Mistake(
            "predict-inverted",
            lambda w, start, end: w ** (start - end),
            "You divided, but each step from the earlier state to the later one multiplies. Which "
            "of the two states is changed, and which one responds?",
        ),
    ],
    hints=[
        "How much does h_t change when h_(t−1) changes by 1? That is the factor of one step.",
        "Count the arrows from the earlier state to the later one, not the states.",
    ],
    absolute=0.01,
)


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


EXERCISES = (predict_chain, predict_left)
