"""mend_packed_mask: sentences that share a row, of which the later ones see the earlier."""

from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.mask import causal_keep
from tutor.say import say


def _same(sentence: Tensor) -> Tensor:
    return sentence[:, :, None] == sentence[:, None, :]  # (B, T, T)


def _packed(sentence: Tensor) -> Tensor:
    return _same(sentence) & causal_keep(sentence.size(1))  # (B, T, T)


def _earlier_too(sentence: Tensor) -> Tensor:
    earlier = sentence[:, :, None] >= sentence[:, None, :]
    return earlier & causal_keep(sentence.size(1))


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def row(*lengths: int) -> list[int]:
        """Number the sentences upwards, not always by one."""
        numbers, last = [], rng.number(0, 3)
        for length in lengths:
            numbers += [last] * length
            last += rng.number(1, 3)
        return numbers

    def case(*rows: list[int]) -> Arguments:
        return {"sentence": torch.tensor(rows)}

    return {
        "two rows": case(row(3, 2, 1), row(2, 4)),
        "two sentences": case(row(3, 2)),
        "one sentence alone": case(row(4)),
        "sentences of one token": case(row(1, 1, 3)),
        "square": case(row(1, 2), row(2, 1), row(3)),
        "many rows": case(row(2, 3), row(4, 1), row(1, 4), row(5), row(1, 3, 1), row(2, 2, 1)),
        "one token": case([0], [2]),
        EXAMPLE: case([0, 0, 1]),
    }


def _sentences_keep_apart(call: Call) -> str | None:
    seen = call(torch.tensor([[0, 0, 1, 1]]))[0, 2:, :2]
    return say("A token sees one of another sentence.") if seen.any() else None


def _nobody_sees_ahead(call: Call) -> str | None:
    ahead = call(torch.tensor([[0, 0, 0, 1]]))[0].triu(1)
    return say("A token sees a later one.") if ahead.any() else None


mend_packed_mask = Exercise(
    "mend_packed_mask",
    points=2,
    given="packed-sees-earlier",
    reference=_packed,
    cases=_cases,
    returns=("keep",),
    shapes={"sentence": "B T", "keep": "B T T"},
    promises={
        "one sentence in a row": lambda sentence: bool((sentence == sentence[:, :1]).all()),
        "three sentences in a row": lambda sentence: any(
            len(row.unique()) >= 3 for row in sentence
        ),
        "a number left out": lambda sentence: bool((sentence.diff(dim=1) > 1).any()),
    },
    properties=[
        Property("No sentence sees another.", _sentences_keep_apart),
        Property("No token sees a later one.", _nobody_sees_ahead),
    ],
    mistakes=[
        Mistake(
            "packed-sees-earlier",
            _earlier_too,
            "The second sentence of a row sees the first. What must be the same of the one who "
            "asks and the one who is looked at?",
        ),
        Mistake(
            "packed-sees-others-only",
            lambda sentence: ~_same(sentence) & causal_keep(sentence.size(1)),
            "Your tokens see every sentence but their own. Which comparison is meant?",
        ),
        Mistake(
            "packed-no-triangle",
            _same,
            "Sentences keep apart, but your first token sees the end of its sentence. Which mask "
            "is missing?",
        ),
        Mistake(
            "packed-joined-with-or",
            lambda sentence: _same(sentence) | causal_keep(sentence.size(1)),
            "A key is visible in yours as soon as one reason allows it. How many of the two "
            "reasons must allow it?",
        ),
        Mistake(
            "packed-only-ahead",
            lambda sentence: _same(sentence) & causal_keep(sentence.size(1)).T,
            "Your queries look ahead and never back. Which triangle is the past?",
        ),
        Mistake(
            "packed-of-the-first-row",
            lambda sentence: _packed(sentence[:1]).expand(len(sentence), -1, -1),
            "All your rows have the table of the first. Where does the second row change its "
            "sentence?",
        ),
        Mistake(
            "packed-inverted",
            lambda sentence: ~_packed(sentence),
            'Everything is the other way round. Which value means "may look"?',
        ),
    ],
    hints=[
        "Print the table for `[[0, 0, 1]]`: which cell is True that should not be?",
        "The triangle hides what comes later. What hides the sentence before?",
    ],
)
