"""Finds what a class handed in, person by person, in whichever way the folder was filled."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from tutor.exercises import lessons
from tutor.grading.collecting.classes import UNTOLD, Told, class_in
from tutor.grading.collecting.file_names import copy_number
from tutor.grading.collecting.files import UnreadableError
from tutor.grading.collecting.helpers import (
    LARGEST,
    Script,
    is_own_model,
    named,
    script_of,
    why_beside,
    why_left_out,
)
from tutor.grading.collecting.kinds import (
    START,
    ending_of,
    holds_notebook,
    is_notebook_name,
    may_hold_notebook,
    why_not_graded,
)
from tutor.grading.collecting.owners import Owner
from tutor.grading.collecting.people import Received, by_person
from tutor.grading.collecting.roster import Person, Roster
from tutor.grading.collecting.times import MACHINE, Clock, moment
from tutor.grading.collecting.tree import CHECKPOINTS, FileEntry, Folder, tree_of
from tutor.grading.students import Other, Who
from tutor.say import say, say_count

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
        helpers: path -> the Python file there, which the notebooks may import; the newest first.
        others: what else was handed in, and why it is not graded.
        notes: what was odd.
    """

    who: Who
    files: list[File] = field(default_factory=list)
    helpers: dict[str, Script] = field(default_factory=dict)
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
        notes: which folders were read as the class's, though their names do not say so.
    """

    submissions: list[Submission]
    aside: list[str]
    notes: list[str] = field(default_factory=list)


def collect(
    folder: Path, roster: Roster | None = None, told: Told = UNTOLD, clock: Clock = MACHINE
) -> Collected:
    """List what was handed in, person by person.

    Whose a file or folder in the outer folder is shows in the name that the learning platform has
    given it, or in its plain name; what lies inside is its owner's. Zip archives count as folders.

    Args:
        folder: the outer folder, or an archive in place of it.
        roster: the list of the class, if there is one.
        told: what the teacher says of folders and archives.
        clock: the class's.

    Raises:
        UnreadableError: the outer archive cannot be opened.
        DoubtError: a folder could be the class's or one learner's.
    """
    roster = roster or Roster()
    found = class_in(tree_of(folder, clock), roster, told, clock)
    people = by_person(found.handed_in, roster)
    submissions = sorted((_submission(one, clock) for one in people), key=lambda one: one.student)
    return Collected(submissions, found.aside, found.notes)


def _submission(received: Received, clock: Clock) -> Submission:
    submission = Submission(received.who, notes=[*received.notes])
    saved: list[File] = []
    scripts: list[tuple[File, Script]] = []
    for owner, leaf, stamps in _leaves(received, submission, clock):
        file, script = _file(owner, leaf, stamps, received.person), script_of(owner, leaf)
        why = leaf.refused
        if not why and _is_notebook(leaf):
            (saved if CHECKPOINTS in leaf.where else submission.files).append(file)
        elif not why and ending_of(leaf.name) == "py" and not (why := why_left_out(script)):
            scripts.append((file, script))
        else:
            why = why or why_not_graded(leaf.name)
            submission.others.append(Other(leaf.where, why, is_own_model(script.path)))
    _choose(submission, saved, scripts)
    if received.items and not submission.files:
        submission.notes.append(say(NO_NOTEBOOK))
    return submission


@dataclass(frozen=True)
class Stamps:
    """What lies around a file and tells when it was handed in, in seconds since 1970.

    Attributes:
        written: the time stamp that nbgrader has put beside it.
        archive: when the archive was changed that the person has handed it in with.
    """

    written: float | None = None
    archive: float | None = None


def _leaves(
    received: Received, submission: Submission, clock: Clock
) -> Iterator[tuple[Owner, FileEntry, Stamps]]:
    """List a person's files."""
    for owner, handed_in in received.items:
        item = handed_in.item
        if isinstance(item, FileEntry):
            yield owner, item, Stamps()
            continue
        submission.notes += item.all_notes()
        for assignment in item.folders if handed_in.is_nbgraders else ():
            yield from ((owner, *one) for one in _collected_by_nbgrader(assignment, clock))
        if not handed_in.is_nbgraders:
            yield from ((owner, *one) for one in _stamped(item, Stamps()))


