"""Finds the notebooks that a class handed in, in whichever way the folder was filled."""

import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

LARGEST = 100 << 20  # bytes of a notebook
MOST_FILES = 40  # notebooks of one learner; only the newest are graded
_DEEPEST = 4  # folders below a learner's
_NOT_LOOKED_AT = {".ipynb_checkpoints", "__MACOSX", "__pycache__", ".git"}
_ARCHIVES = (".zip", ".gz", ".tgz", ".tar", ".7z", ".rar", ".xz")
_MOODLE = re.compile(r"_\d+_assignsubmission_\w+$")


@dataclass(frozen=True)
class File:
    """A notebook file: where it is, its name in results, and what orders versions in time."""

    path: Path
    name: str
    age: tuple[int, int, str]

    @property
    def number(self) -> int:
        """The lesson number that the file's name speaks of; 0 if none."""
        found = re.search(r"(?<!\d)0([1-9])(?!\d)", self.path.name)
        return int(found.group(1)) if found else 0


@dataclass
class Submission:
    """What one learner handed in: notebooks from the oldest to the newest, and what was odd."""

    student: str
    files: list[File] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class UnreadableError(Exception):
    """A file that is not graded; the message says why."""


def find_submissions(folder: Path) -> list[Submission]:
    """List the submissions in a folder, by learner.

    Known layouts: ``STUDENT/NOTEBOOK.ipynb``, nbgrader's ``STUDENT/ASSIGNMENT/NOTEBOOK.ipynb``, and
    flat ``STUDENT_NOTEBOOK.ipynb``. Links are not followed.
    """
    found: dict[str, Submission] = {}
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.name in _NOT_LOOKED_AT:
            continue
        if entry.is_dir(follow_symlinks=False):
            student = _MOODLE.sub("", entry.name)
            submission = found.setdefault(student, Submission(student))
            _collect(Path(entry.path), folder, submission, 0)
        elif _is_notebook(entry.name) or (entry.is_symlink() and not entry.name.startswith(".")):
            student = _student_of(entry.name)
            _add(entry, folder, found.setdefault(student, Submission(student)))
    for submission in found.values():
        _sort(submission)
    return [found[student] for student in sorted(found)]


def nothing_in(folder: Path) -> str:
    """Say that nobody handed a notebook in, and why that may be; "" if somebody did."""
    if any(submission.files for submission in find_submissions(folder)):
        return ""
    packed = sum(entry.name.lower().endswith(_ARCHIVES) for entry in os.scandir(folder))
    archives = "one archive: unpack it first" if packed == 1 else f"{packed} archives: unpack them"
    return f"No notebook was found in {folder}{f'; {archives}' if packed else ''}."


def _collect(place: Path, root: Path, submission: Submission, depth: int) -> None:
    try:
        entries = sorted(os.scandir(place), key=lambda entry: entry.name)
    except OSError as closed:
        submission.notes.append(f"A folder cannot be opened: {closed.strerror}.")
        return
    for entry in entries:
        if entry.name in _NOT_LOOKED_AT:
            continue
        if entry.is_dir(follow_symlinks=False):
            if depth < _DEEPEST:
                _collect(Path(entry.path), root, submission, depth + 1)
        elif _is_notebook(entry.name) or entry.is_symlink():
            _add(entry, root, submission)
        elif entry.name.lower().endswith(_ARCHIVES):
            packed = os.path.relpath(entry.path, root)
            submission.notes.append(f"{packed} is an archive; unpack it, then grade again.")


def _add(entry: "os.DirEntry[str]", root: Path, submission: Submission) -> None:
    name = os.path.relpath(entry.path, root)
    if entry.is_symlink():
        submission.notes.append(f"{name} is a link; links are not followed.")
        return
    copies = re.findall(r"\((\d+)\)|[Cc]opy[ _-]?(\d+)", entry.name)
    copy = max((int(a or b) for a, b in copies), default=0)
    modified = int(entry.stat(follow_symlinks=False).st_mtime)
    submission.files.append(File(Path(entry.path), name, (modified, copy, name)))


def _sort(submission: Submission) -> None:
    submission.files.sort(key=lambda file: file.age)
    if (extra := len(submission.files) - MOST_FILES) > 0:
        submission.notes.append(f"{extra} older notebooks were not looked at.")
        del submission.files[:extra]
    if not submission.files:
        submission.notes.append("No notebook was found.")


def _is_notebook(name: str) -> bool:
    """Say whether this is a notebook by its name, also with an ending that a browser added."""
    lower = name.lower()
    return not name.startswith(".") and (".ipynb" in lower or lower.endswith(".json"))


def _student_of(name: str) -> str:
    """Take the learner's name from the name of a file that lies in no folder of theirs."""
    stem = re.sub(r"\.(ipynb|json).*$", "", name, flags=re.IGNORECASE)
    before = re.match(r"(.+?)[ _.-]+0[1-9](?!\d)", stem)
    return before.group(1) if before else stem


def read(file: File) -> bytes:
    """Read a notebook file.

    Raises:
        UnreadableError: it is no ordinary file, or too large, or cannot be opened.
    """
    try:
        # Without waiting: a pipe that lies there under a notebook's name would block for ever.
        descriptor = os.open(file.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as refused:
        raise UnreadableError(f"The file cannot be opened: {refused.strerror}.") from None
    with os.fdopen(descriptor, "rb") as opened:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableError("This is no ordinary file.")
        if status.st_size > LARGEST:
            raise UnreadableError(f"The file is larger than {LARGEST >> 20} MB.")
        content = opened.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise UnreadableError(f"The file is larger than {LARGEST >> 20} MB.")
    return content


def named_lesson(file: File, lessons: Sequence[str]) -> str:
    """Give the lesson that a file's name speaks of, or ""."""
    return next(_fitting(file, lessons), "")


def _fitting(file: File, lessons: Sequence[str]) -> Iterator[str]:
    lower = file.path.name.lower()
    yield from (lesson for lesson in lessons if lesson in lower or lesson[3:] in lower)
    yield from (lesson for lesson in lessons if file.number and int(lesson[:2]) == file.number)
