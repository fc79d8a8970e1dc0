"""One notebook in one process of the sandbox, as the judge sees it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from torch import Tensor

from tutor.checking.calls import Outcome
from tutor.checking.exercise import Arguments
from tutor.checking.failures import KINDS, Failure
from tutor.checking.telling import told
from tutor.checking.values import Canonical, canonical
from tutor.grading.limits import Limits
from tutor.grading.sandbox import Channel, GoneError, HungError
from tutor.grading.wire import Message, WireError, decode, encode

T = TypeVar("T")
_LONGEST = 1000  # characters of a sentence


class SessionOverError(Exception):
    """The process of the submission has ended, hung, or replied with nonsense."""


@dataclass(frozen=True)
class Opened:
    """What a notebook holds.

    Attributes:
        refused: why it cannot be graded at all, or "".
        grade_ids: for each code cell, the exercise that its metadata names, or "".
        defines: for each code cell, the names it defines.
        notes: what was odd about the file.
        digests: for each code cell that is not empty, a digest of its text.
    """

    refused: str
    grade_ids: Sequence[str] = ()
    defines: Sequence[Sequence[str]] = ()
    notes: Sequence[str] = ()
    digests: Sequence[str] = ()


@dataclass(frozen=True)
class Found:
    """Which answers a notebook gave, and who its author says to be.

    Attributes:
        answers: exercise -> index of the answer's cell, and number of versions.
        learner: the declared name, or None.
        class_seed: the declared seed of the class.
    """

    answers: Mapping[str, tuple[int, int]]
    learner: str | None
    class_seed: str


class Session:
    """Asks the process of one submission; whatever it replies is taken apart with care.

    Attributes:
        over: the process has ended or hung; nothing can be asked any more.
        hung: it took too long by the clock.
    """

    def __init__(self, channel: Channel, limits: Limits) -> None:
        self._channel = channel
        self._limits = limits
        self.over = False
        self.hung = False

    def open(self, content: bytes) -> Opened:
        """Hand over the notebook file and learn what it holds."""
        return self._ask({"do": "open"}, _opened, content)

    def begin(
        self, exercises: Sequence[tuple[str, str]], withheld: Mapping[str, Sequence[str]]
    ) -> None:
        """Say which exercises are looked for, and which parts of the package each withholds."""
        self._ask({"do": "begin", "exercises": exercises, "withheld": withheld}, _nothing)

    def run_cell(self, index: int, seconds: float) -> str | None:
        """Run a cell; give its first error."""
        seconds = min(seconds, self._limits.cell_clock)
        return self._ask({"do": "cell", "index": index}, _cell_error, seconds=seconds)

    def find(self) -> Found:
        """Ask which answers the notebook gave."""
        return self._ask({"do": "found"}, _found)

    def replace(self, exercise: str) -> None:
        """Let what follows a wrong answer go on with the package's own function, if there is one.

        This is what `report.function` does in the learner's kernel.
        """
        self._ask({"do": "replace", "exercise": exercise}, _nothing)

    def call(self, exercise: str, arguments: Arguments, gradients: bool) -> Outcome:
        """Call an answer; a process that ends or hangs gives an interrupted outcome."""
        data, blob = encode(dict(arguments))
        request = {"do": "call", "exercise": exercise, "arguments": data, "gradients": gradients}
        try:
            read = _OutcomeReader(arguments)
            return self._ask(request, read, blob, self._limits.call_clock)
        except SessionOverError:
            return Outcome(failure=Failure("no end"))

    def _ask(
        self,
        request: Mapping[str, Any],
        read: Callable[[Message], T],
        blob: bytes = b"",
        seconds: float | None = None,
    ) -> T:
        """Send a request and read the reply.

        Raises:
            SessionOverError: no reply came, or none that can be read.
        """
        if self.over:
            raise SessionOverError
        self.over = True  # until proven otherwise
        try:
            reply = self._channel.ask(Message(request, blob), seconds or self._limits.cell_clock)
            value = read(reply)
        except HungError:
            self.hung = True
            raise SessionOverError from None
        except (
            GoneError,
            WireError,
            LookupError,
            TypeError,
            ValueError,
            ArithmeticError,
        ) as broken:
            raise SessionOverError(str(broken)) from None
        self.over = False
        return value


def _text(value: Any) -> str:
    """Read a text, without what could not be written to a file."""
    if not isinstance(value, str):
        raise TypeError("no text")
    return value[:_LONGEST].encode(errors="backslashreplace").decode()


def _texts(value: Any, most: int) -> list[str]:
    if not isinstance(value, list):
        raise TypeError("no list")
    return [_text(part) for part in value[:most]]


def _count(value: Any) -> int:
    """Read a number of cells or lines."""
    if not isinstance(value, int) or not 0 <= value < 1_000_000:
        raise ValueError("no such number")
    return value


def _nothing(_: Message) -> None:
    return None


def _opened(reply: Message) -> Opened:
    if "refused" in reply.data:
        return Opened(_text(reply.data["refused"]))
    cells = list(reply.data["cells"])
    return Opened(
        "",
        [_text(cell["grade_id"]) for cell in cells],
        [_texts(cell["defines"], 200) for cell in cells],
        _texts(reply.data["notes"], 50),
        [_text(cell["digest"]) for cell in cells if cell["digest"]],
    )


def _cell_error(reply: Message) -> str | None:
    error = reply.data["error"]
    return None if error is None else _text(error)


def _found(reply: Message) -> Found:
    data = reply.data
    answers = {
        _text(name): (_count(found["cell"]), _count(found["versions"]))
        for name, found in dict(data["answers"]).items()
    }
    learner = None if data["learner"] is None else _text(data["learner"])
    return Found(answers, learner, _text(data["class_seed"]))


class _OutcomeReader:
    """Reads the outcome of a call with these arguments."""

    def __init__(self, arguments: Arguments) -> None:
        self._names = list(arguments)

    def __call__(self, reply: Message) -> Outcome:
        data = reply.data
        changed = [name for name in _texts(data["changed"], 100) if name in self._names]
        printed, warned = _text(data["printed"]), tuple(_texts(data["warned"], 5))
        failure = None if data["failure"] is None else _failure(data["failure"])
        value = None if failure else _result(data["value"], reply.blob)
        return Outcome(value, failure, tuple(changed), printed, warned)


def _failure(data: Any) -> Failure:
    reason = _text(data["reason"])
    if reason not in KINDS:
        raise ValueError("no reason of a failure")
    number = data["line_number"]
    failure = Failure(
        reason,
        _few_texts(data["gaps"]),
        None if number is None else _count(number),
        _text(data["line"]),
        _few_texts(data["shapes"]),
    )
    told(failure)  # raises if a gap of its sentence is missing
    return failure


def _few_texts(data: Any) -> dict[str, str]:
    return {_text(name): _text(text) for name, text in list(dict(data).items())[:12]}


def _result(data: Any, blob: bytes) -> Canonical:
    """Read a result; only tensors, and tuples and dicts of them, are results."""
    value = decode(data, blob)
    if not _is_result(value):
        raise WireError("a result that is not canonical")
    return canonical(value)


def _is_result(value: Any) -> bool:
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_result(part) for key, part in value.items())
    return isinstance(value, Tensor) or (
        isinstance(value, tuple) and all(_is_result(part) for part in value)
    )
