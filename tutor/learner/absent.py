"""Stands for a package that is missing, so that a lesson's other cells run.

Imports of it succeed, as those at the top of a lesson do; whoever then uses it gets one line.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
from collections.abc import Sequence
from typing import Any

from tutor.say import PlainError, say


class AbsentPackageError(PlainError, ImportError):
    """Something needs a package that is missing."""


class Absent(type):
    """The class of whatever a missing package offers: it can be named and inherited from."""

    def __call__(cls, *arguments: Any, **named: Any) -> Any:
        """Refuse to be used."""
        package = cls.__module__.partition(".")[0]
        raise AbsentPackageError(
            say(
                "This needs {package}, which is missing here: %pip install {package}",
                package=package,
            )
        )

    def __getattr__(cls, name: str) -> Any:
        return _something(cls.__module__, name)


def _something(module: str, name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return Absent(name, (), {"__module__": module})


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds every module of the packages named, and nothing in them."""

    packages: tuple[str, ...] = ()

    def find_spec(self, name: str, path: Sequence[str] | None, target: Any = None) -> Any:
        if name.partition(".")[0] not in self.packages:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return types.ModuleType(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        name = module.__name__
        module.__dict__["__getattr__"] = lambda attribute: _something(name, attribute)


_FINDER = _Finder()


def is_missing(package: str) -> bool:
    """Say whether a package is not installed, be there something in its place or not.

    Example:
        >>> is_missing("surely_missing"), is_missing("torch")
        (True, False)
    """
    spec = importlib.util.find_spec(package)
    return spec is None or spec.loader is _FINDER


def stand_in_for(packages: Sequence[str]) -> None:
    """Let imports of missing packages succeed from now on.

    Example:
        >>> stand_in_for(["surely_missing"])
        >>> from surely_missing.parts import Wheel
        >>> Wheel(4)
        Traceback (most recent call last):
        tutor.learner.absent.AbsentPackageError: This needs surely_missing, which is missing here...
        >>> stand_in_for([])
    """
    _FINDER.packages = tuple(packages)
    if _FINDER not in sys.meta_path:
        sys.meta_path.append(_FINDER)  # after those that find what is there
