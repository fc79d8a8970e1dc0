"""Two predictions: a layer norm by hand, and how many means each norm takes off."""

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


def _count_case(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    B, T = torch.tensor([3, 5, 7])[rng.permutation(3)][:2].tolist()
    return {"yours": {"B": B, "T": T, "D": rng.choice([6, 8, 16])}}


predict_number_of_means = Exercise(
    "predict_number_of_means",
    points=1,
    reference=lambda B, T, D: [B * T, D, B * D, 2 * B, 0],
    cases=_count_case,
    question=lambda B, T, D: say(
        "x has the shape (batch {B}, time {T}, features {D}). How many means do layer norm, batch "
        "norm, instance norm, group norm with two groups of features, and RMSNorm take off? "
        "Answer with a list of five whole numbers, in this order.",
        B=B,
        T=T,
        D=D,
    ),
    mistakes=[
        Mistake(
            "means-layer-and-batch-exchanged",
            lambda B, T, D: [D, B * T, B * D, 2 * B, 0],
            "Your first two have changed places. Which of the two has a mean for each feature?",
        ),
        Mistake(
            "means-layer-per-sentence",
            lambda B, T, D: [B, D, B * D, 2 * B, 0],
            "One mean for each sentence would mix its words. What does layer norm normalise as a "
            "unit in a Transformer?",
        ),
        Mistake(
            "means-batch-per-position",
            lambda B, T, D: [B * T, T * D, B * D, 2 * B, 0],
            "Your batch norm has means of its own for each position. Over which two axes does it "
            "run?",
        ),
        Mistake(
            "means-instance-per-sentence",
            lambda B, T, D: [B * T, D, B, 2 * B, 0],
            "Your instance norm mixes the features. What is one instance: a sentence, or one "
            "feature of it?",
        ),
        Mistake(
            "means-instance-per-feature",
            lambda B, T, D: [B * T, D, D, 2 * B, 0],
            "Your instance norm mixes the sentences, as batch norm does. Which axis must it leave "
            "alone?",
        ),
        Mistake(
            "means-group-per-group",
            lambda B, T, D: [B * T, D, B * D, 2, 0],
            "Your groups are shared by all sentences. Does group norm ever leave its example?",
        ),
        Mistake(
            "means-group-per-token",
            lambda B, T, D: [B * T, D, B * D, 2 * B * T, 0],
            "Your groups belong to single tokens. Over which places does group norm run?",
        ),
        Mistake(
            "means-group-size",
            lambda B, T, D: [B * T, D, B * D, B * D // 2, 0],
            "Your groups hold two features each. How many groups are there?",
        ),
        Mistake(
            "means-rms-like-layer-norm",
            lambda B, T, D: [B * T, D, B * D, 2 * B, B * T],
            "RMSNorm has a size for each token. Does it take a mean off?",
        ),
        Mistake(
            "means-numbers-in-one",
            lambda B, T, D: [D, B * T, T, T * D // 2, D],
            "Those are how many numbers share one mean. How many such means are there?",
        ),
    ],
    hints=[
        "Of the axes B, T and D, which disappear when the mean is taken? The others are left.",
        "Groups cut the axis of features in two. Everything else is as in instance norm.",
    ],
)

EXERCISES = (predict_normalised_row, predict_number_of_means)
