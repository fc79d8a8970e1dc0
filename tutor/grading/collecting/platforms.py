"""Platforms whose names tell something only together with what lies beside them."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import yaml

from tutor.grading.collecting.files import UnreadableError
from tutor.grading.collecting.kinds import is_work
from tutor.grading.collecting.owners import Mark, Owner, marks, plain
from tutor.grading.collecting.times import MACHINE, Clock
from tutor.grading.collecting.tree import FileEntry, Folder

GRADESCOPE_PEOPLE = "submission_metadata.yml"
_GRADESCOPE = re.compile(r"(submission_(\d+))(?:\.zip)?")
# The first attempt in a name is Blackboard's; what looks like another behind it is the learner's.
_BLACKBOARD = re.compile(
    r"(?P<before>.+?)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<rest>.+)|\.txt)", re.DOTALL
)
_BLACKBOARD_NAME = re.compile(r"\s*Name: (.*) \(([^()]+)\)\s*")
_LONGEST_TEXT = 1 << 16  # bytes of Blackboard's note on an attempt


@dataclass
class Surroundings:
    """What lies beside the files and folders of a class, and tells whose they are.

    Attributes:
        submitters: Gradescope's folder -> the people who handed it in together.
        assignment: the part of Blackboard's names before the login.
        people: the part of Blackboard's names before the attempt -> login and name.
        repository: the part of GitHub Classroom's names before the login.
        platforms: those that can have written all names here; empty if there is none.
        clock: the class's.
    """

    submitters: Mapping[str, Sequence[Owner]] = field(default_factory=dict)
    assignment: str = ""
    people: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    repository: str = ""
    platforms: frozenset[str] = frozenset()
    clock: Clock = MACHINE

    def owners(self, name: str, is_folder: bool) -> list[Owner]:
        """Tell whose a file or folder is; several people hand in together on Gradescope."""
        found = self.marks(name, is_folder)
        found = {one: found[one] for one in found if one in self.platforms} or found
        if found:
            owner = min(found.values(), key=lambda mark: mark.at).owner
            together = self.submitters.get(f"submission_{owner.id}", ())
            return list(together) if owner.platform == "gradescope" and together else [owner]
        if is_folder and self.repository and name.startswith(self.repository):
            login = name.removeprefix(self.repository)
            return [Owner(login, login=login, platform="github")]
        return [plain(name, is_folder)]

    def marks(self, name: str, is_folder: bool) -> dict[str, Mark]:
        """Read a name as each platform that could have written it."""
        found = marks(name, is_folder, self.clock)
        if blackboards := _BLACKBOARD.fullmatch(name):
            at = blackboards.start("time")
            found["blackboard"] = Mark(at, self._blackboard(blackboards))
        if gradescopes := _GRADESCOPE.fullmatch(name):
            owner = Owner("submission", id=gradescopes[2], platform="gradescope")
            found["gradescope"] = Mark(0, owner)
        return found

    def _blackboard(self, found: re.Match[str]) -> Owner:
        before = found["before"]
        login = before.removeprefix(self.assignment)
        if not self.assignment:
            login = before.rpartition("_")[2]
        login, name = self.people.get(before, (login, login))
        return Owner(
            name,
            id=login,
            login=login,
            platform="blackboard",
            rest=found["rest"] or f"{login}.txt",
            time=_blackboard_time(found["time"], self.clock),
        )


def is_note(name: str) -> bool:
    """Say whether a file is the note that Blackboard puts beside an attempt.

    Example:
        >>> is_note("Homework 4_ada_attempt_2026-03-01-12-00-00.txt")
        True
    """
    found = _BLACKBOARD.fullmatch(name)
    return found is not None and not found["rest"]


def _blackboard_time(text: str, clock: Clock) -> float | None:
    try:
        return clock.seconds(datetime.strptime(text, "%Y-%m-%d-%H-%M-%S"))
    except ValueError:
        return None


def surroundings_of(folder: Folder, clock: Clock = MACHINE) -> Surroundings:
    """Look through a folder of the class for what tells whose its files are."""
    names = [leaf.name for leaf in folder.files]
    attempts = [found["before"] for name in names if (found := _BLACKBOARD.fullmatch(name))]
    around = Surroundings(
        _submitters(folder.files, clock),
        _shared_beginning(attempts, "_"),
        dict(_blackboard_people(folder.files)),
        _repository(folder),
        clock=clock,
    )
    read = [frozenset(around.marks(name, is_folder)) for name, is_folder in handed_in_names(folder)]
    around.platforms = frozenset.intersection(*read) if read else frozenset()
    return around


def handed_in_names(folder: Folder) -> list[tuple[str, bool]]:
    """List the names in a folder of what may be handed in, and whether each is a folder's."""
    files = [(leaf.name, False) for leaf in folder.files if is_work(leaf.name)]
    below = [one for one in folder.folders if not one.name.startswith(".")]
    return [*files, *((one.name, not one.is_archive) for one in below)]


