"""Changing kept files one after the other: two notebooks may write to one folder at once."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tutor.say import say

LOCK = ".tutor.lock"
PATIENCE = 20.0  # seconds to wait for the other one


class BusyError(Exception):
    """Somebody else was writing all the while."""


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Read, change and write files of a folder while nobody else does.

    The system frees the lock of a kernel that was killed. Where a disk knows no locks, this goes on
    without one.

    Raises:
        BusyError: another notebook was writing for too long.
        OSError: the folder cannot be written.

    Example:
        >>> import tempfile
        >>> with one_at_a_time(Path(tempfile.mkdtemp()) / "mine") as entered:
        ...     entered is None
        True
    """
    from filelock import FileLock, Timeout  # here: the doctor runs where packages are missing

    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / LOCK, timeout=PATIENCE)
    try:
        with suppress(NotImplementedError):
            lock.acquire()
    except Timeout:
        raise BusyError(say("Another notebook is writing there; try again.")) from None
    try:
        yield
    finally:
        lock.release()
