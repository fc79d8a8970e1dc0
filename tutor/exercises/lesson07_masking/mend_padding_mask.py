"""mend_padding_mask: weights whose padding was multiplied by 0 instead of hidden."""

import math
from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.extremes import SCORES, levels
from tutor.exercises.lesson07_masking import hiding
from tutor.say import say


def _weights(scores: Tensor, real: Tensor, fill: float = -math.inf) -> Tensor:
    return torch.softmax(scores.masked_fill(~real[:, None, :], fill), dim=-1)  # (B, Tq, Tk)


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(queries: int, *patterns: str) -> Arguments:
        real = torch.tensor([[mark == "x" for mark in pattern] for pattern in patterns])
        return {"scores": 2 * rng.normal(len(patterns), queries, real.size(1)), "real": real}

    loud = rng.quarters(2, 4, 3) + levels(2, 4)[..., None]
    return {
        "two sentences": case(3, "xx---", "xxxxx"),
        "a hole in the padding": case(4, "x-x--", "xx-x-"),
        "more queries than keys": case(5, "xx-", "-xx", "xxx"),
        "more sentences than queries": case(1, "xx-x", "x---", "xxxx"),
        "one sentence": case(2, "xxx-"),
        "one key": case(3, "x", "x"),
        "scores of ±1000": {
            "scores": loud,
            "real": torch.tensor([[True, True, False], [True, False, True]]),
        },
        "a padded score far above": {  # softmax leaves nothing for the others
            "scores": rng.quarters(1, 2, 3) + torch.tensor([1000.0, 0.0, 1.0]),
            "real": torch.tensor([[False, True, True]]),
        },
        EXAMPLE: {"scores": torch.zeros(1, 1, 2), "real": torch.tensor([[True, False]])},
    }


def _padding_gets_nothing(call: Call) -> str | None:
    real = torch.tensor([[True, True, False]])
    taken = call(Rng(1).normal(1, 2, 3), real)[..., 2].abs().max()
    return say("A key that is padding gets weight.") if taken > 1e-6 else None


def _rows_sum_to_one(call: Call) -> str | None:
    real = torch.tensor([[True, True, False]])
    sums = call(Rng(1).normal(1, 2, 3), real).sum(-1)
    return None if torch.allclose(sums, torch.ones(1, 2), atol=1e-4) else say(hiding.ASK_ROWS)


mend_padding_mask = Exercise(
    "mend_padding_mask",
    points=1,
    given="padding-times-zero",
    reference=_weights,
    cases=_cases,
    returns=("weights",),
    shapes={"scores": "B Tq Tk", "real": "B Tk", "weights": "B Tq Tk"},
    computed=("weights",),
    promises=SCORES,
    properties=[
        Property("Padding gets no weight.", _padding_gets_nothing),
        Property("Every row of weights sums to 1.", _rows_sum_to_one),
    ],
    mistakes=[
        Mistake(
            "padding-times-zero",
            lambda scores, real: torch.softmax(scores * real[:, None, :], dim=-1),
            hiding.ASK_ZERO,
            variants=[lambda scores, real: _weights(scores, real, 0.0)],
        ),
        Mistake(
            "padding-on-rows",
            lambda scores, real: torch.softmax(
                scores.masked_fill(~real[:, : scores.size(1), None], -1e9), dim=-1
            ),
            "You hid those who ask. Who must not be looked at?",
        ),
        Mistake(
            "padding-after-softmax",
            lambda scores, real: torch.softmax(scores, dim=-1) * real[:, None, :],
            hiding.ASK_ROWS,
        ),
        Mistake(
            "padding-inverted",
            lambda scores, real: _weights(scores, ~real, -1e9),
            "Only padding is looked at. Where is real True?",
        ),
        Mistake(
            "padding-of-the-first",
            lambda scores, real: _weights(scores, real[:1].expand_as(real)),
            hiding.ASK_FIRST,
        ),
        Mistake(
            "padding-from-length",
            lambda scores, real: _weights(scores, hiding.up_to_length(real)),
            hiding.ASK_HOLES,
        ),
        Mistake(
            "padding-not-hidden",
            lambda scores, real: torch.softmax(scores, dim=-1),
            "Nothing is hidden. What does your code do with real?",
        ),
        Mistake(
            "padding-not-low-enough",
            lambda scores, real: _weights(scores, real, -10.0),
            hiding.ASK_SIZE,
            variants=[
                lambda scores, real: _weights(scores, real, -50.0),
                lambda scores, real: _weights(scores, real, -100.0),
            ],
        ),
        Mistake(
            "padding-over-queries",
            lambda scores, real: torch.softmax(scores.masked_fill(~real[:, None, :], -1e9), dim=-2),
            "Your columns sum to 1. Whose attention is shared out?",
        ),
    ],
    hints=[
        "Print a row of the weights: how much goes to padding?",
        "What does softmax make of a score of 0, and of which score does it make 0?",
    ],
)
