"""min_p_probabilities: the words at least as likely as a share of the most likely one."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.output import min_p_probabilities as restrict
from tutor.output import top_p_probabilities
from tutor.say import say


def _min_p_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    return {
        "a batch": {"probabilities": _clear(rng, 0.3, 2, 3, 7), "ratio": 0.3},
        "many words": {"probabilities": _clear(rng, 0.1, 4, 9), "ratio": 0.1},
        "few words": {"probabilities": _clear(rng, 0.6, 3, 8), "ratio": 0.6},
        "one row": {"probabilities": _clear(rng, 0.2, 6), "ratio": 0.2},
        "square": {"probabilities": _clear(rng, 0.4, 5, 5), "ratio": 0.4},
        "batches of batches": {"probabilities": _clear(rng, 0.3, 2, 1, 3, 5), "ratio": 0.3},
        "only the best is left": {
            "probabilities": torch.tensor([[0.9, 0.06, 0.04], [0.05, 0.1, 0.85]]),
            "ratio": 0.2,
        },
        "all words are left": {
            "probabilities": torch.tensor([[0.3, 0.25, 0.25, 0.2], [0.2, 0.4, 0.25, 0.15]]),
            "ratio": 0.05,
        },
        "hardly any share": {"probabilities": _clear(rng, 0.03, 3, 5), "ratio": 0.03},
        "nearly the best": {"probabilities": _clear(rng, 0.97, 2, 5), "ratio": 0.97},
        "an impossible word": {
            "probabilities": torch.tensor([[0.0, 0.55, 0.25, 0.2], [0.3, 0.13, 0.57, 0.0]]),
            "ratio": 0.4,
        },
        "one word": {"probabilities": torch.ones(2, 1), "ratio": 0.6},
        EXAMPLE: {"probabilities": torch.tensor([0.15, 0.5, 0.3, 0.05]), "ratio": 0.5},
    }


def _clear(rng: Rng, ratio: float, *shape: int) -> Tensor:
    """Draw rows of unequal certainty in which no word is near the least that is kept."""
    count = torch.Size(shape[:-1]).numel()
    rows = [_clear_row(rng, ratio, shape[-1], heat=0.7 + 0.5 * (row % 4)) for row in range(count)]
    return torch.stack(rows).view(shape)


def _clear_row(rng: Rng, ratio: float, words: int, heat: float) -> Tensor:
    """Draw a row until some of its words are clearly to go."""
    while True:
        probabilities = torch.softmax(heat * rng.normal(words), dim=-1)
        shares = probabilities / probabilities.max()
        if shares.min() < ratio and (shares - ratio).abs().min() > min(0.02, 0.3 * ratio):
            return probabilities


def _rows_sum_to_one(call: Call) -> str | None:
    total = call(torch.tensor([0.15, 0.5, 0.3, 0.05]), 0.5).sum().item()
    if abs(total - 1) < 1e-3:
        return None
    return say(
        "From [0.15, 0.5, 0.3, 0.05] and 0.5, your probabilities sum to {total:.3f}.", total=total
    )


def _right_words(call: Call) -> str | None:
    found = call(torch.tensor([0.15, 0.5, 0.3, 0.05]), 0.5)
    words = (found > 1e-4).nonzero().flatten().tolist()
    if words == [1, 2]:
        return None
    return say(
        "Of the words 0 … 3 with the probabilities [0.15, 0.5, 0.3, 0.05], 1 and 2 have at least "
        "half of what the most likely has. Yours keeps {words}.",
        words=words,
    )


def _choosing(keep: Callable[[Tensor, float], Tensor]) -> Callable[[Tensor, float], Tensor]:
    """Build an answer from which words it keeps; what is kept is made to sum to 1."""

    def mistaken(probabilities: Tensor, ratio: float) -> Tensor:
        kept = torch.where(keep(probabilities, ratio), probabilities, 0.0)
        return kept / kept.sum(-1, keepdim=True)

    return mistaken


def _best(probabilities: Tensor) -> Tensor:
    return probabilities.amax(-1, keepdim=True)


def _kept(probabilities: Tensor, ratio: float) -> Tensor:
    return probabilities >= ratio * _best(probabilities)


def _best_over_rows(probabilities: Tensor) -> Tensor:
    return probabilities.amax(-2 if probabilities.dim() > 1 else -1, keepdim=True)


_OTHER_BEST = (
    "Some of your rows keep too few words. What is a word compared with: the best of its own row, "
    "or of all rows?"
)
_NOT_ONE = "Your rows do not sum to 1. Who gets what the dropped words had?"

min_p_probabilities = Exercise(
    "min_p_probabilities",
    points=2,
    reference=restrict,
    cases=_min_p_cases,
    returns=("restricted",),
    shapes={"probabilities": "… V", "restricted": "… V"},
    promises={
        "only the best is left": lambda p, ratio: bool(
            ((p >= ratio * _best(p)).sum(-1) == 1).any()
        ),
        "all words are left": lambda p, ratio: bool((p >= ratio * _best(p)).all()),
        "nearly 0": lambda p, ratio: ratio < 0.05,
        "nearly 1": lambda p, ratio: ratio > 0.95,
        "a word of probability 0": lambda p, ratio: bool((p == 0).any()),
    },
    properties=[
        Property("Each row of probabilities sums to 1.", _rows_sum_to_one),
        Property("What is kept has its share of the best.", _right_words),
    ],
    mistakes=[
        Mistake(
            "minp-each-above-ratio",
            lambda probabilities, ratio: torch.nan_to_num(
                _choosing(lambda p, r: p >= r)(probabilities, ratio)
            ),
            "You compare each word with the ratio itself. Of what is the ratio a share?",
            variants=[_choosing(lambda p, r: p >= r)],
        ),
        Mistake("minp-best-of-all", _choosing(lambda p, r: p >= r * p.max()), _OTHER_BEST),
        Mistake(
            "minp-best-over-rows",
            _choosing(lambda p, r: p >= r * _best_over_rows(p)),
            "You look for the best along another axis. Along which one do words compete?",
        ),
        Mistake(
            "minp-top-p",
            top_p_probabilities,
            "You add probabilities up, which is another rule (top-p). With which single number is "
            "a word compared here?",
            variants=[lambda p, r: top_p_probabilities(p, 1 - r)],
        ),
        Mistake(
            "minp-complement",
            _choosing(lambda p, r: ~_kept(p, r)),
            "You keep the unlikely words and drop the likely ones. Which way does your mask point?",
            variants=[lambda p, r: torch.where(_kept(p, r), 0.0, p)],
        ),
        Mistake(
            "minp-one-minus-ratio",
            _choosing(lambda p, r: _kept(p, 1 - r)),
            "A small ratio should keep many words, a large one few; yours does the reverse. How "
            "much of the best one's probability does a word need?",
        ),
        Mistake(
            "minp-distance",
            _choosing(lambda p, r: p >= _best(p) - r),
            "You take the ratio off the best one's probability. Is it a share or a difference?",
        ),
        Mistake("minp-not-renormalised", lambda p, r: torch.where(_kept(p, r), p, 0.0), _NOT_ONE),
        Mistake(
            "minp-divided-by-best",
            lambda p, r: torch.where(_kept(p, r), p / _best(p), 0.0),
            "Your best word has probability 1 and others have some too. What do kept words sum to?",
        ),
        Mistake(
            "minp-renormalised-over-batch",
            lambda p, r: torch.where(_kept(p, r), p, 0.0) / torch.where(_kept(p, r), p, 0.0).sum(),
            "All your rows together sum to 1. How many choices are made?",
        ),
        Mistake(
            "minp-softmax-again",
            lambda p, r: torch.softmax(p.masked_fill(~_kept(p, r), -torch.inf), dim=-1),
            "Your kept words are nearly alike. They are probabilities already: what makes them "
            "sum to 1 again?",
        ),
        Mistake(
            "minp-softmax-of-zeroed",
            lambda p, r: torch.softmax(torch.where(_kept(p, r), p, 0.0), dim=-1),
            "Your dropped words can be drawn again. What leaves zeros at zero?",
        ),
        Mistake(
            "minp-softmax-first",
            lambda p, r: restrict(torch.softmax(p, dim=-1), r),
            "You took softmax of probabilities first, which flattens them. What comes in here, "
            "scores or probabilities?",
        ),
        Mistake(
            "minp-uniform",
            lambda p, r: _kept(p, r) / _kept(p, r).sum(-1, keepdim=True),
            "Your kept words are all equally likely. What keeps their proportions?",
        ),
        Mistake(
            "minp-mask",
            lambda p, r: _kept(p, r).to(p.dtype),
            "Your kept words all have 1. How likely is each of them?",
        ),
        Mistake(
            "minp-below",
            _choosing(lambda p, r: p <= _best(p) * r),
            "You keep the unlikely words and drop the likely ones. Which way does your mask point?",
        ),
        Mistake(
            "minp-ratio-squared",
            _choosing(lambda p, r: p >= r * r * _best(p)),
            "You keep more words than you should. How often is the ratio multiplied in?",
        ),
        Mistake(
            "minp-of-mean",
            _choosing(lambda p, r: p >= r * p.mean(-1, keepdim=True)),
            "You compare words with the average one. Whose share is the ratio?",
        ),
        Mistake(
            "minp-best-only",
            _choosing(lambda p, r: p >= _best(p)),
            "You keep a single word. How near to the best must a word come?",
        ),
        Mistake(
            "minp-ignored",
            lambda p, r: p.clone(),
            "You keep every word. Which ones are too unlikely beside the best?",
        ),
        Mistake(
            "minp-clamped",
            lambda p, r: (
                torch.maximum(p, r * _best(p))
                / torch.maximum(p, r * _best(p)).sum(-1, keepdim=True)
            ),
            "Your unlikely words become more likely. What should become of them?",
        ),
    ],
    hints=[
        "What is the most likely word of each row, and how much is the given share of it?",
        "amax(-1, keepdim=True) gives each row's best in a shape that can be compared with the "
        "row. What is done with words below?",
        "Dropped words get 0. Then the row must sum to 1 again, its kept words in proportion.",
    ],
)
