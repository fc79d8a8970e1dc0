"""Sweep what a real model makes of *bank* if both senses have the same sentences, for lesson 2.

In `bank_sentences.py` a sentence's beginning goes with its sense, so each could be what parts the
two. Here every beginning goes with every sense. Run it as `python tools/results/bank_crossed.py`;
it writes tutor/data/results/bank_crossed.json. It needs the optional package of MiniLM's trained
weights.
"""

from itertools import combinations

import torch
from bank_sentences import FRAMES, MONEY, WATER, bank
from sweep import Sweep
from torch import Tensor

BANKS = ("savings", "loan", "mortgage", "credit", "merchant")
AFTER, BEFORE = "of the river, for the money", "river bank, savings bank"


def endings(words: str) -> tuple[list[str], list[str]]:
    """Give what follows a beginning, for the river's bank and for the money's."""
    if words == AFTER:
        water = [f"the bank of the {word}" for word in WATER]
        return water, [f"the bank for {word}" for word in MONEY]
    return [f"the {word} bank" for word in WATER], [f"the {word} bank" for word in BANKS]


def crossed(words: str, frame: str, depth: int, seed: int) -> dict[str, float]:
    """Compare *bank* in two sentences: beginning alike or not, sense alike or not."""
    read: list[tuple[str, int, str, Tensor]] = []
    for beginning in frame.split("|"):
        for sense, tails in enumerate(endings(words)):
            for tail in tails:
                read.append((beginning, sense, tail, bank(f"{beginning} {tail}")[depth]))
    cosines: dict[tuple[bool, bool], list[Tensor]] = {}
    for one, other in combinations(read, 2):
        if one[2] != other[2]:
            alike = one[0] == other[0], one[1] == other[1]
            cosines.setdefault(alike, []).append(one[3] @ other[3])
    mean = {alike: torch.stack(some).mean().item() for alike, some in cosines.items()}
    return {
        "one sense": mean[True, True],
        "two senses": mean[True, False],
        "one sense, other beginning": mean[False, True],
    }


SWEEP = Sweep(
    "bank_crossed",
    "MiniLM reads twenty sentences of each kind: each of two beginnings (He sat by, He ran to; We "
    "met at, We went to; She slept on, She drove to) with each of five endings for the river's "
    "bank and five for the money's (the bank of the river …, the bank for the money …; or the "
    "river bank …, the savings bank …, which differ in one word): mean cosines of bank with itself "
    "in two sentences with different endings",
    crossed,
    grids=[{"words": [AFTER, BEFORE], "frame": FRAMES, "depth": [0, 1, 3, 6]}],
    labels={
        "words": "what tells the sense",
        "frame": "beginnings",
        "depth": "after so many layers",
        "one sense": "cosine, one sense, one beginning",
        "two senses": "cosine, two senses, one beginning",
        "one sense, other beginning": "cosine, one sense, two beginnings",
    },
    margins={"one sense": 0.005, "two senses": 0.005, "one sense, other beginning": 0.005},
    sample={"words": [BEFORE], "frame": [FRAMES[0]]},
    unvaried={
        "seed": "the model is trained and nothing is drawn",
        "initialisation": "the model is trained",
    },
    seeds=(0,),
)

if __name__ == "__main__":
    SWEEP.main()
