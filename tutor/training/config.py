"""How a model is trained: the numbers of a training, and its learning rate (lesson 8)."""

from dataclasses import dataclass
from typing import Literal

from tutor.schedule import noam_rate

Schedule = Literal["noam", "constant", "no warm-up"]


@dataclass(frozen=True, kw_only=True)
class TrainingConfig:
    """How a model is trained; the paper's way (section 5) at the size of a laptop.

    Attributes:
        steps: number of batches learned from.
        max_tokens: tokens of a batch, padding included.
        warmup: steps in which the rate rises.
        scale: the rate is multiplied by it.
        schedule: "noam" is the paper's; "constant" stays at its peak, "no warm-up" starts there.
        smoothing: ε of the labels.
        average: the model kept is a running mean of the weights (this much of the old mean stays
            at each step), as the paper averages its last checkpoints; 0 keeps the last weights.
        seed: of batches and dropout.
    """

    steps: int
    max_tokens: int = 512
    warmup: int = 500
    scale: float = 1.0
    schedule: Schedule = "noam"
    smoothing: float = 0.1
    average: float = 0.995
    seed: int = 0


def rate_at(step: int, config: TrainingConfig, d_model: int) -> float:
    """Learning rate of a config at one step.

    Example:
        >>> config = TrainingConfig(steps=100, warmup=10, schedule="no warm-up")
        >>> [round(rate_at(step, config, d_model=4), 3) for step in (1, 10, 40)]
        [0.158, 0.158, 0.079]
    """
    peak = config.warmup
    counted = {"noam": step, "constant": peak, "no warm-up": max(step, peak)}[config.schedule]
    return config.scale * noam_rate([counted], d_model, peak).item()
