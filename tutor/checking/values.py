"""What counts as a result: tensors, numbers, and lists, tuples and dicts of these."""

import numbers
import types
from functools import reduce
from typing import Any

import torch
from torch import Tensor

Canonical = Any
"""A Tensor, or a tuple or dict of these: what every result is brought to before comparing."""

PARTS_SHOWN = 6  # of a list, where its form is described


class NotAValueError(TypeError):
    """A result that is neither a tensor nor a number nor a list, tuple or dict of those.

    Attributes:
        reason: what it is instead, one of ``failures.KINDS``.
        gaps: what fills the gaps of that reason's sentence.
    """

    def __init__(self, reason: str, **gaps: str) -> None:
        super().__init__(reason)
        self.reason, self.gaps = reason, gaps


def canonical(result: Any) -> Canonical:
    """Bring a result to one form, so that styles of writing it do not matter.

    A number becomes a tensor without axes, a list of numbers a tensor with one axis, any other
    list or tuple a tuple; an empty list and an empty tensor become the same; the entries of a dict
    are put in the order of their names. Gradients are cut.

    Raises:
        NotAValueError: the result holds anything else.

    Example:
        >>> canonical([1, 2])
        tensor([1, 2])
    """
    if isinstance(result, Tensor):
        return _plain_tensor(result)
    if isinstance(result, bool | numbers.Number):
        return _number(result)
    if isinstance(result, list | tuple):
        return _sequence([canonical(part) for part in result])
    if isinstance(result, dict):
        parts_by_name = {str(key): canonical(part) for key, part in result.items()}
        return dict(sorted(parts_by_name.items()))  # a dict's order says nothing
    raise _no_value(result)


def _plain_tensor(tensor: Tensor) -> Canonical:
    if type(tensor) not in (Tensor, torch.nn.Parameter):
        raise NotAValueError("subclass", type=type(tensor).__name__)
    if tensor.layout != torch.strided or tensor.is_quantized:
        raise NotAValueError("sparse")
    if tensor.is_meta:
        raise NotAValueError("meta")
    return tensor.detach().cpu() if tensor.shape != (0,) else ()


def _number(number: Any) -> Tensor:
    if isinstance(number, bool):
        return torch.tensor(number)
    if isinstance(number, numbers.Integral):
        if abs(int(number)) >= 2**63:
            raise NotAValueError(reason="huge number")
        return torch.tensor(int(number))
    if isinstance(number, numbers.Real):
        return torch.tensor(float(number), dtype=torch.float32)
    raise NotAValueError("type", type=type(number).__name__)


def _sequence(parts: list[Canonical]) -> Canonical:
    if not parts or not all(isinstance(part, Tensor) and part.ndim == 0 for part in parts):
        return tuple(parts)
    dtype = reduce(torch.promote_types, [part.dtype for part in parts])
    return torch.stack([part.to(dtype) for part in parts])


def _no_value(result: Any) -> NotAValueError:
    name = type(result).__name__
    if result is None:
        return NotAValueError("None")
    if isinstance(result, types.GeneratorType):
        return NotAValueError("generator")
    if isinstance(result, types.CoroutineType):
        return NotAValueError("coroutine")
    if callable(result):
        return NotAValueError("function")
    if type(result).__module__ == "numpy":
        return NotAValueError("numpy", type=name)
    return NotAValueError("type", type=name)


def dtype_kind(dtype: torch.dtype) -> str:
    """Name the kind of a dtype: "bool", "integer", "float" or "complex".

    Example:
        >>> dtype_kind(torch.int64)
        'integer'
    """
    if dtype == torch.bool:
        return "bool"
    if dtype.is_complex:
        return "complex"
    return "float" if dtype.is_floating_point else "integer"


def describe(value: Canonical) -> str:
    """Write the structure, shapes and dtypes of a canonical value in a notation without words.

    Example:
        >>> describe(canonical((torch.zeros(2, 3), 1)))
        '(float32 (2, 3), int64)'
        >>> describe(canonical([[1, 2], [3, 4], [5, 6]]))
        '[3 × int64 (2,)]'
    """
    if isinstance(value, Tensor):
        dtype = str(value.dtype).removeprefix("torch.")
        return f"{dtype} {shape_words(value)}" if value.ndim else dtype
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {describe(part)}" for key, part in value.items()) + "}"
    if not value:
        return "[]"
    parts = [describe(part) for part in value]
    table = not any(isinstance(part, Tensor) and part.ndim != 1 for part in value)
    if table and len(set(parts)) == 1:
        return f"[{len(parts)} × {parts[0]}]"
    shown = parts if len(parts) <= PARTS_SHOWN else [*parts[:PARTS_SHOWN], "…"]
    return "(" + ", ".join(shown) + ")"


def shape_words(tensor: Tensor) -> str:
    """Write a shape as learners read it, (2, 3) or (4,).

    Example:
        >>> shape_words(torch.zeros(4))
        '(4,)'
    """
    return str(tuple(tensor.shape))


def parts(value: Canonical, path: str = "") -> list[tuple[str, Tensor]]:
    """List the tensors inside a canonical value with the path to each.

    Example:
        >>> [path for path, _ in parts({"best": torch.zeros(2), "pair": (torch.ones(1),)})]
        ["['best']", "['pair'][0]"]
    """
    if isinstance(value, Tensor):
        return [(path, value)]
    items = value.items() if isinstance(value, dict) else enumerate(value)
    return [found for key, part in items for found in parts(part, f"{path}[{key!r}]")]


def parts_at(value: Canonical, path: str) -> Canonical:
    """Give the part of a canonical value that stands at a path of `list_paths`.

    Example:
        >>> parts_at({"best": torch.ones(1)}, "best"), parts_at((torch.ones(2), ()), "1")
        (tensor([1.]), ())
    """
    if not path:
        return value
    return value[path] if isinstance(value, dict) else value[int(path)]


def is_list(value: Canonical) -> bool:
    """Say whether a canonical value can be a list of whole numbers, or of lists of them.

    Example:
        >>> is_list(canonical([[1, 2], [3]])), is_list(torch.ones(2, 2))
        (True, False)
    """
    if isinstance(value, Tensor):
        return value.ndim == 1 and dtype_kind(value.dtype) == "integer"
    return isinstance(value, tuple) and all(map(is_list, value))


def list_paths(result: Any) -> tuple[str, ...]:
    """Say where in a result, as it was returned, lists of whole numbers or of lists of them stand.

    "" is the result itself; else it is the name or the number of a part.

    Example:
        >>> list_paths([1, 2]), list_paths({"best": [[3]], "scores": torch.ones(2)})
        (('',), ('best',))
    """
    if _is_plain_list(result):
        return ("",)
    if isinstance(result, dict):
        return tuple(str(name) for name, part in result.items() if _is_plain_list(part))
    inside = enumerate(result) if isinstance(result, tuple) else ()
    return tuple(str(place) for place, part in inside if _is_plain_list(part))


def _is_plain_list(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(part, numbers.Integral) or _is_plain_list(part) for part in value
    )


def structure(value: Canonical, exact: bool = False) -> Any:
    """Give what must agree before numbers are compared: nesting, shapes, kinds of dtype.

    With ``exact``, the dtypes themselves must agree.
    """
    if isinstance(value, Tensor):
        return (tuple(value.shape), value.dtype if exact else dtype_kind(value.dtype))
    if isinstance(value, dict):
        return {key: structure(part, exact) for key, part in value.items()}
    return tuple(structure(part, exact) for part in value)
