"""The judge's connection to one submission's process, and how long it waits for it."""

import random
import select
import socket
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from tutor.grading.budget import Budget, SpentError
from tutor.grading.limits import Limits
from tutor.grading.messages import BLOB_CAP, JSON_CAP, Message, MessageError, pack, read_message
from tutor.say import say

T = TypeVar("T")
TICK = 0.5  # seconds between two looks at what a process is doing, on the average
_DRAWN = random.Random()
COMPUTING = ("R", "D", "?")  # computing or about to; waiting for a disk; not known
_AHEAD = 1 << 14  # bytes that are asked for at once: a message comes in three parts


class SandboxError(Exception):
    """The sandbox itself failed: nobody's answer is to blame, and the work is to be tried again."""


class BusyMachineError(SandboxError):
    """Grading took so long by the clock that the machine must be too busy for it."""


class HungError(Exception):
    """The submission did not reply, though it computed nothing."""


class GoneError(Exception):
    """The submission's process ended, or replied with something that is no reply."""


class Channel:
    """The judge's end of a connection to one submission's process.

    Args:
        end: the socket.
        limits: what the submission gets.
        state: tells what the process is doing, as the kernel says: "R" for computing.
        budget: what its notebook has used and may use.
    """

    def __init__(
        self, end: socket.socket, limits: Limits, state: Callable[[], str], budget: Budget
    ) -> None:
        self._end, self._limits, self._state, self._budget = end, limits, state, budget
        self._began = 0.0  # what had been slept when the reply that is awaited was asked for
        self._waited, self._tick = 0.0, _tick()  # seconds since the last look, and until the next
        self._ahead = bytearray()  # what has been received and not been read

    def send(self, message: Message) -> None:
        """Send something.

        Raises:
            HungError: the process does not read it.
            GoneError: the process has ended.
            SpentError: the notebook's time is used up.
        """
        self._began = self._budget.slept
        left = memoryview(pack(message))
        try:
            while left:
                left = left[self._send_some(left) :]
        except OSError as broken:
            raise GoneError(str(broken)) from None

    def hear(self) -> Message:
        """Wait for a message, for as long as something is computed.

        Raises:
            HungError: nothing comes, and nothing is computed.
            GoneError: the process has ended, or what it sent is no message.
            SpentError: the notebook's time is used up.
            BusyMachineError: it takes too long by the clock, and the notebook has used little.
        """
        self._check_budget()
        try:
            return read_message(self._exactly, JSON_CAP, BLOB_CAP)
        except (OSError, MessageError) as broken:
            raise GoneError(str(broken)) from None

    def close(self) -> None:
        """Hang up; the submission's process is ended then."""
        self._end.close()

    def _exactly(self, size: int) -> bytes:
        while len(self._ahead) < size:
            most = min(max(size - len(self._ahead), _AHEAD), 1 << 20)
            piece = self._until_a_look(partial(self._end.recv, most), self._can_read)
            if piece is None:
                continue
            if not piece:
                raise GoneError
            self._ahead += piece
        content = bytes(self._ahead[:size])
        del self._ahead[:size]
        return content

    def _send_some(self, content: memoryview) -> int:
        return self._until_a_look(partial(self._end.send, content), self._can_write) or 0

    def _can_read(self) -> bool:
        return bool(select.select([self._end], [], [], 0)[0])

    def _can_write(self) -> bool:
        return bool(select.select([], [self._end], [], 0)[1])

    def _until_a_look(self, wait: Callable[[], T], is_ready: Callable[[], bool]) -> T | None:
        """Wait for the socket; None if it is time to look at what the process is doing instead.

        Looks come at their own times, however many messages come between them.
        """
        self._end.settimeout(max(self._tick - self._waited, 0.001))
        began = time.monotonic()
        try:
            done = wait()
        except TimeoutError:
            self._look(is_ready)
            return None
        self._waited += time.monotonic() - began
        return done

    def _look(self, is_ready: Callable[[], bool]) -> None:
        """Count the time since the last look as slept, if the process is computing nothing."""
        if self._state() not in COMPUTING and not is_ready():  # else it waits for the judge
            self._budget.slept += self._tick
        self._waited, self._tick = 0.0, _tick()
        self._check_budget()
        if self._budget.slept - self._began > self._limits.sleep:
            raise HungError

    def _check_budget(self) -> None:
        if self._budget.is_used_up:
            raise SpentError
        if self._budget.is_out_of_time:
            raise BusyMachineError(
                say("a notebook took too long by the clock; is the machine busy?")
            )


def _tick() -> float:
    """Draw a time until the next look, which nobody can be ready for."""
    return TICK * (0.5 + _DRAWN.random())
