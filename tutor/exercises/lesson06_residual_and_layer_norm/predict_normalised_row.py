"""predict_normalised_row: a layer norm by hand."""

from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import say


def _norm_case(seed: int) -> Mapping[str, Arguments]:
    """Draw a row of two different numbers, twice each: its spread is a whole number."""
    rng = Rng(seed)
    middle, spread = rng.number(3, 9), rng.number(2, 4)
    signs = torch.tensor([-1, -1, 1, 1])[rng.permutation(4)]
    gamma, beta = rng.number(2, 4), rng.choice([1, 5, 7])
    return {"yours": {"x": middle + spread * signs, "gamma": gamma, "beta": beta}}


def _norm(x: Tensor, gamma: int, beta: int, correction: int = 0) -> Tensor:
    x = x.float()
    return (x - x.mean()) / x.std(correction=correction) * gamma + beta


predict_normalised_row = Exercise(
    "predict_normalised_row",
    points=1,
    reference=_norm,
    cases=_norm_case,
    absolute=0.02,
    question=lambda x, gamma, beta: say(
        "A token is {token}; gamma is {gamma} and beta {beta} for every feature, eps so"
        " small that it does not count. What does layer norm make of the token? Answer "
        "with a list of numbers.",
        token=x.tolist(),
        gamma=gamma,
        beta=beta,
    ),
    mistakes=[
        Mistake(
            "predict-unbiased",
            lambda x, gamma, beta: _norm(x, gamma, beta, correction=1),
            "Your numbers lie a little too close to beta. By how many values is the sum of squares "
            "divided?",
        ),
        Mistake(
            "predict-no-affine",
            lambda x, gamma, beta: _norm(x, 1, 0),
            "Mean 0, spread 1: so far so good. What do gamma and beta do then?",
        ),
        Mistake(
            "predict-no-beta",
            lambda x, gamma, beta: _norm(x, gamma, 0),
            "The spread is right. What does beta do?",
        ),
        Mistake(
            "predict-no-gamma",
            lambda x, gamma, beta: _norm(x, 1, beta),
            "The mean is right. What does gamma do?",
        ),
        Mistake(
            "predict-divided-by-variance",
            lambda x, gamma, beta: (
                (x - x.float().mean()) / x.float().var(correction=0) * gamma + beta
            ),
            "Your numbers lie too close to beta. Do you divide by the variance or by its root?",
        ),
        Mistake(
            "predict-not-divided",
            lambda x, gamma, beta: (x - x.float().mean()) * gamma + beta,
            "The distances from the mean are still those of the token. By what are they divided?",
        ),
        Mistake(
            "predict-shift-scaled",
            lambda x, gamma, beta: (_norm(x, 1, 0) + beta) * gamma,
            "Your shift was stretched too. Which of gamma and beta acts first?",
        ),
        Mistake(
            "predict-affine-exchanged",
            lambda x, gamma, beta: _norm(x, beta, gamma),
            "You stretched by beta and shifted by gamma. Which of the two multiplies?",
        ),
        Mistake(
            "predict-sign-turned",
            lambda x, gamma, beta: _norm(-x, gamma, beta),
            "Large and small have changed places. Is the mean subtracted from each number, or "
            "each number from the mean?",
        ),
    ],
    hints=[
        "Mean first; then each number's distance from it; then the mean of the squared distances.",
        "All distances have the same size here, so their root mean square is that size.",
    ],
)
