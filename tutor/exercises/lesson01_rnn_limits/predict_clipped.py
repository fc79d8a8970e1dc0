"""predict_clipped: two gradients, clipped together."""

from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import say

# Whole numbers whose squares sum to a square: the length can be worked out in the head.
_QUADRUPLES = [([3, 6], [2], 7), ([4, 7], [4], 9), ([6, 7], [6], 11), ([4, 12], [3], 13)]


def _clip_case(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    first, second, length = rng.choice(_QUADRUPLES)
    return {
        "yours": {
            "first": torch.tensor([float(number) for number in first]),
            "second": torch.tensor([float(number) for number in second]),
            "max_norm": length / 2,
        }
    }


def _together(first: Tensor, second: Tensor) -> Tensor:
    return torch.cat([first, second])


predict_clipped = Exercise(
    "predict_clipped",
    points=1,
    reference=lambda first, second, max_norm: _together(first, second) / 2,
    cases=_clip_case,
    absolute=0.01,
    question=lambda first, second, max_norm: say(
        "Two parameters have the gradients {first} and {second}. They are clipped to a "
        "global norm of {max_norm}. What are the three numbers afterwards? Answer with "
        "one list.",
        first=[round(x) for x in first.tolist()],
        second=[round(x) for x in second.tolist()],
        max_norm=max_norm,
    ),
    mistakes=[
        Mistake(
            "predict-clipped-by-value",
            lambda first, second, max_norm: _together(first, second).clamp(max=max_norm),
            "You cut each number by itself. What is limited: the numbers, or the length of all "
            "three together?",
        ),
        Mistake(
            "predict-clipped-apart",
            lambda first, second, max_norm: _together(
                first * min(1.0, max_norm / first.norm().item()),
                second * min(1.0, max_norm / second.norm().item()),
            ),
            "You clipped each gradient by its own length. Whose length is limited?",
        ),
        Mistake(
            "predict-not-clipped",
            lambda first, second, max_norm: _together(first, second),
            "You left them as they are. How long are the three numbers as one vector?",
        ),
        Mistake(
            "predict-clipped-to-one",
            lambda first, second, max_norm: _together(first, second) / (2 * max_norm),
            "Yours have length 1. Which length is allowed?",
        ),
        Mistake(
            "predict-clipped-by-squares",
            lambda first, second, max_norm: _together(first, second) / (4 * max_norm),
            "You divided by the sum of squares. Is that a length already?",
        ),
        Mistake(
            "predict-clipped-by-sum",
            lambda first, second, max_norm: (
                _together(first, second) * max_norm / _together(first, second).sum()
            ),
            "You divided by the sum of the numbers. How is the length of a vector measured?",
        ),
        Mistake(
            "predict-divided-by-limit",
            lambda first, second, max_norm: _together(first, second) / max_norm,
            "You divided by the limit. How long are the three numbers, and by what must they be "
            "multiplied?",
        ),
        Mistake(
            "predict-grown",
            lambda first, second, max_norm: _together(first, second) * 2,
            "Yours are longer than before. Which way up is the fraction?",
        ),
    ],
    hints=[
        "Square the three numbers, add them up, take the root: it is a whole number.",
        "Limit divided by length is the factor for all three.",
    ],
)
