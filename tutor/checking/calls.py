"""Running an answer once and keeping what came of it as plain data.

Nothing here lets an answer disturb its caller: arguments are copies, whatever is raised is
caught, what is printed is kept.
"""

import contextlib
import copy
import inspect
import io
import textwrap
import types
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments
from tutor.checking.failures import Failure
from tutor.checking.leaves import leaves
from tutor.checking.raised import failure_of, message_of, placeholder
from tutor.checking.stubs import is_stub
from tutor.checking.tolerance import equal
from tutor.checking.values import Canonical, NotAValueError, canonical
from tutor.checking.watching import Watch, WatchedCall

PRINTED_KEPT = 2000  # characters; an answer that prints in a loop must not fill the memory
WARNING_KEPT = 200


@dataclass(frozen=True)
class Outcome:
    """What came of one call: a value or a failure, and what happened on the side.

    Attributes:
        value: the canonical result; None if there is a failure.
        failure: why there is no value.
        changed: names of arguments that the call changed in place.
        printed: the beginning of what it printed.
        warned: the warnings it raised.
    """

    value: Canonical | None = None
    failure: Failure | None = None
    changed: tuple[str, ...] = ()
    printed: str = ""
    warned: tuple[str, ...] = ()


@runtime_checkable
class Answer(Protocol):
    """Something that can be called on a case: here a function, in grading one in the sandbox."""

    def run(self, arguments: Arguments, gradients: bool = False) -> Outcome:
        """Call the answer; with ``gradients``, give those of the result's weighted sum instead."""

    def watch(self, arguments: Arguments) -> WatchedCall:
        """Call the answer and give what was seen of its work."""


