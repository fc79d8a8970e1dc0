"""Sweep what can be read back from a sum of word and position, for lesson 3.

Run it as `python tools/results/word_or_place.py`; it writes
tutor/data/results/word_or_place.json. Nothing is trained: rows of a fresh table, times a factor,
are added to positions, and dot products say which word and which position a sum is made of.
"""

import math

import torch
from sweep import Sweep  # first: it makes the package importable
from torch import Tensor

from tutor.position import sinusoidal_encoding

WORDS, PLACES = 20, 50
FACTORS = {"1": lambda d: 1.0, "√d": math.sqrt, "d": float}


def read_back(sums: Tensor, table: Tensor) -> Tensor:
    """Name for each sum (N, D) the row of the table (R, D) that lies nearest in direction."""
    return (sums @ table.T - table.square().sum(1) / 2).argmax(1)  # (N,)


def readable(d_model: int, factor: str, centred: bool, seed: int) -> dict[str, float]:
    """Add every word to every position; the shares of sums whose word and position are told."""
    rows = torch.randn(WORDS, d_model, dtype=torch.float64) / math.sqrt(d_model)
    words = FACTORS[factor](d_model) * rows  # rows of length about 1, before the factor
    places = sinusoidal_encoding(PLACES, d_model, dtype=torch.float64)
    if centred:  # without what all positions have in common
        places = places - places.mean(0)
    sums = (words[:, None] + places).flatten(0, 1)  # (WORDS * PLACES, D)
    word, place = torch.meshgrid(torch.arange(WORDS), torch.arange(PLACES), indexing="ij")
    return {
        "word": (read_back(sums, words) == word.flatten()).double().mean().item(),
        "place": (read_back(sums, places) == place.flatten()).double().mean().item(),
    }


SWEEP = Sweep(
    "word_or_place",
    "each of 20 words (rows of a fresh table, of length about 1, times a factor) is added to each "
    "of 50 sinusoidal positions; the word and the position whose rows are nearest to the sum are "
    "named: the shares of the 1,000 sums where they are the right ones",
    readable,
    grids=[
        {"d_model": [64, 128, 256, 512], "factor": list(FACTORS), "centred": [False, True]},
    ],
    labels={
        "d_model": "d_model",
        "factor": "words times",
        "centred": "positions without their mean",
        "word": "words told",
        "place": "positions told",
    },
    margins={"word": 0.002, "place": 0.002},
    sample={"d_model": [64]},
    unvaried={"initialisation": "there is no layer, only a table of normal numbers"},
)

if __name__ == "__main__":
    SWEEP.main()
