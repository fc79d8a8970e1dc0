"""The sandbox of one worker: bubblewrap around a zygote that starts a child for each submission."""

import contextlib
import json
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from tutor.grading.budget import Budget
from tutor.grading.channel import Channel, GoneError, HungError, SandboxError
from tutor.grading.limits import Limits
from tutor.grading.messages import STATUS
from tutor.grading.zygotes import Zygotes
from tutor.say import say

START_TIME = 600.0  # seconds by the clock until torch must be loaded


def unavailable() -> str | None:
    """Say why there can be no sandbox on this machine, or None if there can."""
    if sys.platform != "linux":
        return say("grading needs Linux with bubblewrap; on this system it runs in a container")
    if shutil.which("bwrap") is None:
        return say("bubblewrap is not installed; on Debian and Ubuntu: sudo apt install bubblewrap")
    command = ["bwrap", "--unshare-all", "--unshare-user", "--ro-bind", "/", "/"]
    try:
        trial = subprocess.run([*command, sys.executable, "-V"], capture_output=True, text=True)
    except OSError as failed:
        return say("bubblewrap cannot be started: {failed}", failed=failed)
    if trial.returncode:
        return say("bubblewrap cannot make a sandbox here: {said}", said=trial.stderr.strip())
    return None


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
        return said or say("no reason given")
