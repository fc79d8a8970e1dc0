"""An answer that lives in the sandbox, and the verdict on it, which an earlier one may have got.

A verdict follows from the exercise, the seed of its cases, and what the answer returned to each
request. Where all of that is the same to the byte, so is the verdict, and it is not worked out
again: in a class many answers are alike. What decides is never an answer's text, but what it did.
"""

import hashlib
import json
from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from tutor.checking.calls import Outcome
from tutor.checking.examine import sure_calls
from tutor.checking.exercise import Arguments, Exercise
from tutor.checking.failures import Failure
from tutor.checking.verdict import Verdict
from tutor.checking.watching import WatchedCall
from tutor.grading.examining import examined
from tutor.grading.messages import Message
from tutor.grading.outcomes import Calls, seen_in
from tutor.grading.session import Session, SessionOverError

MOST_KEPT = 5000  # steps of examinations


@dataclass(frozen=True)
class Request:
    """Something that is asked of an answer."""

    do: Literal["call", "watch"]
    calls: Calls


_next: OrderedDict[bytes, Request | Verdict] = OrderedDict()  # by the replies up to there


def verdict_on(exercise: Exercise, session: Session, version: int, seed: int) -> Verdict:
    """Examine an answer; raises as ``examined`` does."""
    answer = SandboxedAnswer(exercise, session, version, seed)
    verdict = answer.recalled()
    if verdict is None:
        verdict = examined(exercise, answer, seed)
        answer.keep(verdict)
    return verdict


@lru_cache(maxsize=512)
def sure_requests(exercise: Exercise, seed: int) -> list[Request]:
    """List the calls that a right answer gets, each by itself."""
    return [Request("call", Calls([one], [asked])) for one, asked in sure_calls(exercise, seed)]


@lru_cache(maxsize=512)
def first_request(exercise: Exercise, seed: int) -> Request:
    """Put what a right answer is asked into one request, which every answer gets first."""
    arguments, gradients = zip(*sure_calls(exercise, seed))
    return Request("call", Calls(arguments, gradients))


class SandboxedAnswer:
    """An answer that lives in the sandbox.

    Args:
        exercise: what it answers.
        session: its process.
        version: its number there.
        seed: of the cases.
    """

    def __init__(self, exercise: Exercise, session: Session, version: int, seed: int) -> None:
        self._session, self._version = session, version
        self._first, self._sure = first_request(exercise, seed), sure_requests(exercise, seed)
        self._so_far = hashlib.sha256(f"{exercise.name} {seed}".encode())
        self._unread: list[tuple[Request, Message]] = []
        self._ready: dict[Request, list[Outcome]] | None = None

    def recalled(self) -> Verdict | None:
        """Ask what an earlier answer was asked, as long as it returned the same; give its verdict.

        None if the replies lead elsewhere. They are kept and not asked for again.
        """
        step: Request | Verdict | None = self._first
        try:
            while isinstance(step, Request):
                self._unread.append((step, self._ask(step)))
                step = _next.get(self._so_far.digest())
        except SessionOverError:
            return None
        return step

    def keep(self, step: Request | Verdict) -> None:
        """Keep what followed the replies up to here, for answers that return the same."""
        if self._session.over:
            return
        _next[self._so_far.digest()] = step
        if len(_next) > MOST_KEPT:
            _next.popitem(last=False)

    def run(self, arguments: Arguments, gradients: bool = False) -> Outcome:
        """Call it there; the calls that a right answer gets are made in one go.

        A process that ends or hangs gives an interrupted outcome.
        """
        request = Request("call", Calls([arguments], [gradients]))
        try:
            if self._ready is None:
                self._ready = self._called()
            ready = self._ready.get(request)
            return ready.pop(0) if ready else self._outcomes(request)[0]
        except SessionOverError:
            return Outcome(failure=Failure("no end"))

    def watch(self, arguments: Arguments) -> WatchedCall:
        """Call it there and learn what was seen of its work."""
        try:
            return self._session.read(self._reply(Request("watch", Calls([arguments]))), seen_in)
        except SessionOverError:
            return WatchedCall()

    def _called(self) -> dict[Request, list[Outcome]]:
        """Make the calls that are sure to be made, as far as their results are not too many."""
        ready: dict[Request, list[Outcome]] = {}
        for request, outcome in zip(self._sure, self._outcomes(self._first)):
            ready.setdefault(request, []).append(outcome)
        return ready

    def _outcomes(self, request: Request) -> list[Outcome]:
        return self._session.read(self._reply(request), request.calls.outcomes)

    def _reply(self, request: Request) -> Message:
        """Give the reply to a request, which may be here already."""
        if self._unread and self._unread[0][0] == request:
            return self._unread.pop(0)[1]
        self._unread.clear()
        self.keep(request)
        return self._ask(request)

    def _ask(self, request: Request) -> Message:
        ask = self._session.watched if request.do == "watch" else self._session.called
        reply = ask(self._version, request.calls)
        self._so_far.update(self._session.read(reply, _bytes))
        return reply


def _bytes(reply: Message) -> bytes:
    text = json.dumps(reply.data).encode()
    return b"%d %d " % (len(text), len(reply.blob)) + text + reply.blob
