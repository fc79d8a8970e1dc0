"""What an answer raised, as a failure: its kind, its message, and the learner's own line."""

import linecache
import traceback
import types
from collections.abc import Callable
from typing import Any

from torch import Tensor

from tutor.checking.failures import Failure
from tutor.checking.stubs import unfinished, unwrapped
from tutor.checking.values import shape_words

TEXT_KEPT = 2000  # characters; an error's message must not fill the memory


def failure_of(error: BaseException, function: Callable[..., Any]) -> Failure:
    """Say what kind of failure something raised is, and where in the learner's code."""
    number, line, shapes = _own_line(error, function)
    if isinstance(error, KeyboardInterrupt):
        return Failure("stopped", {}, number, line, shapes)
    if isinstance(error, NotImplementedError) and (not line or line.startswith("raise")):
        return Failure("not implemented", {}, number, line)
    if isinstance(error, SystemExit):
        return Failure("exit", {}, number, line)
    if isinstance(error, RecursionError):
        return Failure("endless recursion", {}, number, line)
    if to_write := placeholder(function, message_of(error)):
        return to_write
    gaps = {"error": type(error).__name__, "text": message_of(error)}
    return Failure("error", gaps, number, line, shapes)


def placeholder(function: Callable[..., Any], message: str) -> Failure | None:
    """Say which placeholder of the exercise is still there, if one raised this message."""
    found = unfinished(function, message)
    return Failure("placeholder", {"number": str(found[0]), "line": found[1]}) if found else None


def message_of(error: BaseException) -> str:
    """Give the beginning of an error's message."""
    try:
        return str(error).strip()[:TEXT_KEPT]
    except Exception:  # a learner's exception class can have a broken __str__
        return "(its message cannot be read)"


def _own_line(
    error: BaseException, function: Callable[..., Any]
) -> tuple[int | None, str, dict[str, str]]:
    """Find the innermost line of the learner's own code: its number, text and tensors at hand.

    Own is what shares the function's global names: helpers in other cells of the notebook too.
    """
    names = getattr(unwrapped(function), "__globals__", None)
    own = [
        (frame, number)
        for frame, number in traceback.walk_tb(error.__traceback__)
        if frame.f_globals is names
    ]
    if not own:
        return None, "", {}
    frame, number = own[-1]
    line = linecache.getline(frame.f_code.co_filename, number).strip()
    return number, line, _tensors_at_hand(frame)


def _tensors_at_hand(frame: types.FrameType) -> dict[str, str]:
    return {
        name: shape_words(value)
        for name, value in frame.f_locals.items()
        if isinstance(value, Tensor)
    }
