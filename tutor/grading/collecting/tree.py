"""The folder that was handed in, as a tree of files: folders of the disk and zip archives alike.

Links are never followed.
"""

import os
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tutor.grading.collecting import archives
from tutor.grading.collecting.archives import Archive
from tutor.grading.collecting.files import UnreadableError, read_file, read_start
from tutor.grading.collecting.times import MACHINE, Clock
from tutor.say import say

DEEPEST = 20  # folders and archives inside each other
MOST_NESTED = 200  # archives inside one archive
NESTED_BYTES = 300 << 20  # all archives inside one archive, unpacked
CHECKPOINTS = ".ipynb_checkpoints"
# Made by programs, not by people.
_SKIPPED_FOLDERS = frozenset({".git", "__MACOSX", "__pycache__", ".venv", "node_modules"})
_SKIPPED_FILES = frozenset({".ds_store", "thumbs.db", "desktop.ini", ".gitignore"})


@dataclass(frozen=True)
class FileEntry:
    """A file.

    Attributes:
        name: without its folders.
        where: with its folders, below the outer one; archives count as folders.
        modified: seconds since 1970.
        size: in bytes, as far as is told without reading it.
        read: gives its bytes; raises UnreadableError.
        start: gives at most so many bytes, and reads no more; raises UnreadableError.
        refused: why it is not even looked at, such as that it is a link; or "".
    """

    name: str
    where: str
    modified: int
    size: int
    read: Callable[[], bytes]
    start: Callable[[int], bytes]
    refused: str = ""


@dataclass
class Folder:
    """A folder or an archive.

    Attributes:
        name, where: as those of a file.
        files, folders: what lies in it, in the order of names.
        notes: sentences on what is not shown here and why.
        modified: when an archive inside the outer folder was changed, in seconds since 1970.
        is_repository: it is a clone of a git repository.
        archive: what it is read from, if it is one.
    """

    name: str
    where: str
    files: list[FileEntry] = field(default_factory=list)
    folders: list["Folder"] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    modified: int | None = None
    is_repository: bool = False
    archive: Archive | None = None

    @property
    def is_archive(self) -> bool:
        """Whether it is a zip archive."""
        return self.archive is not None

    def leaves(self) -> Iterator[FileEntry]:
        """List the files in it and in the folders below."""
        yield from self.files
        for folder in self.folders:
            yield from folder.leaves()

    def all_notes(self) -> Iterator[str]:
        """List its notes and those of the folders below."""
        yield from self.notes
        for folder in self.folders:
            yield from folder.all_notes()


def tree_of(path: Path, clock: Clock = MACHINE) -> Folder:
    """Read which files there are in a folder, or in an archive in place of one.

    Args:
        path: of the folder or the archive.
        clock: by which archives note their times.

    Raises:
        UnreadableError: it is an archive that cannot be opened.
    """
    if path.is_file():
        return of_class(Folder(path.name, "", archive=Archive(path)), clock)
    return _disk(path, "", 0, clock)


def of_class(folder: Folder, clock: Clock = MACHINE) -> Folder:
    """Read an archive of a class anew, so that no hand-in in it takes from what another may hold.

    Raises:
        UnreadableError: the archive cannot be opened.
    """
    if folder.archive is None:
        return folder
    anew = Folder(folder.name, folder.where, modified=folder.modified, archive=folder.archive)
    return _unpacked(anew, folder.archive, clock)


def _disk(path: Path, where: str, depth: int, clock: Clock) -> Folder:
    folder = Folder(path.name, where)
    try:
        entries = sorted(os.scandir(path), key=lambda entry: entry.name)
    except OSError as closed:
        sentence = "The folder {folder} cannot be opened: {reason}."
        folder.notes.append(say(sentence, folder=where, reason=closed.strerror))
        return folder
    for entry in entries:
        below = _join(where, entry.name)
        if entry.name == ".git":
            folder.is_repository = True
        elif entry.is_dir(follow_symlinks=False):
            _add_folder(folder, entry, below, depth, clock)
        elif not _is_skipped([entry.name]):
            _add_file(folder, entry, below, depth, clock)
    return folder


def _add_folder(
    folder: Folder, entry: "os.DirEntry[str]", where: str, depth: int, clock: Clock
) -> None:
    if entry.name in _SKIPPED_FOLDERS:
        return
    if depth == DEEPEST:
        sentence = "The folder {folder} lies too deep; nothing in it was looked at."
        folder.notes.append(say(sentence, folder=where))
        return
    folder.folders.append(_disk(Path(entry.path), where, depth + 1, clock))


