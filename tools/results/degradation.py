"""Sweep how deep stacks begin and how well they learn, for lesson 6.

Run it as `python tools/results/degradation.py`; it writes tutor/data/results/degradation.json.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.nn.functional as F
from sweep import Sweep  # first: it makes the package importable
from torch import Tensor, nn

from tutor.layers import FeedForward
from tutor.training.initialisation import INITIALISATIONS, Initialisation, initialise

EXAMPLES, STEPS = 256, 300

Layer = Callable[[Tensor], Tensor]


def normed(x: Tensor) -> Tensor:
    """Normalise each row; a fresh layer norm does just this."""
    return F.layer_norm(x, x.shape[-1:])


WAYS: dict[str, Callable[[Tensor, Layer], Tensor]] = {
    "plain": lambda x, layer: layer(x),
    "norm": lambda x, layer: layer(normed(x)),
    "residual": lambda x, layer: x + layer(x),
    "post-norm": lambda x, layer: normed(x + layer(x)),
    "pre-norm": lambda x, layer: x + layer(normed(x)),
}


class Stack(nn.Module):
    """Feed-forward layers one after the other, and a linear layer that reads what comes out."""

    def __init__(self, way: str, depth: int, d_model: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(FeedForward(d_model, 2 * d_model) for _ in range(depth))
        self.read = nn.Linear(d_model, d_model)
        self.way = WAYS[way]

    def stream(self, x: Tensor) -> Tensor:
        """Run all layers but the last, linear one."""
        for layer in self.layers:
            x = self.way(x, layer)
        return x

    def forward(self, x: Tensor) -> Tensor:
        """Run all layers."""
        return self.read(self.stream(x))


def gradient_at_the_bottom(model: Stack, x: Tensor) -> float:
    """Give the size of what arrives below all layers of a gradient of length 1 above them."""
    x = x.clone().requires_grad_()
    top = model.stream(x)
    at_top = torch.randn_like(top)
    (gradient,) = torch.autograd.grad(top, x, at_top / at_top.norm())
    return gradient.norm().item()


def learned(
    way: str, depth: int, initialisation: Initialisation, rate: float, d_model: int, seed: int
) -> dict[str, float]:
    """Fit a fixed set of examples, a target that one layer can nearly reach, with Adam."""
    x = torch.randn(EXAMPLES, d_model)
    target = torch.tanh(x @ torch.randn(d_model, d_model) / 2)
    model = Stack(way, depth, d_model)
    initialise(model, initialisation)
    gradient = gradient_at_the_bottom(model, x)
    optimiser = torch.optim.Adam(model.parameters(), lr=rate)
    for _ in range(STEPS):
        loss = F.mse_loss(model(x), target)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    mean_error = (target - target.mean(dim=0)).square().mean()
    return {"gradient": gradient, "error": float(loss.detach() / mean_error)}


def grid(**axes: Sequence[Any]) -> dict[str, Sequence[Any]]:
    """Give a grid over all ways, depths and initialisations."""
    usual = {"way": list(WAYS), "depth": [2, 4, 8, 24], "initialisation": INITIALISATIONS}
    return usual | axes


SWEEP = Sweep(
    "degradation",
    "stacks of feed-forward layers, each twice as wide inside, with a linear layer at the end, "
    "fitted to 256 fixed examples in 300 steps of Adam: the mean squared error on these very "
    "examples, 1 for always giving their mean; and, before training, the size of the gradient "
    "below all layers of one of length 1 above them",
    learned,
    grids=[
        grid(rate=[1e-3, 3e-3], d_model=[16]),
        grid(rate=[1e-3], d_model=[32], initialisation=["xavier"]),
    ],
    labels={
        "way": "way",
        "depth": "layers",
        "initialisation": "initialisation",
        "rate": "learning rate",
        "d_model": "d_model",
        "gradient": "gradient at the bottom, before training",
        "error": "training error, 1 for the mean",
    },
    margins={"gradient": 0.05, "error": 0.03},
    sample={
        "way": ["plain", "pre-norm"],
        "depth": [2],
        "initialisation": ["xavier"],
        "rate": [3e-3],
    },
)

if __name__ == "__main__":
    SWEEP.main()
