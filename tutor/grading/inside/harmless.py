"""Lets code run that asks for what the sandbox does not have: a compiler, a graphics card."""

from collections.abc import Callable
from typing import Any

import torch


def make_harmless() -> None:
    """Make such requests do nothing, so that the code computes the same without.

    Example:
        >>> make_harmless()
        >>> torch.compile(abs)(-3), torch.ones(1).cuda().device.type
        (3, 'cpu')
    """
    stand_ins: list[tuple[Any, str, Callable[..., Any]]] = [
        (torch, "compile", _uncompiled),
        (torch, "set_default_device", _set_default_device),
        (torch.nn.Module, "compile", _nothing),
        (torch.nn.Module, "cuda", _itself),
        (torch.Tensor, "cuda", _itself),
    ]
    for place, name, stand_in in stand_ins:
        setattr(place, name, stand_in)


def _uncompiled(model: Any = None, **_: Any) -> Any:
    """Stand for `torch.compile`, as a call and as a decorator with options."""
    return model if model is not None else lambda function: function


_set_device: Callable[[Any], None] = torch.set_default_device


def _set_default_device(device: Any) -> None:
    if device is None or torch.device(device).type in ("cpu", "meta"):
        _set_device(device)


def _itself(one: Any, *_: Any, **__: Any) -> Any:
    return one


def _nothing(*_: Any, **__: Any) -> None:
    return None
