"""Takes the part of the package away that an exercise asks for, while that exercise runs."""

import importlib
import inspect
import types
from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def _asked_for(*_: Any, **__: Any) -> None:
    raise NameError("this part of the package is what the exercise asks you to write")


class Withheld:
    """The withheld parts of a lesson.

    Their code is exchanged, so that it makes no difference by which name or import they are
    reached. This stops a short cut, not a determined learner, who owns the package's source.

    Args:
        parts: exercise -> the parts it asks for, as "module:name".
    """

    def __init__(self, parts: Mapping[str, Sequence[str]]) -> None:
        self._functions = {
            exercise: [function for part in names for function in _functions(part)]
            for exercise, names in parts.items()
        }
        together = [function for group in self._functions.values() for function in group]
        self._codes = {function: function.__code__ for function in together}

    def stand_in(self, exercise: str) -> types.FunctionType | None:
        """Give the part that answers an exercise, for what follows a wrong answer."""
        return next(iter(self._functions.get(exercise, [])), None)

    def withhold_all(self) -> None:
        """Take away what any exercise of the lesson asks for."""
        for function in self._codes:
            function.__code__ = _asked_for.__code__

    def withhold_for(self, exercise: str) -> None:
        """Give back all but what this exercise asks for."""
        taken = self._functions.get(exercise, [])
        for function, code in self._codes.items():
            function.__code__ = _asked_for.__code__ if function in taken else code


def _functions(part: str) -> Iterator[types.FunctionType]:
    """Find the functions behind a part: itself, or a class's way in."""
    module, _, name = part.partition(":")
    found = getattr(importlib.import_module(module), name)
    entry = inspect.unwrap(vars(found)["__init__"] if isinstance(found, type) else found)
    if isinstance(entry, types.FunctionType) and not entry.__code__.co_freevars:
        yield entry
