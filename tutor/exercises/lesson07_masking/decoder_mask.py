"""decoder_mask: nobody looks ahead or at padding, as a table of True and False."""

from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.mask import causal_keep, padding_keep
from tutor.say import say


def _ids_cases(seed: int) -> Mapping[str, Arguments]:
    """Draw ids with padding that is not 0, a real word with id 0, and a hole in the padding."""
    rng = Rng(seed)
    pad_id = rng.number(2, 4)

    def sentence(pattern: str) -> list[int]:
        return [pad_id if real == "-" else 5 + rng.number(0, 4) for real in pattern]

    def case(*patterns: str) -> Arguments:
        ids = torch.tensor([sentence(pattern) for pattern in patterns])
        if ids.size(1) > 1:
            ids[0, 1] = 0  # a real word
        ids[-1, 0] = 1  # another one that numbers can be mistaken for True
        return {"ids": ids, "pad_id": pad_id}

    def drawn(batch: int, time: int) -> Arguments:
        ids = rng.integers(0, 5, batch, time)
        ids[:, 0] = 5  # the first token is a word
        return {"ids": ids, "pad_id": rng.number(0, 4)}

    return {
        "padding at the end": case("xxxx-", "xxx--", "xxxxx"),
        "a hole in the padding": case("xx-x--", "xxx-x-"),
        "square": case("xxx", "xx-", "x--"),
        "no padding": case("xxxx", "xxxx"),
        "one sentence": case("xx-x"),
        "one word each": case("x", "x"),
        "many sentences": drawn(7, 4),
        "padding anywhere": drawn(3, 9),
        "padding is 0": {"ids": torch.tensor([[5, 0, 6, 0], [7, 8, 0, 0]]), "pad_id": 0},
        EXAMPLE: {"ids": torch.tensor([[5, 9, 6]]), "pad_id": 9},
    }


def _decoder_keep(ids: Tensor, pad_id: int) -> Tensor:
    return padding_keep(ids, pad_id) & causal_keep(ids.size(1))  # (B, 1, T, T)


def _padding_is_hidden(call: Call) -> str | None:
    seen = call(torch.tensor([[5, 9, 6]]), 9)[..., 1]  # (1, 1, 3)
    return say("A query may look at a place that holds padding.") if seen.any() else None


def _future_is_hidden(call: Call) -> str | None:
    ahead = call(torch.tensor([[5, 6, 7]]), 9).triu(1)
    return say("In a sentence without padding, a query may look ahead.") if ahead.any() else None


