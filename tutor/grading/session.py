"""One notebook in one process of the sandbox, as the judge sees it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, get_args

from torch import Tensor

from tutor.checking.calls import Outcome
from tutor.checking.exercise import Arguments
from tutor.checking.failure_sentences import told as failed
from tutor.checking.failures import KINDS, Failure
from tutor.checking.tolerance import equal
from tutor.checking.values import Canonical, NotAValueError, canonical
from tutor.checking.watching import MOST_NAMES, NanOrigin, WatchedCall
from tutor.grading.budget import SpentError
from tutor.grading.file_sentences import LOSSES, NOTES, REFUSALS, told
from tutor.grading.inside.cells import LONGEST_ANSWER
from tutor.grading.messages import Message, MessageError, decode, encode
from tutor.grading.sandbox import Channel, GoneError, HungError

T = TypeVar("T")
StandIn = Callable[[str, Any], Any]
"""Gives what the right function of an exercise gives; raises ValueError where it must not."""

_LONGEST = 1000  # characters of a sentence
_MOST_MESSAGES = 10_000  # before a reply
_NONSENSE = (MessageError, LookupError, TypeError, ValueError, ArithmeticError, RuntimeError)


class SessionOverError(Exception):
    """The process of the submission has ended, hung, or replied with nonsense."""


@dataclass(frozen=True)
class CellFacts:
    """What the text of a code cell tells before anything is run.

    Attributes:
        grade_id: the exercise that its metadata names, or "".
        defines: the names it defines.
        checks: what it hands to `check`.
        digest: a digest of its text, or "" if it is empty.
        text: its beginning, if it may hold an answer.
        magic: what keeps it from being run as the notebook's own, or "".
    """

    grade_id: str = ""
    defines: Sequence[str] = ()
    checks: Sequence[str] = ()
    digest: str = ""
    text: str = ""
    magic: str = ""


@dataclass(frozen=True)
class Opened:
    """What a notebook holds.

    Attributes:
        refused: why it cannot be graded at all, or "".
        cells: its code cells.
        notes: what was odd about the file.
        losses: those of them that tell of work that may be lost.
        python: the version of Python that it was last run with, or "".
    """

    refused: str
    cells: Sequence[CellFacts] = ()
    notes: Sequence[str] = ()
    python: str = ""
    losses: Sequence[str] = ()


@dataclass(frozen=True)
class News:
    """A version of an answer that is new, or was checked.

    Attributes:
        version: its number.
        exercise: what it answers.
        cell: the index of the cell that gave it.
        sure: metadata or a check say that it answers this exercise; else its name alone.
        is_open: nothing is written yet.
        now: is the same as long as nothing has changed that it makes use of.
    """

    version: int
    exercise: str
    cell: int
    sure: bool
    is_open: bool
    now: str


@dataclass(frozen=True)
class RunReply:
    """What came of running a cell up to the next answer.

    Attributes:
        error: the first error, in words, or None.
        news: the versions of answers.
        next: the statement to go on with, or None.
        needs: the version of Python that the cell's syntax needs, if it is newer than ours, or "".
    """

    error: str | None
    news: Sequence[News]
    next: int | None
    needs: str = ""


@dataclass(frozen=True)
class End:
    """What is known after the last cell: names with their class seeds, and what was left out."""

    learners: Sequence[tuple[str, str]] = ()
    left_out: Sequence[str] = ()


class Session:
    """Asks the process of one submission; whatever it replies is taken apart with care.

    Attributes:
        over: the process has ended or hung; nothing can be asked any more.
        hung: it computed nothing and did not reply.
        spent: the time for the whole notebook was used up.
        at: the statement that was run last.
        ran: something of the learner's was run.
    """

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._stand_in: StandIn = _refuse
        self.over = False
        self.hung = self.spent = False
        self.ran = False
        self.at = 0

    def open(self, content: bytes, exercises: Sequence[str]) -> Opened:
        """Hand over the notebook file and learn what it holds."""
        return self._ask({"do": "open", "exercises": exercises}, _opened, content)

    def begin(
        self,
        exercises: Sequence[tuple[str, str]],
        absent: Sequence[str],
        files: Mapping[str, bytes],
        stand_in: StandIn,
    ) -> None:
        """Say which exercises are looked for, and which parts of the package must be absent.

        Args:
            exercises: names and kinds.
            absent: as "module:name".
            files: the learner's own, to lie beside the notebook.
            stand_in: gives what the course's own functions give.
        """
        self._stand_in = stand_in
        sizes = [(name, len(content)) for name, content in files.items()]
        request = {"do": "begin", "exercises": exercises, "absent": absent, "files": sizes}
        self._ask(request, _nothing, b"".join(files.values()))

    def run(self, cell: int, start: int, skipped: Sequence[int]) -> RunReply:
        """Run a cell's statements from one on, up to the next that gives an answer."""
        self.ran, self.at = True, start
        request = {"do": "run", "cell": cell, "start": start, "skipped": skipped}
        return self._ask(request, _ran)

    def wrong(self, exercise: str, is_wrong: bool) -> None:
        """Let `report.function` of an exercise be what the judge computes, or the answer again."""
        self._ask({"do": "wrong", "exercise": exercise, "is": is_wrong}, _nothing)

    def end(self) -> End:
        """Ask what is known after the last cell."""
        return self._ask({"do": "end"}, _end)

    def called(self, version: int, calls: "Calls") -> Message:
        """Call an answer with each of several arguments; give the reply, not taken apart yet.

        Those whose results would be too many are left out at the end.
        """
        request = {"do": "call", "version": version, "calls": calls.data, "gradients": calls.asked}
        return self._ask(request, _as_it_is, calls.blob)

    def watched(self, version: int, calls: "Calls") -> Message:
        """Call an answer once and learn what was seen of its work: testimony, no proof."""
        request = {"do": "watch", "version": version, "calls": calls.data}
        return self._ask(request, _as_it_is, calls.blob)

    def read(self, reply: Message, read: Callable[[Message], T]) -> T:
        """Take a reply apart.

        Raises:
            SessionOverError: it cannot be read; nothing is asked of such a process any more.
        """
        try:
            return read(reply)
        except _NONSENSE as broken:
            self.over = True
            raise SessionOverError(str(broken)) from None

    def value(self, version: int) -> Outcome:
        """Ask for an answer that is a value."""
        return self.read(self.called(version, NO_ARGUMENTS), NO_ARGUMENTS.outcomes)[0]

    def _ask(
        self, request: Mapping[str, Any], read: Callable[[Message], T], blob: bytes = b""
    ) -> T:
        """Send a request and read the reply.

        Raises:
            SessionOverError: no reply came, or none that can be read.
        """
        if self.over:
            raise SessionOverError
        self.over = True  # until proven otherwise
        try:
            self._channel.send(Message(request, blob))
            value = read(self._reply())
        except HungError:
            self.hung = True
            raise SessionOverError from None
        except SpentError:
            self.spent = True
            raise SessionOverError from None
        except (GoneError, *_NONSENSE) as broken:
            raise SessionOverError(str(broken)) from None
        self.over = False
        return value

    def _reply(self) -> Message:
        """Hear the reply; before it may come where the process is, and requests of its own."""
        for _ in range(_MOST_MESSAGES):
            message = self._channel.hear()
            if not isinstance(message.data, dict):
                return message
            if "at" in message.data:
                self.at = _count(message.data["at"])
            elif "stand_in" in message.data:
                self._channel.send(self._stood_in(message))
            else:
                return message
        raise MessageError("too many messages")

    def _stood_in(self, message: Message) -> Message:
        try:
            exercise = _text(message.data["stand_in"])
            called = decode(message.data["called"], message.blob)
            return Message(*_plain(self._stand_in(exercise, called)))
        except _NONSENSE:
            return Message({"refused": True})


