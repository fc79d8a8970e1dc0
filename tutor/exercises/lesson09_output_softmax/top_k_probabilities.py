"""top_k_probabilities: only the k most likely words may be drawn."""

import math
from collections.abc import Callable, Mapping

import torch
import torch.nn.functional as F
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.extremes import SCORES, levels
from tutor.output import top_k_probabilities as restrict
from tutor.say import say

Answer = Callable[[Tensor, int], Tensor]


def _top_k_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    return {
        "a batch": {"logits": _distinct(rng, 2, 3, 7), "k": 3},
        "two of many": {"logits": _distinct(rng, 4, 9), "k": 2},
        "one row": {"logits": _distinct(rng, 6), "k": 4},
        "square": {"logits": _distinct(rng, 5, 5), "k": 2},
        "likely words below 0": {"logits": _distinct(rng, 3, 6) - 4, "k": 3},
        "batches of batches": {"logits": _distinct(rng, 2, 1, 3, 5), "k": 2},
        "all words": {"logits": _distinct(rng, 3, 5), "k": 5},
        "the best word": {"logits": _distinct(rng, 4, 3), "k": 1},
        "all but one": {"logits": _distinct(rng, 2, 6), "k": 5},
        "one word": {"logits": rng.normal(3, 1), "k": 1},
        "scores of ±1000": {"logits": levels(4, 1) + _steps(rng, 4, 6), "k": 3},
        EXAMPLE: {"logits": torch.tensor([2.0, 5.0, 3.0]), "k": 2},
    }


def _steps(rng: Rng, rows: int, words: int) -> Tensor:
    """Draw rows of the quarters 0, 1/4, 2/4 …, each in an order of its own."""
    return torch.stack([rng.permutation(words) for _ in range(rows)]) / 4


def _distinct(rng: Rng, *shape: int) -> Tensor:
    """Draw scores with no two of a row closer than 0.05, in random order."""
    while True:
        logits = 2 * rng.normal(*shape)
        if logits.sort(dim=-1).values.diff(dim=-1).min() > 0.05:
            return logits


def _kept(logits: Tensor, k: int) -> Tensor:
    """Mark the k best words of each row."""
    return torch.zeros_like(logits, dtype=torch.bool).scatter(-1, logits.topk(k).indices, True)


def _filled(value: Callable[[Tensor], Tensor | float]) -> Callable[[Tensor, int], Tensor]:
    """Build an answer that puts another value in the place of the dropped scores."""
    return lambda logits, k: torch.softmax(
        torch.where(_kept(logits, k), logits, value(logits)), dim=-1
    )


def _over_everything(logits: Tensor, k: int) -> Tensor:
    allowed = logits >= logits.flatten().topk(k).values[-1]
    return torch.softmax(logits.masked_fill(~allowed, -math.inf), dim=-1)


def _hiding(kept: Callable[[Tensor, int], Tensor], by: float = -math.inf) -> Answer:
    """Build an answer from which words it keeps, and the score of the others."""
    return lambda logits, k: torch.softmax(logits.masked_fill(~kept(logits, k), by), dim=-1)


def _over_rows(logits: Tensor, k: int) -> Tensor:
    if logits.dim() == 1:
        return _kept(logits, k)
    return _kept(logits.transpose(-1, -2), min(k, logits.size(-2))).transpose(-1, -2)


def _threshold_of_first_row(logits: Tensor, k: int) -> Tensor:
    return logits >= logits.reshape(-1, logits.size(-1))[0].topk(k).values[-1]


def _words_of_first_row(logits: Tensor, k: int) -> Tensor:
    kept = _kept(logits.reshape(-1, logits.size(-1))[0], k)
    return torch.softmax(logits.masked_fill(~kept, -math.inf), dim=-1)


def _share_of_scores(logits: Tensor, k: int) -> Tensor:
    kept = torch.where(_kept(logits, k), logits, 0.0)
    return kept / kept.sum(-1, keepdim=True)


def _exactly_k(call: Call) -> str | None:
    found = call(torch.tensor([1.0, 4.0, 2.0, -1.0]), 2)
    words = int((found > 1e-4).sum())
    if words == 2:
        return None
    return say(
        "Of four words with k = 2, yours leaves {words} that can be drawn.",
        words=words,
    )


