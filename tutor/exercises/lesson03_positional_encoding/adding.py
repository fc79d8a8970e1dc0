"""add_positions and embed_with_positions: which row goes to which token, and what is scaled."""

import math
from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import Rng
from tutor.position import add_positions as add
from tutor.say import say


def _add_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(batch: int, time: int, d_model: int, positions: int) -> Arguments:
        return {
            "x": rng.normal(batch, time, d_model),
            "encoding": rng.normal(positions, d_model),
        }

    return {
        "an encoding longer than the sentence": case(2, 3, 4, 7),
        "square": case(4, 4, 4, 6),
        "exactly as long": case(3, 5, 2, 5),
        "one sentence": case(1, 3, 4, 6),
        "one word each": case(5, 1, 3, 4),
        "one feature": case(4, 2, 1, 3),
        "a single place": case(3, 1, 2, 1),
        "wide words": case(3, 2, 8, 4),
    }


def _same_in_every_sentence(call: Call) -> str | None:
    added = call(torch.zeros(2, 3, 2), Rng(1).normal(5, 2))
    if torch.allclose(added[0], added[1], atol=1e-5):
        return None
    return say("Two equal sentences got different positions.")


add_positions = Exercise(
    "add_positions",
    points=1,
    reference=add,
    cases=_add_cases,
    returns=("placed",),
    shapes={"x": "B T D", "encoding": "N D", "placed": "B T D"},
    promises={
        "an encoding longer than the sentence": lambda x, encoding: len(encoding) > x.size(1),
        "an encoding as long as the sentence": lambda x, encoding: len(encoding) == x.size(1),
    },
    properties=[Property("Positions are the same in every sentence.", _same_in_every_sentence)],
    mistakes=[
        Mistake(
            "add-indexed-by-batch",
            lambda x, encoding: x + encoding[: x.size(0), None],
            "All words of a sentence got the same row in yours. Which axis of x is time?",
        ),
        Mistake(
            "add-squeezed",
            lambda x, encoding: (x + encoding[: x.shape[1]]).squeeze(),
            "You are right, but with a batch of one sentence an axis is lost. Which axes does "
            "squeeze take away?",
        ),
        Mistake(
            "add-off-by-one",
            lambda x, encoding: x + encoding[1 : x.size(1) + 1],
            "Your words got the rows of the places after theirs. Which row of the "
            "encoding belongs to "
            "the first word of a sentence?",
        ),
        Mistake(
            "add-last-rows",
            lambda x, encoding: x + encoding[-x.size(1) :],
            "Your words got the last rows of the encoding. Which row of it belongs to "
            "the first word "
            "of a sentence?",
        ),
        Mistake(
            "add-multiplied",
            lambda x, encoding: x * encoding[: x.size(1)],
            "A word whose vector is zero stays zero in yours. How do word and position meet?",
        ),
        Mistake(
            "add-subtracted",
            lambda x, encoding: x - encoding[: x.size(1)],
            "The sign of your positions is wrong. How do word and position meet?",
        ),
        Mistake(
            "add-first-row-for-all",
            lambda x, encoding: x + encoding[0],
            "All your words got the row of place 0. Can attention tell them apart by it?",
        ),
        Mistake(
            "add-mean-row",
            lambda x, encoding: x + encoding[: x.size(1)].mean(0),
            "All your words got the same row. Can attention tell their places by it?",
        ),
        Mistake(
            "add-reversed",
            lambda x, encoding: x + encoding[: x.size(1)].flip(0),
            "Your first word got the row of the last place. Which row of the encoding "
            "belongs to it?",
        ),
        Mistake(
            "add-concatenated",
            lambda x, encoding: torch.cat(
                [x, encoding[: x.size(1)].expand(len(x), -1, -1)], dim=-1
            ),
            "Your tokens became wider. Are positions put beside the word or added to it?",
        ),
        Mistake(
            "add-scaled",
            lambda x, encoding: x * math.sqrt(x.size(-1)) + encoding[: x.size(1)],
            "With an all-zero encoding you change x. Does scaling belong to this function?",
        ),
        Mistake(
            "add-averaged",
            lambda x, encoding: (x + encoding[: x.size(1)]) / 2,
            "Everything is half as large as it should be. Is it a sum or a mean?",
        ),
        Mistake(
            "add-only-positions",
            lambda x, encoding: encoding[: x.size(1)].expand_as(x).clone(),
            "Change the words and your result stays the same. What are positions added to?",
        ),
        Mistake(
            "add-along-features",
            lambda x, encoding: x + encoding[: x.size(1), :1],
            "All features of a word got the same number. How long is a row of the encoding?",
        ),
        Mistake(
            "add-whole-encoding",
            lambda x, encoding: x + encoding,
            "You are right only where the encoding is exactly as long as the sentence. How many "
            "of its rows are needed?",
        ),
    ],
    hints=[
        "The encoding has a row for each place, and maybe more places than the sentence has words.",
        "x is (B, T, D); rows of shape (T, D) meet every sentence of the batch by broadcasting.",
    ],
)


def _embed(ids: Tensor, table: Tensor, encoding: Tensor) -> Tensor:
    return table[ids] * math.sqrt(table.size(-1)) + encoding[: ids.size(1)]


