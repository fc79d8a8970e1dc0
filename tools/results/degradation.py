"""Train stacks of growing depth, with and without residual connections, for lesson 6.

Run it as `python tools/results/degradation.py`; it writes tutor/data/results/degradation.json.
"""

from typing import Any

import stored  # first: it makes the package importable
import torch
from torch import Tensor, nn

from tutor.layers import FeedForward

SEED, D_MODEL, D_FF, EXAMPLES, STEPS, RATE = 6, 16, 32, 256, 1000, 1e-3
DEPTHS = [1, 2, 4, 8, 16, 32]


class Stack(nn.Module):
    """Feed-forward layers one after the other, each with a residual connection or without."""

    def __init__(self, depth: int, residual: bool) -> None:
        super().__init__()
        self.layers = nn.ModuleList(FeedForward(D_MODEL, D_FF) for _ in range(depth))
        self.residual = residual

    def forward(self, x: Tensor) -> Tensor:
        """Run all layers."""
        for layer in self.layers:
            x = x + layer(x) if self.residual else layer(x)
        return x


def training_error(depth: int, residual: bool, steps: int) -> float:
    """Fit a fixed set of examples and give the mean squared error on these very examples."""
    torch.manual_seed(SEED)
    x = torch.randn(EXAMPLES, D_MODEL)
    target = torch.tanh(x @ torch.randn(D_MODEL, D_MODEL) / 2)  # what one layer can nearly do
    model = Stack(depth, residual)
    optimiser = torch.optim.Adam(model.parameters(), lr=RATE)
    for _ in range(steps):
        loss = (model(x) - target).square().mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return float(loss.detach())


def measure(reduced: bool) -> dict[str, Any]:
    """Give the error on the training examples by depth, without and with residuals."""
    depths, steps = (DEPTHS[:2], 3) if reduced else (DEPTHS, STEPS)
    return {
        "depths": depths,
        "steps": steps,
        "examples": EXAMPLES,
        "plain": [training_error(depth, False, steps) for depth in depths],
        "residual": [training_error(depth, True, steps) for depth in depths],
    }


if __name__ == "__main__":
    stored.main(
        "degradation",
        "stacks of feed-forward layers (d_model 16, d_ff 32) fitted to 256 fixed examples with "
        "Adam at rate 0.001: mean squared error on these examples after the last step",
        SEED,
        measure,
    )
