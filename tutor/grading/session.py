"""One notebook in one process of the sandbox, as the judge sees it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from tutor.checking.calls import Outcome
from tutor.grading.budget import SpentError
from tutor.grading.channel import Channel, GoneError, HungError
from tutor.grading.messages import Message, MessageError, decode, encode
from tutor.grading.outcomes import NO_ARGUMENTS, Calls
from tutor.grading.replies import (
    End,
    Opened,
    RunReply,
    count_of,
    end_of,
    opened_of,
    ran_of,
    text_of,
)

T = TypeVar("T")
StandIn = Callable[[str, Any], Any]
"""Gives what the right function of an exercise gives; raises ValueError where it must not."""

_MOST_MESSAGES = 10_000  # before a reply
_NONSENSE = (MessageError, LookupError, TypeError, ValueError, ArithmeticError, RuntimeError)


class SessionOverError(Exception):
    """The process of the submission has ended, hung, or replied with nonsense."""


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
        return self._ask({"do": "open", "exercises": exercises}, opened_of, content)

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
        return self._ask(request, ran_of)

    def wrong(self, exercise: str, is_wrong: bool) -> None:
        """Let `report.function` of an exercise be what the judge computes, or the answer again."""
        self._ask({"do": "wrong", "exercise": exercise, "is": is_wrong}, _nothing)

    def end(self) -> End:
        """Ask what is known after the last cell."""
        return self._ask({"do": "end"}, end_of)

    def called(self, version: int, calls: Calls) -> Message:
        """Call an answer with each of several arguments; give the reply, not taken apart yet.

        Those whose results would be too many are left out at the end.
        """
        request = {"do": "call", "version": version, "calls": calls.data, "gradients": calls.asked}
        return self._ask(request, _as_it_is, calls.blob)

    def watched(self, version: int, calls: Calls) -> Message:
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
                self.at = count_of(message.data["at"])
            elif "stand_in" in message.data:
                self._channel.send(self._stood_in(message))
            else:
                return message
        raise MessageError("too many messages")

    def _stood_in(self, message: Message) -> Message:
        try:
            exercise = text_of(message.data["stand_in"])
            called = decode(message.data["called"], message.blob)
            return Message(*_plain(self._stand_in(exercise, called)))
        except _NONSENSE:
            return Message({"refused": True})


def _refuse(*_: Any) -> Any:
    raise ValueError("refused")


def _plain(value: Any) -> tuple[dict[str, Any], bytes]:
    data, blob = encode(value)
    return {"value": data}, blob


def _nothing(_: Message) -> None:
    return None


def _as_it_is(reply: Message) -> Message:
    return reply
