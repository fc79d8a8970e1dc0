"""Writes what came of calling an answer, as the judge reads it."""

import re
from collections.abc import Mapping
from typing import Any

from tutor.checking.calls import Outcome
from tutor.checking.failures import Failure
from tutor.checking.watching import WatchedCall
from tutor.grading.messages import DTYPE_NAMES, Message, MessageWriter


def outcome_data(
    outcome: Outcome, given: Mapping[str, Any] | None, writer: MessageWriter
) -> dict[str, Any]:
    """Write an outcome, with the arguments as they are now: whether they changed is judged outside.

    Arguments that cannot be written have changed, since all that were handed over can.
    """
    value, failure = None, outcome.failure
    if failure is None:
        try:
            value = {"value": writer.data(outcome.value), "after": _after(given, writer)}
        except ValueError as unfit:
            failure = Failure("dtype", {"type": str(unfit)})
    return {
        "result": value,
        "failure": None if failure is None else _failure_data(failure),
        "printed": outcome.printed[:200],
        "warned": [text[:200] for text in outcome.warned[:5]],
    }


def _after(given: Mapping[str, Any] | None, writer: MessageWriter) -> Any:
    try:
        return writer.data(dict(given or {}))
    except ValueError:
        return writer.data({})


def seen_message(seen: WatchedCall) -> Message:
    """Write which of torch's functions a call has used."""
    kept = [(name, made) for name, made in seen.steps if made.dtype in DTYPE_NAMES]
    writer = MessageWriter()
    data = {
        "made_by": [name for name, _ in kept],
        "steps": writer.data([made for _, made in kept]),
        "names": list(seen.names),
        "last": seen.last,
        "operands": [list(shape) for shape in seen.operands],
        "nan": seen.nan,
    }
    return Message(data, writer.blob())


def _failure_data(failure: Failure) -> dict[str, Any]:
    return {
        "reason": failure.reason,
        "gaps": {name: _steady(text[:1000]) for name, text in failure.gaps.items()},
        "line_number": failure.line_number,
        "line": failure.line[:300],
        "shapes": dict(list(failure.shapes.items())[:12]),
    }


def _steady(text: str) -> str:
    """Take out addresses in memory, which are others in each run."""
    return re.sub(r"\b0x[0-9a-fA-F]{6,}", "0x…", text)


def too_large() -> Message:
    """Write that what came of calls is too long for a message."""
    outcome = Outcome(failure=Failure("too long"))
    return Message({"outcomes": [outcome_data(outcome, None, MessageWriter())]})
