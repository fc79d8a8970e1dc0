"""The sandbox of one worker: bubblewrap around a zygote that starts a child for each submission."""

import contextlib
import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

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

START_TIME = 600.0  # seconds by the clock until torch must be loaded
TICK = 0.5  # seconds between two looks at what a process is doing
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
        return f"bubblewrap cannot be started: {failed}"
    if trial.returncode:
        return f"bubblewrap cannot make a sandbox here: {trial.stderr.strip()}"
    return None


class Channel:
    """The judge's end of a connection to one submission's process.

    Args:
        end: the socket.
        limits: what the submission gets.
        state: tells what the process is doing, as the kernel says: "R" for computing.
    """

    def __init__(self, end: socket.socket, limits: Limits, state: Callable[[], str]) -> None:
        self._end, self._limits, self._state = end, limits, state
        self._until = time.monotonic() + limits.clock
        self._slept = 0.0  # seconds in which nothing was computed, since the start
        self._began = 0.0  # the same when the reply that is awaited was asked for
        self._ahead = bytearray()  # what has been received and not been read

    def send(self, message: Message) -> None:
        """Send something.

        Raises:
            HungError: the process does not read it.
            GoneError: the process has ended.
        """
        self._began = self._slept
        self._end.settimeout(TICK)
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
            SandboxError: it takes too long by the clock, so the machine must be too busy.
        """
        try:
            return read_message(self._exactly, JSON_CAP, BLOB_CAP)
        except (OSError, MessageError) as broken:
            raise GoneError(str(broken)) from None

    def close(self) -> None:
        """Hang up; the submission's process is ended then."""
        self._end.close()

    def _exactly(self, size: int) -> bytes:
        self._end.settimeout(TICK)
        while len(self._ahead) < size:
            try:
                piece = self._end.recv(min(max(size - len(self._ahead), _AHEAD), 1 << 20))
            except TimeoutError:
                self._count_sleep()
                continue
            if not piece:
                raise GoneError("its process ended")
            self._ahead += piece
        content = bytes(self._ahead[:size])
        del self._ahead[:size]
        return content

    def _send_some(self, content: memoryview) -> int:
        try:
            return self._end.send(content)
        except TimeoutError:
            self._count_sleep()
            return 0

    def _count_sleep(self) -> None:
        if time.monotonic() > self._until:
            raise BusyMachineError("a notebook took too long by the clock; is the machine busy?")
        if self._state() not in COMPUTING:
            self._slept += TICK
        most = self._limits.sleep
        if self._slept - self._began > most or self._slept > 3 * most:
            raise HungError


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
        try:
            self._greet()
        except SandboxError:
            self.close()
            raise

    def _greet(self) -> None:
        threads = self._hear(START_TIME).get("threads")
        if threads != 1:
            raise SandboxError(f"the sandbox starts with {threads} threads")

    @contextlib.contextmanager
    def channel(self) -> Iterator[Channel]:
        """Start a process for one submission, and end it with the context.

        Raises:
            SandboxError: the process cannot be started, or locked in.
        """
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        channel = Channel(ours, self.limits, self._state)
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
                raise SandboxError(f"a submission's process does not start: {self._last_error()}")
            yield channel
        except OSError as broken:
            raise SandboxError(f"the sandbox does not answer: {broken}") from None
        finally:
            channel.close()
            ended = self._ended or self._hear(START_TIME)
            self.exit_code = ended.get("code")
            self.computed = float(ended.get("computed") or 0.0)

    def _state(self) -> str:
        """Ask what the submission's process is doing; "" if it has ended."""
        if self._ended:
            return ""
        self._control.sendall(STATUS)
        told = self._hear(START_TIME)
        if "code" in told:
            self._ended = told
        return str(told.get("state", ""))

    def close(self) -> None:
        """End the zygote and whatever it started."""
        self._control.close()
        if self._zygotes is not None:
            self._zygotes.close()

    def _hear(self, seconds: float) -> dict[str, Any]:
        """Wait for the zygote's next line."""
        self._control.settimeout(seconds)
        try:
            line = self._control.recv(4096)
        except OSError:
            line = b""
        if not line:
            raise SandboxError(f"the sandbox ended: {self._last_error()}")
        return dict(json.loads(line))

    def _last_error(self) -> str:
        said = self._zygotes.last_error() if self._zygotes is not None else ""
        return said or "no reason given"