class FunctionAnswer:
    """A function of this process as an answer.

    Example:
        >>> FunctionAnswer(lambda x: x + 1).run({"x": 1}).value
        tensor(2)
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def run(self, arguments: Arguments, gradients: bool = False) -> Outcome:
        """Call the function with copies of the arguments, by position."""
        if unfit := _cannot_be_called(self.function, arguments):
            return Outcome(failure=unfit)
        given = {name: _copied(value) for name, value in arguments.items()}
        if gradients:
            _ask_for_gradients(given)
        printed = _Beginning()
        with (
            _all_warnings() as caught,
            contextlib.redirect_stdout(printed),
            contextlib.redirect_stderr(printed),
        ):
            value, failure = self._call(given, gradients)
        if failure and failure.reason == "returns nothing" and printed.getvalue():
            failure = replace(failure, reason="prints only")
        changed = [] if gradients else self._changed(arguments, given)
        warned = tuple(dict.fromkeys(_short(str(warning.message)) for warning in caught))
        return Outcome(value, failure, tuple(changed), printed.getvalue(), warned)

    def _changed(self, before: Arguments, after: Mapping[str, Any]) -> list[str]:
        """List the arguments that a call has changed."""
        return [name for name in before if not _is_untouched(before[name], after[name])]

    def _call(
        self, given: Mapping[str, Any], gradients: bool
    ) -> tuple[Canonical | None, Failure | None]:
        try:
            with torch.enable_grad():
                result = self.function(*given.values())
                if result is None:
                    return None, Failure("returns nothing")
                return (_gradients(result, given) if gradients else canonical(result)), None
        except NotAValueError as unfit:
            to_write = placeholder(self.function, unfit.gaps.get("type", ""))
            return None, to_write or Failure(unfit.reason, unfit.gaps)
        except BaseException as error:  # whatever a learner's code raises, SystemExit included
            return None, failure_of(error, self.function)

    def watch(self, arguments: Arguments) -> WatchedCall:
        """Call the function once more and give what was seen of its work."""
        watch = Watch()
        given = {name: _copied(value) for name, value in arguments.items()}
        with (
            _all_warnings(),
            contextlib.redirect_stdout(_Beginning()),
            contextlib.redirect_stderr(_Beginning()),
            contextlib.suppress(BaseException),  # whatever a learner's code raises
            watch,
        ):
            self.function(*given.values())
        return watch.seen()


class ValueAnswer:
    """A value that was worked out by hand as an answer; ``...`` means not answered yet.

    Example:
        >>> ValueAnswer(...).run({}).failure.kind
        'open'
    """

    def __init__(self, value: Any) -> None:
        self.value = value

    def run(self, arguments: Arguments, gradients: bool = False) -> Outcome:
        """Give the value, whatever the arguments are."""
        if self.value is ... or self.value is None:
            return Outcome(failure=Failure("no answer"))
        try:
            return Outcome(canonical(self.value))
        except NotAValueError as unfit:
            return Outcome(failure=Failure(unfit.reason, unfit.gaps))
        except Exception as error:  # a list inside itself, for instance
            gaps = {"error": type(error).__name__, "text": message_of(error)}
            return Outcome(failure=Failure("unreadable", gaps))

    def watch(self, arguments: Arguments) -> WatchedCall:
        """See nothing: there is no work to be seen."""
        return WatchedCall()


def same_outcome(one: Outcome, other: Outcome, absolute: float | None = None) -> bool:
    """Say whether two calls ended alike: with equal values, or both with a failure."""
    if one.failure or other.failure:
        return bool(one.failure and other.failure)
    return equal(one.value, other.value, absolute)


@contextlib.contextmanager
def _all_warnings() -> Iterator[list[warnings.WarningMessage]]:
    """Catch every warning; torch by itself gives some only the first time."""
    before = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield caught
    finally:
        torch.set_warn_always(before)


def _short(text: str) -> str:
    return textwrap.shorten(text, WARNING_KEPT, placeholder=" …")


def _cannot_be_called(function: Any, arguments: Arguments) -> Failure | None:
    """Say why there is nothing to call, or nothing that takes these arguments."""
    if function is ... or function is None:
        return Failure("no answer")
    if not callable(function):
        return Failure("no function", {"type": type(function).__name__})
    if is_stub(function):
        return Failure("no body")
    return _wrong_arity(function, arguments)


def _wrong_arity(function: Callable[..., Any], arguments: Arguments) -> Failure | None:
    if _surely_takes(function, len(arguments)):
        return None
    try:
        signature = inspect.signature(function)
    except Exception:  # built-in callables and odd objects have none; then calling shows it
        return None
    try:
        signature.bind(*arguments.values())
    except TypeError:
        asked = {"count": str(len(arguments)), "asked": ", ".join(arguments)}
        if not signature.parameters:
            return Failure("takes nothing", asked)
        return Failure("argument count", {"takes": ", ".join(signature.parameters), **asked})
    return None


def _surely_takes(function: Callable[..., Any], count: int) -> bool:
    """Say at a glance whether a plain function takes so many arguments; False if that is unclear.

    Example:
        >>> _surely_takes(lambda x, y: x, 2), _surely_takes(lambda *x: x, 2)
        (True, False)
    """
    if type(function) is not types.FunctionType or vars(function):  # wraps another, perhaps
        return False
    code = function.__code__
    return code.co_argcount == count and not code.co_kwonlyargcount


def _copied(value: Any) -> Any:
    """Copy an argument, its plain tensors in a tenth of the time that deepcopy takes for them.

    A tensor that is scattered in memory or stretched stays so: clone would put it in order.
    """
    tensors = (leaf.value for leaf in leaves({"": value}) if _is_plain(leaf.value))
    return copy.deepcopy(value, {id(tensor): tensor.clone() for tensor in tensors})


def _is_plain(value: Any) -> bool:
    return type(value) is Tensor and value.is_contiguous() and not value.requires_grad


def _is_untouched(before: Any, after: Any) -> bool:
    try:
        return equal(canonical(before), canonical(after), absolute=0.0)
    except NotAValueError:
        return False


def _ask_for_gradients(given: Arguments) -> None:
    for value in _floats(given):
        value.requires_grad_()


def _floats(given: Arguments) -> list[Tensor]:
    values = [leaf.value for leaf in leaves(given) if isinstance(leaf.value, Tensor)]
    return [value for value in values if value.is_floating_point()]


def _gradients(result: Any, given: Arguments) -> Canonical:
    """Give the gradient of the weighted sum of the results for every float tensor given."""
    results = result if isinstance(result, list | tuple) else [result]
    sums = [_weighted(part) for part in results if part.requires_grad]
    if not sums:  # cut off: nothing comes back
        return tuple(torch.zeros_like(value) for value in _floats(given))
    total = torch.stack(sums).sum()
    found = torch.autograd.grad(total, _floats(given), allow_unused=True, materialize_grads=True)
    return tuple(found)


def _weighted(result: Tensor) -> Tensor:
    """Sum a result with unequal weights, as the plain sum of a norm's or softmax's is constant."""
    weights = torch.arange(result.numel(), dtype=result.dtype).cos().view(result.shape)
    return (result * weights).sum()


class _Beginning(io.StringIO):
    """Keeps the beginning of what is written and drops the rest."""

    def write(self, text: str) -> int:
        super().write(text[: max(0, PRINTED_KEPT - self.tell())])
        return len(text)

    def close(self) -> None:
        """Stay readable: an answer may close what it takes for the screen."""
