"""Tells whether an answer is still what it was: its code, and all that its code makes use of."""

import hashlib
import types
from collections.abc import Iterable, Iterator
from typing import Any

import torch

_DEEPEST = 6  # functions that use functions, and so on
_MOST = 2000  # parts looked at
_LARGEST = 100_000  # numbers of a tensor


def fingerprint(answer: Any, main: dict[str, Any]) -> str:
    """Give a text that is the same as long as nothing has changed that the answer makes use of.

    Args:
        answer: a function or a value.
        main: the notebook's variables.

    Example:
        >>> names = {"helper": 1}
        >>> answer = types.FunctionType((lambda: helper).__code__, names)
        >>> before = fingerprint(answer, names)
        >>> names["other"] = 2
        >>> fingerprint(answer, names) == before
        True
        >>> names["helper"] = 2
        >>> fingerprint(answer, names) == before
        False
    """
    digest = hashlib.sha256()
    for piece in _Walk(main).pieces(answer, _DEEPEST):
        digest.update(piece + b"\0")
    return digest.hexdigest()[:24]


class _Walk:
    """One walk through what an answer makes use of."""

    def __init__(self, main: dict[str, Any]) -> None:
        self._main, self._seen, self._left = main, set[int](), _MOST

    def pieces(self, value: Any, depth: int) -> Iterator[bytes]:
        self._left -= 1
        yield type(value).__name__.encode()
        if self._left < 0 or depth < 0 or id(value) in self._seen:
            return
        if isinstance(value, bool | int | float | complex | str | bytes | type(None)):
            yield repr(value).encode()
            return
        self._seen.add(id(value))
        yield from self._of_object(value, depth - 1)

    def _of_object(self, value: Any, depth: int) -> Iterator[bytes]:
        if isinstance(value, torch.Tensor):
            yield _tensor(value)
        elif isinstance(value, types.FunctionType):
            yield from self._of_function(value, depth)
        elif isinstance(value, types.CodeType):
            yield from self._of_code(value, depth)
        elif isinstance(value, list | tuple):
            yield from self._all(value, depth)
        elif isinstance(value, set | frozenset):
            yield from sorted(b"".join(self.pieces(part, depth)) for part in value)
        elif isinstance(value, dict):
            yield from self._all([*value, *value.values()], depth)
        elif isinstance(value, type | types.ModuleType):
            yield value.__name__.encode()
            if getattr(value, "__module__", None) == "__main__":
                yield from self._all(vars(value).values(), depth)
        elif hasattr(value, "__dict__"):
            yield from self._all([type(value), vars(value)], depth)

    def _all(self, values: Iterable[Any], depth: int) -> Iterator[bytes]:
        for value in values:
            yield from self.pieces(value, depth)

    def _of_function(self, function: types.FunctionType, depth: int) -> Iterator[bytes]:
        if function.__globals__ is not self._main:
            yield f"{function.__module__}.{function.__qualname__}".encode()
            return
        yield from self.pieces(function.__code__, depth)
        yield from self._all([function.__defaults__, function.__kwdefaults__], depth)
        for cell in function.__closure__ or ():
            yield from self.pieces(cell.cell_contents, depth)

    def _of_code(self, code: types.CodeType, depth: int) -> Iterator[bytes]:
        yield code.co_code
        yield from self._all(code.co_consts, depth)
        for name in code.co_names:
            yield name.encode()
            if name in self._main:
                yield from self.pieces(self._main[name], depth)


def _tensor(tensor: torch.Tensor) -> bytes:
    about = f"{tensor.dtype} {tuple(tensor.shape)} {tensor._version}"
    if tensor.numel() <= _LARGEST and tensor.device.type == "cpu" and not tensor.is_sparse:
        numbers = tensor.detach().contiguous().view(-1).view(torch.uint8)
        return about.encode() + hashlib.sha256(numbers.numpy().tobytes()).digest()
    return about.encode()
