"""Sweep where MiniLM puts unseen sentences on a word's first principal component, for lesson 4.

Run it as `python tools/results/senses_part.py`; it writes tutor/data/results/senses_part.json. It
needs the optional package of MiniLM's trained weights.
"""

from collections.abc import Iterator

import torch
from sweep import Sweep  # first: it makes the package importable
from torch import Tensor
from two_senses import read_senses

from tools.data.word_senses import word_senses
from tutor.models.sense_axis import LAST, fit_axis

HALVINGS = 10
STAND_IN = "thing"
Pair = tuple[Tensor, Tensor]


def parted(word: str, depth: int, seed: int) -> dict[str, float]:
    """Place sentences by axes from other sentences; mean and worst of ten random halvings."""
    pair, topic = read_senses(word), read_senses(word, STAND_IN)
    orders = [[torch.randperm(len(sense)) for sense in pair] for _ in range(HALVINGS)]
    right, gaps = zip(*(right_and_gap(seen, new, depth) for seen, new in halved(pair, orders)))
    stood_in = [right_and_gap(seen, new, depth)[0] for seen, new in halved(topic, orders)]
    return {
        "right": sum(right) / HALVINGS,
        "worst": min(right),
        "gap": sum(gaps) / HALVINGS,
        "right by topic": sum(stood_in) / HALVINGS,
        "apart": apart(pair, depth),
    }


def halved(pair: Pair, orders: list[list[Tensor]]) -> Iterator[tuple[Pair, Pair]]:
    """Give the two halves of each order, each half with both senses."""
    for order in orders:
        (a, b), (m, n) = pair, (len(sense) // 2 for sense in pair)
        first, second = order
        yield (a[first[:m]], b[second[:n]]), (a[first[m:]], b[second[n:]])


def right_and_gap(seen: Pair, unseen: Pair, depth: int) -> tuple[float, float]:
    """Fit the axis on seen sentences: how many unseen ones lie right, and how far apart."""
    axis = fit_axis(torch.cat(seen), torch.arange(sum(map(len, seen))) < len(seen[0]))
    first, second = (axis.places(states)[:, depth, 0] for states in unseen)
    right = torch.cat([first > 0, second < 0]).double().mean().item()
    return right, (first.mean() - second.mean()).item()


def apart(pair: Pair, depth: int) -> float:
    """Measure without any axis: the senses' distance, in typical distances from the mean."""
    first, second = (sense[:, depth] for sense in pair)
    both = torch.cat([first, second])
    typical = (both - both.mean(0)).norm(dim=-1).mean()
    return ((first.mean(0) - second.mean(0)).norm() / typical).item()


SWEEP = Sweep(
    "senses_part",
    "MiniLM reads 30 or 40 sentences with each of ten words of two senses: the first principal "
    "component of the word's vectors after layer 6 in a random half of the sentences, told no "
    "sense, places the other half at every depth (ten halvings a seed); and the same with the word "
    "thing in its place",
    parted,
    grids=[{"word": [*word_senses()], "depth": [0, 1, 3, LAST]}],
    labels={
        "word": "word",
        "depth": "after so many layers",
        "right": "share of unseen sentences on the side of their sense",
        "worst": "the same, worst of ten halvings",
        "gap": "distance of the two senses' means on the axis",
        "right by topic": "share right with thing in the word's place",
        "apart": "distance of the senses' means, in typical distances from the mean, no axis",
    },
    margins={
        "right": 0.02,
        "worst": 0.08,
        "gap": 0.1,
        "right by topic": 0.03,
        "apart": 0.02,
    },
    sample={"word": ["spring"], "depth": [1, LAST]},
    unvaried={"initialisation": "the model is trained"},
)

if __name__ == "__main__":
    SWEEP.main()
