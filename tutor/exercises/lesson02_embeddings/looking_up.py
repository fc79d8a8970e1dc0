"""one_hot_lookup and embed: a row of a table for each id."""

import math
from collections.abc import Callable, Mapping

import torch
import torch.nn.functional as F
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import Rng
from tutor.embedding import embed as look_up_scaled
from tutor.embedding import one_hot_lookup as look_up
from tutor.say import say


def _lookup_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(batch: int, time: int, words: int, d_model: int) -> Arguments:
        ids = rng.integers(0, words - 1, batch, time)
        ids[0, 0], ids[-1, -1] = 0, words - 1  # both ends of the table
        return {"ids": ids, "table": rng.normal(words, d_model)}

    return {
        "unequal sizes": case(2, 3, 7, 4),
        "square": case(4, 4, 4, 4),
        "one sentence": case(1, 2, 5, 3),
        "one word each": case(5, 1, 3, 2),
        "one feature": case(3, 2, 6, 1),
        "wide words": case(3, 2, 4, 9),
        "a single word": {"ids": torch.zeros(2, 3, dtype=torch.long), "table": rng.normal(1, 4)},
        "rare words missing": {"ids": rng.integers(0, 4, 3, 2), "table": rng.normal(8, 5)},
    }


def _same_word_same_row(call: Call) -> str | None:
    rows = call(torch.tensor([[2, 0, 2]]), Rng(1).normal(3, 2))
    if torch.allclose(rows[0, 0], rows[0, 2], atol=1e-6):
        return None
    return say("The same id stands at two places, and its vectors differ.")


one_hot_lookup = Exercise(
    "one_hot_lookup",
    points=1,
    reference=look_up,
    cases=_lookup_cases,
    returns=("x",),
    shapes={"ids": "B T", "table": "V D", "x": "B T D"},
    exact_dtype=True,
    library=("embedding",),
    promises={
        "the first word occurs": lambda ids, table: bool((ids == 0).any()),
        "the last word occurs": lambda ids, table: bool((ids == len(table) - 1).any()),
        "the last word does not occur": lambda ids, table: bool((ids < len(table) - 1).all()),
    },
    properties=[Property("The same word has the same vector everywhere.", _same_word_same_row)],
    mistakes=[
        Mistake(
            "onehot-only",
            lambda ids, table: F.one_hot(ids, len(table)).float(),
            "You return the ones and zeros. What do they pick once they meet the table?",
            label="one-hot only",
        ),
        Mistake(
            "onehot-width-from-ids",
            lambda ids, table: F.one_hot(ids).float() @ table,
            "It runs only where the last word of the vocabulary occurs. What should tell one_hot "
            "how many words there are?",
        ),
        Mistake(
            "onehot-table-transposed",
            lambda ids, table: look_up(ids, table.T),
            "Where your code runs at all, it picks columns. What is a word: a row of the table, "
            "or a column?",
        ),
        Mistake(
            "onehot-id-one-off",
            lambda ids, table: table[(ids - 1) % len(table)],
            "Every word got the row next to its own. From which number do ids count?",
            variants=[lambda ids, table: table[(ids + 1) % len(table)]],
        ),
        Mistake(
            "onehot-by-place",
            lambda ids, table: table[: ids.size(1)].expand(len(ids), -1, -1).clone(),
            "Every sentence got the first rows of the table. What picks a row: the word, or its "
            "place?",
        ),
        Mistake(
            "onehot-bag-of-words",
            lambda ids, table: look_up(ids, table).sum(1),
            "Each sentence has become one vector. How many vectors does a sentence of T words "
            "have?",
        ),
        Mistake(
            "onehot-id-multiplied",
            lambda ids, table: ids[..., None] * table[0],
            "A word with twice the id got twice the vector. Are ids amounts, or names?",
        ),
        Mistake(
            "onehot-scaled",
            lambda ids, table: look_up(ids, table) * math.sqrt(table.size(-1)),
            "Every row is too long by the same factor. Does a look-up change a row?",
        ),
        Mistake(
            "onehot-softmax",
            lambda ids, table: F.one_hot(ids, len(table)).float().softmax(-1) @ table,
            "Your rows are mixtures of all rows. What is left of a one among zeros after softmax?",
        ),
        Mistake(
            "onehot-first-sentence",
            lambda ids, table: look_up(ids[:1], table).expand(len(ids), -1, -1).clone(),
            "All your sentences have the words of the first. Which row of ids belongs to the "
            "second?",
        ),
        Mistake(
            "onehot-from-end",
            lambda ids, table: table.flip(0)[ids],
            "You count rows from the end of the table. Which row has the id 0?",
        ),
        Mistake(
            "onehot-batch-transposed",
            lambda ids, table: look_up(ids.T, table),
            "Words and sentences have changed places. Which axis comes first?",
        ),
        Mistake(
            "onehot-integers",
            lambda ids, table: look_up(ids, table).long(),
            "Your vectors have lost what stands after the decimal point. Which dtype does the "
            "table have?",
        ),
    ],
    hints=[
        "F.one_hot makes (B, T, V) of whole numbers; the table has (V, D) floats.",
        "A row of zeros with a single 1, times the table: which rows of the table remain?",
    ],
)


