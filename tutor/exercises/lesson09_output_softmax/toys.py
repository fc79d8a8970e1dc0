"""Toy language models: tables of log-probabilities for a next word, given the last two."""

import torch
from torch import Tensor

from tutor.checking.seeds import Rng

BOS, EOS = 0, 1


def toy(rng: Rng, vocabulary: int, eos: float, first_eos: float = -4.0) -> Tensor:
    """Draw a toy in which bos practically never comes again.

    Args:
        rng: where the numbers come from.
        vocabulary: number of words, bos and eos among them.
        eos: added to the score of eos, to end sooner or later.
        first_eos: added to it after bos, so that the empty sentence is no rival.

    Returns:
        log_probs[before, last, next].

    Example:
        >>> toy(Rng(0), 5, eos=0.0).exp().sum(-1)[0, 0].round(decimals=3)
        tensor(1.)
    """
    scores = 1.5 * rng.normal(vocabulary, vocabulary, vocabulary)
    scores[:, :, BOS] = -25.0
    scores[:, :, EOS] += eos
    scores[BOS, BOS, EOS] += first_eos
    return torch.log_softmax(scores, dim=-1)


def overtaking_toy(rng: Rng) -> Tensor:
    """Draw a toy in which a beam of two ends early, and better beginnings come after that end.

    The early end costs its place in the beam for good, so a better sentence is missed, which a
    search that lets finished sentences be pushed out would find.

    Example:
        >>> overtaking_toy(Rng(0)).exp().sum(-1).round(decimals=3).unique()
        tensor([1.])
    """
    table = toy(rng, 7, eos=0.0).exp()
    a, b, c, d, e = (2 + rng.permutation(5)).tolist()

    def say(before: int, last: int, **probabilities: float) -> None:
        names = {"a": a, "b": b, "c": c, "d": d, "e": e, "eos": EOS}
        row = torch.full((7,), (1 - sum(probabilities.values())) / 6)
        row[BOS] = 1e-9
        for name, probability in probabilities.items():
            row[names[name]] += probability + rng.uniform(-0.01, 0.01, 1).item()
        table[before, last] = row / row.sum()

    say(BOS, BOS, a=0.55, b=0.38)
    say(BOS, a, c=0.65, eos=0.18)
    say(BOS, b)  # no word stands out
    say(a, c, d=0.48, e=0.42)
    say(c, d, b=0.6)
    say(c, e, eos=0.9)
    say(d, b, eos=0.85)
    return table.log()
