"""embed_with_positions: what is scaled, and what is added."""

import math
from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import Rng
from tutor.say import say


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
            "Your words got the rows of the positions after theirs. Which row of the "
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
            "The same word has the same vector everywhere in yours. What tells positions apart?",
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
