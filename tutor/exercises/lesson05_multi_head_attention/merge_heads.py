"""merge_heads: heads back to blocks of features."""

from collections.abc import Mapping

import torch

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.multi_head import merge_heads as merge
from tutor.multi_head import split_heads as split
from tutor.say import say


def _merge_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    return {
        "unequal sizes": {"x": rng.normal(2, 3, 5, 4)},
        "as many heads as words": {"x": rng.normal(3, 4, 4, 2)},
        "heads as wide as many": {"x": rng.normal(2, 2, 3, 2)},
        "one head": {"x": rng.normal(2, 1, 4, 3)},
        "one feature a head": {"x": rng.normal(3, 4, 2, 1)},
        "one word": {"x": rng.normal(2, 3, 1, 2)},
        "one sentence": {"x": rng.normal(1, 2, 3, 5)},
        "more heads than words": {"x": rng.normal(4, 5, 2, 3)},
        EXAMPLE: {"x": torch.tensor([[[[1.0, 2], [5, 6]], [[3, 4], [7, 8]]]])},
    }


def _round_trip(call: Call) -> str | None:
    x = torch.arange(12.0).view(1, 3, 4)
    if torch.equal(call(split(x, 2)), x):
        return None
    return say(
        "Three words of four features were split into two heads; yours does not bring them back."
    )


merge_heads = Exercise(
    "merge_heads",
    points=1,
    reference=merge,
    cases=_merge_cases,
    returns=("joined",),
    shapes={"x": "B h T d_k", "joined": "B T h·d_k"},
    properties=[Property("Merging undoes splitting.", _round_trip)],
    mistakes=[
        Mistake(
            "merge-without-transpose",
            lambda x: x.reshape(len(x), x.size(2), -1),
            "The shape is right, but a word's row holds features of other words. What must stand "
            "beside the features before two axes can become one?",
        ),
        Mistake(
            "merge-interleaved",
            lambda x: x.permute(0, 2, 3, 1).flatten(2),
            "Your features alternate between heads. Does a head's block stay together?",
        ),
        Mistake(
            "merge-reversed",
            lambda x: merge(x.flip(1)),
            "Your last head comes first. Which block belongs to which head?",
        ),
        Mistake(
            "merge-averaged",
            lambda x: x.mean(1),
            "Your result is as wide as one head. Are heads averaged or put side by side?",
        ),
        Mistake(
            "merge-summed",
            lambda x: x.sum(1),
            "Your result is as wide as one head. Are heads added or put side by side?",
        ),
        Mistake(
            "merge-along-words",
            lambda x: x.flatten(1, 2),
            "Your heads stand one after the other in time. Along which axis are they joined?",
        ),
        Mistake(
            "merge-still-apart",
            lambda x: x.transpose(1, 2),
            "The axes are in the right order. Which two of them are to become one?",
        ),
        Mistake(
            "merge-first-head-only",
            lambda x: x[:, 0],
            "Your result holds one head. What became of the others?",
        ),
        Mistake(
            "merge-features-transposed",
            lambda x: x.transpose(1, 3).flatten(2),
            "Your words and features have changed places. Which axis stands second in the result?",
        ),
        Mistake(
            "merge-repeated",
            lambda x: x.mean(1).repeat(1, 1, x.size(1)),
            "Every block of your result is the same. Are heads averaged or put side by side?",
        ),
    ],
    hints=[
        "Do what split_heads did, last step first.",
        "(B, h, T, d_k) must become (B, T, h, d_k) before its last two axes can become one.",
    ],
)
