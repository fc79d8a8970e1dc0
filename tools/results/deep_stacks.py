"""Sweep what deep stacks do to sizes, gradients and tokens before any training, for lesson 6.

Run it as `python tools/results/deep_stacks.py`; it writes tutor/data/results/deep_stacks.json.
"""

import math
from collections.abc import Sequence
from typing import Any

from sweep import Sweep  # first: it makes the package importable

from tutor.training.fresh_stacks import (
    FIRST_WEIGHTS,
    INSIDES,
    NORMS,
    FirstWeights,
    Inside,
    Norm,
    fresh_stack,
)

OVERFLOW = 1e30  # what a number counts as that is larger, or too large for the machine


def measured(
    residual: bool,
    norm: Norm,
    inside: Inside,
    initialisation: FirstWeights,
    layers: int,
    d_model: int,
    seed: int,
) -> dict[str, float]:
    """Run tokens up through a fresh stack and a gradient down."""
    stack = fresh_stack(
        residual, norm, layers, initialisation, d_model=d_model, inside=inside, seed=seed
    )
    gradient = stack.gradients[0]
    return {
        "size": stack.sizes[-1],
        "gradient": min(gradient, OVERFLOW) if math.isfinite(gradient) else OVERFLOW,
        "alike": stack.alike[-1],
    }


def grid(**axes: Sequence[Any]) -> dict[str, Sequence[Any]]:
    """Give a grid over all ways to stack and all first weights."""
    usual = {
        "residual": [False, True],
        "norm": NORMS,
        "inside": ["feed-forward"],
        "initialisation": FIRST_WEIGHTS,
        "layers": [8, 32],
        "d_model": [32],
    }
    return usual | axes


SWEEP = Sweep(
    "deep_stacks",
    "16 random tokens go up through a stack of fresh layers, feed-forward layers twice as wide "
    "inside, self-attention of four heads, or both in turn, and a gradient of length 1 goes down: "
    "the size of the stream at the top, 1 at the bottom; the gradient at the bottom; and the mean "
    "cosine of two different tokens at the top",
    measured,
    grids=[grid(inside=INSIDES), grid(d_model=[128])],
    labels={
        "residual": "residual",
        "norm": "norm",
        "inside": "layers are",
        "initialisation": "initialisation",
        "layers": "layers",
        "d_model": "d_model",
        "size": "size of the stream at the top, 1 at the bottom",
        "gradient": "gradient at the bottom, 1 at the top",
        "alike": "mean cosine of two tokens at the top",
    },
    margins={"size": 0.02, "gradient": 0.02, "alike": 0.01},
    sample={
        "residual": [True],
        "norm": ["before"],
        "inside": ["feed-forward"],
        "initialisation": ["kept"],
        "layers": [8],
    },
)

if __name__ == "__main__":
    SWEEP.main()
