"""How far an answer may be off: same structure, shape and kind of dtype, and close numbers."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from tutor.checking.values import Canonical, parts, structure

SMALLEST_SCALE = 1e-3  # below this size of the expected numbers, the tolerance stops shrinking


def tolerance(expected: Tensor, given: Tensor, absolute: float | None = None) -> float:
    """Give the largest difference that still counts as equal.

    Relative to the largest expected number: 1e-4 in float32, 1e-8 where both are float64.
    """
    if absolute is not None:
        return absolute
    both_double = expected.dtype == given.dtype == torch.float64
    wide = expected.double()  # some narrow dtypes can do nothing but be converted
    finite = wide[torch.isfinite(wide)]
    size = finite.abs().max().item() if finite.numel() else 0.0
    return (1e-8 if both_double else 1e-4) * max(size, SMALLEST_SCALE)


@dataclass(frozen=True)
class Difference:
    """Where two results part: the path of the tensor, the first differing cell, both tensors."""

    path: str
    index: tuple[int, ...]
    expected: Tensor
    given: Tensor


def first_difference(
    expected: Canonical, given: Canonical, absolute: float | None = None
) -> Difference | None:
    """Find the first cell in which two results of equal structure differ.

    Example:
        >>> first_difference(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 3.0])).index
        (1,)
    """
    for (path, wanted), (_, got) in zip(parts(expected), parts(given), strict=True):
        if _identical(wanted, got):
            continue
        cells = _differing(wanted, got, absolute).nonzero()
        if len(cells):
            return Difference(path, tuple(cells[0].tolist()), wanted, got)
    return None


def _identical(expected: Tensor, given: Tensor) -> bool:
    """See quickly what holds mostly: not one digit differs. Some narrow dtypes cannot be asked."""
    return (
        expected.dtype == given.dtype
        and expected.element_size() > 1
        and not expected.is_complex()
        and torch.equal(expected, given)
    )


def _differing(expected: Tensor, given: Tensor, absolute: float | None) -> Tensor:
    if not expected.dtype.is_floating_point:
        return expected != given
    limit = tolerance(expected, given, absolute)
    a, b = expected.double(), given.double()
    same = (a == b) | (a.isnan() & b.isnan())  # a == b also covers equal infinities
    return ~(same | ((a - b).abs() <= limit))


def equal(expected: Canonical, given: Canonical, absolute: float | None = None) -> bool:
    """Say whether two canonical results count as equal.

    Example:
        >>> equal(torch.tensor([1.0]), torch.tensor([1.00001]))
        True
    """
    return (
        structure(expected) == structure(given)
        and first_difference(expected, given, absolute) is None
    )


def distance(expected: Canonical, given: Canonical, absolute: float | None = None) -> float:
    """Say how many tolerances two results lie apart; infinite where structures or NaNs differ."""
    if structure(expected) != structure(given):
        return math.inf
    return max(
        (_distance(a, b, absolute) for (_, a), (_, b) in zip(parts(expected), parts(given))),
        default=0.0,
    )


def _distance(expected: Tensor, given: Tensor, absolute: float | None) -> float:
    if not expected.dtype.is_floating_point:
        return 0.0 if torch.equal(expected, given) else math.inf
    a, b = expected.double(), given.double()  # some narrow dtypes can do nothing else
    if torch.equal(a, b) or not a.numel():
        return 0.0
    gap = (a - b).abs().max().item() / tolerance(expected, given, absolute)
    return math.inf if math.isnan(gap) else gap
