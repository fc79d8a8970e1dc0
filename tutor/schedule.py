"""The learning rate of the paper: up in a straight line, then down (lesson 8)."""

from collections.abc import Sequence

import torch
from jaxtyping import Float, Shaped
from torch import Tensor

from tutor.say import say


def noam_rate(
    steps: Sequence[float] | Shaped[Tensor, " n"], d_model: int, warmup: int
) -> Float[Tensor, " n"]:
    """Learning rate at each step: up in a straight line, then down as 1/√step.

    Args:
        steps: from 1.
        d_model: a wider model learns more slowly.
        warmup: the step at which the rate is highest.

    Example:
        >>> noam_rate([1000, 4000, 16000], d_model=512, warmup=4000) * 1e4
        tensor([1.7469, 6.9877, 3.4939])

    Raises:
        ValueError: for a step, d_model or warmup below 1.

    Source: "Attention Is All You Need", equation 3.
    """
    step = torch.as_tensor(steps)
    if not step.is_floating_point():
        step = step.to(torch.get_default_dtype())
    if d_model < 1 or warmup < 1 or (step < 1).any():
        raise ValueError(
            say(
                "steps count from 1, d_model and warmup are at least 1: smallest step "
                "{smallest:g}, d_model {d_model}, warmup {warmup}",
                smallest=step.min(),
                d_model=d_model,
                warmup=warmup,
            )
        )
    return d_model**-0.5 * torch.minimum(step**-0.5, step * warmup**-1.5)
