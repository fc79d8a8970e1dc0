"""Round otherwise: a processor that nobody has. A kernel reads this file as its configuration.

Processors, libraries and their versions differ in the last digit of what they must round: of a sum,
whose order is free, and of functions such as exp. Here that digit moves by at most one, by a rule
that gives equal numbers equal steps. A stored output that changes with it would change elsewhere.
"""

import importlib.abc
import importlib.util
import sys
from typing import Any

# Parts of the names of torch's operations whose last digit is not settled by IEEE's arithmetic.
_ROUNDED = (
    *("mm", "mv", "dot", "linear", "conv", "rnn", "gru", "lstm", "attention", "einsum"),
    *("sum", "mean", "var", "std", "norm", "prod", "softmax", "logsumexp", "softplus", "loss"),
    *("exp", "log", "sin", "cos", "tan", "pow", "sigmoid", "erf", "gelu", "silu", "rsqrt"),
    *("randn", "normal"),
)
_NOT_ROUNDED = ("expand",)  # although a part of its name is
_DRAWN = ("randn", "normal")  # cannot be computed again


def _install(torch: Any) -> None:
    """Move the last digits of all that this thread computes from now on."""
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_map

    integers = {torch.float32: torch.int32, torch.float64: torch.int64}

    def is_number(x: Any, dtypes: Any = tuple(integers)) -> bool:
        return isinstance(x, torch.Tensor) and x.dtype in dtypes and x.device.type == "cpu"

    def moved(x: Any, precise: Any) -> Any:
        """Give a tensor whose inexact numbers are one step larger, smaller, or as they were."""
        if not is_number(x):
            return x
        bits = x.contiguous().view(integers[x.dtype])
        seems_exact = bits & 0xFF == 0  # 1, 0.75, 3000 end in zero bits
        exact = seems_exact if precise is None or x.dtype == torch.float64 else x == precise
        steps = ((bits & 0xFFFFF) * 7919 >> 7) % 3 - 1  # as good as drawn, the same each time
        return torch.where(exact | (x == 0) | ~x.isfinite(), bits, bits + steps).view(x.dtype)

    def precisely(function: Any, arguments: Any) -> Any:
        """Compute the same with twice the digits, which tells what is exact; None if it cannot."""
        twice = tree_map(lambda x: x.double() if is_number(x, [torch.float32]) else x, arguments)
        try:
            with torch.random.fork_rng(devices=[]):  # there may be dropout
                return function(*twice[0], **twice[1])
        except RuntimeError:
            return None

    class RoundsOtherwise(TorchDispatchMode):
        def __torch_dispatch__(
            self, function: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            kwargs, name = kwargs or {}, function.overloadpacket.__name__
            if name in _NOT_ROUNDED or not any(part in name for part in _ROUNDED):
                return function(*args, **kwargs)
            in_place = name.endswith("_")
            once = in_place or any(part in name for part in _DRAWN)
            precise = None if once else precisely(function, (args, kwargs))
            found = function(*args, **kwargs)
            if isinstance(found, tuple | list):
                return type(found)(map(moved, found, precise or [None] * len(found)))
            return found.copy_(moved(found, precise)) if in_place else moved(found, precise)

    RoundsOtherwise().__enter__()


class _WhenTorchIsImported(importlib.abc.MetaPathFinder):
    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        loader: Any = spec and spec.loader
        load = loader.exec_module

        def exec_module(module: Any) -> None:
            load(module)
            _install(module)

        loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, _WhenTorchIsImported())
