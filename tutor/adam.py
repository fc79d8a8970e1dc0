"""Adam: torch's own steps, to the bit, without the compiler that torch brings with it (lesson 8).

`torch.optim` imports torch's compiler when an optimiser is made. A picture that trains for a second
would wait for another one, and its kernel hold 70 MB more.
"""

from collections.abc import Iterable

import torch
from torch import Tensor


class Adam:
    """Moves some weights against their gradients, each by about the same rate.

    Args:
        weights: what is learned.
        rate: of learning.
        betas: how much of their past the means of the gradients and of their squares keep.
        eps: added to the root of the second mean.

    Example:
        >>> weight = torch.tensor([1.0], requires_grad=True)
        >>> adam = Adam([weight], rate=0.1)
        >>> (3 * weight).sum().backward()
        >>> adam.step()
        >>> round(weight.item(), 3)
        0.9

    Source: Kingma and Ba 2015, algorithm 1.
    """

    def __init__(
        self,
        weights: Iterable[Tensor],
        rate: float,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
    ) -> None:
        self.weights, self.rate, self.betas, self.eps = [*weights], rate, betas, eps
        self._means = [torch.zeros_like(weight) for weight in self.weights]
        self._squares = [torch.zeros_like(weight) for weight in self.weights]
        self._steps = 0

    @torch.no_grad()
    def step(self) -> None:
        """Move by one step the weights that have a gradient."""
        self._steps += 1
        first, second = self.betas
        size = self.rate / (1 - first**self._steps)  # corrected for the start at 0
        root = (1 - second**self._steps) ** 0.5
        for weight, mean, square in zip(self.weights, self._means, self._squares, strict=True):
            if weight.grad is None:  # nothing depends on it
                continue
            mean.lerp_(weight.grad, 1 - first)
            square.mul_(second).addcmul_(weight.grad, weight.grad, value=1 - second)
            weight.addcdiv_(mean, (square.sqrt() / root).add_(self.eps), value=-size)

    def zero_grad(self) -> None:
        """Forget the gradients."""
        for weight in self.weights:
            weight.grad = None
