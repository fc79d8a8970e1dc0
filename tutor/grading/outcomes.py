"""Calls of an answer, and what the process of a submission says came of them."""

from collections.abc import Sequence
from typing import Any, get_args

from torch import Tensor

from tutor.checking.calls import Outcome
from tutor.checking.exercise import Arguments
from tutor.checking.failure_sentences import told as failed
from tutor.checking.failures import KINDS, Failure
from tutor.checking.tolerance import equal
from tutor.checking.values import Canonical, NotAValueError, canonical
from tutor.checking.watching import MOST_NAMES, NanOrigin, WatchedCall
from tutor.grading.messages import Message, MessageError, decode, encode
from tutor.grading.replies import count_of, few_texts_of, text_of, texts_of


class Calls:
    """Several calls of an answer, written once for every notebook in which they are made.

    Args:
        arguments: of each call.
        gradients: whether each asks for gradients; by default none does.
    """

    def __init__(self, arguments: Sequence[Arguments], gradients: Sequence[bool] = ()) -> None:
        self.arguments = arguments
        self.asked = [*gradients] or [False] * len(arguments)
        self.data, self.blob = encode([dict(one) for one in arguments])

    def __eq__(self, other: object) -> bool:
        """Say whether they are the same calls."""
        if not isinstance(other, Calls):
            return False
        return (self.blob, self.asked, self.data) == (other.blob, other.asked, other.data)

    def __hash__(self) -> int:
        """Find them fast; plain data has no hash."""
        return hash(self.blob)

    def outcomes(self, reply: Message) -> list[Outcome]:
        """Read what came of them. Arguments must not change, unless gradients were asked for."""
        outcomes = list(reply.data["outcomes"])
        if not 0 < len(outcomes) <= len(self.arguments):
            raise MessageError("not as many outcomes as calls")
        results = decode({"list": [_result_data(one) for one in outcomes]}, reply.blob)
        watched = ({} if asked else one for one, asked in zip(self.arguments, self.asked))
        return [_outcome(*one) for one in zip(outcomes, results, watched)]


NO_ARGUMENTS = Calls([{}])  # of an answer that is a value


def _result_data(outcome: Any) -> Any:
    result = outcome["result"]
    if result is None:
        return {"plain": None}
    return {"tuple": [result["value"], result["after"]]}


def _outcome(data: Any, result: Any, watched: Arguments) -> Outcome:
    printed, warned = text_of(data["printed"]), tuple(texts_of(data["warned"], 5))
    if data["failure"] is not None:
        return Outcome(None, _failure(data["failure"]), (), printed, warned)
    value, after = result
    if not isinstance(after, dict):
        raise MessageError("no arguments")
    changed = [
        name
        for name, before in watched.items()
        if name not in after or not _is_same(before, after[name])
    ]
    return Outcome(_result(value), None, tuple(changed), printed, warned)


def _is_same(before: Any, after: Any) -> bool:
    try:
        return equal(canonical(before), canonical(after), absolute=0.0)
    except NotAValueError:
        return False


def seen_in(reply: Message) -> WatchedCall:
    """Read what was seen of an answer's work."""
    data = reply.data
    steps = decode(data["steps"], reply.blob)
    if not isinstance(steps, list) or not all(isinstance(made, Tensor) for made in steps):
        raise MessageError("no steps")
    return WatchedCall(
        tuple(zip(texts_of(data["made_by"], len(steps)), steps, strict=True)),
        tuple(texts_of(data["names"], MOST_NAMES)),
        text_of(data["last"]),
        tuple(tuple(map(count_of, shape)) for shape in list(data["operands"])[:10]),
        data["nan"] if data["nan"] in get_args(NanOrigin) else "",
    )


def _failure(data: Any) -> Failure:
    reason = text_of(data["reason"])
    if reason not in KINDS:
        raise MessageError("no reason of a failure")
    number = data["line_number"]
    failure = Failure(
        reason,
        few_texts_of(data["gaps"]),
        None if number is None else count_of(number),
        text_of(data["line"]),
        few_texts_of(data["shapes"]),
    )
    failed(failure)  # raises if a gap of its sentence is missing
    return failure


def _result(value: Any) -> Canonical:
    """Read a result; only tensors, and tuples and dicts of them, are results."""
    if not _is_result(value):
        raise MessageError("a result that is not canonical")
    return canonical(value)


def _is_result(value: Any) -> bool:
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_result(part) for key, part in value.items())
    return isinstance(value, Tensor) or (
        isinstance(value, tuple) and all(_is_result(part) for part in value)
    )
