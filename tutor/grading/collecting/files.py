"""Reading one file of the disk that somebody else has put there."""

import os
import stat
from pathlib import Path

from tutor.say import say

LARGEST = 100 << 20  # bytes


class UnreadableError(Exception):
    """A file that is not graded; the message says why, in a sentence."""


def read_file(path: Path) -> bytes:
    """Read a file.

    Raises:
        UnreadableError: it is no ordinary file, or too large, or cannot be opened.
    """
    content = read_start(path, LARGEST + 1)
    if len(content) > LARGEST:
        raise UnreadableError(too_large(LARGEST))
    return content


def read_start(path: Path, most: int) -> bytes:
    """Read at most so many bytes of a file.

    Raises:
        UnreadableError: it is no ordinary file, or cannot be opened.
    """
    with os.fdopen(open_file(path), "rb") as opened:
        return opened.read(most)


def too_large(most: int) -> str:
    """Say that a file is larger than so many bytes."""
    return say("The file is larger than {most} MB.", most=most >> 20)


def open_file(path: Path) -> int:
    """Open a file for reading; give its descriptor.

    Raises:
        UnreadableError: it is no ordinary file, or cannot be opened.
    """
    try:
        # Without waiting: a pipe that lies there under a notebook's name would block for ever.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as refused:
        why = say("The file cannot be opened: {reason}.", reason=refused.strerror)
        raise UnreadableError(why) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UnreadableError(say("This is no ordinary file."))
    return descriptor
