"""Sweep how far each layer remembers, for lesson 1: a company named in the first word.

Run it as `python tools/results/long_memory.py`; it writes tutor/data/results/long_memory.json.
A text begins with one of eight companies, goes on with `lag` other words drawn at random, none of
them a company, and ends with a question mark, at which the model says the company.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.nn.functional as F
from sweep import Sweep  # first: it makes the package importable
from torch import Tensor, nn

from tutor.embedding import TokenEmbedding
from tutor.multi_head import MultiHeadAttention
from tutor.position import SinusoidalPositions
from tutor.training.initialisation import INITIALISATIONS, Initialisation, initialise

COMPANIES, OTHERS = 8, 16
QUESTION = COMPANIES + OTHERS
BATCH = 64
LAGS = [10, 20, 40, 80]
BIASES = [0, 1, 3, 5]


class Attention(nn.Module):
    """One self-attention over words and positions, called as the recurrent networks are."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.positions = SinusoidalPositions(max(LAGS) + 2, width)
        self.attention = MultiHeadAttention(width, heads=1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor | None]:
        """Let every word look at all words."""
        return self.attention(self.positions(x))


class Rememberer(nn.Module):
    """Words in, one layer, and the company told from the layer's last output."""

    def __init__(self, layer: nn.Module, width: int) -> None:
        super().__init__()
        self.words = TokenEmbedding(QUESTION + 1, width)
        self.layer = layer
        self.answer = nn.Linear(width, COMPANIES)

    def forward(self, texts: Tensor) -> Tensor:
        """Score the companies for each text (B, T)."""
        outputs = self.layer(self.words(texts))[0]  # (B, T, D)
        return self.answer(outputs[:, -1])


LAYERS: dict[str, Callable[[int], nn.Module]] = {
    "RNN": lambda width: nn.RNN(width, width, batch_first=True),
    "GRU": lambda width: nn.GRU(width, width, batch_first=True),
    "LSTM": lambda width: nn.LSTM(width, width, batch_first=True),
    "attention": Attention,
}
GATE = {"GRU": 1, "LSTM": 1}  # which block of rows is the gate that keeps the state


@torch.no_grad()
def start_gate(layer: nn.RNNBase, block: int, bias: float) -> None:
    """Let the gate that keeps the state start with a bias: torch adds up two of them."""
    rows = slice(block * layer.hidden_size, (block + 1) * layer.hidden_size)
    layer.bias_ih_l0[rows], layer.bias_hh_l0[rows] = bias, 0.0


def fresh(model: str, bias: float, initialisation: Initialisation | str, width: int) -> Rememberer:
    """Make an untrained model."""
    made = Rememberer(LAYERS[model](width), width)
    if initialisation == "orthogonal":
        nn.init.orthogonal_(made.layer.weight_hh_l0)
    else:
        initialise(made, initialisation)
    if model in GATE:
        start_gate(made.layer, GATE[model], bias)
    return made


def texts(lag: int, count: int) -> Tensor:
    """Draw texts of length lag + 2."""
    company = torch.randint(COMPANIES, (count, 1))
    others = torch.randint(COMPANIES, QUESTION, (count, lag))
    return torch.cat([company, others, torch.full((count, 1), QUESTION)], dim=1)


def remembered(
    model: str,
    bias: float,
    lag: int,
    initialisation: str,
    rate: float,
    width: int,
    steps: int,
    seed: int,
) -> dict[str, float]:
    """Train on texts of one lag; fraction of 1,000 new texts whose company is told."""
    learner = fresh(model, bias, initialisation, width)
    optimiser = torch.optim.Adam(learner.parameters(), lr=rate)
    for _ in range(steps):
        batch = texts(lag, BATCH)
        loss = F.cross_entropy(learner(batch), batch[:, 0])
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(learner.parameters(), 1.0)
        optimiser.step()
    with torch.inference_mode():
        batch = texts(lag, 1000)
        return {"told": (learner(batch).argmax(-1) == batch[:, 0]).double().mean().item()}


def grid(**axes: Sequence[Any]) -> dict[str, Sequence[Any]]:
    """Give a grid with the lesson's own setting for every axis that is not named."""
    usual = {
        "model": ["LSTM"],
        "bias": [0],
        "lag": LAGS,
        "initialisation": ["default"],
        "rate": [3e-3],
        "width": [32],
        "steps": [400],
    }
    return usual | axes


SWEEP = Sweep(
    "long_memory",
    "each model is trained to name the company of a text's first word after so many other words, "
    "on texts of that length alone (Adam, gradients clipped at norm 1): the share of 1,000 new "
    "texts whose company it names; guessing gives .125",
    remembered,
    grids=[
        grid(bias=BIASES, initialisation=INITIALISATIONS),
        grid(bias=BIASES, rate=[1e-2]),
        grid(bias=BIASES, width=[64]),
        grid(bias=[0, 1], lag=[20, 40], steps=[2000]),
        grid(model=["RNN"], initialisation=["default", "orthogonal"]),
        grid(model=["GRU"], bias=[0, 3]),
        grid(model=["attention"], initialisation=INITIALISATIONS),
    ],
    labels={
        "model": "model",
        "bias": "gate starts at",
        "lag": "words in between",
        "initialisation": "initialisation",
        "rate": "learning rate",
        "width": "width",
        "steps": "steps of training",
        "told": "share named",
    },
    margins={"told": 0.1},
    sample={
        "model": ["LSTM"],
        "bias": [1],
        "lag": [10],
        "initialisation": ["default"],
        "steps": [400],
        "width": [32],
    },
)

if __name__ == "__main__":
    SWEEP.main()
