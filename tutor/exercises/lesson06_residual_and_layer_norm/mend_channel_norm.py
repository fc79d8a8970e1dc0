"""mend_channel_norm: a layer norm where features stand before places, (B, C, T)."""

from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.lesson06_residual_and_layer_norm.layer_norm import MISTAKES, Norm
from tutor.layers import layer_norm
from tutor.say import say


def _turned(norm: Norm) -> Norm:
    """Let a norm over the last axis work where features stand before places."""
    return lambda x, gamma, beta, eps: norm(x.mT, gamma, beta, eps).mT


def _as_given(x: Tensor, gamma: Tensor, beta: Tensor, eps: float) -> Tensor:
    mean, variance = x.mean(-1, keepdim=True), x.var(-1, keepdim=True)
    return (x - mean) / torch.sqrt(variance + eps) * gamma[:, None] + beta[:, None]


def _right_axis_only(x: Tensor, gamma: Tensor, beta: Tensor, eps: float) -> Tensor:
    mean, variance = x.mean(1, keepdim=True), x.var(1, keepdim=True)
    return (x - mean) / torch.sqrt(variance + eps) * gamma[:, None] + beta[:, None]


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(eps: float, batch: int, channels: int, time: int) -> Arguments:
        return {
            "x": rng.normal(batch, channels, time) * 2 + 1,
            "gamma": rng.uniform(0.5, 2.0, channels),
            "beta": rng.normal(channels),
            "eps": eps,
        }

    flat = case(0.1, 2, 5, 3)
    flat["x"][0, :, 1] = 1.5 + 0.01 * rng.normal(5)  # nearly constant: here eps decides
    return {
        "unequal sizes": case(1e-3, 2, 7, 3),
        "a nearly constant token, a large eps": flat,
        "square": case(1e-5, 4, 4, 4),
        "one sentence": case(1e-2, 1, 7, 4),
        "two features": case(1e-5, 3, 2, 4),
        "one word each": case(1e-3, 3, 4, 1),
        "more places than features": case(1e-4, 3, 3, 8),
        "equal features": {**case(1e-3, 2, 4, 2), "x": torch.full((2, 4, 2), 1.5)},
        "large numbers": {**(given := case(1e-5, 2, 5, 3)), "x": 1e3 * given["x"]},
        EXAMPLE: {
            "x": torch.tensor([[[1.0, 0.0], [2.0, 0.0], [3.0, 4.0], [6.0, 4.0]]]),
            "gamma": torch.ones(4),
            "beta": torch.zeros(4),
            "eps": 0.00001,
        },
    }


def _places_are_alone(call: Call) -> str | None:
    x = Rng(1).normal(1, 4, 3)
    changed = x.clone()
    changed[:, :, 2] += Rng(2).normal(4)
    plain = torch.ones(4), torch.zeros(4), 1e-5
    if torch.allclose(call(x, *plain)[:, :, :2], call(changed, *plain)[:, :, :2], atol=1e-4):
        return None
    return say("The last place was changed, and what comes out at the others changed with it.")


_ELSEWHERE = ("ln-unbiased-std", "ln-over-batch")  # told here by questions of their own

mend_channel_norm = Exercise(
    "mend_channel_norm",
    points=1,
    reference=_turned(layer_norm),
    cases=_cases,
    returns=("normalised",),
    shapes={"x": "B C T", "gamma": "C", "beta": "C", "normalised": "B C T"},
    smallest={"C": 2},
    exact_dtype=True,
    promises={
        "eps decides in a token": lambda x, gamma, beta, eps: bool(
            (x.var(1, correction=0) < eps).any()
        ),
        "gamma and beta differ from feature to feature": lambda x, gamma, beta, eps: (
            gamma.unique().numel() == beta.unique().numel() == x.size(1) > 1
        ),
    },
    library=("layer_norm", "native_layer_norm", "batch_norm", "group_norm", "instance_norm"),
    given="chan-as-given",
    properties=[Property("Places are normalised one by one.", _places_are_alone)],
    mistakes=[
        Mistake(
            "chan-as-given",
            _as_given,
            "Change one place of a sentence, and the others change. Along which axis do the means "
            "run, and along which should they?",
        ),
        Mistake(
            "chan-right-axis-only",
            _right_axis_only,
            "The axis is right now. Your tokens are a little too small, by the same factor "
            "everywhere: by how many values does the variance divide?",
        ),
        Mistake(
            "chan-right-variance-only",
            _turned(next(m for m in MISTAKES if m.id == "ln-over-time").function),
            "The variance is right now. Which axis holds the features of one token?",
        ),
        *(
            Mistake(
                mistake.id.replace("ln-", "chan-"),
                _turned(mistake.function),
                mistake.hint,
                variants=[_turned(variant) for variant in mistake.variants],
            )
            for mistake in MISTAKES
            if mistake.id not in (*_ELSEWHERE, "ln-over-time")
        ),
    ],
    hints=[
        "Print the shape of the mean: how many means are there, and how many tokens?",
        "Two things are wrong. The second is the one torch's `var` does unless told otherwise.",
    ],
)
