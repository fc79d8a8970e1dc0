"""Train deep stacks whose inputs move while they learn, or hold still, for lesson 6.

Run it as `python tools/results/covariate_shift.py`; it writes
tutor/data/results/covariate_shift.json. Such a training is chaotic: a last digit that another
processor rounds otherwise changes the error it ends with. So what counts is the range of seeds.
"""

import math
from statistics import median
from typing import Any

import stored  # first: it makes the package importable
import torch
import torch.nn.functional as F
from torch import Tensor

SEEDS = list(range(12))
EXAMPLES, FEATURES, LAYERS, STEPS = 64, 32, 16, 60
RATES = [0.03, 0.1, 0.3, 1.0]
# Name -> is there a norm, are there shifts after it, how large do the weights start (times 1/√32).
WAYS: dict[str, tuple[bool, bool, float]] = {
    "no norm": (False, False, 1.0),
    "no norm, larger start": (False, False, math.sqrt(2)),  # He et al. (2015), for ReLU
    "batch norm": (True, False, 1.0),
    "batch norm, then shifts": (True, True, 1.0),
}


def shifted(h: Tensor) -> Tensor:
    """Stretch and move each feature anew, as Santurkar et al. (2018) did after batch norm."""
    return h * (1 + torch.rand(FEATURES) / 4) + torch.rand(FEATURES) - 0.5


def forward(x: Tensor, weights: Tensor, norm: bool, shifts: bool) -> tuple[Tensor, Tensor]:
    """Run the stack; also give the mean of each layer's inputs, in standard deviations."""
    h, means = x, []
    for layer in weights[:LAYERS]:
        h = h @ layer  # (examples, features)
        if norm:
            h = (h - h.mean(dim=0)) / (h.var(dim=0, correction=0) + 1e-5).sqrt()
        if shifts:
            h = shifted(h)
        means.append((h.mean(dim=0) / h.std(dim=0)).detach())
        h = h.relu()
    return h @ weights[LAYERS, :, :1], torch.stack(means)


def trained(way: str, rate: float, seed: int, steps: int) -> tuple[float, float]:
    """Learn on which side of a plane points lie; the last error, and how far means move a step."""
    norm, shifts, size = WAYS[way]
    torch.manual_seed(seed)
    x = torch.randn(EXAMPLES, FEATURES).double()
    answer = (x @ torch.randn(FEATURES, 1).double()).sign()
    weights = torch.randn(LAYERS + 1, FEATURES, FEATURES).double() * size / FEATURES**0.5
    weights.requires_grad_()
    before, moves = None, []
    for _ in range(steps):
        found, means = forward(x, weights, norm, shifts)
        loss = F.soft_margin_loss(found, answer)
        weights.data -= rate * torch.autograd.grad(loss, weights)[0]
        if before is not None:
            moves.append(float((means - before).abs().mean()))
        before = means
    return float(loss.detach()), sum(moves) / len(moves)


def outcome(way: str, rate: float, seeds: list[int], steps: int) -> dict[str, Any]:
    """Train with every seed; None stands for an error that is no number any more."""
    runs = [trained(way, rate, seed, steps) for seed in seeds]
    finite = [(round(error, 4), move) for error, move in runs if math.isfinite(error)]
    return {
        "errors": [round(error, 4) if math.isfinite(error) else None for error, _ in runs],
        "means move by": round(median(move for _, move in finite), 3) if finite else None,
    }


def measure(reduced: bool) -> dict[str, Any]:
    """Give the errors of all seeds for each way and rate."""
    seeds, steps = (SEEDS[:1], 3) if reduced else (SEEDS, STEPS)
    return {
        "layers": LAYERS,
        "steps": steps,
        "guessing": round(math.log(2), 4),
        "ways": {
            way: {str(rate): outcome(way, rate, seeds, steps) for rate in RATES} for way in WAYS
        },
    }


if __name__ == "__main__":
    stored.main(
        "covariate_shift",
        "stacks of 16 linear layers with ReLU (32 features) that learn in 60 steps of gradient "
        "descent on which side of a plane 64 points lie: the last error for each way, step size "
        "and seed, and by how many standard deviations the mean of a layer's input moves in a step",
        SEEDS,
        measure,
    )
