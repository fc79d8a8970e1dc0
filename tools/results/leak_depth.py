"""Sweep how far a mask that is off by one leaks through a stack, for lesson 7.

Run it as `python tools/results/leak_depth.py`; it writes tutor/data/results/leak_depth.json.
"""

import torch
from sweep import Sweep  # first: it makes the package importable
from torch import Tensor, nn
from torch.autograd.functional import jacobian

from tutor.attention import scaled_dot_product_attention
from tutor.training.initialisation import INITIALISATIONS, Initialisation, initialise

POSITIONS = 8


def leak(
    diagonal: int, layers: int, width: int, initialisation: Initialisation, seed: int
) -> dict[str, float]:
    """Differentiate a stack of masked attentions; how far ahead its outputs see."""
    keep = torch.ones(POSITIONS, POSITIONS, dtype=torch.bool).tril(diagonal)
    projections = [
        initialise(nn.Linear(width, 3 * width), initialisation).double() for _ in range(layers)
    ]

    def stack(x: Tensor) -> Tensor:
        for to_qkv in projections:
            x = x + scaled_dot_product_attention(*to_qkv(x).chunk(3, dim=-1), keep)[0]
        return x

    changes = jacobian(stack, torch.randn(POSITIONS, width, dtype=torch.float64))
    sizes = changes.norm(dim=(1, 3))  # (T, D, T, D) -> (T, T): output by input
    ahead = [key - query for query, key in sizes.nonzero().tolist()]
    return {"ahead": max(ahead), "largest": sizes.triu(1).max().item()}


SWEEP = Sweep(
    "leak_depth",
    "a stack of masked attentions with residuals over 8 random tokens; query t may look up to key "
    "t + diagonal: how many places ahead some output has a derivative that is not 0",
    leak,
    grids=[
        {
            "diagonal": [-1, 0, 1, 2],
            "layers": [1, 2, 3, 4],
            "width": [4, 16],
            "initialisation": INITIALISATIONS,
        }
    ],
    labels={
        "diagonal": "diagonal of the mask",
        "layers": "layers",
        "width": "d_model",
        "initialisation": "initialisation",
        "ahead": "places seen ahead",
        "largest": "largest derivative by the future",
    },
    margins={"ahead": 0.5, "largest": 0.01},
    sample={"width": [4], "initialisation": ["xavier"], "layers": [1, 4]},
)

if __name__ == "__main__":
    SWEEP.main()
