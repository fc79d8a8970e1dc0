"""How a model is trained: the numbers of a training, and its learning rate (lesson 8)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Float, Shaped
from torch import Tensor

Schedule = Literal["noam", "constant", "no warm-up"]


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How a model is trained; the paper's way (section 5) at the size of a laptop.

    Attributes:
        steps: number of batches learned from.
        budget: tokens of a batch, padding included.
        warmup: steps in which the rate rises.
        scale: the rate is multiplied by it.
        schedule: "noam" is the paper's; "constant" stays at its peak, "no warm-up" starts there.
        smoothing: ε of the labels.
        average: the model kept is a running mean of the weights (this much of the old mean stays
            at each step), as the paper averages its last checkpoints; 0 keeps the last weights.
        seed: of batches and dropout.
    """

    steps: int
    budget: int = 512
    warmup: int = 500
    scale: float = 1.0
    schedule: Schedule = "noam"
    smoothing: float = 0.1
    average: float = 0.995
    seed: int = 0


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
            f"steps count from 1, d_model and warmup are at least 1: "
            f"smallest step {step.min():g}, d_model {d_model}, warmup {warmup}"
        )
    return d_model**-0.5 * torch.minimum(step**-0.5, step * warmup**-1.5)


def rate_at(step: int, recipe: Recipe, d_model: int) -> float:
    """Learning rate of a recipe at one step.

    Example:
        >>> recipe = Recipe(steps=100, warmup=10, schedule="no warm-up")
        >>> [round(rate_at(step, recipe, d_model=4), 3) for step in (1, 10, 40)]
        [0.158, 0.158, 0.079]
    """
    peak = recipe.warmup
    counted = {"noam": step, "constant": peak, "no warm-up": max(step, peak)}[recipe.schedule]
    return recipe.scale * noam_rate([counted], d_model, peak).item()
