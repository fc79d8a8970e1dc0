"""split_heads and merge_heads: blocks of features to heads and back."""

from collections.abc import Mapping

import torch

from tutor.attention import merge_heads as merge
from tutor.attention import split_heads as split
from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.say import say


def _split_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    return {
        "unequal sizes": {"x": rng.normal(2, 5, 12), "heads": 3},
        "as many heads as words": {"x": rng.normal(3, 4, 8), "heads": 4},
        "heads as wide as many": {"x": rng.normal(2, 3, 4), "heads": 2},
        "one head": {"x": rng.normal(2, 4, 3), "heads": 1},
        "one feature a head": {"x": rng.normal(3, 2, 4), "heads": 4},
        "one word": {"x": rng.normal(2, 1, 6), "heads": 3},
        "one sentence": {"x": rng.normal(1, 3, 10), "heads": 2},
        "more words than features": {"x": rng.normal(4, 9, 6), "heads": 3},
        EXAMPLE: {"x": torch.arange(1.0, 9).view(1, 2, 4), "heads": 2},
    }


def _a_word_stays_together(call: Call) -> str | None:
    x = torch.tensor([[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]])
    first_word = call(x, 2)[0, :, 0]  # (2 heads, 2 features)
    if sorted(first_word.flatten().tolist()) == [1, 2, 3, 4]:
        return None
    return say(
        "The first word is [1, 2, 3, 4], the second [5, 6, 7, 8]. With two heads, yours"
        " has {features} at the place of the first word.",
        features=first_word.tolist(),
    )


_ASK_MIXED = (
    "The shape is right, but a head's rows come from several words' features. Where does the axis "
    "of heads stand right after the features are cut, and where must it go?"
)

split_heads = Exercise(
    "split_heads",
    points=1,
    reference=split,
    cases=_split_cases,
    returns=("blocks",),
    shapes={"x": "B T h·d_k", "heads": "h", "blocks": "B h T d_k"},
    properties=[Property("A word's features stay with the word.", _a_word_stays_together)],
    mistakes=[
        Mistake(
            "split-without-transpose",
            lambda x, heads: x.reshape(len(x), heads, x.size(1), -1),
            _ASK_MIXED,
        ),
        Mistake(
            "split-interleaved",
            lambda x, heads: x.unflatten(-1, (-1, heads)).permute(0, 3, 1, 2),
            "Your head 0 has every h-th feature. Which features make up a block?",
        ),
        Mistake(
            "split-not-transposed",
            lambda x, heads: x.unflatten(-1, (heads, -1)),
            "The features are cut correctly. In which order do the axes come: words or heads "
            "first?",
        ),
        Mistake(
            "split-heads-first",
            lambda x, heads: x.unflatten(-1, (heads, -1)).permute(2, 0, 1, 3),
            "Your heads come before the sentences. Which axis is the first?",
        ),
        Mistake(
            "split-reversed",
            lambda x, heads: split(x, heads).flip(1),
            "Your head 0 has the last block. Which block belongs to which head?",
        ),
        Mistake(
            "split-width-for-heads",
            lambda x, heads: x.unflatten(-1, (-1, heads)).transpose(1, 2),
            "You made heads of width h. Does `heads` say how many there are, or how wide they are?",
        ),
        Mistake(
            "split-features-transposed",
            lambda x, heads: split(x, heads).transpose(-2, -1),
            "Within each head, words and features have changed places. What is the last axis?",
        ),
        Mistake(
            "split-first-block-only",
            lambda x, heads: split(x, heads)[:, :1].expand(-1, heads, -1, -1),
            "All your heads hold the same block. What became of the other features?",
        ),
        Mistake(
            "split-whole-for-each",
            lambda x, heads: x.unsqueeze(1).expand(-1, heads, -1, -1),
            "Each of your heads has all the features. How wide is one head?",
        ),
        Mistake(
            "split-list-of-heads",
            lambda x, heads: list(x.chunk(heads, dim=-1)),
            "You have the right blocks in a list. What is asked for: a list, or one tensor?",
        ),
        Mistake(
            "split-stacked-first",
            lambda x, heads: torch.stack(x.chunk(heads, dim=-1), dim=2),
            "The features are cut correctly. In which order do the axes come: words or heads "
            "first?",
        ),
        Mistake(
            "split-words-instead",
            lambda x, heads: x.transpose(1, 2).reshape(len(x), heads, -1, x.size(1)),
            "Within each head, words and features have changed places. What is the last axis?",
        ),
    ],
    hints=[
        "Take one word with features 1 2 3 4 and two heads, and write down what each head gets.",
        "First cut the last axis into (heads, d_k); then look at the order of the four axes.",
    ],
)


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

EXERCISES = (split_heads, merge_heads)
