"""Digits lost far from 0: what a norm makes of numbers around 3,000."""

import torch
from torch import Tensor

from tutor.say import say

FAR_FROM_ZERO = 3000 + torch.tensor([0.2, 1.3, -1.5, 3.1, -2.3, 2.1])
"""Numbers whose mean is thousands of times their spread."""

MOST = 0.01  # by which a result may be off that has kept its digits


def lost_digits(given: Tensor, right: Tensor) -> str | None:
    """Say how far a norm is off around 3,000, if that is more than rounding explains.

    Example:
        >>> lost_digits(torch.tensor([1.0, -1.0]), torch.tensor([1.001, -1.001])) is None
        True
    """
    off = (given - right).abs().max().item()
    if off <= MOST:
        return None
    return say(
        "At a mean of 3,000 and a spread of 2 it loses its digits: it is off by {off}. Is the mean "
        "taken off before the squaring, or its square afterwards?",
        off=f"{off:.2f}",
    )