def _rows_sum_to_one(call: Call) -> str | None:
    total = call(torch.tensor([1.0, 4.0, 2.0, -1.0]), 2).sum(-1).item()
    if abs(total - 1) < 1e-3:
        return None
    return say(
        "Of four words with k = 2, the probabilities of yours sum to {total:.3f}.",
        total=total,
    )


top_k_probabilities = Exercise(
    "top_k_probabilities",
    points=2,
    reference=restrict,
    cases=_top_k_cases,
    returns=("probabilities",),
    shapes={"logits": "… V", "k": "k", "probabilities": "… V"},
    promises={
        **SCORES,
        "k is V": lambda logits, k: k == logits.size(-1),
        "k is V − 1": lambda logits, k: k == logits.size(-1) - 1 > 1,
        "all scores below 0": lambda logits, k: bool((logits < 0).all(-1).any()),
        "all scores above 0": lambda logits, k: bool((logits > 0).all(-1).any()),
    },
    properties=[
        Property("Each row of probabilities sums to 1.", _rows_sum_to_one),
        Property("Exactly k words can be drawn.", _exactly_k),
    ],
    mistakes=[
        Mistake(
            "topk-fill-zero",
            _filled(lambda logits: 0.0),
            "Your dropped words can still be drawn. A score of 0 is not unlikely: what does "
            "softmax make of it?",
        ),
        Mistake(
            "topk-fill-minimum",
            _filled(lambda logits: logits.amin(-1, keepdim=True)),
            "Your dropped words can still be drawn, all as often as the worst. Which score means "
            "never?",
        ),
        Mistake(
            "topk-fill-minus-one",
            _filled(lambda logits: -1.0),
            "Your dropped words can still be drawn. Which score means never?",
        ),
        Mistake(
            "topk-smallest",
            lambda logits, k: torch.softmax(
                logits.masked_fill(~_kept(-logits, k), -math.inf), dim=-1
            ),
            "You kept the k least likely words. At which end of a sorted row are the most likely?",
        ),
        Mistake(
            "topk-dropped",
            _hiding(lambda logits, k: ~_kept(logits, k)),
            "The k best are the ones that can no longer be drawn. Which way does your mask point?",
            variants=[_hiding(lambda logits, k: ~_kept(logits, k), by=-1e9)],
        ),
        Mistake(
            "topk-over-batch",
            _over_everything,
            "Some of your rows have lost all their words, others kept many. Where are the k best "
            "to be found: among all rows together, or in each row?",
            variants=[
                lambda logits, k: torch.softmax(
                    torch.where(
                        logits >= logits.flatten().topk(k).values[-1], logits, torch.tensor(-1e9)
                    ),
                    dim=-1,
                ),
                lambda logits, k: restrict(logits.flatten(), k).view_as(logits),
            ],
        ),
        Mistake(
            "topk-over-rows",
            _hiding(_over_rows),
            "You keep the k best of each word's column. Along which axis do words compete?",
            variants=[_hiding(_over_rows, by=-1e9)],
        ),
        Mistake(
            "topk-threshold-of-first-row",
            _hiding(_threshold_of_first_row),
            "The first row is right, and the others are measured by it. Where does each row's own "
            "limit lie?",
            variants=[_hiding(_threshold_of_first_row, by=-1e9)],
        ),
        Mistake(
            "topk-words-of-first-row",
            _words_of_first_row,
            "All your rows keep the words that are best in the first. Which words are the best of "
            "each row itself?",
        ),
        Mistake(
            "topk-not-renormalised",
            lambda logits, k: torch.softmax(logits, dim=-1) * _kept(logits, k),
            "Your rows sum to less than 1. Who gets what the dropped words had?",
        ),
        Mistake(
            "topk-shared-evenly",
            lambda logits, k: (
                torch.softmax(logits, dim=-1) * _kept(logits, k)
                + _kept(logits, k)
                * (1 - (torch.softmax(logits, dim=-1) * _kept(logits, k)).sum(-1, keepdim=True))
                / k
            ),
            "You gave each kept word the same part of what the dropped ones had. What keeps their "
            "proportions?",
        ),
        Mistake(
            "topk-renormalised-over-batch",
            lambda logits, k: (
                torch.softmax(logits, dim=-1)
                * _kept(logits, k)
                / (torch.softmax(logits, dim=-1) * _kept(logits, k)).sum()
            ),
            "All your rows together sum to 1. How many choices are made?",
        ),
        Mistake(
            "topk-one-more",
            lambda logits, k: restrict(logits, k + 1),
            "You keep one word too many. From which number does Python count?",
        ),
        Mistake(
            "topk-one-fewer",
            lambda logits, k: restrict(logits, k - 1),
            "You keep one word too few. Is the k-th best word itself still in?",
        ),
        Mistake(
            "topk-best-only",
            lambda logits, k: restrict(logits, 1),
            "You keep a single word. How many may be drawn?",
        ),
        Mistake(
            "topk-ignored",
            lambda logits, k: torch.softmax(logits, dim=-1),
            "All your words can be drawn. What does k do?",
        ),
        Mistake(
            "topk-first-words",
            lambda logits, k: torch.softmax(
                logits.masked_fill(torch.arange(logits.size(-1)) >= k, -math.inf), dim=-1
            ),
            "You keep the first k words of the vocabulary. By what are words ranked?",
        ),
        Mistake(
            "topk-left-sorted",
            lambda logits, k: restrict(logits, k).sort(dim=-1, descending=True).values,
            "Your numbers are right, but run from the largest to the smallest. Which word does "
            "each belong to?",
        ),
        Mistake(
            "topk-only-the-kept",
            lambda logits, k: torch.softmax(logits.topk(k).values, dim=-1),
            "You return k numbers, without saying whose they are. How many words does the "
            "vocabulary have?",
        ),
        Mistake(
            "topk-by-size",
            lambda logits, k: torch.softmax(
                logits.masked_fill(~_kept(logits.abs(), k), -math.inf), dim=-1
            ),
            "Very unlikely words are among your best. Do you rank scores with or without their "
            "sign?",
        ),
        Mistake(
            "topk-uniform",
            lambda logits, k: _kept(logits, k) / k,
            "Your kept words are all equally likely. What do their scores say?",
        ),
        Mistake(
            "topk-shares-of-scores",
            _share_of_scores,
            "You share out the scores themselves, so some of yours can be negative. What does "
            "softmax do first?",
        ),
        Mistake(
            "topk-softmax-twice",
            lambda logits, k: torch.softmax(
                torch.softmax(logits, dim=-1).masked_fill(~_kept(logits, k), -math.inf), dim=-1
            ),
            "Your kept words are nearly alike. What do you give to softmax, scores or "
            "probabilities?",
        ),
        Mistake(
            "topk-softmax-of-zeroed",
            lambda logits, k: torch.softmax(
                torch.softmax(logits, dim=-1) * _kept(logits, k), dim=-1
            ),
            "All your words can be drawn, and nearly equally often. Which of the two softmaxes is "
            "one too many?",
        ),
        Mistake(
            "topk-scores",
            lambda logits, k: logits.masked_fill(~_kept(logits, k), -math.inf),
            "These are the scores that are left. What turns them into probabilities?",
            variants=[lambda logits, k: logits.masked_fill(~_kept(logits, k), -1e9)],
        ),
        Mistake(
            "topk-log",
            lambda logits, k: restrict(logits, k).log(),
            "None of your numbers is above 0: they are logarithms. What is asked for?",
        ),
        Mistake(
            "topk-mask",
            lambda logits, k: (
                F.one_hot(logits.topk(k).indices, logits.size(-1)).sum(-2).to(logits.dtype)
            ),
            "Your kept words all have 1. How likely is each of them?",
        ),
    ],
    hints=[
        "torch.topk gives the k best scores of each row, and which words they belong to.",
        "A word that must not be drawn needs a score so low that softmax makes it exactly 0.",
        "To put something at given places of a row, look at scatter; or compare all scores with "
        "the k-th best of their own row.",
    ],
)
