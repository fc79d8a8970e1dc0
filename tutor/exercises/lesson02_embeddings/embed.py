"""embed: a row of a table for each id, scaled, and nothing for padding."""

import math
from collections.abc import Callable, Mapping

import torch
import torch.nn.functional as F
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import Rng
from tutor.embedding import embed as look_up_scaled
from tutor.say import say


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
