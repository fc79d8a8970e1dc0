"""split_heads: blocks of features to heads."""

from collections.abc import Mapping

import torch

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.multi_head import split_heads as split
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
