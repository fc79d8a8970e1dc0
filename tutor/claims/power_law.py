"""A power law fitted to measurements: how a loss falls with size (lesson 8)."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

_FLOORS = 4000  # tried between 0 and the lowest loss


@dataclass(frozen=True)
class PowerLaw:
    """A loss that falls as a power of the size, towards a floor.

    Attributes:
        floor: what no size gets below.
        factor: what a model of size 1 would lose above the floor.
        exponent: how fast it falls.

    Example:
        >>> PowerLaw(floor=2.0, factor=8.0, exponent=0.5).at(16)
        4.0
    """

    floor: float
    factor: float
    exponent: float

    def at(self, size: float) -> float:
        """Give the loss at a size."""
        return self.floor + self.factor * size**-self.exponent


def fitted(sizes: Sequence[float], losses: Sequence[float], floor: bool = True) -> PowerLaw:
    """Fit a power law: for each floor a straight line through the logarithms, then the best floor.

    Args:
        sizes: of the models.
        losses: one for each.
        floor: look for one; else it is 0, and the law is a straight line on logarithmic axes.

    Example:
        >>> law = fitted([1, 10, 100, 1000], [3.0, 2.1, 2.01, 2.001])
        >>> round(law.floor, 2), round(law.exponent, 1)
        (2.0, 1.0)
    """
    x, loss = (torch.tensor(values, dtype=torch.float64) for values in (sizes, losses))
    x = x.log()
    floors = torch.arange(_FLOORS if floor else 1) * loss.min() / _FLOORS
    y = (loss - floors[:, None]).log()  # (floors, sizes)
    apart = x - x.mean()
    slopes = (apart * y).sum(1) / apart.square().sum()
    starts = y.mean(1) - slopes * x.mean()
    law = floors[:, None] + (starts[:, None] + slopes[:, None] * x).exp()  # (floors, sizes)
    best = (law - loss).square().sum(1).argmin()
    return PowerLaw(floors[best].item(), starts[best].exp().item(), -slopes[best].item())
