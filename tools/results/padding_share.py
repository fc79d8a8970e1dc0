"""Sweep how much attention unmasked padding takes in a fresh layer, for lesson 7.

Run it as `python tools/results/padding_share.py`; it writes tutor/data/results/padding_share.json.
"""

import torch
from sweep import Sweep  # first: it makes the package importable
from torch import nn

from tutor.multi_head import MultiHeadAttention
from tutor.position import sinusoidal_encoding
from tutor.training.initialisation import INITIALISATIONS, Initialisation, initialise

SENTENCES = 50


def padded(
    words: int, pads: int, d_model: int, initialisation: Initialisation, seed: int
) -> dict[str, float]:
    """Let the words of padded sentences look; the share of their attention that pads take."""
    layer = MultiHeadAttention(d_model, d_model // 16)
    initialise(layer, initialisation)
    table = nn.Embedding(100, d_model)
    ids = torch.cat([torch.randint(1, 100, (SENTENCES, words)), torch.zeros(SENTENCES, pads)], 1)
    x = table(ids.long()) + sinusoidal_encoding(words + pads, d_model)
    with torch.inference_mode():
        _, weights = layer(x, x, need_weights=True)  # (B, h, T, T)
    shares = weights[:, :, :words, words:].sum(dim=-1)
    return {"share": shares.mean().item(), "of their number": pads / (words + pads)}


SWEEP = Sweep(
    "padding_share",
    "a fresh multi-head attention (heads of 16) reads 50 sentences of random words, filled up with "
    "padding that is not masked: the mean share of a word's attention that the pads take",
    padded,
    grids=[
        {
            "words": [5, 20],
            "pads": [2, 5, 20],
            "d_model": [32, 128, 512],
            "initialisation": INITIALISATIONS,
        }
    ],
    labels={
        "words": "words",
        "pads": "pads",
        "d_model": "d_model",
        "initialisation": "initialisation",
        "share": "share of attention that pads take",
        "of their number": "share of tokens that are pads",
    },
    margins={"share": 0.02, "of their number": 0.001},
    sample={"d_model": [32], "initialisation": ["xavier"]},
)

if __name__ == "__main__":
    SWEEP.main()
