"""Sweep what a real model makes of *bank* beside words of two kinds, for lesson 4.

Run it as `python tools/results/bank_senses.py`; it writes tutor/data/results/bank_senses.json. It
needs the optional package of MiniLM's trained weights.
"""

from functools import cache
from itertools import combinations, product

import torch
import torch.nn.functional as F
from sweep import Sweep  # first: it makes the package importable
from torch import Tensor

from tutor.models.minilm import load_minilm

WATER = ("river", "muddy", "grassy", "steep", "sandy", "rocky")
MONEY = ("savings", "central", "private", "national", "investment", "commercial")
FRAMES = (
    "He stood by the … bank",
    "We walked to the … bank",
    "She could see the … bank from here",
    "I remember the … bank very well",
)
LAYER, HEAD = 0, 4


@cache
def bank(frame: str, filler: str) -> tuple[Tensor, float]:
    """Give *bank*'s vectors of length 1 at every depth, and its weight on the word before it."""
    sentence, minilm = frame.replace("…", filler), load_minilm()
    found = minilm.attention(sentence)
    place = found.tokens.index("bank")
    states = F.normalize(minilm.hidden_states(sentence)[:, place], dim=-1)  # (depths, D)
    return states, found.weights[LAYER, HEAD, place, place - 1].item()


def parted(frame: str, depth: int, seed: int) -> dict[str, float]:
    """Compare *bank* with itself beside words of one kind, and of two."""
    states = {filler: bank(frame, filler)[0][depth] for filler in (*WATER, *MONEY)}
    within = [*combinations(WATER, 2), *combinations(MONEY, 2)]
    alike, across = (
        torch.stack([states[one] @ states[other] for one, other in pairs])
        for pairs in (within, list(product(WATER, MONEY)))
    )
    looks = torch.tensor([bank(frame, filler)[1] for filler in (*WATER, *MONEY)])
    return {
        "within": alike.mean().item(),
        "across": across.mean().item(),
        "least within": alike.min().item(),
        "most across": across.max().item(),
        "looked at": (looks > 0.5).double().sum().item(),
    }


SWEEP = Sweep(
    "bank_senses",
    "MiniLM reads four sentences with six words of each kind before bank (river, muddy, grassy, "
    "steep, sandy, rocky; savings, central, private, national, investment, commercial): cosines "
    "of bank with itself beside two words of one kind and beside one of each, and on how many of "
    "the twelve words head 0.4 puts more than half of bank's attention",
    parted,
    grids=[{"frame": FRAMES, "depth": [0, 1, 3, 6]}],
    labels={
        "frame": "sentence",
        "depth": "after so many layers",
        "within": "cosine within a kind, mean",
        "across": "cosine across, mean",
        "least within": "least cosine within a kind",
        "most across": "largest cosine across",
        "looked at": "of twelve words, those with more than half of the attention in head 0.4",
    },
    margins={
        "within": 0.005,
        "across": 0.005,
        "least within": 0.01,
        "most across": 0.01,
        "looked at": 0.5,
    },
    sample={"frame": [FRAMES[0]]},
    unvaried={
        "seed": "the model is trained and nothing is drawn",
        "initialisation": "the model is trained",
    },
    seeds=(0,),
)

if __name__ == "__main__":
    SWEEP.main()
