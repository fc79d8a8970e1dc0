"""Sweep how large a cosine is in a table anyway, for lesson 2.

Run it as `python tools/results/glove_cosines.py`; it writes
tutor/data/results/glove_cosines.json.
"""

import torch
import torch.nn.functional as F
from sweep import Sweep  # first: it makes the package importable
from torch import Tensor

from tutor.data.glove import load_glove

DRAWN = 1000  # so many words are compared, all with all
OPPOSITES = (("good", "bad"), ("hot", "cold"), ("buy", "sell"))


def rows(commonest: int, centred: bool) -> tuple[list[str], Tensor]:
    """Give the words and their rows, of length 1, without the mean of the commonest if centred."""
    words, table = load_glove()
    table = table.double()
    if centred:
        table = table - table[:commonest].mean(0)
    return words, F.normalize(table, dim=1)


def cosines(commonest: int, centred: bool, seed: int) -> dict[str, float]:
    """Compare words drawn from the commonest; and pairs of opposites with what is usual there."""
    words, unit = rows(commonest, centred)
    some = unit[torch.randperm(commonest)[:DRAWN]]
    drawn = (some @ some.T)[*torch.triu_indices(len(some), len(some), offset=1)]
    mean, deviation = drawn.mean(), drawn.std()
    pairs = torch.stack([unit[words.index(a)] @ unit[words.index(b)] for a, b in OPPOSITES])
    return {
        "mean": mean.item(),
        "deviation": deviation.item(),
        "opposites": pairs.min().item(),
        "above": ((pairs.min() - mean) / deviation).item(),
    }


SWEEP = Sweep(
    "glove_cosines",
    "in GloVe's table of 10,000 words, the cosines of all pairs among 1,000 words drawn from the "
    "commonest; the least cosine of three pairs of opposites (good and bad, hot and cold, buy and "
    "sell), and by how many standard deviations it lies above the mean",
    cosines,
    grids=[{"commonest": [1000, 3000, 10_000], "centred": [False, True]}],
    labels={
        "commonest": "words from the commonest",
        "centred": "their mean taken off",
        "mean": "mean cosine of two words",
        "deviation": "standard deviation",
        "opposites": "least cosine of opposites",
        "above": "so many standard deviations above the mean",
    },
    margins={"mean": 0.002, "deviation": 0.002, "opposites": 0.002, "above": 0.05},
    sample={"commonest": [1000]},
    unvaried={"initialisation": "the table is trained"},
)

if __name__ == "__main__":
    SWEEP.main()
