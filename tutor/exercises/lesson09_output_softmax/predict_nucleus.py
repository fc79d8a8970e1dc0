"""predict_nucleus: the most likely words that reach a given mass."""

from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import say


def _nucleus_case(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    probabilities = torch.tensor([0.42, 0.27, 0.14, 0.09, 0.05, 0.03])
    return {
        "yours": {
            "probabilities": probabilities[rng.permutation(6)],
            "threshold": rng.choice([0.6, 0.75, 0.8, 0.9]),
        }
    }


def _nucleus(probabilities: Tensor, threshold: float) -> int:
    ranked = probabilities.sort(descending=True).values
    return int((ranked.cumsum(0) - ranked < threshold).sum())


predict_nucleus = Exercise(
    "predict_nucleus",
    points=1,
    reference=_nucleus,
    cases=_nucleus_case,
    question=lambda probabilities, threshold: say(
        "Six words have the probabilities {probabilities}. How many of them can be "
        "drawn after top-p with the threshold {threshold}?",
        probabilities=[round(p, 2) for p in probabilities.tolist()],
        threshold=threshold,
    ),
    mistakes=[
        Mistake(
            "predict-one-fewer",
            lambda probabilities, threshold: _nucleus(probabilities, threshold) - 1,
            "Your words do not reach the threshold. Is the one that carries them over it in or "
            "out?",
        ),
        Mistake(
            "predict-one-more",
            lambda probabilities, threshold: _nucleus(probabilities, threshold) + 1,
            "One word fewer already reaches the threshold. When do you stop?",
        ),
        Mistake(
            "predict-all",
            lambda probabilities, threshold: len(probabilities),
            "You kept all six. Which of them are not needed?",
        ),
        Mistake(
            "predict-the-others",
            lambda probabilities, threshold: (
                len(probabilities) - _nucleus(probabilities, threshold)
                if len(probabilities) != 2 * _nucleus(probabilities, threshold)
                else 0
            ),
            "You counted the words that are dropped. Which ones can be drawn?",
        ),
    ],
    hints=[
        "Put the six in order, the most likely first, and add them up one by one.",
        "Stop as soon as the sum has reached the threshold, and count the words in the sum.",
    ],
)
