"""Inputs whose scores lie about ±1000 and ±40, exact in float32 in whatever order one computes.

Softmax sees differences only, so each row has an ordinary answer; what overflows on the way, or
takes −100 for minus infinity, does not find it.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from tutor.checking.seeds import Rng

# What a statement promises of scores that it hands out as the first argument.
SCORES: dict[str, Callable[..., bool]] = {
    "a row of scores above 1000": lambda scores, *_: bool((scores > 1000).all(-1).any()),
    "a row of scores below -1000": lambda scores, *_: bool((scores < -1000).all(-1).any()),
    "a row of scores above 30": lambda scores, *_: _between(scores, 30, 1000),
    "a row of scores below -30": lambda scores, *_: _between(-scores, 30, 1000),
}


def _between(scores: Tensor, low: float, high: float) -> bool:
    return bool(((scores > low) & (scores < high)).all(-1).any())


LEVELS = (1024.0, -1024.0, 40.0, -40.0)
D_K = 16  # its root and the root of that are whole numbers, so that any way of scaling is exact
_KEY = 64.0  # the first feature of every key; a query's first feature sets the level of its row


def levels(*shape: int) -> Tensor:
    """Give each row one of the levels, in turn.

    Example:
        >>> levels(1, 3)
        tensor([[ 1024., -1024.,    40.]])
    """
    count = torch.Size(shape).numel()
    return torch.tensor([LEVELS[row % len(LEVELS)] for row in range(count)]).view(shape)


def queries_and_keys(rng: Rng, *batch: int, queries: int, keys: int) -> tuple[Tensor, Tensor]:
    """Draw q (*batch, queries, D_K) and k (*batch, keys, D_K) with a level for each query.

    Example:
        >>> q, k = queries_and_keys(Rng(0), 1, queries=2, keys=3)
        >>> ((q @ k.mT / 4).mean(-1) / 1024).round().tolist()
        [[1.0, -1.0]]
    """
    q, k = rng.quarters(*batch, queries, D_K), rng.quarters(*batch, keys, D_K)
    q[..., 0] = levels(*batch, queries) * D_K**0.5 / _KEY
    k[..., 0] = _KEY
    return q, k


def tokens_and_matrices(rng: Rng, batch: int, time: int) -> tuple[Tensor, Tensor, Tensor]:
    """Draw tokens (batch, time, D_K + 1) that look at each other at all levels, W_q and W_k.

    Used as x W_q and x W_k, both (D_K + 1, D_K). The last feature is 1 for every token.

    Example:
        >>> x, W_q, W_k = tokens_and_matrices(Rng(0), 1, 4)
        >>> scores = x @ W_q @ (x @ W_k).mT / 4
        >>> (scores.mean(-1) / 40).round().tolist()
        [[26.0, -26.0, 1.0, -1.0]]
    """
    x = torch.cat([rng.quarters(batch, time, D_K), torch.ones(batch, time, 1)], dim=-1)
    x[..., 0] = levels(batch, time) * D_K**0.5 / _KEY
    W_q = torch.eye(D_K + 1, D_K)
    W_k = torch.eye(D_K + 1, D_K)
    W_k[0, 0], W_k[D_K, 0] = 0.0, _KEY
    return x, W_q, W_k
