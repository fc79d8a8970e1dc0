"""Let a layer learn a question of order with words of three sizes beside positions, for lesson 3.

Run it as `python tools/results/sizes_trained.py`; it writes
tutor/data/results/sizes_trained.json. The task is that of join_positions.py, where positions are
added or concatenated; here they are added, and rows of length about 1 are multiplied first.
"""

import torch
import torch.nn.functional as F
from join_positions import BATCH, LENGTH, STEPS, WORDS, random_sentences
from sweep import Sweep
from torch import Tensor, nn
from word_or_place import FACTORS

from tutor.multi_head import MultiHeadAttention
from tutor.position import add_positions, sinusoidal_encoding
from tutor.training.initialisation import INITIALISATIONS, Initialisation, initialise


class SizedModel(nn.Module):
    """Says from one layer of attention whether word 0 comes before word 1."""

    def __init__(self, d_model: int, factor: float, initialisation: Initialisation) -> None:
        super().__init__()
        self.factor = factor
        self.attention = initialise(MultiHeadAttention(d_model, heads=2), initialisation)
        self.decide = initialise(nn.Linear(d_model, 2), initialisation)
        self.table = nn.Parameter(torch.randn(WORDS, d_model) * d_model**-0.5)
        self.register_buffer("encoding", sinusoidal_encoding(LENGTH, d_model))

    def forward(self, ids: Tensor) -> Tensor:
        """Give the scores of "after" and "before"."""
        x = add_positions(self.factor * self.table[ids], self.encoding)  # (B, T, D)
        looked, _ = self.attention(x)
        return self.decide((x + looked).amax(1))


def learned(
    d_model: int, factor: str, initialisation: Initialisation, seed: int
) -> dict[str, float]:
    """Train one model and test it on 2,000 sentences it has not seen."""
    model = SizedModel(d_model, FACTORS[factor](d_model), initialisation)
    optimiser = torch.optim.Adam(model.parameters(), lr=5e-3)
    for _ in range(STEPS):
        ids, first = random_sentences(BATCH)
        loss = F.cross_entropy(model(ids), first)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    with torch.inference_mode():
        ids, first = random_sentences(2000)
        return {"right": (model(ids).argmax(-1) == first).double().mean().item()}


SWEEP = Sweep(
    "sizes_trained",
    "one layer of attention (2 heads) learns to say which of two words comes first in a sentence "
    "of ten, its words' rows, of length about 1, times a factor before positions are added (600 "
    "steps of Adam, batches of 32): the share of 2,000 new sentences it gets right; guessing "
    "gives .5",
    learned,
    grids=[
        {"d_model": [16, 64], "factor": list(FACTORS), "initialisation": INITIALISATIONS},
    ],
    labels={
        "d_model": "d_model",
        "factor": "words times",
        "initialisation": "initialisation",
        "right": "share right",
    },
    margins={"right": 0.08},
    sample={"d_model": [16], "factor": ["√d"], "initialisation": ["default"]},
)

if __name__ == "__main__":
    SWEEP.main()
