"""predict_chain: a product of many factors is what a gradient brings back from far."""

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