def _embed_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(pad_id: int, d_model: int, *patterns: str) -> Arguments:
        ids = rng.integers(4, 8, len(patterns), len(patterns[0]))
        real = torch.tensor([[mark == "x" for mark in pattern] for pattern in patterns])
        ids[~real] = pad_id
        if pad_id != 0:
            ids[0, 0] = 0  # a word
        return {"ids": ids, "table": rng.normal(9, d_model), "pad_id": pad_id}

    ones = rng.integers(0, 1, 3, 2)  # words 0 and 1 of a tiny vocabulary, the second is padding
    return {
        "padding with a hole": case(rng.number(1, 3), 5, "xx-x", "xxxx", "x---"),
        "no padding": case(2, 4, "xxx", "xxx"),
        "square": case(3, 9, "xxxxxx--x", "xxxxxxxxx"),
        "padding is 0": case(0, 6, "xxx-", "xx-x"),
        "padding on the left": case(1, 3, "xxxxx", "--xxx"),
        "padding is the last id": case(8, 2, "x-x", "xx-", "xxx", "---"),
        "one sentence": case(2, 3, "xx-x"),
        "one word each": case(1, 4, "x", "-", "x"),
        "one feature": case(3, 1, "xx-", "x--"),
        "wide words": case(2, 12, "x-", "xx", "xx"),
        "two words": {"ids": ones, "table": rng.normal(2, 3), "pad_id": 1},
        "no word at all": {
            "ids": torch.zeros(2, 2, dtype=torch.long),
            "table": rng.normal(1, 3),
            "pad_id": 0,
        },
    }


def _padding_is_zero(call: Call) -> str | None:
    largest = call(torch.tensor([[1, 2]]), torch.ones(3, 4), 2)[0, 1].abs().max().item()
    return (
        say(
            "A row of padding reaches {largest:.3f}.",
            largest=largest,
        )
        if largest > 1e-6
        else None
    )


def _words_are_not_zero(call: Call) -> str | None:
    row = call(torch.tensor([[0, 1]]), torch.ones(3, 4), 2)[0, 0]
    return (
        say("The word with id 0 has lost its vector; padding has the id 2.")
        if (row == 0).all()
        else None
    )


def _has_hole(padding: Tensor) -> bool:
    return bool((padding[:, :-1] & ~padding[:, 1:]).any())  # a word follows padding


def _factor(factor: Callable[[Tensor, Tensor], float]) -> Callable[[Tensor, Tensor, int], Tensor]:
    """Build an embedding with another factor."""

    def embedding(ids: Tensor, table: Tensor, pad_id: int) -> Tensor:
        return table[ids] * factor(ids, table) * (ids != pad_id)[..., None]

    return embedding


def _root(table: Tensor) -> float:
    return math.sqrt(table.size(-1))


_ASK_ROOT = "Words are too long or too short by the same factor. Of what is the root taken?"

