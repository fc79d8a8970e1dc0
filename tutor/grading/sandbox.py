"""The sandbox of one worker: bubblewrap around a zygote that starts a child for each submission."""

import contextlib
import json
import random
import select
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeVar

from tutor.grading.budget import Budget, SpentError
from tutor.grading.limits import Limits
from tutor.grading.messages import (
    BLOB_CAP,
    JSON_CAP,
    STATUS,
    Message,
    MessageError,
    pack,
    read_message,
)
from tutor.grading.zygotes import Zygotes
from tutor.say import say

T = TypeVar("T")
START_TIME = 600.0  # seconds by the clock until torch must be loaded
TICK = 0.5  # seconds between two looks at what a process is doing, on the average
_DRAWN = random.Random()
COMPUTING = ("R", "D", "?")  # computing or about to; waiting for a disk; not known


class SandboxError(Exception):
    """The sandbox itself failed: nobody's answer is to blame, and the work is to be tried again."""


class BusyMachineError(SandboxError):
    """Grading took so long by the clock that the machine must be too busy for it."""


class HungError(Exception):
    """The submission did not reply, though it computed nothing."""


_AHEAD = 1 << 14  # bytes that are asked for at once: a message comes in three parts


class GoneError(Exception):
    """The submission's process ended, or replied with something that is no reply."""


def unavailable() -> str | None:
    """Say why there can be no sandbox on this machine, or None if there can."""
    if sys.platform != "linux":
        return "grading needs Linux with bubblewrap; on this system it runs in a container"
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed; on Debian and Ubuntu: sudo apt install bubblewrap"
    command = ["bwrap", "--unshare-all", "--unshare-user", "--ro-bind", "/", "/"]
    try:
        trial = subprocess.run([*command, sys.executable, "-V"], capture_output=True, text=True)
    except OSError as failed:
        return say("bubblewrap cannot be started: {failed}", failed=failed)
    if trial.returncode:
        return say("bubblewrap cannot make a sandbox here: {said}", said=trial.stderr.strip())
    return None


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
                raise GoneError("its process ended")
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


class Sandbox:
    """A zygote in bubblewrap; one submission at a time.

    Args:
        limits: what a submission gets.
        safe: False leaves bubblewrap out: for one's own notebooks alone.
        control: the control socket of a zygote that is there already; None starts one.

    Attributes:
        exit_code: of the last submission's process, minus the signal's number if one ended it.
        computed: how many seconds it has computed.

    Raises:
        SandboxError: it does not start.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        safe: bool = True,
        control: socket.socket | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self.computed = 0.0
        self._zygotes = None
        if control is None:
            control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
            with theirs:
                try:
                    self._zygotes = Zygotes([theirs], safe)
                except OSError as failed:
                    control.close()
                    raise SandboxError(unavailable() or str(failed)) from None
        self._control = control
        self._heard = bytearray()  # what the zygote has said and was not read yet
        try:
            self._greet()
        except SandboxError:
            self.close()
            raise

    def _greet(self) -> None:
        threads = self._hear(START_TIME).get("threads")
        if threads != 1:
            raise SandboxError(say("the sandbox starts with {threads} threads", threads=threads))

    @contextlib.contextmanager
    def channel(self, budget: Budget | None = None) -> Iterator[Channel]:
        """Start a process for one submission, and end it with the context.

        Args:
            budget: what its notebook has used and may use; None begins a new one.

        Raises:
            SandboxError: the process cannot be started, or locked in.
        """
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        budget = budget or Budget(self.limits)
        channel = Channel(ours, self.limits, lambda: self._state(budget), budget)
        self.exit_code: int | None = None
        self._ended: dict[str, Any] = {}
        try:
            with theirs:
                order = json.dumps(self.limits.as_data()).encode() + b"\n"
                socket.send_fds(self._control, [order], [theirs.fileno()])
            try:
                greeted = channel.hear().data == {"ready": True}
            except (GoneError, HungError):
                greeted = False
            if not greeted:
                raise SandboxError(
                    say(
                        "a submission's process does not start: {error}",
                        error=self._last_error(),
                    )
                )
            yield channel
        except OSError as broken:
            raise SandboxError(
                say("the sandbox does not answer: {broken}", broken=broken)
            ) from None
        finally:
            channel.close()
            ended = self._ended or self._hear(START_TIME)
            self.exit_code = ended.get("code")
            self.computed = float(ended.get("computed") or 0.0)
            budget.ended(self.computed)

    def _state(self, budget: Budget) -> str:
        """Ask what the submission's process is doing, and has computed; "" if it has ended."""
        if self._ended:
            return ""
        self._control.sendall(STATUS)
        told = self._hear(START_TIME)
        if "code" in told:
            self._ended = told
        else:
            budget.running = float(told["computed"])
        return str(told.get("state", ""))

    def close(self) -> None:
        """End the zygote and whatever it started."""
        self._control.close()
        if self._zygotes is not None:
            self._zygotes.close()

    def _hear(self, seconds: float) -> dict[str, Any]:
        """Wait for the zygote's next line; two may come in one piece."""
        self._control.settimeout(seconds)
        while b"\n" not in self._heard:
            try:
                piece = self._control.recv(4096)
            except OSError:
                piece = b""
            if not piece:
                raise SandboxError(say("the sandbox ended: {why}", why=self._last_error()))
            self._heard += piece
        line, _, rest = bytes(self._heard).partition(b"\n")
        self._heard = bytearray(rest)
        return dict(json.loads(line))

    def _last_error(self) -> str:
        said = self._zygotes.last_error() if self._zygotes is not None else ""
        return said or "no reason given"
