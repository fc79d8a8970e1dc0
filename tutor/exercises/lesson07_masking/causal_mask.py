"""causal_mask: nobody looks ahead, as a table of True and False."""

from collections.abc import Mapping

import torch

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.mask import causal_keep
from tutor.say import say


def _length_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    return {
        "a few words": {"length": rng.number(4, 7)},
        "one word": {"length": 1},
        "two or three": {"length": rng.number(2, 3)},
        "a long sentence": {"length": rng.number(65, 130)},
        "any length": {"length": rng.number(8, 300)},
        EXAMPLE: {"length": 2},
    }


def _everyone_sees_themselves(call: Call) -> str | None:
    blind = [place for place, sees in enumerate(call(3).diagonal().tolist()) if not sees]
    return (
        say(
            "Position {place} may not look at itself.",
            place=blind[0],
        )
        if blind
        else None
    )


def _nobody_sees_ahead(call: Call) -> str | None:
    ahead = call(3).triu(1).nonzero()
    if not len(ahead):
        return None
    query, key = ahead[0].tolist()
    return say(
        "Query {query} may look at key {key}, which comes later.",
        query=query,
        key=key,
    )


_ASK_POLARITY = (
    "Your first row says what the first word may look at. Which of the two, True or False, means "
    '"may look" here?'
)


causal_mask = Exercise(
    "causal_mask",
    points=1,
    reference=causal_keep,
    cases=_length_cases,
    returns=("keep",),
    shapes={"length": "T", "keep": "T T"},
    properties=[
        Property("Every position may look at itself.", _everyone_sees_themselves),
        Property("No position may look ahead.", _nobody_sees_ahead),
    ],
    mistakes=[
        Mistake("causal-inverted", lambda length: ~causal_keep(length), _ASK_POLARITY),
        Mistake(
            "causal-upper",
            lambda length: causal_keep(length).T,
            "Your first word sees everything and the last only itself. Which way does a sentence "
            "grow?",
        ),
        Mistake(
            "causal-without-itself",
            lambda length: causal_keep(length).tril(-1),
            "Your first word may look nowhere. May a position look at itself?",
        ),
        Mistake(
            "causal-one-ahead",
            lambda length: torch.ones(length, length, dtype=torch.bool).tril(1),
            "Your first word already sees the second. On which diagonal does looking end?",
        ),
        Mistake(
            "causal-as-numbers",
            lambda length: causal_keep(length).float(),
            "Your triangle stands the right way, but it is made of numbers. What kind of values "
            "does a keep mask hold?",
        ),
        Mistake(
            "causal-as-integers",
            lambda length: causal_keep(length).long(),
            "Your triangle stands the right way, but it is made of whole numbers. What kind of "
            "values does a keep mask hold?",
        ),
        Mistake(
            "causal-added",
            lambda length: torch.zeros(length, length).masked_fill(
                ~causal_keep(length), -torch.inf
            ),
            "You made what is added to the scores. What is asked for: numbers to add, or who may "
            "look?",
        ),
        Mistake(
            "causal-all-visible",
            lambda length: torch.ones(length, length, dtype=torch.bool),
            "Everyone sees everything. What would the first word learn from the last?",
        ),
        Mistake(
            "causal-only-itself",
            lambda length: torch.eye(length, dtype=torch.bool),
            "Each position sees itself alone. What about the words before it?",
        ),
        Mistake(
            "causal-turned-over",
            lambda length: causal_keep(length).flip(-1),
            "Your triangle leans on the wrong corner. Which keys are the last query's past?",
        ),
        Mistake(
            "causal-extra-axis",
            lambda length: causal_keep(length)[None],
            "The triangle is right. How many axes should it have?",
        ),
    ],
    hints=[
        "Write the table for three words by hand: a row for who looks, a column for who is seen.",
        "torch.tril keeps the lower triangle of a matrix; what must the matrix hold at first?",
    ],
)