def _add_file(
    folder: Folder, entry: "os.DirEntry[str]", where: str, depth: int, clock: Clock
) -> None:
    path, about = Path(entry.path), entry.stat(follow_symlinks=False)
    leaf = FileEntry(
        entry.name,
        where,
        int(about.st_mtime),
        about.st_size,
        lambda: read_file(path),
        lambda most: read_start(path, most),
        say("This is a link; links are not followed.") if entry.is_symlink() else "",
    )
    _put(folder, leaf, Archive(path), _Budget(clock), depth)


@dataclass
class _Budget:
    """What archives inside an archive may still take, so that no small file grows without end.

    Attributes:
        clock: by which they note their times.
        archives: how many.
        bytes: how much, unpacked.
    """

    clock: Clock
    archives: int = field(default_factory=lambda: MOST_NESTED)
    bytes: int = field(default_factory=lambda: NESTED_BYTES)


def _put(folder: Folder, leaf: FileEntry, archive: Archive, budget: _Budget, depth: int) -> None:
    """Put a file into its folder; if it is an archive that can be opened, put what it holds."""
    if leaf.refused or not leaf.name.lower().endswith(".zip"):
        folder.files.append(leaf)
        return
    try:
        inside = Folder(leaf.name, leaf.where, modified=leaf.modified, archive=archive)
        folder.folders.append(_unpacked(inside, archive, budget.clock, budget, depth + 1))
    except UnreadableError as why:
        folder.files.append(replace(leaf, refused=str(why)))


def _unpacked(
    folder: Folder, archive: Archive, clock: Clock, shared: _Budget | None = None, depth: int = 0
) -> Folder:
    """Fill a folder with what an archive holds; without a shared budget each in it has its own.

    Raises:
        UnreadableError: the archive cannot be opened, or holds too much.
    """
    nested: list[tuple[zipfile.ZipInfo, tuple[str, ...], FileEntry]] = []
    by_path = {tuple(archives.parts_of(entry)): entry for entry in archive.entries()}
    for parts, entry in by_path.items():  # of two files with one path the later, as unpacking does
        if not parts or _is_skipped(parts):
            continue
        where = _join(folder.where, "/".join(parts))
        if depth + len(parts) > DEEPEST:
            folder.notes.append(say("{file} lies too deep; it was not looked at.", file=where))
            continue
        leaf = _entry(archive, entry, parts[-1], where, clock)
        if leaf.name.lower().endswith(".zip"):
            nested.append((entry, parts, leaf))
        else:
            _subfolder(folder, parts[:-1]).files.append(leaf)
    for entry, parts, leaf in nested:
        place, budget = _subfolder(folder, parts[:-1]), shared or _Budget(clock)
        leaf = _within_budget(leaf, entry, budget)
        _put(place, leaf, archive.within(entry.filename), budget, depth + len(parts))
    if not by_path:
        name = folder.where or folder.name
        folder.notes.append(say("The archive {name} holds no files.", name=name))
    return folder


def _entry(
    archive: Archive, entry: zipfile.ZipInfo, name: str, where: str, clock: Clock
) -> FileEntry:
    return FileEntry(
        name,
        where,
        archives.modified(entry, clock),
        entry.file_size,
        lambda: archive.read(entry.filename),
        lambda most: archive.start(entry.filename, most),
        archives.refused(entry),
    )


def _within_budget(leaf: FileEntry, entry: zipfile.ZipInfo, budget: _Budget) -> FileEntry:
    budget.archives -= 1
    budget.bytes -= entry.file_size
    if budget.archives < 0 or budget.bytes < 0:
        return replace(leaf, refused=say("There are too many archives inside each other."))
    return leaf


def _subfolder(folder: Folder, names: Sequence[str]) -> Folder:
    for name in names:
        found = next((one for one in folder.folders if one.name == name), None)
        if found is None:
            found = Folder(name, _join(folder.where, name))
            folder.folders.append(found)
        folder = found
    return folder


def _is_skipped(parts: Sequence[str]) -> bool:
    """Say whether a system or a program has put a file there beside those of people."""
    *folders, name = parts
    hidden = name.startswith("._") or name.lower() in _SKIPPED_FILES
    return hidden or not _SKIPPED_FOLDERS.isdisjoint(folders)


def _join(where: str, name: str) -> str:
    return f"{where}/{name}" if where else name