embed = Exercise(
    "embed",
    points=2,
    reference=look_up_scaled,
    cases=_embed_cases,
    returns=("x",),
    shapes={"ids": "B T", "table": "V D", "x": "B T D"},
    promises={
        "no padding": lambda ids, table, pad_id: bool((ids != pad_id).all()),
        "padding at the end": lambda ids, table, pad_id: bool((ids[:, -1] == pad_id).any()),
        "padding at the beginning": lambda ids, table, pad_id: bool((ids[:, 0] == pad_id).any()),
        "a hole": lambda ids, table, pad_id: _has_hole(ids == pad_id),
        "padding is 0": lambda ids, table, pad_id: pad_id == 0,
        "a word has the id 0": lambda ids, table, pad_id: pad_id != 0 and bool((ids == 0).any()),
        "padding is the last id": lambda ids, table, pad_id: pad_id == len(table) - 1,
    },
    properties=[
        Property("Padding is all zeros.", _padding_is_zero),
        Property("Id 0 is a word like any other.", _words_are_not_zero),
    ],
    mistakes=[
        Mistake(
            "embed-not-scaled",
            _factor(lambda ids, table: 1.0),
            "Your rows are those of the table, as they are. What does the paper multiply them by?",
        ),
        Mistake(
            "embed-sqrt-seq",
            _factor(lambda ids, table: math.sqrt(ids.size(1))),
            _ASK_ROOT,
            label="root of the length",
        ),
        Mistake(
            "embed-sqrt-words",
            _factor(lambda ids, table: math.sqrt(len(table))),
            _ASK_ROOT,
            label="root of the vocabulary",
        ),
        Mistake(
            "embed-sqrt-batch",
            _factor(lambda ids, table: math.sqrt(len(ids))),
            _ASK_ROOT,
            label="root of the batch",
        ),
        Mistake("embed-no-root", _factor(lambda ids, table: table.size(-1)), _ASK_ROOT),
        Mistake(
            "embed-divided",
            _factor(lambda ids, table: 1 / _root(table)),
            "Your words became shorter. Which way does the factor act?",
        ),
        Mistake(
            "embed-padding-kept",
            lambda ids, table, pad_id: table[ids] * _root(table),
            "Padding has the table's row in yours. What should it be?",
        ),
        Mistake(
            "embed-pad-id-zero",
            lambda ids, table, pad_id: table[ids] * _root(table) * (ids != 0)[..., None],
            "A word lost its vector and padding kept one. Is the padding's id always 0?",
        ),
        Mistake(
            "embed-only-padding",
            lambda ids, table, pad_id: table[ids] * _root(table) * (ids == pad_id)[..., None],
            "Your words are zero and your padding is not. Which of them keeps its vector?",
        ),
        Mistake(
            "embed-padding-from-length",
            lambda ids, table, pad_id: (
                table[ids]
                * _root(table)
                * (torch.arange(ids.size(1)) < (ids != pad_id).sum(1, keepdim=True))[..., None]
            ),
            "Where padding stands between words, yours goes wrong. Did you look at each id, or "
            "count them?",
        ),
        Mistake(
            "embed-padding-unscaled",
            lambda ids, table, pad_id: torch.where(
                (ids == pad_id)[..., None], table[ids], table[ids] * _root(table)
            ),
            "Padding is not scaled, but it is there. What should it be?",
        ),
        Mistake(
            "embed-padding-ones",
            lambda ids, table, pad_id: (
                look_up_scaled(ids, table, pad_id) + (ids == pad_id)[..., None].float()
            ),
            "Padding is all ones in yours. What should it be?",
        ),
        Mistake(
            "embed-padding-minus-infinity",
            lambda ids, table, pad_id: look_up_scaled(ids, table, pad_id).masked_fill(
                (ids == pad_id)[..., None], -torch.inf
            ),
            "Padding is minus infinity in yours. Is it a score here, or a vector?",
        ),
        Mistake(
            "embed-normalised",
            lambda ids, table, pad_id: look_up_scaled(ids, F.normalize(table, dim=-1), pad_id),
            "All your words have the same length. Does the formula divide by it?",
        ),
    ],
    hints=[
        "Look up, scale, and clear what is padding: a mask of shape (B, T) needs one more axis.",
        "The factor is the root of a width. Which of the table's two sizes is the width?",
    ],
)

EXERCISES = (one_hot_lookup, embed)
