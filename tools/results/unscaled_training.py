"""Sweep whether an attention learns without the division by √d_k, for lesson 4.

Run it as `python tools/results/unscaled_training.py`; it writes
tutor/data/results/unscaled_training.json. The task is lesson 1's: cards with a name and a drink are
dealt, then every name is asked.
"""

import math

import torch
import torch.nn.functional as F
from sweep import Sweep  # first: it makes the package importable
from torch import Tensor, nn

from tutor.attention import attend, dot_product_scores
from tutor.training.initialisation import INITIALISATIONS, Initialisation, initialise

NAMES, DRINKS, MOST_CARDS = 32, 16, 32
BATCH, STEPS, ASKED = 32, 600, 2000


class Asked(nn.Module):
    """One attention of one head: every question looks at all cards."""

    def __init__(self, d_k: int, scale: bool) -> None:
        super().__init__()
        self.names, self.drinks = nn.Embedding(NAMES, d_k), nn.Embedding(DRINKS, d_k)
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_k, d_k, bias=False) for _ in range(3))
        self.answer = nn.Linear(d_k, DRINKS)
        self.scale = math.sqrt(d_k) if scale else 1.0

    def forward(self, names: Tensor, drinks: Tensor, asked: Tensor) -> Tensor:
        """Score the drinks for each question; all arguments are (B, cards)."""
        cards = self.names(names) + self.drinks(drinks)  # (B, cards, D)
        scores = dot_product_scores(self.W_q(self.names(asked)), self.W_k(cards))
        output, _ = attend(scores / self.scale, self.W_v(cards))
        return self.answer(output)  # (B, cards, drinks)


def deal(count: int, cards: int) -> tuple[Tensor, Tensor]:
    """Deal hands of cards whose names differ: names and drinks, each (hands, cards)."""
    names = torch.rand(count, NAMES).argsort(dim=-1)[:, :cards]
    return names, torch.randint(DRINKS, (count, cards))


def learned(
    d_k: int, scale: bool, initialisation: Initialisation, rate: float, seed: int
) -> dict[str, float]:
    """Train on hands of 2 to 32 cards; the share of right answers with 32."""
    model = Asked(d_k, scale)
    initialise(model, initialisation)
    optimiser = torch.optim.Adam(model.parameters(), lr=rate)
    for _ in range(STEPS):
        names, drinks = deal(BATCH, int(torch.randint(2, MOST_CARDS + 1, ())))
        loss = F.cross_entropy(model(names, drinks, names).flatten(0, 1), drinks.flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    with torch.inference_mode():
        names, drinks = deal(ASKED // MOST_CARDS, MOST_CARDS)
        found = model(names, drinks, names).argmax(dim=-1)
        return {"right": (found == drinks).double().mean().item()}


SWEEP = Sweep(
    "unscaled_training",
    "one attention with a head of d_k numbers learns in 600 steps of Adam to say which drink "
    "stands on the card with a name, of 2 to 32 cards: the share of right answers with 32 cards",
    learned,
    grids=[
        {
            "d_k": [32, 128],
            "scale": [True, False],
            "initialisation": INITIALISATIONS,
            "rate": [1e-3, 4e-3],
        }
    ],
    labels={
        "d_k": "d_k",
        "scale": "divided by √d_k",
        "initialisation": "initialisation",
        "rate": "learning rate",
        "right": "share of right answers",
    },
    margins={"right": 0.1},
    sample={"d_k": [32], "initialisation": ["xavier"], "rate": [4e-3]},
)

if __name__ == "__main__":
    SWEEP.main()
