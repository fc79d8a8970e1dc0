"""one_hot_lookup: a row of a table for each id, by a matrix product."""

import math
from collections.abc import Mapping

import torch
import torch.nn.functional as F

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import Rng
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
        "one feature": case(3, 2, 5, 1),
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
