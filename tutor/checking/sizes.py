"""The sizes of a case by the names that the statement gives its axes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from torch import Tensor

from tutor.checking.exercise import Arguments

_AXIS = re.compile(r"[A-Za-z]\w*|…")


def sizes(shapes: Mapping[str, Any], arguments: Arguments) -> dict[str, int]:
    """Give the size of each named axis in a call.

    Args:
        shapes: as an exercise has them; "h·d" is a product, "4H" a multiple, "…" any axes.
        arguments: of the call.

    Example:
        >>> import torch
        >>> sizes({"x": "B h·d", "heads": "h"}, {"x": torch.ones(2, 12), "heads": 3})
        {'B': 2, 'h': 3, 'd': 4}
    """
    known: dict[str, int] = {}
    pairs = list(_pairs(shapes, arguments))
    for axis, size in pairs:
        if _AXIS.fullmatch(axis):
            known.setdefault(axis, size)
    for axis, size in pairs:
        _solve(axis, size, known)
    return known


def _pairs(shapes: Mapping[str, Any], arguments: Arguments) -> Iterator[tuple[str, int]]:
    for name, value in arguments.items():
        if name in shapes:
            yield from _axes(shapes[name], value)


def _axes(shape: Any, value: Any) -> Iterator[tuple[str, int]]:
    if isinstance(value, Tensor):
        yield from _of_tensor(str(shape).split(), value)
    elif isinstance(value, list | tuple):
        each = (
            shape if isinstance(shape, tuple) and len(shape) > 1 else (_single(shape),) * len(value)
        )
        for part_shape, part in zip(each, value):
            yield from _axes(part_shape, part)
    elif isinstance(value, int):
        yield str(shape), value


def _single(shape: Any) -> Any:
    """Take the shape of a list's entries out of its tuple of one."""
    return shape[0] if isinstance(shape, tuple) else shape


def _of_tensor(axes: list[str], tensor: Tensor) -> Iterator[tuple[str, int]]:
    if "…" in axes:  # any number of axes, in front of the others
        axes = axes[1:]
        yield "…", tensor.ndim - len(axes)
    yield from zip(axes, tensor.shape[tensor.ndim - len(axes) :])


def _solve(axis: str, size: int, known: dict[str, int]) -> None:
    """Find the one unknown factor of a product such as "h·d_k" or "4H"."""
    rest, unknown = size, []
    for factor in re.findall(r"\d+|[A-Za-z]\w*", axis):
        if factor.isdigit():
            rest //= int(factor)
        elif factor in known:
            rest //= max(known[factor], 1)
        else:
            unknown.append(factor)
    if len(unknown) == 1 and not re.search(r"[+−-]", axis):
        known[unknown[0]] = rest


def named_shape(shape: Sequence[int], known: Mapping[str, int]) -> str:
    """Write a shape with the names of its axes, where their sizes tell them apart.

    Example:
        >>> named_shape((2, 5, 1), {"B": 2, "Tk": 5, "d": 4})
        '(B=2, Tk=5, 1)'
    """
    shown = [named_size(size, known) for size in shape]
    return "(" + ", ".join(shown) + ("," if len(shown) == 1 else "") + ")"


def named_size(size: int, known: Mapping[str, int]) -> str:
    """Write a size with its name, if no other axis has the same size.

    Axes that are folded into one are named too, where their product has it: sentences or heads
    with another axis.

    Example:
        >>> named_size(5, {"B": 2, "Tk": 5}), named_size(7, {"B": 2})
        ('Tk=5', '7')
        >>> named_size(6, {"B": 2, "h": 3, "Tk": 6})
        'Tk=B·h=6'
    """
    sizes = {name: value for name, value in known.items() if name != "…" and value > 1}
    names = [name for name, value in sizes.items() if value == size]
    if len(names) != 1:
        return str(size)
    folded = [
        f"{one}·{other}"
        for one, other in combinations(sizes, 2)
        if sizes[one] * sizes[other] == size and {one, other} & {"B", "h"}
    ]
    return "=".join([*names, *folded, str(size)])
