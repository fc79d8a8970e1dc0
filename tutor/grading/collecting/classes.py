"""The outer folder of a class: what in it is whose, through folders that only sort.

Only the outer folder, and folders in it that sort, bear names that a platform or a teacher has
written. What lies inside a hand-in is its owner's, and no name there is anybody's.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from tutor.grading.collecting.file_names import lesson_in, person_in
from tutor.grading.collecting.kinds import is_work
from tutor.grading.collecting.owners import Owner
from tutor.grading.collecting.platforms import (
    GRADESCOPE_PEOPLE,
    Surroundings,
    handed_in_names,
    is_note,
    surroundings_of,
)
from tutor.grading.collecting.roster import Roster
from tutor.grading.collecting.times import MACHINE, Clock
from tutor.grading.collecting.tree import CHECKPOINTS, FileEntry, Folder, of_class
from tutor.say import say

_DEEPEST = 8  # folders that only sort, inside each other
_SORTING = re.compile(
    r"submitted|submissions|submitted files|inbound|downloaded|archive|assignment_\d+_export"
    r"|.+-submissions",
    re.IGNORECASE,
)
_COURSE = {"exercises", "notebooks", "solutions", "tutor", "workspace"}  # a learner's own folders


class DoubtError(ValueError):
    """Nothing tells whether a folder is a class's or a learner's; the message asks which."""


@dataclass(frozen=True)
class HandedIn:
    """A file or a folder of the class, and who handed it in.

    Attributes:
        owners: several where people hand in together.
        item: what was handed in.
        is_nbgraders: it lies as nbgrader collects, with its own time stamps inside.
    """

    owners: list[Owner]
    item: FileEntry | Folder
    is_nbgraders: bool = False


@dataclass(frozen=True)
class Told:
    """What a teacher says of folders and archives, by their names below the outer folder.

    Attributes:
        classes: each holds hand-ins of several people.
        learners: each is one learner's hand-in.
    """

    classes: Collection[str] = ()
    learners: Collection[str] = ()


UNTOLD = Told()


@dataclass
class Class:
    """All that a class handed in.

    Attributes:
        handed_in: with whose it is.
        aside: files that are nobody's work, such as lists of the teacher.
        notes: which folders were read as the class's, though their names do not say so.
    """

    handed_in: list[HandedIn] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def class_in(outer: Folder, roster: Roster, told: Told = UNTOLD, clock: Clock = MACHINE) -> Class:
    """Go through the outer folder and say whose each file and folder is.

    Folders that only sort are looked into: a platform's download, a lesson's folder, a section of
    the class.

    Raises:
        DoubtError: what lies in a folder could be a class's or one learner's, or a teacher has
            told of one that is not there.
    """
    walk = _Walk(roster, told, clock)
    walk.through(outer, 0)
    if walk.unused:
        names = ", ".join(sorted(walk.unused))
        raise DoubtError(
            say(
                "There is no folder and no archive {names} in {outer}.",
                names=names,
                outer=outer.name,
            )
        )
    return walk.found


@dataclass(frozen=True)
class _Guess:
    """A folder that could be the class's.

    Attributes:
        folder: that.
        people: how many people's names stand in it; 0 if it is somebody's hand-in.
        has_name: it is an archive whose name could be a person's.
    """

    folder: Folder
    people: int
    has_name: bool = False


class _Walk:
    """Goes through folders of the class, and never into what somebody handed in."""

    def __init__(self, roster: Roster, told: Told, clock: Clock) -> None:
        self._roster, self._told, self._clock = roster, told, clock
        self.found = Class()
        self.unused = {*told.classes, *told.learners}

    def through(self, folder: Folder, depth: int) -> None:
        around = surroundings_of(folder, self._clock)
        sorting = self._sorting(folder, around) if depth < _DEEPEST else []
        for leaf in folder.files:
            owners = around.owners(leaf.name, is_folder=False)
            if is_note(leaf.name) or leaf.name == GRADESCOPE_PEOPLE:
                continue
            if is_work(leaf.name) or owners[0].platform != "plain":
                self.found.handed_in.append(HandedIn(owners, leaf))
            else:
                self.found.aside.append(leaf.where)
        is_nbgraders = _is_nbgraders(folder)
        for child in folder.folders:
            if child in sorting:
                self.through(of_class(child, self._clock), depth + 1)
            elif _is_hidden(child):
                self.found.aside.append(child.where)
            else:
                owners = around.owners(child.name, is_folder=not child.is_archive)
                self.found.handed_in.append(HandedIn(owners, child, is_nbgraders))

    def _sorting(self, folder: Folder, around: Surroundings) -> list[Folder]:
        """List the folders in one that are no person's, but hold those of several.

        Raises:
            DoubtError: one could be either.
        """
        below = [child for child in folder.folders if not _is_hidden(child)]
        sure = [child for child in below if self._surely_sorts(child, around)]
        left = len(handed_in_names(folder)) - len(sure)
        guesses = [self._guess(child, around, left == 1) for child in below if child not in sure]
        maybe = [guess for guess in guesses if guess.people]
        if maybe and len(maybe) == left:  # nothing here is surely a hand-in
            if not any(one.has_name or (one.people == 1 and left > 1) for one in maybe):
                self.found.notes += [_read_as_class(one.folder) for one in maybe]
                return [*sure, *(one.folder for one in maybe)]
            doubtful = maybe
        else:
            doubtful = [one for one in maybe if one.people > 1 and not one.has_name]
        if doubtful:
            raise DoubtError("\n".join(_question(one.folder.where) for one in doubtful))
        return sure

    def _surely_sorts(self, child: Folder, around: Surroundings) -> bool:
        if self._is_told(child, self._told.classes):
            return True
        owner = around.owners(child.name, is_folder=not child.is_archive)[0]
        if child.is_archive or owner.platform != "plain" or self._roster.knows(owner):
            return False
        if self._is_told(child, self._told.learners):
            return False
        is_lessons = bool(lesson_in(child.name)) and not person_in(child.name)
        return is_lessons or _SORTING.fullmatch(child.name) is not None

    def _guess(self, child: Folder, around: Surroundings, is_alone: bool) -> "_Guess":
        owner = around.owners(child.name, is_folder=not child.is_archive)[0]
        is_somebodys = owner.platform != "plain" or self._roster.knows(owner)
        if is_somebodys or self._is_told(child, self._told.learners):
            return _Guess(child, 0)
        return _Guess(
            child, self._names_in(child, is_alone), child.is_archive and not owner.is_nameless
        )

    def _names_in(self, folder: Folder, is_alone: bool) -> int:
        """Count the people whose names stand in a folder that could be the class's."""
        around, names = surroundings_of(folder, self._clock), handed_in_names(folder)
        owners = [one for name in names for one in around.owners(*name)]
        if owners and all(owner.platform != "plain" for owner in owners):
            return len({owner.key for owner in owners})
        if is_alone and _has_one_lesson_twice(folder):
            return 2
        if not all(is_folder for _, is_folder in names):
            return 0
        if owners and all(self._roster.knows(owner) for owner in owners):
            return max(2, len(owners))  # names that are on the list, in a folder whose name is not
        return self._names_in(folder.folders[0], is_alone) if len(folder.folders) == 1 else 0

    def _is_told(self, child: Folder, names: Collection[str]) -> bool:
        self.unused -= {child.where, child.name}
        return child.where in names or child.name in names