def _submitters(files: Iterable[FileEntry], clock: Clock) -> dict[str, list[Owner]]:
    """Read Gradescope's list of who handed which folder in."""
    text = next((leaf for leaf in files if leaf.name == GRADESCOPE_PEOPLE), None)
    if text is None:
        return {}
    try:
        listed = yaml.load(text.read(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, UnreadableError, ValueError, RecursionError):
        return {}
    folders = listed.items() if isinstance(listed, dict) else []
    return {
        str(folder): owners
        for folder, about in folders
        if isinstance(about, dict) and (owners := list(_people(str(folder), about, clock)))
    }


def _people(folder: str, about: Mapping[str, Any], clock: Clock) -> Iterable[Owner]:
    created = _created(about.get(":created_at"), clock)
    for person in about.get(":submitters") or []:
        if not isinstance(person, dict):
            continue
        name, number, email = (str(person.get(f":{key}") or "") for key in ("name", "sid", "email"))
        yield Owner(
            name or email or folder,
            id=number or email or folder.rpartition("_")[2],
            email=email,
            platform="gradescope",
            time=created,
        )


def _created(time: object, clock: Clock) -> float | None:
    if not isinstance(time, datetime):
        return None
    return time.timestamp() if time.tzinfo else clock.seconds(time)


def _blackboard_people(files: Iterable[FileEntry]) -> Iterable[tuple[str, tuple[str, str]]]:
    """Read login and name from the note that Blackboard puts beside each attempt.

    They stand in its first line; what the learner has written follows.
    """
    for leaf in files:
        found = _BLACKBOARD.fullmatch(leaf.name)
        if not found or found["rest"]:
            continue
        try:
            text = leaf.start(_LONGEST_TEXT).decode("utf-8-sig", errors="replace")
        except UnreadableError:
            continue
        named = _BLACKBOARD_NAME.fullmatch(text.partition("\n")[0])
        if named and found["before"].endswith(f"_{named[2]}"):
            yield found["before"], (named[2], named[1])


def _repository(folder: Folder) -> str:
    """Give what GitHub Classroom writes before each login: the assignment, and a dash."""
    below = [one for one in folder.folders if not one.name.startswith(".")]
    named = f"{folder.name.removesuffix('-submissions')}-"
    if folder.name.endswith("-submissions") and any(one.name.startswith(named) for one in below):
        return named
    if not all(one.is_repository for one in below):  # a clone in what was handed in tells nothing
        return ""
    return _shared_beginning([one.name for one in below], "-")


def _shared_beginning(names: Sequence[str], end: str) -> str:
    """Give what all names begin with, up to a mark; "" for a single name."""
    if len(set(names)) < 2:
        return ""
    shared = os.path.commonprefix(list(names))  # noqa: RUF071 - characters are meant
    return shared[: shared.rfind(end) + 1]