def _embed_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(batch: int, time: int, words: int, d_model: int, positions: int) -> Arguments:
        ids = rng.integers(0, words - 1, batch, time)
        ids[0, 0], ids[-1, -1] = 0, words - 1  # both ends of the table
        return {
            "ids": ids,
            "table": rng.normal(words, d_model),
            "encoding": rng.normal(positions, d_model),
        }

    return {
        "unequal sizes": case(2, 3, 7, 5, 9),
        "square": case(4, 4, 8, 8, 8),
        "one sentence": case(1, 6, 5, 3, 6),
        "one word each": case(5, 1, 4, 3, 2),
        "one feature": case(3, 2, 5, 1, 4),
        "a single word": case(2, 3, 1, 4, 5),
        "a single place": case(3, 1, 2, 4, 1),
        "wide words": case(4, 2, 3, 9, 5),
    }


def _no_words_no_scale(call: Call) -> str | None:
    encoding = torch.tensor([[1.0, 2.0, 3.0, 4.0]])
    result = call(torch.tensor([[0]]), torch.zeros(1, 4), encoding)
    if torch.allclose(result[0], encoding, atol=1e-5):
        return None
    shown = [round(value, 3) for value in result.flatten().tolist()]
    return say(
        "The word's vector is all zeros, the position's [1, 2, 3, 4]; yours gives {shown}.",
        shown=shown,
    )


_ASK_ROOT = (
    "Your words are too large or too small beside their positions. Of what is the root taken, and "
    "what does it multiply?"
)

embed_with_positions = Exercise(
    "embed_with_positions",
    points=2,
    reference=_embed,
    cases=_embed_cases,
    returns=("x",),
    shapes={"ids": "B T", "table": "V D", "encoding": "N D", "x": "B T D"},
    promises={
        "the id 0 occurs": lambda ids, table, encoding: bool((ids == 0).any()),
        "the last id occurs": lambda ids, table, encoding: bool((ids == len(table) - 1).any()),
        "an encoding longer than the sentence": lambda ids, table, encoding: (
            len(encoding) > ids.size(1)
        ),
        "an encoding as long as the sentence": lambda ids, table, encoding: (
            len(encoding) == ids.size(1)
        ),
    },
    properties=[Property("Positions come in as they are.", _no_words_no_scale)],
    mistakes=[
        Mistake(
            "input-scaled-after-pe",
            lambda ids, table, encoding: (
                (table[ids] + encoding[: ids.size(1)]) * math.sqrt(table.size(-1))
            ),
            "Your positions were scaled, too. What does the factor belong to?",
            label="scaled after adding positions",
        ),
        Mistake(
            "input-positions-scaled",
            lambda ids, table, encoding: (
                table[ids] + encoding[: ids.size(1)] * math.sqrt(table.size(-1))
            ),
            "You scaled the positions and not the words. What does the factor belong to?",
        ),
        Mistake(
            "input-not-scaled",
            lambda ids, table, encoding: table[ids] + encoding[: ids.size(1)],
            _ASK_ROOT,
        ),
        Mistake(
            "input-scaled-by-width",
            lambda ids, table, encoding: table[ids] * table.size(-1) + encoding[: ids.size(1)],
            _ASK_ROOT,
        ),
        Mistake(
            "input-divided",
            lambda ids, table, encoding: (
                table[ids] / math.sqrt(table.size(-1)) + encoding[: ids.size(1)]
            ),
            _ASK_ROOT,
        ),
        Mistake(
            "input-root-of-length",
            lambda ids, table, encoding: (
                table[ids] * math.sqrt(ids.size(1)) + encoding[: ids.size(1)]
            ),
            _ASK_ROOT,
        ),
        Mistake(
            "input-root-of-vocabulary",
            lambda ids, table, encoding: (
                table[ids] * math.sqrt(table.size(0)) + encoding[: ids.size(1)]
            ),
            _ASK_ROOT,
        ),
        Mistake(
            "input-positions-by-id",
            lambda ids, table, encoding: table[ids] * math.sqrt(table.size(-1)) + encoding[ids],
            "The same word has the same position everywhere in yours. Where does a position come "
            "from: the word, or its place?",
        ),
        Mistake(
            "input-off-by-one",
            lambda ids, table, encoding: (
                table[ids] * math.sqrt(table.size(-1)) + encoding[1 : ids.size(1) + 1]
            ),
            "Your words got the rows of the places after theirs. Which row of the "
            "encoding belongs to "
            "the first word of a sentence?",
        ),
        Mistake(
            "input-by-batch",
            lambda ids, table, encoding: (
                table[ids] * math.sqrt(table.size(-1)) + encoding[: ids.size(0), None]
            ),
            "All words of a sentence got the same row in yours. Which axis is time?",
        ),
        Mistake(
            "input-multiplied",
            lambda ids, table, encoding: (
                table[ids] * math.sqrt(table.size(-1)) * encoding[: ids.size(1)]
            ),
            "Where an encoding is zero the word is gone in yours. How do word and position meet?",
        ),
        Mistake(
            "input-no-positions",
            lambda ids, table, encoding: table[ids] * math.sqrt(table.size(-1)),
            "The same word has the same vector at every place in yours. What tells places apart?",
        ),
        Mistake(
            "input-zero-is-padding",
            lambda ids, table, encoding: (
                table[ids] * math.sqrt(table.size(-1)) * (ids != 0)[..., None]
                + encoding[: ids.size(1)]
            ),
            "The word with id 0 has lost its vector. Is padding special here?",
        ),
        Mistake(
            "input-normalised",
            lambda ids, table, encoding: (
                torch.nn.functional.normalize(table[ids], dim=-1) * math.sqrt(table.size(-1))
                + encoding[: ids.size(1)]
            ),
            "All your words have the same length. Does the formula divide by it?",
        ),
    ],
    hints=[
        "Three steps in this order: look up, scale, add.",
        "Positions have length about √(d_model / 2); which of the two has to be brought to size?",
    ],
)

EXERCISES = (add_positions, embed_with_positions)
