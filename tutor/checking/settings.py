"""Under which settings a check computes: the course's own, whatever the notebook has set.

A default dtype or device, a grad mode, a filter of warnings or a function of torch that was
replaced must not change a verdict. Afterwards all is as the notebook had it, whatever the answer
did meanwhile.
"""

import builtins
import contextlib
import copy
import math
import operator
import random
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch

_PLACES = {  # whose functions people replace
    "": builtins,
    "math.": math,
    "copy.": copy,
    "torch.": torch,
    "torch.autograd.": torch.autograd,
    "torch.linalg.": torch.linalg,
    "torch.nn.functional.": torch.nn.functional,
    "torch.Tensor.": torch.Tensor,
}
_OWN = {prefix: dict(vars(place)) for prefix, place in _PLACES.items()}  # as they came
_IN_ORDER = {prefix: tuple(own.values()) for prefix, own in _OWN.items()}  # new ones come last
del _OWN["torch."]["Storage"]  # torch itself replaces it, with the default dtype
del _OWN[""]["input"]  # and the kernel this, in every cell
_FUNCTIONS = {
    prefix: {name: value for name, value in own.items() if callable(value)}
    for prefix, own in _OWN.items()
}
_MISSING: Any = object()
_DEEP = 1000  # Python's own limit of calls inside calls


@dataclass(frozen=True)
class Disturbances:
    """What is not as a check wants it.

    Attributes:
        replaced: functions that the notebook has replaced, such as "torch.allclose".
        drew: says whether a global random generator was used since the check began.
    """

    replaced: tuple[str, ...]
    drew: Callable[[], bool]


@contextlib.contextmanager
def course_settings() -> Iterator[Disturbances]:
    """Compute under the course's settings inside, and leave no trace outside.

    Example:
        >>> torch.set_default_dtype(torch.float64)
        >>> with course_settings():
        ...     torch.ones(1).dtype
        torch.float32
        >>> torch.get_default_dtype()
        torch.float64
        >>> torch.set_default_dtype(torch.float32)
    """
    with _own_functions() as replaced, _generators_kept() as drew, contextlib.ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")  # whoever wants to see one catches it
        stack.enter_context(torch.inference_mode(False))
        stack.enter_context(torch.autocast("cpu", enabled=False))
        for read, write, ours in _settings():
            stack.callback(_put_back, read, write, read())
            _put_back(read, write, ours)
        stack.callback(_put_back, torch.get_default_device, _set_device, torch.get_default_device())
        if torch.get_default_device().type != "cpu":
            stack.enter_context(torch.device("cpu"))
        yield Disturbances(replaced, drew)


def _settings() -> list[tuple[Callable[[], Any], Callable[[Any], Any], Any]]:
    """List how each setting is read and written, and what the course sets it to."""
    threads = torch.get_num_threads()  # theirs; only put back
    return [
        (torch.get_default_dtype, torch.set_default_dtype, torch.float32),
        (torch.is_grad_enabled, torch.set_grad_enabled, True),
        (torch.is_anomaly_enabled, torch.autograd.set_detect_anomaly, False),
        (torch.get_deterministic_debug_mode, torch.set_deterministic_debug_mode, 0),
        (torch.get_float32_matmul_precision, torch.set_float32_matmul_precision, "highest"),
        (torch.get_num_threads, torch.set_num_threads, threads),
        (_printing, lambda before: torch.set_printoptions(**before), _PRINTING),
        (sys.getrecursionlimit, sys.setrecursionlimit, _DEEP),
    ]


def _put_back(read: Callable[[], Any], write: Callable[[Any], Any], before: Any) -> None:
    if read() != before:
        write(before)


def _set_device(device: torch.device) -> None:
    torch.set_default_device(None if device.type == "cpu" else device)  # None costs no time


def _printing() -> dict[str, Any]:
    """How tensors are printed. Torch has no public way to ask: should it move, nothing is kept."""
    options = getattr(getattr(torch, "_tensor_str", None), "PRINT_OPTS", None)
    return {} if options is None else dict(vars(options))


_PRINTING = _printing()


@contextlib.contextmanager
def _own_functions() -> Iterator[tuple[str, ...]]:
    """Let Python's and torch's functions be their own inside, and give those that were not."""
    theirs = {prefix: _replace(prefix) for prefix in _PLACES}
    try:
        yield tuple(
            prefix + name
            for prefix, names in theirs.items()
            for name, value in names.items()
            if not _is_torchs(value)
        )
    finally:
        for prefix, names in theirs.items():
            _replace(prefix)  # what the answer has replaced
            _assign(_PLACES[prefix], names)


def _is_torchs(value: Any) -> bool:
    """Say whether torch itself has put this here, as it does when parts of it load later."""
    return str(getattr(value, "__module__", "")).partition(".")[0] == "torch"


def _replace(prefix: str) -> dict[str, Any]:
    """Put the own functions of a place back, and give what was there instead."""
    place, own, functions = _PLACES[prefix], _OWN[prefix], _FUNCTIONS[prefix]
    now = vars(place)
    names: list[str] = []
    in_order = _IN_ORDER[prefix]
    if len(now) < len(in_order) or not all(map(operator.is_, now.values(), in_order)):
        names = [name for name, value in functions.items() if now.get(name) is not value]
    if isinstance(place, type):  # a new one may lie over an inherited one
        base = place.__base__
        new = now.keys() - own
        names += [name for name in new if getattr(base, name, now[name]) is not now[name]]
    theirs = {name: now.get(name, _MISSING) for name in names}
    _assign(place, {name: own.get(name, _MISSING) for name in names})
    return theirs


def _assign(place: Any, values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        if value is not _MISSING:
            setattr(place, name, value)
        elif name in vars(place):
            delattr(place, name)


@contextlib.contextmanager
def _generators_kept() -> Iterator[Callable[[], bool]]:
    """Put the global random generators back; the function given says whether one was used."""
    numpy_random = getattr(sys.modules.get("numpy"), "random", None)
    before, python_before = torch.get_rng_state(), random.getstate()
    numpy_before = numpy_random.get_state() if numpy_random else None

    def drew() -> bool:
        torch_used = not torch.equal(before, torch.get_rng_state())
        return torch_used or python_before != random.getstate()

    try:
        yield drew
    finally:
        torch.set_rng_state(before)
        random.setstate(python_before)
        if numpy_random:
            numpy_random.set_state(numpy_before)
