"""add_positions: which row goes to which token."""

import math
from collections.abc import Mapping

import torch

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
        "wide words": case(3, 2, 9, 4),
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
            "Your words got the rows of the positions after theirs. Which row of the "
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
            "All your words got the row of position 0. Can attention tell them apart by it?",
        ),
        Mistake(
            "add-mean-row",
            lambda x, encoding: x + encoding[: x.size(1)].mean(0),
            "All your words got the same row. Can attention tell their positions by it?",
        ),
        Mistake(
            "add-reversed",
            lambda x, encoding: x + encoding[: x.size(1)].flip(0),
            "Your first word got the row of the last position. Which row of the encoding "
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
        "The encoding has a row for each position, and maybe more of them than there are words.",
        "x is (B, T, D); rows of shape (T, D) meet every sentence of the batch by broadcasting.",
    ],
)
