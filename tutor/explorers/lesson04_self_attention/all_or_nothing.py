"""Lesson 4's picture of the scale: how hard fresh queries look, and what gradient reaches them."""

import math
from functools import cache
from typing import Any

import torch
from matplotlib.figure import Figure
from torch import Tensor

from tutor.attention import attend, dot_product_scores
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, INK, QUERY
from tutor.say import say

SIZES = [8, 64, 512]
_SETS, _QUERIES = 25, 8  # sets of keys, and queries that look at each
_LOWEST = 1e-8  # a gradient below it is drawn here


def all_or_nothing() -> Explorer:
    """Show 200 fresh queries: the largest weight of each, and the gradient that reaches it.

    Example:
        >>> all_or_nothing().frame(divide=False).caption
        'queries with more than .9 on one key: 82%; gradient: median 0.0021, mean 3.8'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        ax.set(xlim=(0, 1.02), ylim=(_LOWEST / 2, 200), yscale="log")
        ax.set(xlabel="largest weight of the query", ylabel="gradient at the query")
        ax.grid(visible=True)
        ax.axvline(0.9, color=INK, linewidth=0.8, linestyle=":")
        (dots,) = ax.plot([], [], "o", color=QUERY, alpha=0.45, markersize=5)
        middle = ax.axhline(1.0, color=INK, linewidth=2, label="median")
        mean = ax.axhline(1.0, color=HIGHLIGHT, linewidth=2, linestyle="--", label="mean")
        ax.legend(loc="lower left")

        def update(keys: int, d_k: int, divide: bool) -> str:
            largest, gradients = fresh_queries(keys, d_k, divide)
            dots.set_data(largest, gradients.clamp(min=_LOWEST))
            halfway, average = gradients.median().item(), gradients.mean().item()
            middle.set_ydata([halfway, halfway])
            mean.set_ydata([average, average])
            return say(
                "queries with more than .9 on one key: {hard:.0%}; gradient: median {median:.2g}, "
                "mean {mean:.2g}",
                hard=(largest > 0.9).double().mean().item(),
                median=halfway,
                mean=average,
            )

        return update

    return live(
        draw,
        alt=(
            "200 queries as dots: to the right those that give most of their weight to one key, "
            "higher up those that a larger gradient reaches. Undivided, wide queries rush to the "
            "right edge and spread over many powers of ten; divided, they stay in one cloud."
        ),
        size=(8.0, 2.8),
        labels={"divide": "divide by √d_k"},
        keys=(SIZES, 8),
        d_k=(SIZES, 512),
        divide=True,
    )


@cache
def fresh_queries(keys: int, d_k: int, divide: bool) -> tuple[Tensor, Tensor]:
    """Let queries look at random keys; give each one's largest weight and gradient, both (200,).

    Queries, keys, values and the gradient at the output hold independent normal numbers, in
    float64, so that what lies many powers of ten apart comes out alike everywhere.
    """
    rng = torch.Generator().manual_seed(4)
    with torch.inference_mode(False), torch.enable_grad():
        q, k, v, at_output = (
            torch.randn(_SETS, rows, width, generator=rng, dtype=torch.float64)
            for rows, width in ((_QUERIES, d_k), (keys, d_k), (keys, 8), (_QUERIES, 8))
        )
        q.requires_grad_()
        scores = dot_product_scores(q, k)  # (sets, queries, keys)
        output, weights = attend(scores / math.sqrt(d_k) if divide else scores, v)
        (gradient,) = torch.autograd.grad(output, q, at_output)
    return weights.detach().amax(dim=-1).flatten(), gradient.norm(dim=-1).flatten()
