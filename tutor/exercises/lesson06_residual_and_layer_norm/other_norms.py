"""Norms that people write where LN with eps 1e-5 is asked."""

from collections.abc import Callable

import torch
from torch import Tensor

Norm = Callable[[Tensor], Tensor]


def _with_eps(eps: float) -> Norm:
    return lambda x: torch.nn.functional.layer_norm(x, x.shape[-1:], eps=eps)


def eps_outside(x: Tensor) -> Tensor:
    """Add eps to the standard deviation rather than to the variance."""
    return (x - x.mean(-1, keepdim=True)) / (x.std(-1, correction=0, keepdim=True) + 1e-5)


def unbiased(x: Tensor) -> Tensor:
    """Divide by torch's default standard deviation, whose sum is divided by d - 1."""
    return (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True) + 1e-5).sqrt()


def not_centred(x: Tensor) -> Tensor:
    """Divide by the root of the mean square, without subtracting the mean."""
    return x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt()


OTHER_EPS: tuple[Norm, ...] = (
    eps_outside,
    *(_with_eps(eps) for eps in (1e-6, 1e-8, 1e-12, 0.0, 1e-3)),
)

ASK_EPS = (
    "On ordinary numbers you are right, or nearly so, but not where the stream is faint. How "
    "large is eps, and is it added to the variance or to its root?"
)
ASK_DIVISOR = (
    "Your rows are normalised to a mean square a little below 1. By what does torch's std divide "
    "if it is not told otherwise?"
)
ASK_CENTRE = "Your rows are divided, but their mean is not 0. What comes before the division?"
