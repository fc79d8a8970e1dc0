"""Stops the checker itself, should a result keep it busy for ever."""

import contextlib
import signal
import threading
import types
from collections.abc import Iterator

from tutor.say import say


class Overdue(BaseException):
    """The time is up. No ``Exception``, so that no checker takes it for one of the answer's."""


@contextlib.contextmanager
def watchdog(seconds: float) -> Iterator[None]:
    """Raise Overdue in what runs inside once this process has computed that long.

    Only the main thread of a process can be stopped so, as every local worker runs in; elsewhere
    nothing is watched.

    Example:
        >>> with watchdog(60):
        ...     1 + 1
        2
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def bark(_: int, __: types.FrameType | None) -> None:
        raise Overdue(say("it was not done after {seconds:g} seconds", seconds=seconds))

    handler = signal.signal(signal.SIGPROF, bark)
    left, _ = signal.setitimer(signal.ITIMER_PROF, seconds)  # of a watchdog around this one
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, left)
        signal.signal(signal.SIGPROF, handler)
