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
def bank_and_others(sentence: str) -> tuple[Tensor, Tensor]:
    """Give the vectors of length 1 at every depth: *bank*'s, and those of all other words."""
    minilm = load_minilm()
    tokens = minilm.tokenizer.encode(sentence).tokens
    words = F.normalize(minilm.hidden_states(sentence), dim=-1)  # (depths, T, D)
    others = [n for n, token in enumerate(tokens) if token not in ("bank", "[CLS]", "[SEP]")]
    return words[:, tokens.index("bank")], words[:, others]


def bank(sentence: str) -> Tensor:
    """Give *bank*'s vectors of length 1 at every depth."""
    return bank_and_others(sentence)[0]  # (depths, D)


def parted(frame: str, depth: int, seed: int) -> dict[str, float]:
    """Compare *bank* in two sentences of one sense, and of two, and with the other words."""
    by, to = frame.split("|")
    of_water = [bank_and_others(f"{by} the bank of the {word}") for word in WATER]
    of_money = [bank_and_others(f"{to} the bank for {word}") for word in MONEY]
    water = [bank[depth] for bank, _ in of_water]
    money = [bank[depth] for bank, _ in of_money]
    others = torch.cat([words[depth] for _, words in of_water + of_money])  # (words, D)
    within = [a @ b for some in (water, money) for a, b in combinations(some, 2)]
    across = [a @ b for a, b in product(water, money)]
    return {
        "within": torch.stack(within).mean().item(),
        "across": torch.stack(across).mean().item(),
        "least within": torch.stack(within).min().item(),
        "least across": torch.stack(across).min().item(),
        "other words": (torch.stack(water + money) @ others.T).mean().item(),
    }


SWEEP = Sweep(
    "bank_sentences",
    "MiniLM reads ten sentences of each of three kinds, bank at one place in all ten (He sat by "
    "the bank of the river, stream, canal, lake, creek; He ran to the bank for the money, a loan, "
    "a mortgage, the coins, some cash): cosines of bank with itself in two sentences of one sense, "
    "and of two, and with every other word of the ten sentences",
    parted,
    grids=[{"frame": FRAMES, "depth": list(range(7))}],
    labels={
        "frame": "sentences",
        "depth": "after so many layers",
        "within": "cosine within a sense, mean",
        "across": "cosine across, mean",
        "least within": "least cosine within a sense",
        "least across": "least cosine across",
        "other words": "cosine with other words, mean",
    },
    margins={
        "within": 0.005,
        "across": 0.005,
        "least within": 0.01,
        "least across": 0.01,
        "other words": 0.005,
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