def _refuse(*_: Any) -> Any:
    raise ValueError("nothing can be asked yet")


def _plain(value: Any) -> tuple[dict[str, Any], bytes]:
    data, blob = encode(value)
    return {"value": data}, blob


def _text(value: Any, longest: int = _LONGEST) -> str:
    """Read a text, without what could not be written to a file."""
    if not isinstance(value, str):
        raise TypeError("no text")
    return value[:longest].encode(errors="backslashreplace").decode()


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


def _as_it_is(reply: Message) -> Message:
    return reply


def _opened(reply: Message) -> Opened:
    data = reply.data
    if "refused" in data:
        return Opened(_note(REFUSALS, data["refused"]))
    cells = [
        CellFacts(
            _text(cell["grade_id"]),
            _texts(cell["defines"], 200),
            _texts(cell["checks"], 200),
            _text(cell["digest"]),
            _text(cell["text"], LONGEST_ANSWER),
            _text(cell["magic"]),
        )
        for cell in list(data["cells"])
    ]
    odd = list(data["notes"])[:50]
    notes = [_note(NOTES, note) for note in odd]
    losses = [_note(NOTES, note) for note in odd if note[0] in LOSSES]
    return Opened("", cells, notes, _text(data["python"]), losses)


def _note(sentences: Mapping[str, str], note: Any) -> str:
    reason, gaps = note
    return told(sentences, _text(reason), _few_texts(gaps))


def _ran(reply: Message) -> RunReply:
    error, following = reply.data["error"], reply.data["next"]
    return RunReply(
        None if error is None else _text(error),
        [_news(one) for one in list(reply.data["news"])[:100]],
        None if following is None else _count(following),
        _text(reply.data["needs"]),
    )


def _news(data: Any) -> News:
    return News(
        _count(data["version"]),
        _text(data["exercise"]),
        _count(data["cell"]),
        data["sure"] is True,
        data["open"] is True,
        _text(data["now"]),
    )


def _end(reply: Message) -> End:
    learners = [(_text(name), _text(seed)) for name, seed in list(reply.data["learners"])[:20]]
    return End(learners, _texts(reply.data["left_out"], 20))


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
    printed, warned = _text(data["printed"]), tuple(_texts(data["warned"], 5))
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
        raise TypeError("no steps")
    return WatchedCall(
        tuple(zip(_texts(data["made_by"], len(steps)), steps, strict=True)),
        tuple(_texts(data["names"], MOST_NAMES)),
        _text(data["last"]),
        tuple(tuple(map(_count, shape)) for shape in list(data["operands"])[:10]),
        data["nan"] if data["nan"] in get_args(NanOrigin) else "",
    )


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
    failed(failure)  # raises if a gap of its sentence is missing
    return failure


def _few_texts(data: Any) -> dict[str, str]:
    return {_text(name): _text(text) for name, text in list(dict(data).items())[:12]}


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
