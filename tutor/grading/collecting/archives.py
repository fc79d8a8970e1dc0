"""Zip archives, read where they lie: nothing is unpacked onto the disk.

So no path in an archive leads anywhere, and nothing grows beyond what is read of it.
"""

import io
import os
import stat
import unicodedata
import zipfile
import zlib
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from tutor.grading.collecting.files import LARGEST, UnreadableError, open_file, too_large
from tutor.grading.collecting.times import Clock
from tutor.say import say

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
            why = say("The archive holds more than {most} files.", most=MOST_ENTRIES)
            raise UnreadableError(why)
        return entries

    def read(self, name: str) -> bytes:
        """Read one file, and no more than a file may hold, whatever it claims to be.

        Raises:
            UnreadableError: it cannot be read, or is too large.
        """
        content = self.start(name, LARGEST + 1)
        if len(content) > LARGEST:
            raise UnreadableError(too_large(LARGEST))
        return content

    def start(self, name: str, most: int) -> bytes:
        """Unpack at most so many bytes of one file.

        Raises:
            UnreadableError: it cannot be read.
        """
        try:
            with _opened(self).open(name) as packed:
                return packed.read(most)
        except _BROKEN as broken:
            why = say("It cannot be unpacked: {reason}.", reason=broken)
            raise UnreadableError(why) from None

    def within(self, name: str) -> "Archive":
        """Give the archive that one of its files is."""
        return Archive(self.path, (*self.inside, name))


def _opened(archive: Archive) -> zipfile.ZipFile:
    try:
        return _open(archive, os.lstat(archive.path).st_ctime_ns)
    except OSError as gone:
        why = say("The archive cannot be opened: {reason}.", reason=gone.strerror)
        raise UnreadableError(why) from None


@lru_cache(maxsize=2)  # the class's archive and the learner's in it: files are read in order
def _open(archive: Archive, _: int) -> zipfile.ZipFile:
    try:
        if archive.inside:
            *outer, name = archive.inside
            around = Archive(archive.path, tuple(outer))
            if around.start(name, 2) != b"PK":  # what surely is none is not unpacked to the end
                raise zipfile.BadZipFile(say("it is no zip archive"))
            return zipfile.ZipFile(io.BytesIO(around.read(name)))
        return zipfile.ZipFile(os.fdopen(open_file(archive.path), "rb"))
    except _BROKEN as broken:
        why = say("The archive is damaged and cannot be opened: {reason}.", reason=broken)
        raise UnreadableError(why) from None


def refused(entry: zipfile.ZipInfo) -> str:
    """Say why a file of an archive is not read, or ""."""
    if stat.S_ISLNK(entry.external_attr >> 16):
        return say("This is a link; links are not followed.")
    if ".." in parts_of(entry):
        return say("Its path leads out of the archive; such a file is not read.")
    if entry.flag_bits & 1:
        return say("It is locked with a password; hand it in without one.")
    return too_large(LARGEST) if entry.file_size > LARGEST else ""


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


def modified(entry: zipfile.ZipInfo, clock: Clock) -> int:
    """Give when a file of an archive was changed, in seconds since 1970."""
    try:
        return int(clock.seconds(datetime(*entry.date_time)))
    except (ValueError, OverflowError):
        return 0
