"""Sweep whether attention without position vectors can tell an order, for lesson 3.

Run it as `python tools/results/order_under_mask.py`; it writes
tutor/data/results/order_under_mask.json. Two words stand somewhere among others; at the end of the
sentence, at a question mark, the model says which of the two came first.
"""

import torch
import torch.nn.functional as F
from sweep import Sweep  # first: it makes the package importable
from torch import Tensor, nn

from tutor.training.initialisation import INITIALISATIONS, Initialisation, initialise
from tutor.transformer import Transformer, TransformerConfig

WORDS, LENGTH, BATCH, STEPS = 12, 10, 32, 600
FIRST, QUESTION = 1, WORDS + 1  # 0 is padding; words are 1 … 12, the two asked for 1 and 2


class OrderReader(nn.Module):
    """Layers of attention without position vectors, and a choice at the last token."""

    def __init__(self, layers: int, mask: bool, width: int) -> None:
        super().__init__()
        self.mask = mask
        config = TransformerConfig(
            vocabulary=QUESTION + 1,
            layers=layers,
            d_model=width,
            d_ff=2 * width,
            heads=2,
            dropout=0.0,
            norm="pre",
            positions="none",
            stacks="decoder" if mask else "encoder",
        )
        self.model = Transformer(config)
        self.choice = nn.Linear(width, 2)

    def forward(self, ids: Tensor) -> Tensor:
        """Score "second" and "first" for each sentence (B, T)."""
        states = self.model.decode(ids) if self.mask else self.model.encode(ids)  # (B, T, D)
        return self.choice(states[:, -1])


def sentences(count: int) -> tuple[Tensor, Tensor]:
    """Draw sentences that hold each of the two words once, and say whether the first came first."""
    others = torch.randint(FIRST + 2, QUESTION, (count, LENGTH))
    places = torch.rand(count, LENGTH).argsort(1)[:, :2]
    others.scatter_(1, places, torch.tensor([FIRST, FIRST + 1]).expand(count, 2))
    ids = torch.cat([others, torch.full((count, 1), QUESTION)], dim=1)
    return ids, (places[:, 0] < places[:, 1]).long()


def told_order(
    layers: int, mask: bool, width: int, initialisation: Initialisation, seed: int
) -> dict[str, float]:
    """Train, and test on 1,000 new sentences."""
    reader = initialise(OrderReader(layers, mask, width), initialisation)
    optimiser = torch.optim.Adam(reader.parameters(), lr=3e-3)
    for _ in range(STEPS):
        ids, first = sentences(BATCH)
        loss = F.cross_entropy(reader(ids), first)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optimiser.step()
    with torch.inference_mode():
        ids, first = sentences(1000)
        return {"right": (reader(ids).argmax(-1) == first).double().mean().item()}


SWEEP = Sweep(
    "order_under_mask",
    "a Transformer without position vectors reads ten words and a question mark and says there "
    "which of two of the words came first (600 steps of Adam, batches of 32): the share of 1,000 "
    "new sentences it gets right; guessing gives .5",
    told_order,
    grids=[
        {
            "layers": [1, 2],
            "mask": [False, True],
            "width": [32],
            "initialisation": INITIALISATIONS,
        },
        {
            "layers": [1, 2],
            "mask": [False, True],
            "width": [16],
            "initialisation": ["xavier"],
        },
    ],
    labels={
        "layers": "layers",
        "mask": "only earlier words seen",
        "width": "width",
        "initialisation": "initialisation",
        "right": "share right",
    },
    margins={"right": 0.05},
    sample={
        "layers": [1],
        "mask": [False],
        "width": [16],
        "initialisation": ["xavier"],
    },
)

if __name__ == "__main__":
    SWEEP.main()