def _collected_by_nbgrader(assignment: Folder, clock: Clock) -> Iterator[tuple[FileEntry, Stamps]]:
    stamp = next((leaf for leaf in assignment.files if leaf.name == TIME_STAMP), None)
    written = moment(_start(stamp, 100).decode(errors="replace"), clock=clock) if stamp else None
    for leaf, stamps in _stamped(assignment, Stamps(written)):
        if leaf is not stamp:
            yield leaf, stamps


def _stamped(folder: Folder, stamps: Stamps) -> Iterator[tuple[FileEntry, Stamps]]:
    if stamps.archive is None:  # the outermost is what was handed in
        stamps = replace(stamps, archive=folder.modified)
    yield from ((leaf, stamps) for leaf in folder.files)
    for below in folder.folders:
        yield from _stamped(below, stamps)


def _start(leaf: FileEntry, most: int) -> bytes:
    try:
        return leaf.start(most)
    except UnreadableError:
        return b""


def _is_notebook(leaf: FileEntry) -> bool:
    if is_notebook_name(leaf.name):
        return True
    return may_hold_notebook(leaf.name) and holds_notebook(_start(leaf, START))


def _file(owner: Owner, leaf: FileEntry, stamps: Stamps, person: Person | None) -> File:
    """Say when a file was handed in: the platform and the list of the class know, else its date."""
    known = (owner.time, person.time if person else None, stamps.written)
    told = next((time for time in known if time is not None), None)
    dated = leaf.modified if stamps.archive is None else stamps.archive
    time = float(dated) if told is None else told
    order = (owner.order, time, leaf.modified, copy_number(leaf.name), leaf.where)
    return File(leaf, time, told is not None, order, owner.is_late)


def _choose(submission: Submission, saved: list[File], scripts: list[tuple[File, Script]]) -> None:
    """Decide what is graded: notebooks; without one, JupyterLab's copies of them, else scripts."""
    candidates = [submission.files, saved, [file for file, _ in scripts if _answers(file.leaf)]]
    submission.files = next(filter(None, candidates), [])
    if submission.files is not saved:
        submission.others += [Other(file.name, say(_BY_ITSELF)) for file in saved]
    scripts.sort(key=lambda one: one[0].order[:-1], reverse=True)  # whatever their names
    helpers = [script for file, script in scripts if file not in submission.files]
    submission.helpers = named(helpers, [file.leaf for file in submission.files])
    for script in helpers:
        why = why_beside(script, submission.helpers)
        other = Other(script.leaf.where, why or say(_OLDER_SCRIPT), is_harmless=why != "")
        submission.others.append(other)
    submission.files.sort(key=lambda file: file.order)
    if (extra := len(submission.files) - MOST_FILES) > 0:
        why = say(_TOO_MANY, most=MOST_FILES)
        submission.others += [Other(file.name, why) for file in submission.files[:extra]]
        del submission.files[:extra]
    if (extra := len(submission.others) - MOST_OTHERS) > 0:
        submission.notes.append(
            say_count(
                "{count} more file that is no notebook was left aside.",
                "{count} more files that are no notebooks were left aside.",
                extra,
            )
        )
        del submission.others[MOST_OTHERS:]


def _answers(script: FileEntry) -> bool:
    """Say whether a script defines what an exercise asks for."""
    names = "|".join(exercise.name for lesson in lessons().values() for exercise in lesson)
    text = _start(script, LARGEST)
    return re.search(rf"^def (?:{names})\b".encode(), text, re.MULTILINE) is not None


_OLDER_SCRIPT = "A newer script of this name was laid beside the notebooks in its place."
_BY_ITSELF = "JupyterLab keeps this copy by itself; the notebook itself was handed in too."
_TOO_MANY = "More than {most} notebooks were handed in; the older ones were not looked at."
