"""predict_score: one scaled score, by hand."""

import math
from collections.abc import Mapping

from torch import Tensor

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import say


def _score_case(seed: int) -> Mapping[str, Arguments]:
    """Draw four numbers each, with products of both signs and a sum that is not small."""
    rng = Rng(seed)
    while True:
        q, k = rng.integers(-3, 3, 4), rng.integers(-3, 3, 4)
        products = q * k
        if abs(int(products.sum())) > 2 and bool((products > 0).any() and (products < 0).any()):
            return {"yours": {"q": q, "k": k}}


def _half_score(q: Tensor, k: Tensor) -> float:
    return int(q @ k) / math.sqrt(len(q))


predict_score = Exercise(
    "predict_score",
    points=1,
    reference=_half_score,
    cases=_score_case,
    absolute=0.01,
    question=lambda q, k: say(
        "A query is {query} and a key {key}. What number does softmax see for this pair"
        " in scaled dot-product attention?",
        query=q.tolist(),
        key=k.tolist(),
    ),
    mistakes=[
        Mistake(
            "predict-no-scale",
            lambda q, k: int(q @ k),
            "That is the dot product. What happens to it before softmax?",
        ),
        Mistake(
            "predict-scale-squared",
            lambda q, k: int(q @ k) / len(q),
            "You divided by the number of features. How does the spread of a sum grow with the "
            "number of its terms?",
        ),
        Mistake(
            "predict-scale-multiplied",
            lambda q, k: int(q @ k) * math.sqrt(len(q)),
            "Should the scale make scores larger?",
        ),
        Mistake(
            "predict-signs-lost",
            lambda q, k: int(q.abs() @ k.abs()) / math.sqrt(len(q)),
            "Look at the products one by one: do some of them pull the sum down?",
        ),
        Mistake(
            "predict-sign-turned",
            lambda q, k: -_half_score(q, k),
            "The size is right. What is the sign of the sum of the four products?",
        ),
    ],
    hints=["Write the four products in a row, add them, and divide by the square root of four."],
)
