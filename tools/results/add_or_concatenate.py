"""Let one attention layer learn a question of order, with positions added or put beside, lesson 3.

Run it as `python tools/results/add_or_concatenate.py`; it writes
tutor/data/results/add_or_concatenate.json.
"""

from typing import Any

import stored  # first: it makes the package importable
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from tutor.attention import MultiHeadAttention
from tutor.position import add_positions, concatenate_positions, sinusoidal_encoding

SEED, WORDS, LENGTH, D_MODEL, STEPS, BATCH = 3, 12, 10, 32, 600, 128
WAYS = ["no positions", "added", "put beside"]


class OrderModel(nn.Module):
    """Says from one layer of attention whether word 0 stands before word 1."""

    def __init__(self, way: str) -> None:
        super().__init__()
        self.way = way
        width = 2 * D_MODEL if way == "put beside" else D_MODEL
        self.table = nn.Embedding(WORDS, D_MODEL)
        self.attention = MultiHeadAttention(width, heads=2)
        self.decide = nn.Linear(width, 2)
        self.register_buffer("encoding", sinusoidal_encoding(LENGTH, D_MODEL))

    def forward(self, ids: Tensor) -> Tensor:
        """Give the scores of "after" and "before"."""
        x = self.table(ids)  # (B, T, D)
        if self.way == "added":
            x = add_positions(x, self.encoding)
        elif self.way == "put beside":
            x = concatenate_positions(x, self.encoding)  # (B, T, 2D)
        looked, _ = self.attention(x)
        return self.decide((x + looked).amax(1))


def random_sentences(generator: torch.Generator, count: int) -> tuple[Tensor, Tensor]:
    """Draw sentences that hold word 0 and word 1 once each, and whether 0 comes first."""
    ids = torch.randint(2, WORDS, (count, LENGTH), generator=generator)
    places = torch.rand(count, LENGTH, generator=generator).argsort(1)[:, :2]
    ids.scatter_(1, places, torch.tensor([0, 1]).expand(count, 2))
    return ids, (places[:, 0] < places[:, 1]).long()


def learn(way: str, steps: int, seed: int) -> dict[str, float]:
    """Train one model and test it on sentences it has not seen."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = OrderModel(way)
    optimiser = torch.optim.Adam(model.parameters(), lr=2e-3)
    for _ in range(steps):
        ids, first = random_sentences(generator, BATCH)
        loss = F.cross_entropy(model(ids), first)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    ids, first = random_sentences(generator, 4000)
    with torch.inference_mode():
        right = (model(ids).argmax(-1) == first).double().mean().item()
    return {"accuracy": right, "parameters": sum(p.numel() for p in model.parameters())}


def measure(reduced: bool) -> dict[str, Any]:
    """Give accuracy and size for each way, over three seeds."""
    steps, seeds = (3, [SEED]) if reduced else (STEPS, [SEED, SEED + 1, SEED + 2])
    learned = {way: [learn(way, steps, seed) for seed in seeds] for way in WAYS}
    return {
        "steps": steps,
        "seeds": seeds,
        "ways": WAYS,
        "accuracy": {way: [run["accuracy"] for run in runs] for way, runs in learned.items()},
        "parameters": [learned[way][0]["parameters"] for way in WAYS],
        "numbers per token": [D_MODEL, D_MODEL, 2 * D_MODEL],
    }


if __name__ == "__main__":
    stored.main(
        "add_or_concatenate",
        "one layer of attention (2 heads, width 32) learns to say which of two words comes first "
        "in a sentence of ten: accuracy on 4,000 new sentences, three seeds",
        SEED,
        measure,
    )
