"""The outer folder of a class: what in it is whose, through folders that only sort."""

from collections.abc import Iterator
from dataclasses import dataclass

from tutor.grading.collecting.file_names import lesson_in, person_in
from tutor.grading.collecting.kinds import is_work
from tutor.grading.collecting.owners import Owner
from tutor.grading.collecting.platforms import (
    GRADESCOPE_PEOPLE,
    Surroundings,
    is_note,
    surroundings_of,
)
from tutor.grading.collecting.roster import Roster
from tutor.grading.collecting.tree import CHECKPOINTS, FileEntry, Folder

_DEEPEST = 4  # folders that only sort, inside each other
_SORTING = {"submitted", "submissions", "submitted files", "inbound", "downloaded", "archive"}
_COURSE = {"exercises", "notebooks", "solutions", "tutor", "workspace"}  # a learner's own folders


@dataclass(frozen=True)
class HandedIn:
    """A file or a folder of the class, and who handed it in."""

    owners: list[Owner]
    item: FileEntry | Folder


def handed_in(outer: Folder, roster: Roster) -> Iterator[HandedIn]:
    """Go through the outer folder and say whose each file and folder is.

    Folders that only sort are looked into: a platform's download, a lesson's folder, a section of
    the class. Files that are nobody's work, such as lists of the teacher, are left out.
    """
    yield from _within(_unwrapped(outer), roster, 0)


def _within(folder: Folder, roster: Roster, depth: int) -> Iterator[HandedIn]:
    around = surroundings_of(folder)
    for leaf in folder.files:
        owners = around.owners(leaf.name, is_folder=False)
        if not is_note(leaf.name) and (is_work(leaf.name) or owners[0].platform != "plain"):
            yield HandedIn(owners, leaf)
    for child in folder.folders:
        if depth < _DEEPEST and _only_sorts(child, around, roster):
            yield from _within(_unwrapped(child), roster, depth + 1)
        elif not _is_hidden(child):
            yield HandedIn(around.owners(child.name, is_folder=not child.is_archive), child)


def left_aside(outer: Folder) -> list[str]:
    """List what lies loose in the outer folder and is nobody's work."""
    folder = _unwrapped(outer)
    around = surroundings_of(folder)
    loose = [
        leaf.where
        for leaf in folder.files
        if not is_work(leaf.name)
        and not is_note(leaf.name)
        and leaf.name != GRADESCOPE_PEOPLE
        and around.owners(leaf.name, is_folder=False)[0].platform == "plain"
    ]
    return [*loose, *(child.where for child in folder.folders if _is_hidden(child))]


def _is_hidden(folder: Folder) -> bool:
    """Say whether a folder is a program's, with nobody's work in it."""
    if not folder.name.startswith("."):
        return False
    return folder.name == CHECKPOINTS or not any(is_work(leaf.name) for leaf in folder.leaves())


def _unwrapped(folder: Folder) -> Folder:
    """Go down while there is one folder and nothing else, and it clearly holds a class."""
    for _ in range(_DEEPEST):
        if len(folder.folders) != 1 or any(is_work(leaf.name) for leaf in folder.files):
            return folder
        (child,) = folder.folders
        if not (_is_download(child) or _has_one_lesson_twice(child)):
            return folder
        folder = child
    return folder


def _only_sorts(child: Folder, around: Surroundings, roster: Roster) -> bool:
    """Say whether a folder is no person's, but holds those of several."""
    if child.is_archive:
        return _is_download(_unwrapped(child))
    owner = around.owners(child.name, is_folder=True)[0]
    if owner.platform != "plain":
        return False
    if child.name.lower() in _SORTING or _is_download(child):
        return True
    if lesson_in(child.name) and not person_in(child.name):
        return True
    return not _is_on(roster, owner) and any(
        _is_on(roster, Owner(below.name)) for below in child.folders
    )


def _is_on(roster: Roster, owner: Owner) -> bool:
    return roster.by_number(owner) is not None or bool(roster.called(owner.name))


def _is_download(folder: Folder) -> bool:
    """Say whether a platform wrote the names in a folder."""
    around = surroundings_of(folder)
    if around.submitters or around.repository:
        return True
    named = [(leaf.name, False) for leaf in folder.files]
    named += [(child.name, not child.is_archive) for child in folder.folders]
    return any(
        owner.platform != "plain"
        for name, is_folder in named
        for owner in around.owners(name, is_folder)
    )


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
