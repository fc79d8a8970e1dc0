"""The single values inside an exercise's arguments, and calls with one of them replaced."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments


@dataclass(frozen=True)
class ArgumentLeaf:
    """One tensor or number among the arguments.

    Attributes:
        path: how to get there: the argument's name, then indices.
        value: what stands there.
    """

    path: tuple[Any, ...]
    value: Any

    @property
    def name(self) -> str:
        """How a learner would write it.

        Example:
            >>> ArgumentLeaf(("W", 1), 0).name
            'W[1]'
        """
        first, *rest = self.path
        return str(first) + "".join(f"[{index!r}]" for index in rest)


def leaves(arguments: Arguments) -> list[ArgumentLeaf]:
    """List every tensor and number among the arguments.

    Example:
        >>> [leaf.name for leaf in leaves({"x": 1.0, "W": (2.0, [3.0])})]
        ['x', 'W[0]', 'W[1][0]']
    """
    return [leaf for name, value in arguments.items() for leaf in _inside((name,), value)]


def _inside(path: tuple[Any, ...], value: Any) -> Iterator[ArgumentLeaf]:
    if isinstance(value, list | tuple):
        for index, part in enumerate(value):
            yield from _inside((*path, index), part)
    else:
        yield ArgumentLeaf(path, value)


def replaced(arguments: Arguments, changes: Mapping[tuple[Any, ...], Any]) -> Arguments:
    """Give the arguments with other values at some paths; nothing is copied but what holds them.

    Example:
        >>> replaced({"x": 1, "W": (2, 3)}, {("W", 1): 4})
        {'x': 1, 'W': (2, 4)}
    """
    return {name: _rebuilt((name,), value, changes) for name, value in arguments.items()}


def _rebuilt(path: tuple[Any, ...], value: Any, changes: Mapping[tuple[Any, ...], Any]) -> Any:
    if path in changes:
        return changes[path]
    if isinstance(value, list | tuple):
        parts = [_rebuilt((*path, index), part, changes) for index, part in enumerate(value)]
        return type(value)(parts)
    return value


def mapped(arguments: Arguments, change: Callable[[Tensor], Tensor]) -> Arguments:
    """Give the arguments with every tensor changed.

    Example:
        >>> mapped({"x": torch.ones(1), "n": 2}, torch.Tensor.double)
        {'x': tensor([1.], dtype=torch.float64), 'n': 2}
    """
    tensors = [leaf for leaf in leaves(arguments) if isinstance(leaf.value, Tensor)]
    return replaced(arguments, {leaf.path: change(leaf.value) for leaf in tensors})


def others(value: Any) -> Iterator[Any]:
    """Give other values that could stand in a value's place, the mildest first.

    Whether they may, the reference has to say.

    Example:
        >>> list(others(3))
        [4, 2, 1]
    """
    if isinstance(value, Tensor) and value.is_floating_point():
        noise = torch.randn(value.shape, generator=torch.Generator().manual_seed(1))
        yield value + (0.5 * noise).to(value.dtype)
    elif isinstance(value, Tensor):
        yield from _other_cells(value)
    elif isinstance(value, bool) or not isinstance(value, int | float):
        return
    elif isinstance(value, float):
        yield from (value * 1.7, value * 0.3, value + 1.0)
    else:
        yield from dict.fromkeys(n for n in (value + 1, value - 1, 1) if n != value)


def redrawn(value: Any) -> Iterator[Any]:
    """Give values that differ from one in all its parts, a little and a lot.

    Example:
        >>> list(redrawn(3)), [one.tolist() for one in redrawn(torch.tensor([True, False]))][0]
        ([4, 2, 1], [False, True])
    """
    if not isinstance(value, Tensor):
        yield from others(value)
    elif value.is_floating_point():
        for seed, scale in ((1, 0.5), (2, 5.0)):
            noise = torch.randn(value.shape, generator=torch.Generator().manual_seed(seed))
            yield value + (scale * noise).to(value.dtype)
            yield (scale * noise).to(value.dtype)  # −∞ stays −∞, whatever is added
    else:
        known = torch.tensor([False, True]) if value.dtype == torch.bool else value.unique()
        if value.dtype == torch.bool:
            yield ~value
        for seed in (1, 2, 3) if len(known) else ():
            generator = torch.Generator().manual_seed(seed)
            yield known[torch.randint(len(known), value.shape, generator=generator)]


def _other_cells(value: Tensor) -> Iterator[Tensor]:
    """Change one cell after the other to another value that occurs in the tensor."""
    flat = value.flatten()
    for place in range(min(len(flat), 24)):
        choices = [~flat[place]] if value.dtype == torch.bool else flat.unique().tolist()
        for choice in choices:
            changed = flat.clone()
            changed[place] = choice
            if not torch.equal(changed, flat):
                yield changed.view_as(value)
                break
