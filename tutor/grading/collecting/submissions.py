"""Finds what a class handed in, person by person, in whichever way the folder was filled."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tutor.exercises import lessons
from tutor.grading.collecting import kinds
from tutor.grading.collecting.classes import handed_in, left_aside
from tutor.grading.collecting.file_names import copy_number
from tutor.grading.collecting.files import UnreadableError
from tutor.grading.collecting.owners import Owner
from tutor.grading.collecting.people import Received, hands
from tutor.grading.collecting.roster import Roster
from tutor.grading.collecting.times import moment
from tutor.grading.collecting.tree import CHECKPOINTS, FileEntry, Folder, tree_of
from tutor.grading.results import Other, Who

MOST_FILES = 40  # notebooks of one learner; only the newest are graded
MOST_OTHERS = 40  # other files of one learner that are listed
NO_NOTEBOOK = "No notebook was found."
TIME_STAMP = "timestamp.txt"  # nbgrader's


@dataclass(frozen=True)
class File:
    """A notebook that was handed in.

    Attributes:
        leaf: the file.
        time: when it was handed in or else changed, in seconds since 1970.
        is_handed_in: the time is the platform's, not the file's date of change.
        order: orders the notebooks of a person from the oldest to the newest.
        is_late: the platform has marked it so.
    """

    leaf: FileEntry
    time: float
    is_handed_in: bool = False
    order: tuple[int, float, int, int, str] = (0, 0.0, 0, 0, "")
    is_late: bool = False

    @property
    def name(self) -> str:
        """Its name in results."""
        return self.leaf.where


@dataclass
class Submission:
    """What one person handed in.

    Attributes:
        who: the person.
        files: notebooks from the oldest to the newest.
        helpers: Python files beside the notebooks, which these may import.
        others: what else was handed in, and why it is not graded.
        notes: what was odd.
    """

    who: Who
    files: list[File] = field(default_factory=list)
    helpers: list[FileEntry] = field(default_factory=list)
    others: list[Other] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def student(self) -> str:
        """What tells the person from all others."""
        return self.who.student


@dataclass(frozen=True)
class Collected:
    """What a class handed in.

    Attributes:
        submissions: one for each person, in the order of their keys.
        aside: files in the outer folder that are nobody's.
    """

    submissions: list[Submission]
    aside: list[str]


def collect(folder: Path, roster: Roster | None = None) -> Collected:
    """Find what a class handed in, person by person.

    Args:
        folder: the folder, or zip archive, with what was handed in.
        roster: the list of the class, if there is one.

    Raises:
        UnreadableError: the folder is an archive that cannot be opened.
    """
    outer, roster = tree_of(folder), roster or Roster()
    found = [_submission(hand) for hand in hands(handed_in(outer, roster), roster)]
    return Collected(sorted(found, key=lambda one: one.student), left_aside(outer))


def _submission(hand: Received) -> Submission:
    submission = Submission(hand.who, notes=[*hand.notes])
    saved: list[File] = []
    scripts: list[File] = []
    for owner, leaf, stamps in _leaves(hand, submission):
        file = _file(owner, leaf, stamps, hand)
        if not leaf.refused and _is_notebook(leaf):
            (saved if CHECKPOINTS in leaf.where else submission.files).append(file)
        elif not leaf.refused and kinds.ending_of(leaf.name) == "py":
            scripts.append(file)
        else:
            why = leaf.refused or kinds.why_not_graded(leaf.name)
            submission.others.append(Other(leaf.where, why))
    _choose(submission, saved, scripts)
    if hand.items and not submission.files:
        submission.notes.append(NO_NOTEBOOK)
    return submission


@dataclass(frozen=True)
class Stamps:
    """What lies around a file and tells when it was handed in, in seconds since 1970.

    Attributes:
        written: the time stamp beside it.
        archive: when the archive was changed that the person has handed it in with.
    """

    written: float | None = None
    archive: float | None = None


def _leaves(hand: Received, submission: Submission) -> Iterator[tuple[Owner, FileEntry, Stamps]]:
    """List a person's files."""
    for owner, item in hand.items:
        if isinstance(item, FileEntry):
            yield owner, item, Stamps()
            continue
        submission.notes += item.all_notes()
        yield from ((owner, leaf, stamps) for leaf, stamps in _stamped(item, None))


def _stamped(folder: Folder, archive: float | None) -> Iterator[tuple[FileEntry, Stamps]]:
    archive = folder.modified if archive is None else archive  # the outermost is what was handed in
    stamp = next((leaf for leaf in folder.files if leaf.name == TIME_STAMP), None)
    stamps = Stamps(moment(_start(stamp)) if stamp else None, archive)
    yield from ((leaf, stamps) for leaf in folder.files if leaf is not stamp)
    for below in folder.folders:
        yield from _stamped(below, archive)


def _start(leaf: FileEntry) -> str:
    try:
        return leaf.read()[:100].decode(errors="replace")
    except UnreadableError:
        return ""


def _is_notebook(leaf: FileEntry) -> bool:
    if kinds.is_notebook_name(leaf.name):
        return True
    return kinds.may_hold_notebook(leaf.name) and kinds.holds_notebook(_content(leaf))


def _content(leaf: FileEntry) -> bytes:
    try:
        return leaf.read()
    except UnreadableError:
        return b""


def _file(owner: Owner, leaf: FileEntry, stamps: Stamps, hand: Received) -> File:
    told = owner.time or stamps.written or (hand.person.time if hand.person else None)
    dated = leaf.modified if stamps.archive is None else stamps.archive
    time = float(dated) if told is None else told
    order = (owner.order, time, leaf.modified, copy_number(leaf.name), leaf.where)
    return File(leaf, time, told is not None, order, owner.is_late)


def _choose(submission: Submission, saved: list[File], scripts: list[File]) -> None:
    """Decide what is graded: notebooks; without one, JupyterLab's copies of them, else scripts."""
    candidates = [submission.files, saved, [file for file in scripts if _answers(file.leaf)]]
    submission.files = next(filter(None, candidates), [])
    if submission.files is not saved:
        submission.others += [Other(file.name, _BY_ITSELF) for file in saved]
    submission.helpers = [file.leaf for file in scripts if file not in submission.files]
    submission.others += [Other(leaf.where, _BESIDE) for leaf in submission.helpers]
    submission.files.sort(key=lambda file: file.order)
    if (extra := len(submission.files) - MOST_FILES) > 0:
        submission.others += [Other(file.name, _TOO_MANY) for file in submission.files[:extra]]
        del submission.files[:extra]
    if (extra := len(submission.others) - MOST_OTHERS) > 0:
        submission.notes.append(f"{extra} more files that are no notebooks were left aside.")
        del submission.others[MOST_OTHERS:]


def _answers(script: FileEntry) -> bool:
    """Say whether a script defines what an exercise asks for."""
    names = "|".join(exercise.name for lesson in lessons().values() for exercise in lesson)
    return re.search(rf"^def (?:{names})\b".encode(), _content(script), re.MULTILINE) is not None


_BESIDE = "This is a Python script; it was laid beside the notebooks, which can import it."
_BY_ITSELF = "JupyterLab keeps this copy by itself; the notebook itself was handed in too."
_TOO_MANY = f"More than {MOST_FILES} notebooks were handed in; the older ones were not looked at."
