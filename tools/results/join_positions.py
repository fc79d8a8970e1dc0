"""Let one attention layer learn a question of order, with positions added or beside, for lesson 3.

Run it as `python tools/results/join_positions.py`; it writes
tutor/data/results/join_positions.json.
"""

import torch
import torch.nn.functional as F
from sweep import Sweep  # first: it makes the package importable
from torch import Tensor, nn

from tutor.multi_head import MultiHeadAttention
from tutor.position import add_positions, concatenate_positions, sinusoidal_encoding
from tutor.training.initialisation import INITIALISATIONS, Initialisation, initialise

WORDS, LENGTH, STEPS, BATCH = 12, 10, 600, 32
WAYS = ["no positions", "added", "concatenated"]


class OrderModel(nn.Module):
    """Says from one layer of attention whether word 0 stands before word 1."""

    def __init__(self, way: str, d_model: int) -> None:
        super().__init__()
        self.way = way
        width = 2 * d_model if way == "concatenated" else d_model
        self.table = nn.Embedding(WORDS, d_model)
        self.attention = MultiHeadAttention(width, heads=2)
        self.decide = nn.Linear(width, 2)
        self.register_buffer("encoding", sinusoidal_encoding(LENGTH, d_model))

    def forward(self, ids: Tensor) -> Tensor:
        """Give the scores of "after" and "before"."""
        x = self.table(ids)  # (B, T, D)
        if self.way == "added":
            x = add_positions(x, self.encoding)
        elif self.way == "concatenated":
            x = concatenate_positions(x, self.encoding)  # (B, T, 2D)
        looked, _ = self.attention(x)
        return self.decide((x + looked).amax(1))


def random_sentences(count: int) -> tuple[Tensor, Tensor]:
    """Draw sentences that hold word 0 and word 1 once each, and whether 0 comes first."""
    ids = torch.randint(2, WORDS, (count, LENGTH))
    places = torch.rand(count, LENGTH).argsort(1)[:, :2]
    ids.scatter_(1, places, torch.tensor([0, 1]).expand(count, 2))
    return ids, (places[:, 0] < places[:, 1]).long()


def learned(way: str, d_model: int, initialisation: Initialisation, seed: int) -> dict[str, float]:
    """Train one model and test it on 2,000 sentences it has not seen."""
    model = initialise(OrderModel(way, d_model), initialisation)
    optimiser = torch.optim.Adam(model.parameters(), lr=5e-3)
    for _ in range(STEPS):
        ids, first = random_sentences(BATCH)
        loss = F.cross_entropy(model(ids), first)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    with torch.inference_mode():
        ids, first = random_sentences(2000)
        right = (model(ids).argmax(-1) == first).double().mean().item()
    return {"right": right, "weights": sum(p.numel() for p in model.parameters())}


SWEEP = Sweep(
    "join_positions",
    "one layer of attention (2 heads) learns to say which of two words comes first in a sentence "
    "of ten (600 steps of Adam, batches of 32): the share of 2,000 new sentences it gets right; "
    "guessing gives .5",
    learned,
    grids=[
        {
            "way": WAYS,
            "d_model": [4, 8, 16, 32],
            "initialisation": ["default"],
        },
        {
            "way": WAYS[1:],
            "d_model": [4, 8],
            "initialisation": INITIALISATIONS,
        },
    ],
    labels={
        "way": "positions",
        "d_model": "width of a word",
        "initialisation": "initialisation",
        "right": "share right",
        "weights": "weights",
    },
    margins={"right": 0.08, "weights": 0},
    sample={
        "way": ["concatenated"],
        "d_model": [32],
        "initialisation": ["default"],
    },
)

if __name__ == "__main__":
    SWEEP.main()
