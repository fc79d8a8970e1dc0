"""Watching an answer at work: which of torch's functions it calls, on what, and what they make.

Runs beside the learner's code, in the sandbox too. What it saw there is testimony, not proof: a
judge believes only what the values themselves show.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

PRODUCTS = (
    *("matmul", "mm", "bmm", "mv", "linear", "einsum", "addmm", "addmv", "baddbmm", "tensordot"),
    *("rmatmul", "inner", "scaled_dot_product_attention"),
)
MOST_STEPS, MOST_NUMBERS, MOST_NAMES = 2000, 200_000, 100  # kept of one call


# fmt: off
NanOrigin = Literal[
    "", "product", "sum", "quotient", "hidden row", "endless score", "logarithm", "root", "spread",
    "mean",
]
# fmt: on
"""What made the first NaN out of numbers, "" if nothing that is known."""

_ORIGINS: Mapping[NanOrigin, tuple[str, ...]] = {
    "product": (*PRODUCTS, "mul", "rmul", "imul", "multiply"),
    "sum": ("add", "radd", "iadd", "sub", "rsub", "isub", "subtract", "sum", "cumsum"),
    "quotient": ("div", "rdiv", "truediv", "rtruediv", "itruediv", "divide", "true_divide"),
    "logarithm": ("log", "log2", "log10", "log1p"),
    "root": ("sqrt", "rsqrt", "pow", "rpow"),
    "spread": ("std", "var", "std_mean", "var_mean"),
    "mean": ("mean",),
}
_ORIGIN_OF: Mapping[str, NanOrigin] = {
    name: origin for origin, names in _ORIGINS.items() for name in names
}


@dataclass(frozen=True)
class WatchedCall:
    """What was seen of a call.

    Attributes:
        steps: the functions called and the tensors they made, as far as there is room.
        names: the functions called, each once.
        last: the function called last.
        operands: the shapes of the tensors that were given to it.
        nan: what made the first NaN out of numbers.
    """

    steps: Sequence[tuple[str, Tensor]] = ()
    names: Sequence[str] = ()
    last: str = ""
    operands: tuple[tuple[int, ...], ...] = ()
    nan: NanOrigin = ""


class Watch(TorchFunctionMode):
    """Sees what happens inside a ``with`` statement.

    Example:
        >>> import torch
        >>> with Watch() as watch:
        ...     _ = torch.ones(2, 3) @ torch.ones(3, 1)
        >>> watch.seen().names, watch.seen().operands
        (('ones', 'matmul'), ((2, 3), (3, 1)))
    """

    def __init__(self) -> None:
        super().__init__()
        self._steps: list[tuple[str, Tensor]] = []
        self._names: dict[str, None] = {}
        self._last = ""
        self._operands: tuple[tuple[int, ...], ...] = ()
        self._numbers = 0
        self._nan: NanOrigin | None = None  # until one was made

    def seen(self) -> WatchedCall:
        """Give what was seen until now."""
        names = tuple(self._names)[:MOST_NAMES]
        return WatchedCall(tuple(self._steps), names, self._last, self._operands, self._nan or "")

    def __torch_function__(
        self,
        function: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Call the function and keep what it was and what it made."""
        named = kwargs or {}
        self._last = getattr(function, "__name__", "").strip("_")
        self._operands = tuple(tuple(tensor.shape) for tensor in _tensors(*args, *named.values()))
        self._names[self._last] = None
        result = function(*args, **named)
        for made in _tensors(result):
            self._keep(made)
        if self._nan is None and any(map(_holds_nan, _tensors(result))):
            self._nan = _origin(self._last, _tensors(*args))
        return result

    def _keep(self, made: Tensor) -> None:
        if made.layout != torch.strided or made.is_meta:
            return
        self._numbers += made.numel()
        if len(self._steps) < MOST_STEPS and self._numbers < MOST_NUMBERS:
            self._steps.append((self._last, made.detach().clone()))


def _holds_nan(tensor: Tensor) -> bool:
    usual = tensor.is_floating_point() and not tensor.is_meta and tensor.layout == torch.strided
    return usual and tensor.element_size() > 1 and bool(torch.isnan(tensor).any())


def _origin(function: str, operands: Sequence[Tensor]) -> NanOrigin:
    """Say what a function did that made NaN of its operands."""
    if function in ("softmax", "log_softmax", "scaled_dot_product_attention") and operands:
        return "endless score" if bool((operands[0] == torch.inf).any()) else "hidden row"
    return _ORIGIN_OF.get(function, "")


def _tensors(*values: Any) -> list[Tensor]:
    """List the tensors among values, and in lists and tuples of them."""
    found: list[Tensor] = []
    for value in values:
        if isinstance(value, Tensor):
            found.append(value)
        elif isinstance(value, list | tuple):
            found += [part for part in value if isinstance(part, Tensor)]
    return found