def _read_as_class(child: Folder) -> str:
    return say(
        "{name} was read as the folder of a class. If one learner handed it in: "
        '--one-learner "{name}".',
        name=child.where,
    )


def _question(name: str) -> str:
    return say(
        "In {name} stand names of people, but names inside a hand-in are nobody's. Is it the "
        'folder of a class (--whole-class "{name}"), or did one learner hand it in '
        '(--one-learner "{name}")?',
        name=name,
    )


def _is_nbgraders(folder: Folder) -> bool:
    """Say whether a folder is laid out as nbgrader collects: submitted/STUDENT/ASSIGNMENT."""
    students = [child for child in folder.folders if not child.name.startswith(".")]
    return folder.name == "submitted" and all(
        child.folders and not any(is_work(leaf.name) for leaf in child.files) for child in students
    )


def _is_hidden(folder: Folder) -> bool:
    """Say whether a folder is a program's, with nobody's work in it."""
    if not folder.name.startswith("."):
        return False
    return folder.name == CHECKPOINTS or not any(is_work(leaf.name) for leaf in folder.leaves())


def _has_one_lesson_twice(folder: Folder) -> bool:
    """Say whether two folders in this one hold a notebook of the same lesson: of two people."""
    seen: set[str] = set()
    for child in folder.folders:
        found = {lesson_in(leaf.name) for leaf in child.leaves()} - {""}
        if child.name.lower() in _COURSE:
            return False
        if found & seen:
            return True
        seen |= found
    return False
