"""predict_weighted_average: what two shares make of two values, by hand."""

from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import say


def _average_case(seed: int) -> Mapping[str, Arguments]:
    """Draw weights and values whose average is neither the plain nor the reversed one."""
    rng = Rng(seed)
    while True:
        weights = torch.tensor(rng.choice([[0.5, 0.3, 0.2], [0.6, 0.3, 0.1], [0.2, 0.1, 0.7]]))
        v = 10 * rng.permutation(6).view(3, 2) + 10
        right, slips = _average(weights, v), (v.float().mean(0), _average(weights.flip(0), v))
        if all((right - slip).abs().max() > 1 for slip in slips):
            return {"yours": {"weights": weights, "v": v}}


def _average(weights: Tensor, v: Tensor) -> Tensor:
    return weights @ v.float()  # (3,) @ (3, 2) -> (2,)


predict_weighted_average = Exercise(
    "predict_weighted_average",
    points=1,
    reference=_average,
    cases=_average_case,
    absolute=0.05,
    question=lambda weights, v: say(
        "One query has the weights {weights} on three keys, whose values are {values}. "
        "What is its output? Answer with a list of numbers.",
        weights=[round(w, 1) for w in weights.tolist()],
        values=v.tolist(),
    ),
    mistakes=[
        Mistake(
            "predict-summed-over-features",
            lambda weights, v: float((weights * v.sum(-1)).sum()),
            "You have one number. How many features does a value have, and do they mix when "
            "values are averaged?",
        ),
        Mistake(
            "predict-unweighted",
            lambda weights, v: v.float().mean(0),
            "You gave every value the same weight. What do the three weights say?",
        ),
        Mistake(
            "predict-summed",
            lambda weights, v: v.float().sum(0),
            "That is the sum of the values. How much of each goes into it?",
        ),
        Mistake(
            "predict-largest-only",
            lambda weights, v: v[weights.argmax()].float(),
            "You took one value whole. What do the other two weights do?",
        ),
        Mistake(
            "predict-weights-reversed",
            lambda weights, v: weights.flip(0) @ v.float(),
            "You paired the weights with the values from the wrong end. Which weight belongs to "
            "the first value?",
        ),
        Mistake(
            "predict-per-key",
            lambda weights, v: weights * v.float().sum(-1),
            "You have one number for each key. What comes out of attention: something per key, or "
            "one row for the query?",
        ),
    ],
    hints=[
        "Multiply each row of values by its weight, and then add the rows.",
        "The first number of the answer uses only the first numbers of the three values.",
    ],
)
