"""Train stacks of growing depth, plain, with norms, and with residual connections, for lesson 6.

Run it as `python tools/results/degradation.py`; it writes tutor/data/results/degradation.json.
"""

from typing import Any

import stored  # first: it makes the package importable
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from tutor.layers import FeedForward

SEED, D_MODEL, D_FF, EXAMPLES, STEPS, RATE = 6, 16, 32, 256, 1000, 1e-3
DEPTHS = [1, 2, 4, 8, 16, 32]


class Stack(nn.Module):
    """Feed-forward layers one after the other: "plain", with a "norm", or with a "residual".

    A norm stands before each layer and not after it, so that what comes out may be of any size.
    """

    def __init__(self, depth: int, way: str) -> None:
        super().__init__()
        self.layers = nn.ModuleList(FeedForward(D_MODEL, D_FF) for _ in range(depth))
        self.way = way

    def forward(self, x: Tensor) -> Tensor:
        """Run all layers."""
        for layer in self.layers:
            found = layer(F.layer_norm(x, (D_MODEL,)) if self.way == "norm" else x)
            x = x + found if self.way == "residual" else found
        return x


def examples() -> tuple[Tensor, Tensor]:
    """Draw what is learned: rows, and a target that one layer can nearly reach."""
    x = torch.randn(EXAMPLES, D_MODEL)
    return x, torch.tanh(x @ torch.randn(D_MODEL, D_MODEL) / 2)


def error_of_the_mean() -> float:
    """Give the error of a model that knows only each feature's mean."""
    torch.manual_seed(SEED)
    target = examples()[1]
    return float((target - target.mean(dim=0)).square().mean())


def training_error(depth: int, way: str, steps: int) -> float:
    """Fit a fixed set of examples and give the mean squared error on these very examples."""
    torch.manual_seed(SEED)
    x, target = examples()
    model = Stack(depth, way)
    optimiser = torch.optim.Adam(model.parameters(), lr=RATE)
    for _ in range(steps):
        loss = (model(x) - target).square().mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return float(loss.detach())


def measure(reduced: bool) -> dict[str, Any]:
    """Give the error on the training examples by depth, for each way to build the stack."""
    depths, steps = (DEPTHS[:2], 3) if reduced else (DEPTHS, STEPS)
    errors = {
        way: [training_error(depth, way, steps) for depth in depths]
        for way in ("plain", "norm", "residual")
    }
    return {
        "depths": depths,
        "steps": steps,
        "examples": EXAMPLES,
        "always the mean": error_of_the_mean(),
        **errors,
    }


if __name__ == "__main__":
    stored.main(
        "degradation",
        "stacks of feed-forward layers (d_model 16, d_ff 32) fitted to 256 fixed examples with "
        "Adam at rate 0.001: mean squared error on these examples after the last step",
        SEED,
        measure,
    )
