"""Other spellings of a wrong answer, made by computing its calls of torch in another way."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as trees

Function = Callable[..., Any]


def in_float64(function: Function) -> Function:
    """Compute in float64, and give what went in."""
    return _computing_in(torch.float64, function)


def in_float32(function: Function) -> Function:
    """Compute in float32, though the mistake may be written down in float64."""
    return _computing_in(torch.float32, function)


def _computing_in(dtype: torch.dtype, function: Function) -> Function:
    def answer(*given: Any) -> Any:
        floats = [one.dtype for one in trees.tree_leaves(given) if _is_float(one)]
        result = function(*_converted(given, dtype))
        return _converted(result, floats[0] if floats else torch.float32)

    return answer


def _converted(values: Any, dtype: torch.dtype) -> Any:
    return trees.tree_map(lambda value: value.to(dtype) if _is_float(value) else value, values)


def _is_float(value: Any) -> bool:
    return isinstance(value, Tensor) and value.is_floating_point()


class _Mode(TorchFunctionMode):
    """Computes some functions in another way.

    Attributes:
        used: there was something to compute in another way.
    """

    used = False

    def __torch_function__(
        self,
        function: Function,
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Call a function or what stands for it."""
        name = getattr(function, "__name__", "").strip("_")
        return self.call(name, function, args, dict(kwargs or {}))

    def call(self, name: str, function: Function, args: Any, kwargs: dict[str, Any]) -> Any:
        """Call a function or what stands for it, by its name."""
        raise NotImplementedError


class _Finite(_Mode):
    """Writes -1e9 where -inf is written."""

    def call(self, name: str, function: Function, args: Any, kwargs: dict[str, Any]) -> Any:
        if name not in ("masked_fill", "masked_fill_", "where", "full", "full_like"):
            return function(*args, **kwargs)
        return function(*map(self._finite, args), **kwargs)

    def _finite(self, value: Any) -> Any:
        if isinstance(value, float) and value == -math.inf:
            self.used = True
            return -1e9
        return value


class _ByHand(_Mode):
    """Writes softmax with exp, and the product of two batches with einsum."""

    def call(self, name: str, function: Function, args: Any, kwargs: dict[str, Any]) -> Any:
        if name == "softmax":
            self.used = True
            axis = kwargs.get("dim", args[1] if len(args) > 1 else -1)
            powers = (args[0] - args[0].amax(axis, keepdim=True)).exp()
            return powers / powers.sum(axis, keepdim=True)
        if name == "matmul" and args[0].ndim == args[1].ndim == 3:
            self.used = True
            return torch.einsum("bij,bjk->bik", *args)
        return function(*args, **kwargs)


def finite(function: Function) -> Function | None:
    """Hide by -1e9 instead of -inf, if it hides anything."""
    return _computed(function, _Finite)


def by_hand(function: Function) -> Function | None:
    """Write softmax and products out, if there are any."""
    return _computed(function, _ByHand)


def _computed(function: Function, mode: type[_Mode]) -> Function:
    def answer(*given: Any) -> Any:
        with mode() as how:
            result = function(*given)
        answer.used |= how.used
        return result

    answer.used = False
    return answer


SPELLINGS = (in_float64, in_float32, by_hand, finite)