decoder_mask = Exercise(
    "decoder_mask",
    points=2,
    reference=_decoder_keep,
    cases=_ids_cases,
    returns=("keep",),
    shapes={"ids": "B T", "keep": "B 1 T T"},
    promises={
        "no padding": lambda ids, pad_id: bool((ids != pad_id).all()),
        "padding at the end": lambda ids, pad_id: bool((ids[:, -1] == pad_id).any()),
        "a hole": lambda ids, pad_id: bool(
            ((ids == pad_id)[:, :-1] & (ids != pad_id)[:, 1:]).any()
        ),
        "padding is 0": lambda ids, pad_id: pad_id == 0 and bool((ids == 0).any()),
        "a word has the id 0": lambda ids, pad_id: pad_id != 0 and bool((ids == 0).any()),
    },
    properties=[
        Property("Nobody may look at padding.", _padding_is_hidden),
        Property("Nobody may look ahead.", _future_is_hidden),
    ],
    mistakes=[
        Mistake(
            "build-wrong-axis",
            lambda ids, pad_id: (ids != pad_id)[:, None, :, None] & causal_keep(ids.size(1)),
            "In your table the rows of padding are empty and its columns are not. Who must be "
            "hidden: those who ask, or those who are looked at?",
        ),
        Mistake(
            "build-no-head-axis",
            lambda ids, pad_id: (ids != pad_id)[:, None, :] & causal_keep(ids.size(1)),
            "Your tables are right, one for each sentence. Which axis of the scores has no place "
            "in them?",
        ),
        Mistake(
            "build-pad-from-float",
            lambda ids, pad_id: ids[:, None, None, :] * _decoder_keep(ids, pad_id),
            "Your table holds the ids themselves. What two values does a keep mask have?",
        ),
        Mistake(
            "build-as-integers",
            lambda ids, pad_id: _decoder_keep(ids, pad_id).long(),
            "Zeros and ones stand in the right places. What kind of values does a keep mask hold?",
        ),
        Mistake(
            "build-pad-id-zero",
            lambda ids, pad_id: padding_keep(ids, 0) & causal_keep(ids.size(1)),
            "Your table hides a real word and shows padding. Is the padding's id always 0?",
        ),
        Mistake(
            "build-combined-with-or",
            lambda ids, pad_id: padding_keep(ids, pad_id) | causal_keep(ids.size(1)),
            "A key is visible in your table as soon as one reason allows it. How many of the two "
            "reasons must allow it?",
        ),
        Mistake(
            "build-padding-only",
            lambda ids, pad_id: padding_keep(ids, pad_id).expand(-1, 1, ids.size(1), -1),
            "Your first word already sees the later ones. Which of the two masks is missing?",
        ),
        Mistake(
            "build-causal-only",
            lambda ids, pad_id: causal_keep(ids.size(1)).expand(len(ids), 1, -1, -1),
            "Padding is visible in your table. Which of the two masks is missing?",
        ),
        Mistake(
            "build-not-expanded",
            lambda ids, pad_id: padding_keep(ids, pad_id),
            "Your table has one row for a whole sentence. Do all its queries see the same keys?",
        ),
        Mistake(
            "build-inverted",
            lambda ids, pad_id: ~_decoder_keep(ids, pad_id),
            'Everything is the other way round. Which value means "may look"?',
        ),
        Mistake(
            "build-padding-inverted",
            lambda ids, pad_id: ~padding_keep(ids, pad_id) & causal_keep(ids.size(1)),
            "Only padding is visible in your table. Which value says that a token is real?",
        ),
        Mistake(
            "build-upper",
            lambda ids, pad_id: padding_keep(ids, pad_id) & causal_keep(ids.size(1)).T,
            "Your queries look ahead and never back. Which triangle is the past?",
        ),
        Mistake(
            "build-without-itself",
            lambda ids, pad_id: padding_keep(ids, pad_id) & causal_keep(ids.size(1)).tril(-1),
            "Your first word may look nowhere. May a position look at itself?",
        ),
        Mistake(
            "build-both-axes",
            lambda ids, pad_id: (
                _decoder_keep(ids, pad_id) & padding_keep(ids, pad_id).transpose(-2, -1)
            ),
            "Padding may not be looked at, and in your table it may not look either: its rows are "
            "empty. What does softmax make of an empty row?",
        ),
        Mistake(
            "build-of-first-sentence",
            lambda ids, pad_id: _decoder_keep(ids[:1], pad_id).expand(len(ids), -1, -1, -1),
            "All your sentences have the table of the first. Whose padding hides whose keys?",
        ),
        Mistake(
            "build-from-length",
            lambda ids, pad_id: (
                (torch.arange(ids.size(1)) < (ids != pad_id).sum(1, keepdim=True))[:, None, None]
                & causal_keep(ids.size(1))
            ),
            "Where padding stands between real words, your table is wrong. Did you look at each "
            "token, or count them?",
        ),
        Mistake(
            "build-axes-exchanged",
            lambda ids, pad_id: _decoder_keep(ids, pad_id).transpose(0, 1),
            "The tables are right. In which order do the sentences and the heads come?",
        ),
    ],
    hints=[
        "Two masks, each True where looking is allowed: one says which keys are real, one which "
        "keys are not in the future.",
        "The scores have the axes (batch, heads, queries, keys). On which of them do real tokens "
        "lie, and which axes need length 1?",
    ],
)
