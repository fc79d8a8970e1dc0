"""Sweep what a real model makes of *bank* at one place of many sentences, for lesson 2.

Run it as `python tools/results/bank_sentences.py`; it writes
tutor/data/results/bank_sentences.json. It needs the optional package of MiniLM's trained weights.
"""

from functools import cache
from itertools import combinations, product

import torch
import torch.nn.functional as F
from sweep import Sweep  # first: it makes the package importable
from torch import Tensor

from tutor.models.minilm import load_minilm

WATER = ("river", "stream", "canal", "lake", "creek")
MONEY = ("the money", "a loan", "a mortgage", "the coins", "some cash")
FRAMES = ("He sat by|He ran to", "We met at|We went to", "She slept on|She drove to")


@cache
def bank(sentence: str) -> Tensor:
    """Give *bank*'s vectors of length 1 at every depth."""
    minilm = load_minilm()
    place = minilm.attention(sentence).tokens.index("bank")
    return F.normalize(minilm.hidden_states(sentence)[:, place], dim=-1)  # (depths, D)


def parted(frame: str, depth: int, seed: int) -> dict[str, float]:
    """Compare *bank* in two sentences of one sense, and of two."""
    by, to = frame.split("|")
    water = [bank(f"{by} the bank of the {word}")[depth] for word in WATER]
    money = [bank(f"{to} the bank for {word}")[depth] for word in MONEY]
    within = [a @ b for some in (water, money) for a, b in combinations(some, 2)]
    across = [a @ b for a, b in product(water, money)]
    return {
        "within": torch.stack(within).mean().item(),
        "across": torch.stack(across).mean().item(),
        "least within": torch.stack(within).min().item(),
        "least across": torch.stack(across).min().item(),
    }


SWEEP = Sweep(
    "bank_sentences",
    "MiniLM reads ten sentences of each of three kinds, bank at one place in all ten (He sat by "
    "the bank of the river, stream, canal, lake, creek; He ran to the bank for the money, a loan, "
    "a mortgage, the coins, some cash): cosines of bank with itself in two sentences of one sense, "
    "and of two",
    parted,
    grids=[{"frame": FRAMES, "depth": [0, 1, 3, 6]}],
    labels={
        "frame": "sentences",
        "depth": "after so many layers",
        "within": "cosine within a sense, mean",
        "across": "cosine across, mean",
        "least within": "least cosine within a sense",
        "least across": "least cosine across",
    },
    margins={"within": 0.005, "across": 0.005, "least within": 0.01, "least across": 0.01},
    sample={"frame": [FRAMES[0]]},
    unvaried={
        "seed": "the model is trained and nothing is drawn",
        "initialisation": "the model is trained",
    },
    seeds=(0,),
)

if __name__ == "__main__":
    SWEEP.main()
