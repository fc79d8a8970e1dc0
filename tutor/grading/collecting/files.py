"""Reading one file of the disk that somebody else has put there."""

import os
import stat
from pathlib import Path

LARGEST = 100 << 20  # bytes
TOO_LARGE = f"The file is larger than {LARGEST >> 20} MB."


class UnreadableError(Exception):
    """A file that is not graded; the message says why, in a sentence."""


def read_file(path: Path) -> bytes:
    """Read a file.

    Raises:
        UnreadableError: it is no ordinary file, or too large, or cannot be opened.
    """
    with os.fdopen(open_file(path), "rb") as opened:
        content = opened.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise UnreadableError(TOO_LARGE)
    return content


def open_file(path: Path) -> int:
    """Open a file for reading; give its descriptor.

    Raises:
        UnreadableError: it is no ordinary file, or cannot be opened.
    """
    try:
        # Without waiting: a pipe that lies there under a notebook's name would block for ever.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as refused:
        raise UnreadableError(f"The file cannot be opened: {refused.strerror}.") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UnreadableError("This is no ordinary file.")
    return descriptor
