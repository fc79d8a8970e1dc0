"""Putting back what an answer can change for the whole process besides random generators."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import torch

_PATCHED = (torch, torch.nn.functional, torch.linalg, torch.Tensor)  # where learners patch


@contextlib.contextmanager
def settings_kept() -> Iterator[None]:
    """Restore torch's and Python's settings, and torch's functions, as they were before.

    Example:
        >>> with settings_kept():
        ...     torch.set_default_dtype(torch.float64)
        >>> torch.get_default_dtype()
        torch.float32
    """
    functions = [dict(vars(place)) for place in _PATCHED]
    put_back = [_kept(read, write) for read, write in _settings()]
    try:
        yield
    finally:
        for place, before in zip(_PATCHED, functions, strict=True):
            _repair(place, before)
        for write_old in put_back:
            write_old()


def _settings() -> list[tuple[Callable[[], Any], Callable[[Any], Any]]]:
    """List how each setting is read and written."""
    printing = torch._tensor_str.PRINT_OPTS  # torch has no public way to read these
    return [
        (torch.get_default_dtype, torch.set_default_dtype),
        (torch.is_grad_enabled, torch.set_grad_enabled),
        (torch.get_default_device, _set_device),
        (torch.get_num_threads, torch.set_num_threads),
        (torch.is_anomaly_enabled, torch.autograd.set_detect_anomaly),
        (torch.are_deterministic_algorithms_enabled, torch.use_deterministic_algorithms),
        (lambda: dict(vars(printing)), vars(printing).update),
        (sys.getrecursionlimit, sys.setrecursionlimit),
    ]


def _kept(read: Callable[[], Any], write: Callable[[Any], Any]) -> Callable[[], None]:
    """Read a setting now; what is returned writes it again if it has changed."""
    before = read()

    def write_old() -> None:
        if read() != before:
            write(before)

    return write_old


def _set_device(device: torch.device) -> None:
    torch.set_default_device(None if device.type == "cpu" else device)  # None costs no time


def _repair(place: Any, before: dict[str, Any]) -> None:
    """Put back functions that were replaced, deleted or laid over inherited ones."""
    now = dict(vars(place))
    for name in now.keys() - before.keys():
        if isinstance(place, type) and any(hasattr(base, name) for base in place.__bases__):
            delattr(place, name)
    for name, value in before.items():
        if callable(value) and now.get(name) is not value:
            setattr(place, name, value)
