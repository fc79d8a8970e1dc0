"""The ways in which the restriction to the most likely mass goes wrong."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from tutor.checking.exercise import Mistake
from tutor.output import top_p_probabilities as restrict


def _ranked(probabilities: Tensor) -> tuple[Tensor, Tensor]:
    ranked, words = probabilities.sort(dim=-1, descending=True)
    return ranked, words


def _choosing(kept: Callable[[Tensor, float], Tensor]) -> Callable[[Tensor, float], Tensor]:
    """Build an answer from which ranks it keeps; it puts words back and renormalises."""

    def mistaken(probabilities: Tensor, threshold: float) -> Tensor:
        ranked, words = _ranked(probabilities)
        chosen = torch.where(kept(ranked, threshold), ranked, 0.0)
        chosen = torch.zeros_like(probabilities).scatter(-1, words, chosen)
        return chosen / chosen.sum(-1, keepdim=True)

    return mistaken


def _marked(mark: Callable[[Tensor, float], Tensor]) -> Callable[[Tensor, float], Tensor]:
    """Build an answer from which words it keeps, each judged in its place."""

    def mistaken(probabilities: Tensor, threshold: float) -> Tensor:
        kept = torch.where(mark(probabilities, threshold), probabilities, 0.0)
        return kept / kept.sum(-1, keepdim=True)

    return mistaken


def _nucleus(ranked: Tensor, threshold: float) -> Tensor:
    return ranked.cumsum(-1) - ranked < threshold


def _zeroed(probabilities: Tensor, threshold: float) -> Tensor:
    return probabilities * (restrict(probabilities, threshold) > 0)


def _left_sorted_mask(probabilities: Tensor, threshold: float) -> Tensor:
    return _nucleus(_ranked(probabilities)[0], threshold)


def _gathered_mask(probabilities: Tensor, threshold: float) -> Tensor:
    ranked, words = _ranked(probabilities)
    return _nucleus(ranked, threshold).gather(-1, words)


def _ascending(probabilities: Tensor, threshold: float) -> Tensor:
    ranked, words = probabilities.sort(dim=-1)
    kept = torch.where(_nucleus(ranked, threshold), ranked, 0.0)
    kept = torch.zeros_like(probabilities).scatter(-1, words, kept)
    return kept / kept.sum(-1, keepdim=True)


def _as_many_as_first_row(ranked: Tensor, threshold: float) -> Tensor:
    first = ranked.reshape(-1, ranked.size(-1))[0]
    return (torch.arange(ranked.size(-1)) < _nucleus(first, threshold).sum()).expand_as(ranked)


def _over_everything(probabilities: Tensor, threshold: float) -> Tensor:
    ranked, words = probabilities.flatten().sort(descending=True)
    kept = ranked.cumsum(-1) - ranked < threshold * ranked.sum()
    return torch.zeros_like(kept).scatter(0, words, kept).view_as(probabilities)


def _over_rows(probabilities: Tensor, threshold: float) -> Tensor:
    if probabilities.dim() == 1:
        return restrict(probabilities, threshold) > 0
    turned = probabilities.transpose(-1, -2)
    ranked, words = turned.sort(dim=-1, descending=True)
    kept = _nucleus(ranked, threshold)
    return torch.zeros_like(kept).scatter(-1, words, kept).transpose(-1, -2)


def _last_word_cut(probabilities: Tensor, threshold: float) -> Tensor:
    ranked, words = _ranked(probabilities)
    room = (threshold - (ranked.cumsum(-1) - ranked)).clamp(min=0)
    kept = torch.zeros_like(probabilities).scatter(-1, words, torch.minimum(ranked, room))
    return kept / kept.sum(-1, keepdim=True)


_SHY = (
    "Your nucleus stays below the threshold: the word that would carry it over is dropped. Should "
    "the mass be at least the threshold, or at most?"
)

MISTAKES = [
    Mistake(
        "topp-one-more",
        _choosing(
            lambda ranked, p: torch.cat(
                [torch.ones_like(ranked[..., :1], dtype=torch.bool), _nucleus(ranked, p)], -1
            )[..., :-1]
        ),
        "You keep one word more than it takes. At which word has the sum reached the "
        "threshold already?",
    ),
    Mistake(
        "topp-one-fewer",
        _choosing(lambda ranked, p: ranked.cumsum(-1) <= p),
        _SHY,
        variants=[
            _choosing(
                lambda ranked, p: (ranked.cumsum(-1) <= p) | (torch.arange(ranked.size(-1)) == 0)
            )
        ],
    ),
    Mistake(
        "topp-ascending",
        _ascending,
        "You start from the least likely words. Where does the nucleus begin?",
    ),
    Mistake(
        "topp-threshold-each",
        _marked(lambda probabilities, p: probabilities > 1 - p),
        "You judge each word by its own probability. What is the sum of those before it?",
        variants=[
            lambda probabilities, p: probabilities * (probabilities > 1 - p),
            lambda probabilities, p: F.normalize(
                probabilities * (probabilities > 1 - p), p=1, dim=-1
            ),
            _marked(lambda probabilities, p: probabilities >= 1 - p),
        ],
    ),
    Mistake(
        "topp-each-above-threshold",
        _marked(lambda probabilities, p: probabilities >= p),
        "You keep only words that reach the threshold by themselves, and few do. Whose mass must "
        "reach it together?",
    ),
    Mistake(
        "topp-relative-to-best",
        _marked(lambda probabilities, p: probabilities >= p * probabilities.amax(-1, True)),
        "You compare each word with the best one, which is another rule (min-p). What is "
        "added up here?",
        variants=[
            _marked(
                lambda probabilities, p: probabilities >= (1 - p) * probabilities.amax(-1, True)
            )
        ],
    ),
    Mistake(
        "topp-not-unsorted",
        _marked(_left_sorted_mask),
        "You keep the right number of words, but the first ones of the vocabulary. To which "
        "words do your ranks belong?",
        variants=[
            lambda probabilities, p: (
                _choosing(_nucleus)(probabilities, p).sort(dim=-1, descending=True).values
            )
        ],
    ),
    Mistake(
        "topp-gathered-back",
        _marked(_gathered_mask),
        "You keep the right number of words, not always the right ones. gather reads from places; "
        "what writes to places?",
    ),
    Mistake(
        "topp-not-renormalised",
        _zeroed,
        "Your rows sum to less than 1. Who gets what the dropped words had?",
    ),
    Mistake(
        "topp-divided-by-threshold",
        lambda probabilities, p: _zeroed(probabilities, p) / p,
        "Your rows sum to a little more than 1. What is the mass that was really kept?",
    ),
    Mistake(
        "topp-complement",
        _choosing(lambda ranked, p: ~_nucleus(ranked, p)),
        "You keep the tail and drop the nucleus. Which way does your mask point?",
        variants=[
            lambda probabilities, p: probabilities * (restrict(probabilities, p) == 0),
        ],
    ),
    Mistake(
        "topp-mass-left",
        _choosing(lambda ranked, p: _nucleus(ranked, 1 - p)),
        "You stop when 1 − threshold is reached. How much mass should the kept words have?",
    ),
    Mistake(
        "topp-unsorted-sum",
        _marked(lambda probabilities, p: probabilities.cumsum(-1) - probabilities < p),
        "You add up in the order of the vocabulary. In which order are words let in?",
        variants=[_marked(lambda probabilities, p: probabilities.cumsum(-1) <= p)],
    ),
    Mistake(
        "topp-as-many-as-first-row",
        _choosing(_as_many_as_first_row),
        "All your rows keep as many words as the first. What does each row need?",
    ),
    Mistake(
        "topp-over-batch",
        _marked(_over_everything),
        "Some of your rows keep more than it takes, others less. Is the mass added up within "
        "a row, or over all?",
    ),
    Mistake(
        "topp-over-rows",
        _marked(_over_rows),
        "You add up along the positions. Along which axis do words compete?",
    ),
    Mistake(
        "topp-share-of-vocabulary",
        _choosing(
            lambda ranked, p: (
                torch.arange(ranked.size(-1)) < max(1, round(p * ranked.size(-1)))
            ).expand_as(ranked)
        ),
        "All your rows keep the same number of words. Is the threshold a share of the words, "
        "or of the mass?",
        variants=[
            _choosing(
                lambda ranked, p: (
                    torch.arange(ranked.size(-1)) < max(1, int(p * ranked.size(-1)))
                ).expand_as(ranked)
            )
        ],
    ),
    Mistake(
        "topp-best-only",
        _choosing(lambda ranked, p: (torch.arange(ranked.size(-1)) == 0).expand_as(ranked)),
        "You keep a single word. How much mass should the kept words have?",
    ),
    Mistake(
        "topp-ignored",
        lambda probabilities, p: probabilities.clone(),
        "All your words can be drawn. What does the threshold do?",
    ),
    Mistake(
        "topp-last-word-cut",
        _last_word_cut,
        "Your last word gets only the part of its mass that fits below the threshold. Does a "
        "word enter whole?",
    ),
    Mistake(
        "topp-uniform",
        lambda probabilities, p: (
            (restrict(probabilities, p) > 0)
            / (restrict(probabilities, p) > 0).sum(-1, keepdim=True)
        ),
        "Your kept words are all equally likely. What keeps their proportions?",
    ),
    Mistake(
        "topp-softmax-again",
        lambda probabilities, p: torch.softmax(
            probabilities.masked_fill(restrict(probabilities, p) == 0, -torch.inf), dim=-1
        ),
        "Your kept words are nearly alike. They are probabilities already: what makes them "
        "sum to 1 again?",
    ),
    Mistake(
        "topp-softmax-of-zeroed",
        lambda probabilities, p: torch.softmax(_zeroed(probabilities, p), dim=-1),
        "Your dropped words can be drawn again. What makes the kept ones sum to 1 and leaves "
        "zeros at zero?",
    ),
    Mistake(
        "topp-softmax-first",
        lambda probabilities, p: restrict(torch.softmax(probabilities, dim=-1), p),
        "You took softmax of probabilities first, which flattens them. What comes in here, "
        "scores or probabilities?",
    ),
    Mistake(
        "topp-mask",
        lambda probabilities, p: (restrict(probabilities, p) > 0).to(probabilities.dtype),
        "Your kept words all have 1. How likely is each of them?",
    ),
    Mistake(
        "topp-renormalised-over-batch",
        lambda probabilities, p: _zeroed(probabilities, p) / _zeroed(probabilities, p).sum(),
        "All your rows together sum to 1. How many choices are made?",
    ),
]
