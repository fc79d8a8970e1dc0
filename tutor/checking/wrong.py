"""A wrong result beside the right one: what the looks in ``looks`` and ``placing`` look at."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from torch import Tensor

FEW = 3  # numbers of which nothing can be said


@dataclass(frozen=True)
class Wrong:
    """A wrong result beside the right one.

    Attributes:
        right: the right numbers.
        yours: the given ones, of the same shape.
        near: the largest difference that counts as none.
        axes: the names of its axes, or their numbers.
        sizes: the sizes of the case by name.
        arguments: the tensors of the case by name.
    """

    right: Tensor
    yours: Tensor
    near: float
    axes: tuple[str, ...]
    sizes: Mapping[str, int]
    arguments: Mapping[str, Tensor] = field(default_factory=dict)

    def same(self, one: Tensor, other: Tensor) -> bool:
        """Say whether two parts of the results count as equal."""
        return one.shape == other.shape and bool(((one - other).abs() <= self.near).all())
