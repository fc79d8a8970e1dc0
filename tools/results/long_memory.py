"""Test how long each layer remembers, for lesson 1: a company named in the first word.

Run it as `python tools/results/long_memory.py`; it writes tutor/data/results/long_memory.json.
A text begins with one of eight companies, goes on with `lag` other words drawn at random, and ends
with a question mark, at which the model says the company.
"""

from typing import Any

import stored  # first: it makes the package importable
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from tutor.attention import MultiHeadAttention
from tutor.embedding import TokenEmbedding
from tutor.position import SinusoidalPositions
from tutor.rnn import LSTM, RNN

COMPANIES, OTHERS = 8, 16
QUESTION = COMPANIES + OTHERS
WIDTH, BATCH, STEPS, RATE = 32, 64, 400, 3e-3
LAGS = [1, 3, 10, 20, 40, 80]
SEEDS = [0, 1, 2]


class Attention(nn.Module):
    """One self-attention over words and positions, called as the recurrent networks are."""

    def __init__(self) -> None:
        super().__init__()
        self.positions = SinusoidalPositions(max(LAGS) + 2, WIDTH)
        self.attention = MultiHeadAttention(WIDTH, heads=1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor | None]:
        """Let every word look at all words."""
        return self.attention(self.positions(x))


class Rememberer(nn.Module):
    """Words in, one layer, and the company told from the layer's last output."""

    def __init__(self, layer: nn.Module) -> None:
        super().__init__()
        self.words = TokenEmbedding(QUESTION + 1, WIDTH)
        self.layer = layer
        self.answer = nn.Linear(WIDTH, COMPANIES)

    def forward(self, texts: Tensor) -> Tensor:
        """Score the companies for each text (B, T)."""
        outputs = self.layer(self.words(texts))[0]  # (B, T, D)
        return self.answer(outputs[:, -1])


LAYERS = {
    "RNN": lambda: RNN(WIDTH, WIDTH),
    "LSTM": lambda: LSTM(WIDTH, WIDTH),
    "attention": Attention,
}


def texts(lag: int, count: int) -> Tensor:
    """Draw texts of length lag + 2."""
    company = torch.randint(COMPANIES, (count, 1))
    others = torch.randint(COMPANIES, QUESTION, (count, lag))
    return torch.cat([company, others, torch.full((count, 1), QUESTION)], dim=1)


def remembered(name: str, lag: int, seed: int, steps: int) -> float:
    """Train on texts of one lag; fraction of 1,000 new texts whose company is told."""
    torch.manual_seed(seed)
    model = Rememberer(LAYERS[name]())
    optimiser = torch.optim.Adam(model.parameters(), lr=RATE)
    for _ in range(steps):
        batch = texts(lag, BATCH)
        loss = F.cross_entropy(model(batch), batch[:, 0])
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
    with torch.inference_mode():
        batch = texts(lag, 1000)
        return (model(batch).argmax(-1) == batch[:, 0]).double().mean().item()


def measure(reduced: bool) -> dict[str, Any]:
    """Train every layer at every lag with every seed."""
    lags, seeds, steps = ([1, 10], [0], 60) if reduced else (LAGS, SEEDS, STEPS)
    told = {
        name: [
            stored.spread([remembered(name, lag, seed, steps) for seed in seeds]) for lag in lags
        ]
        for name in LAYERS
    }
    return {
        "lags": lags,
        "steps": steps,
        "width": WIDTH,
        "chance": 1 / COMPANIES,
        "accuracy": told,
    }


if __name__ == "__main__":
    stored.main(
        "long_memory",
        "accuracy of naming the first word's company after so many other words; each layer "
        "trained on that lag alone, Adam, gradients clipped at norm 1; mean and range of seeds",
        SEEDS,
        measure,
    )
