"""Lesson 4's picture of the scale: how sure untrained queries are, and what gradient is left."""

import math
from functools import cache
from typing import Any

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor

from tutor.attention import attend, dot_product_scores
from tutor.display.explorer import Explorer, Update, live
from tutor.display.lettering import typeset
from tutor.display.palette import INK, QUERY
from tutor.say import say

SIZES = [8, 64, 512]
_SETS, _QUERIES = 25, 8  # sets of keys, and queries that look at each
_LOWEST = 1e-8  # a gradient below it is drawn here
_TICKS = {
    _LOWEST: r"$\mathdefault{\leq 10^{-8}}$",
    **{10.0**n: rf"$\mathdefault{{10^{{{n}}}}}$" for n in (-6, -4, -2, 0, 2)},
}


def all_or_nothing() -> Explorer:
    """Show 200 untrained queries twice: their scores divided by √d_k, and not divided.

    Example:
        >>> all_or_nothing().caption
        'gradient before softmax, median: divided 0.88, not divided 9.3e-05'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        axes = fig.subplots(1, 2, sharex=True, sharey=True)
        clouds = [
            _Cloud(ax, title)
            for ax, title in zip(
                axes, (typeset(say("divided by √d_k")), say("not divided")), strict=True
            )
        ]
        axes[0].set_ylabel(say("gradient before softmax"))

        def update(keys: int, d_k: int) -> str:
            medians = [
                cloud.show(*untrained_queries(keys, d_k, divide))
                for cloud, divide in zip(clouds, (True, False), strict=True)
            ]
            return say(
                "gradient before softmax, median: divided {with_it:.2g}, not divided {without:.2g}",
                with_it=medians[0],
                without=medians[1],
            )

        return update

    return live(
        draw,
        alt=say(
            "Two panels of 200 queries as dots: farther right, the more of the weight one key "
            "has; higher up, the larger the gradient before softmax; a line at the median. "
            "Divided, the dots stay in one cloud at the top. Not divided, those of wide queries "
            "rush to the right edge and fall over many powers of ten."
        ),
        size=(8.0, 3.1),
        labels={"keys": say("keys"), "d_k": say("width d_k")},
        keys=(SIZES, 8),
        d_k=(SIZES, 512),
    )


class _Cloud:
    """One panel: a dot for each query, and the median of their gradients."""

    def __init__(self, ax: Axes, title: str) -> None:
        ax.set(xlim=(0, 1.02), ylim=(_LOWEST / 2, 200), yscale="log")
        ax.set(xlabel=say("largest weight of the query"))
        ax.set_yticks([*_TICKS], [*_TICKS.values()])
        ax.set_title(title)
        ax.grid(visible=True)
        (self._dots,) = ax.plot([], [], "o", color=QUERY, alpha=0.45, markersize=5)
        self._middle = ax.axhline(1.0, color=INK, linewidth=2, label=say("median"))
        ax.legend(loc="lower left")

    def show(self, largest: Tensor, gradients: Tensor) -> float:
        """Put the queries in their places, and return the median of their gradients."""
        self._dots.set_data(largest, gradients.clamp(min=_LOWEST))
        median = gradients.median().item()
        self._middle.set_ydata([max(median, _LOWEST)] * 2)
        return median


@cache
def untrained_queries(keys: int, d_k: int, divide: bool) -> tuple[Tensor, Tensor]:
    """Let queries look at random keys; give each one's largest weight and gradient, both (200,).

    Queries, keys, values and the gradient at the output hold independent normal numbers, in
    float64, so that what lies many powers of ten apart comes out alike everywhere. The gradient is
    that at the scores as softmax sees them: at the query, the division would be a factor of it.
    """
    rng = torch.Generator().manual_seed(4)
    with torch.inference_mode(False), torch.enable_grad():
        q, k, v, at_output = (
            torch.randn(_SETS, rows, width, generator=rng, dtype=torch.float64)
            for rows, width in ((_QUERIES, d_k), (keys, d_k), (keys, 8), (_QUERIES, 8))
        )
        scores = dot_product_scores(q, k)  # (sets, queries, keys)
        scores = (scores / math.sqrt(d_k) if divide else scores).requires_grad_()
        output, weights = attend(scores, v)
        (gradient,) = torch.autograd.grad(output, scores, at_output)
    return weights.detach().amax(dim=-1).flatten(), gradient.norm(dim=-1).flatten()
