"""Platforms whose names tell something only together with what lies beside them."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import yaml

from tutor.grading.collecting.files import UnreadableError
from tutor.grading.collecting.owners import Owner, owner_of
from tutor.grading.collecting.tree import FileEntry, Folder

GRADESCOPE_PEOPLE = "submission_metadata.yml"
_GRADESCOPE = re.compile(r"(submission_(\d+))(?:\.zip)?")
_BLACKBOARD = re.compile(
    r"(?P<before>.+)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<rest>.+)|\.txt)"
)
_BLACKBOARD_NAME = re.compile(r"^Name: (.*) \(([^()]+)\)\s*$", re.MULTILINE)
_LONGEST_TEXT = 1 << 16  # bytes of Blackboard's note on an attempt


@dataclass
class Surroundings:
    """What lies beside the files and folders of a class, and tells whose they are.

    Attributes:
        submitters: Gradescope's folder -> the people who handed it in together.
        assignment: the part of Blackboard's names before the login.
        people: Blackboard's login -> name.
        repository: the part of GitHub Classroom's names before the login.
    """

    submitters: Mapping[str, Sequence[Owner]] = field(default_factory=dict)
    assignment: str = ""
    people: dict[str, str] = field(default_factory=dict)
    repository: str = ""

    def owners(self, name: str, is_folder: bool) -> list[Owner]:
        """Tell whose a file or folder is; several people hand in together on Gradescope."""
        if found := _GRADESCOPE.fullmatch(name):
            alone = Owner("submission", id=found[2], platform="gradescope")
            return list(self.submitters.get(found[1], [alone]))
        if found := _BLACKBOARD.fullmatch(name):
            return [self._blackboard(found)]
        if is_folder and self.repository and name.startswith(self.repository):
            login = name.removeprefix(self.repository)
            return [Owner(login, login=login, platform="github")]
        return [owner_of(name, is_folder)]

    def _blackboard(self, found: re.Match[str]) -> Owner:
        before = found["before"]
        login = next(
            (login for login in self.people if before.endswith(f"_{login}")),
            before.removeprefix(self.assignment) if self.assignment else before.rpartition("_")[2],
        )
        return Owner(
            self.people.get(login, login),
            id=login,
            login=login,
            platform="blackboard",
            rest=found["rest"] or f"{login}.txt",
            time=_blackboard_time(found["time"]),
        )


def is_note(name: str) -> bool:
    """Say whether a file is the note that Blackboard puts beside an attempt.

    Example:
        >>> is_note("Homework 4_ada_attempt_2026-03-01-12-00-00.txt")
        True
    """
    found = _BLACKBOARD.fullmatch(name)
    return found is not None and not found["rest"]


def _blackboard_time(text: str) -> float | None:
    try:
        return datetime.strptime(text, "%Y-%m-%d-%H-%M-%S").timestamp()
    except ValueError:
        return None


def surroundings_of(folder: Folder) -> Surroundings:
    """Look through the outer folder for what tells whose its files are."""
    names = [leaf.name for leaf in folder.files]
    attempts = [found["before"] for name in names if (found := _BLACKBOARD.fullmatch(name))]
    return Surroundings(
        _submitters(folder.files),
        _shared_beginning(attempts, "_"),
        dict(_blackboard_people(folder.files)),
        _repository(folder),
    )


def _submitters(files: Iterable[FileEntry]) -> dict[str, list[Owner]]:
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
        if isinstance(about, dict) and (owners := list(_people(str(folder), about)))
    }


def _people(folder: str, about: Mapping[str, Any]) -> Iterable[Owner]:
    created = about.get(":created_at")
    for person in about.get(":submitters") or []:
        if not isinstance(person, dict):
            continue
        name, number, email = (str(person.get(f":{key}") or "") for key in ("name", "sid", "email"))
        yield Owner(
            name or email or folder,
            id=number or email or folder.rpartition("_")[2],
            email=email,
            platform="gradescope",
            time=created.timestamp() if isinstance(created, datetime) else None,
        )


def _blackboard_people(files: Iterable[FileEntry]) -> Iterable[tuple[str, str]]:
    """Read logins and names from the note that Blackboard puts beside each attempt."""
    for leaf in files:
        if not is_note(leaf.name):
            continue
        try:
            text = leaf.read()[:_LONGEST_TEXT].decode("utf-8-sig", errors="replace")
        except UnreadableError:
            continue
        if found := _BLACKBOARD_NAME.search(text):
            yield found[2], found[1]


def _repository(folder: Folder) -> str:
    """Give what GitHub Classroom writes before each login: the assignment, and a dash."""
    clones = [one.name for one in folder.folders if one.is_repository]
    named = folder.name.removesuffix("-submissions") + "-"
    if folder.name.endswith("-submissions") and any(
        one.name.startswith(named) for one in folder.folders
    ):
        return named
    return _shared_beginning(clones, "-")


def _shared_beginning(names: Sequence[str], end: str) -> str:
    """Give what all names begin with, up to a mark; "" for a single name."""
    if len(set(names)) < 2:
        return ""
    shared = os.path.commonprefix(list(names))  # noqa: RUF071 - characters are meant
    return shared[: shared.rfind(end) + 1]
