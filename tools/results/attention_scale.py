"""Sweep what the division by √d_k does to a fresh attention, for lesson 4.

Run it as `python tools/results/attention_scale.py`; it writes
tutor/data/results/attention_scale.json.
"""

import math

import torch
from sweep import Sweep  # first: it makes the package importable
from torch import nn

from tutor.attention import attend, dot_product_scores
from tutor.training.initialisation import INITIALISATIONS, Initialisation, initialise

D_MODEL, QUERIES = 512, 400


def fresh_attention(
    keys: int, d_k: int, scale: bool, initialisation: Initialisation, seed: int
) -> dict[str, float]:
    """Let queries look at random keys through fresh matrices; each query has keys of its own.

    Tokens hold independent normal numbers, as a layer norm leaves them. The head is the first of
    d_model / d_k heads, so its matrices are drawn as those of the whole projection.
    """
    W_q, W_k = (
        initialise(nn.Linear(D_MODEL, D_MODEL), initialisation).weight[:d_k].detach()
        for _ in range(2)
    )
    asking, asked = torch.randn(QUERIES, 1, D_MODEL), torch.randn(QUERIES, keys, D_MODEL)
    scores = dot_product_scores(asking @ W_q.T, asked @ W_k.T)  # (queries, 1, keys)
    if scale:
        scores = scores / math.sqrt(d_k)
    scores.requires_grad_()  # what softmax sees: behind it, the scale would be a factor of its own
    values, at_output = torch.randn(QUERIES, keys, 8), torch.randn(QUERIES, 1, 8)
    output, weights = attend(scores, values)
    (gradient,) = torch.autograd.grad(output, scores, at_output)
    sizes = gradient.norm(dim=-1)[:, 0]
    return {
        "spread": scores.std().item(),
        "hard": (weights.amax(dim=-1) > 0.9).double().mean().item(),
        "median gradient": sizes.median().item(),
        "mean gradient": sizes.mean().item(),
    }


SWEEP = Sweep(
    "attention_scale",
    "one attention with fresh weights (d_model 512): how the scores of a query spread over its "
    "keys, how many of 400 queries give more than .9 of their weight to one key, and the size of "
    "the gradient that reaches a query's scores from random gradients at the output",
    fresh_attention,
    grids=[
        {
            "keys": [8, 64, 512],
            "d_k": [8, 64, 512],
            "scale": [True, False],
            "initialisation": INITIALISATIONS,
        }
    ],
    labels={
        "keys": "keys",
        "d_k": "d_k",
        "scale": "divided by √d_k",
        "initialisation": "initialisation",
        "spread": "spread of the scores",
        "hard": "share of queries with more than .9 of their weight on one key",
        "median gradient": "gradient at the scores, median",
        "mean gradient": "gradient at the scores, mean",
    },
    margins={"spread": 0.3, "hard": 0.05, "median gradient": 0.1, "mean gradient": 0.3},
    sample={"keys": [8], "initialisation": ["xavier"], "d_k": [64, 512]},
)

if __name__ == "__main__":
    SWEEP.main()
