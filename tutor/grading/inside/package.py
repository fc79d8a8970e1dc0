"""Stands for the package `tutor` in the sandbox: its components, and functions that do nothing."""

import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
from collections.abc import Callable, Sequence
from gettext import NullTranslations
from typing import Any

__version__ = "0.1.0"
chosen_catalogue = NullTranslations  # what is said here is said in English
_listeners: list[Callable[..., None]] = []


class Follow:
    """What `report.function` is in the sandbox: the answer, until the judge finds it wrong.

    From then on the judge computes what the right one gives; its code is not in here.
    """

    def __init__(self, function: Callable[..., Any], exercise: str) -> None:
        self.function, self.exercise = function, exercise
        self.__name__ = exercise

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call whichever function it is now."""
        if self.exercise in wrong:
            return _listeners[2](self.exercise, arguments, named)
        return self.function(*arguments, **named)


wrong: set[str] = set()  # exercises whose answer the judge has found wrong


class Unjudged:
    """What `check` gives in the sandbox: nothing is judged here."""

    passed, mistake, points, max_points = False, None, 0.0, 0

    def __init__(self, function: Any) -> None:
        self.function = function

    def show(self) -> None:
        """Do nothing."""


def check(answer: Any, name: str | None = None) -> Unjudged:
    """Tell which exercise an answer is meant for."""
    if isinstance(answer, Follow):
        answer = answer.function
    exercise = str(name or getattr(answer, "__name__", ""))
    _listeners[0](answer, exercise)
    return Unjudged(Follow(answer, exercise) if callable(answer) else answer)


def set_learner(name: str = "self-study", class_seed: str = "") -> None:
    """Tell who works here."""
    _listeners[1](name, class_seed)


def listen(
    checked: Callable[..., None], named: Callable[..., None], stands_in: Callable[..., Any]
) -> None:
    """Say who hears of checks and of the learner's name, and who stands in for a wrong answer."""
    _listeners[:] = [checked, named, stands_in]
    wrong.clear()


class Nothing:
    """Stands for what is not here: plots, explorers, data. Whatever is done with it, nothing is."""

    def __call__(self, *_: Any, **__: Any) -> "Nothing":
        """Do nothing."""
        return self

    def __getattr__(self, name: str) -> "Nothing":
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __iter__(self) -> Any:
        return iter(())

    def __enter__(self) -> "Nothing":
        return self

    def __exit__(self, *_: Any) -> None:
        return None


def _anything(name: str) -> Any:
    """Give what is not here when a notebook asks for it."""
    if name.startswith("__"):
        raise AttributeError(name)
    return Nothing()


class _Absent(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules of the package that are not in the sandbox: empty ones."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: Any = None) -> Any:
        if not name.startswith("tutor."):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return types.ModuleType(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        module.__dict__["__getattr__"] = _anything


if __name__ == "tutor":  # in the sandbox, and not where this file is only read
    __getattr__ = _anything
    sys.meta_path.append(_Absent())
