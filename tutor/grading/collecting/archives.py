"""Zip archives, read where they lie: nothing is unpacked onto the disk.

So no path in an archive leads anywhere, and nothing grows beyond what is read of it.
"""

import io
import os
import stat
import time
import unicodedata
import zipfile
import zlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tutor.grading.collecting.files import LARGEST, TOO_LARGE, UnreadableError, open_file

MOST_ENTRIES = 100_000  # of one archive
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    ValueError,
    RuntimeError,  # a password is needed, or a method of packing is unknown
    KeyError,
)


@dataclass(frozen=True)
class Archive:
    """A zip archive on the disk, or a file in another archive.

    Attributes:
        path: of the archive on the disk.
        inside: the files that lead from there to this archive, each in the one before.
    """

    path: Path
    inside: tuple[str, ...] = ()

    def entries(self) -> list[zipfile.ZipInfo]:
        """List what it holds.

        Raises:
            UnreadableError: it cannot be opened, or holds too many files.
        """
        entries = [entry for entry in _opened(self).infolist() if not entry.is_dir()]
        if len(entries) > MOST_ENTRIES:
            raise UnreadableError(f"The archive holds more than {MOST_ENTRIES} files.")
        return entries

    def read(self, name: str) -> bytes:
        """Read one file, and no more than a file may hold, whatever it claims to be.

        Raises:
            UnreadableError: it cannot be read, or is too large.
        """
        try:
            with _opened(self).open(name) as packed:
                content = packed.read(LARGEST + 1)
        except _BROKEN as broken:
            raise UnreadableError(f"It cannot be unpacked: {broken}.") from None
        if len(content) > LARGEST:
            raise UnreadableError(TOO_LARGE)
        return content

    def within(self, name: str) -> "Archive":
        """Give the archive that one of its files is."""
        return Archive(self.path, (*self.inside, name))


def _opened(archive: Archive) -> zipfile.ZipFile:
    try:
        return _open(archive, os.lstat(archive.path).st_ctime_ns)
    except OSError as gone:
        raise UnreadableError(f"The archive cannot be opened: {gone.strerror}.") from None


@lru_cache(maxsize=2)  # the class's archive and the learner's in it: files are read in order
def _open(archive: Archive, _: int) -> zipfile.ZipFile:
    try:
        if archive.inside:
            *outer, name = archive.inside
            return zipfile.ZipFile(io.BytesIO(Archive(archive.path, tuple(outer)).read(name)))
        return zipfile.ZipFile(os.fdopen(open_file(archive.path), "rb"))
    except _BROKEN as broken:
        raise UnreadableError(f"The archive is damaged and cannot be opened: {broken}.") from None


def refused(entry: zipfile.ZipInfo) -> str:
    """Say why a file of an archive is not read, or ""."""
    if stat.S_ISLNK(entry.external_attr >> 16):
        return "This is a link; links are not followed."
    if ".." in parts_of(entry):
        return "Its path leads out of the archive; such a file is not read."
    if entry.flag_bits & 1:
        return "It is locked with a password; hand it in without one."
    return TOO_LARGE if entry.file_size > LARGEST else ""


def parts_of(entry: zipfile.ZipInfo) -> list[str]:
    """Give the folders of an entry's path and its name.

    Example:
        >>> parts_of(zipfile.ZipInfo("work/04.ipynb"))
        ['work', '04.ipynb']
    """
    path = _meant(entry).replace("\\", "/")
    return [part for part in path.split("/") if part not in ("", ".")]


def _meant(entry: zipfile.ZipInfo) -> str:
    """Give the path as it was meant: programs write names in the encoding of their system."""
    if entry.flag_bits & 0x800 or entry.filename.isascii():
        return entry.filename
    try:
        raw = entry.filename.encode("cp437")
    except UnicodeEncodeError:
        return entry.filename
    for encoding in ("utf-8", "cp949"):  # macOS; Windows in Korean
        try:
            return unicodedata.normalize("NFC", raw.decode(encoding))
        except UnicodeDecodeError:
            continue
    return entry.filename


def modified(entry: zipfile.ZipInfo) -> int:
    """Give when a file of an archive was changed, in seconds since 1970."""
    try:
        return int(time.mktime((*entry.date_time, 0, 0, -1)))
    except (ValueError, OverflowError):
        return 0
