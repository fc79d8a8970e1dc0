"""Takes parts of the package out of a process for good, before it runs a learner's code.

Their code is exchanged and the old one given up, so that it makes no difference by which name or
import they are reached, and nothing is left that a search through memory could find. A function
that was taken out asks the judge, who computes what it gives where that does no exercise's work.
"""

import importlib
import inspect
import types
from collections.abc import Callable, Iterator
from typing import Any

from tutor.say import say

_ASK = "_ask_the_judge"


def take_out(part: str, ask: Callable[..., Any]) -> None:
    """Take a part out: a function, or all that a class can do.

    Args:
        part: as "module:name".
        ask: gives what the part gives, called with its name, arguments and named arguments.
    """
    name = part.partition(":")[2]
    module = importlib.import_module(part.partition(":")[0])
    found = getattr(module, name)
    for function in _functions(found):
        if isinstance(found, type):
            function.__code__, named = _gone.__code__, {"_why": _why_gone()}
        else:
            vars(module)[_ASK] = ask
            function.__code__, named = _asks.__code__, {"_part": part}
        function.__defaults__, function.__kwdefaults__ = None, named
        function.__doc__ = None


def _why_gone() -> str:
    return say("this part of the package is what an exercise asks you to write")


def _gone(*_: Any, _why: str, **__: Any) -> None:
    raise NameError(_why)


def _asks(*arguments: Any, _part: str, **named: Any) -> Any:
    return _ask_the_judge(_part, arguments, named)  # noqa: F821 - in the part's own module


def _functions(found: Any) -> Iterator[types.FunctionType]:
    members = vars(found).values() if isinstance(found, type) else [found]
    for member in members:
        entry = getattr(member, "__func__", None) or getattr(member, "fget", None) or member
        entry = inspect.unwrap(entry) if callable(entry) else entry
        if isinstance(entry, types.FunctionType) and not entry.__code__.co_freevars:
            yield entry
