"""Writing files so that nobody ever finds half of one."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tutor.say import say

UNFINISHED = ".*.unfinished"  # what a run that was killed may leave beside its files


@contextmanager
def replacing(path: Path, durable: bool = False) -> Iterator[Path]:
    """Give another name to write a file under, and its own name once it is whole.

    Whoever is killed meanwhile, or finds the disk full, leaves the old file as it was.

    Args:
        path: the file's own name; its folder is made if it does not exist.
        durable: wait until the bytes are on the disk, so that even a power cut cannot halve them.

    Raises:
        OSError: the file cannot be written.

    Example:
        >>> import tempfile
        >>> file = Path(tempfile.mkdtemp()) / "table.csv"
        >>> with replacing(file) as unfinished:
        ...     _ = unfinished.write_text("a,b")
        >>> [path.name for path in file.parent.iterdir()]
        ['table.csv']
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    try:
        yield unfinished
        if durable:
            with unfinished.open("rb") as file:
                os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def write_whole(path: Path, content: str | bytes) -> bool:
    """Write a file in one step unless it already says the same; say whether it was written.

    Args:
        path: the file; its folder is made if it does not exist.
        content: bytes, or a text that is written as UTF-8. Half a character, as in the name of a
            file that is not UTF-8, becomes an escape that JSON knows.

    Raises:
        OSError: the file cannot be written; the old one is then still there.

    Example:
        >>> import tempfile
        >>> file = Path(tempfile.mkdtemp()) / "progress.json"
        >>> write_whole(file, "{}"), write_whole(file, "{}"), file.read_text()
        (True, False, '{}')
    """
    raw = content.encode(errors="backslashreplace") if isinstance(content, str) else content
    if path.is_file() and path.read_bytes() == raw:
        return False
    with replacing(path) as unfinished:
        unfinished.write_bytes(raw)
    return True


def reason(error: OSError) -> str:
    """Say in a sentence for users why a file could not be read or written.

    Example:
        >>> reason(OSError(errno.ENOSPC, "No space left on device", "/home/ada/a.json"))
        'The disk is full.'
        >>> reason(PermissionError(errno.EACCES, "Permission denied", "/home/ada/a.json"))
        'This may not be written or read: /home/ada/a.json'
    """
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return say("The disk is full.")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return say("This may not be written or read: {place}", place=_place(error))
    if error.errno == errno.ENOENT and error.filename is None:
        return say("The folder that this runs in is no longer there.")
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return say("This is not there: {place}", place=_place(error))
    return f"{error.strerror or error}: {_place(error)}"


def _place(error: OSError) -> str:
    """Name the file that cannot be used, not the one that stands for it until it is whole."""
    path = Path(str(error.filename2 or error.filename or ""))
    name = path.name.removeprefix(".").rpartition(f".{os.getpid()}.unfinished")[0]
    return str(path.with_name(name) if name else path)
