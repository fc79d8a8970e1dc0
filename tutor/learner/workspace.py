"""A learner's own copies of the lessons and exercises, which an update of the course leaves alone.

Lessons are copied without their outputs, and with *What happened* folded: a prediction is none
with its answer below it.

A file is *worked on* once the text of its cells differs from what was copied. Running a lesson
changes only outputs, so a lesson that was merely run still follows the course.
"""

import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tutor.files import write_whole
from tutor.learner.copies import LESSONS, cells_digest, copy_of, digest, switched
from tutor.learner.course import NAME, PACKAGE, course_folder, is_installed
from tutor.learner.language import ENGLISH, MARKED, marked_language
from tutor.learner.progress_file import MARKER, workspace_of
from tutor.say import say

SOLUTIONS = "solutions"
FOLDERS = (LESSONS, "exercises")


@dataclass
class Changes:
    """What filling a workspace did, as paths inside it.

    Attributes:
        copied: were not there.
        renewed: untouched copies that the course has a newer version of; replaced by it.
        kept: worked on, though the course has a newer version; left as they are.
        switched: worked on, and brought into another language in all cells that were not changed.
    """

    copied: list[str] = field(default_factory=list)
    renewed: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    switched: list[str] = field(default_factory=list)


def usual_workspace() -> Path:
    """Return where a learner's copies lie unless another folder is named.

    The workspace that this is started in; else the one beside a clone's notebooks, or a new one in
    the present folder.
    """
    try:
        here = workspace_of(Path.cwd())
    except FileNotFoundError:  # the folder was deleted under our feet
        here = None
    new = Path(NAME) if is_installed() else course_folder() / "workspace"
    return here or new


def fill(course: Path, workspace: Path, language: str | None = None) -> Changes:
    """Copy the course's notebooks where they are missing or untouched, and say what was done.

    Solutions are not laid before a learner's eyes: only those that were fetched are kept up to date
    (see `fetch_solution`).

    Args:
        course: the folder with notebooks/, exercises/ and solutions/.
        workspace: the learner's folder; made if it does not exist.
        language: of the copies; that which the workspace has, unless given. In a copy that was
            worked on the cells that were not are brought into it.

    Raises:
        ValueError: the course's folder holds no lessons, or is itself named as the workspace;
            nothing is made then.
    """
    if workspace.resolve() == course.resolve():
        raise ValueError(
            say(
                "{course} is the course itself; your copies need a folder of their own.",
                course=course,
            )
        )
    sources = _notebooks_of(course) + [
        source
        for source in sorted((course / SOLUTIONS).glob("*.ipynb"))
        if (workspace / SOLUTIONS / source.name).exists()
    ]
    workspace.mkdir(parents=True, exist_ok=True)
    _link_what_lessons_lead_to(course, workspace)
    marker = _read_marker(workspace)
    if language is not None:
        marker[MARKED] = language
    return _copy(sources, course, workspace, marker)


def fetch_solution(course: Path, workspace: Path, lesson: str, language: str | None = None) -> Path:
    """Copy a lesson's worked exercises into a learner's folder, and say where they are.

    Args:
        course: the folder with solutions/.
        workspace: the learner's folder.
        lesson: its number, with or without a nought before it, or its name.
        language: of the copy; that which the workspace has, unless given.

    Raises:
        ValueError: there is no such lesson.
    """
    names = {source.stem: source for source in sorted((course / SOLUTIONS).glob("*.ipynb"))}
    found = [name for name in names if lesson in (name, name[:2], name[:2].lstrip("0"))]
    if not found:
        known = ", ".join(name[:2] for name in names)
        raise ValueError(
            say("There is no lesson {lesson}; there are {known}.", lesson=lesson, known=known)
        )
    source = names[found[0]]
    _copy([source], course, workspace, _read_marker(workspace), language)
    return workspace / SOLUTIONS / source.name


def _copy(
    sources: Sequence[Path],
    course: Path,
    workspace: Path,
    marker: dict[str, Any],
    language: str | None = None,
) -> Changes:
    """Copy notebooks where they are missing or untouched, and note it in the marker."""
    spoken = language or marked_language(marker)
    changes = Changes()
    for source in sources:
        name = source.relative_to(course).as_posix()
        old = _noted(marker, name)
        new = _Copied(source, spoken)
        if _switch(source, workspace / name, old, new, changes) or _bring(
            new, workspace / name, old, changes
        ):
            marker[name] = new.noted
    write_whole(workspace / MARKER, json.dumps(marker, indent=1, sort_keys=True) + "\n")
    return changes


class _Copied:
    """A copy of a notebook in a language.

    Attributes:
        content: of its file.
        noted: what is noted of it in the marker: digests of the file and of its cells' texts, and
            its language unless that is English.
    """

    def __init__(self, source: Path, language: str) -> None:
        self.content = copy_of(source, language)
        self.noted = {"file": digest(self.content), "cells": cells_digest(self.content)}
        if language != ENGLISH:
            self.noted[MARKED] = language


def _notebooks_of(course: Path) -> list[Path]:
    found = sorted(path for folder in FOLDERS for path in (course / folder).glob("*.ipynb"))
    if not found:
        raise ValueError(
            say(
                "There are no lessons in {course}. Install the course anew: in its own "
                "folder with `make setup`, elsewhere with `python -m pip install "
                "--force-reinstall --no-deps` and the wheel.",
                course=course,
            )
        )
    return found


def _bring(new: _Copied, target: Path, old: dict[str, str], changes: Changes) -> bool:
    """Copy one notebook if nothing of the learner's is lost; say whether the copy is now the new.

    `old` has what was noted of what was copied before.
    """
    name = f"{target.parent.name}/{target.name}"
    if target.exists():
        if old.get("file") == new.noted["file"]:
            return False
        if _is_worked_on(target, old, new):
            if old.get("cells") != new.noted["cells"]:  # newer in more than its outputs
                changes.kept.append(name)
            return False
        changes.renewed.append(name)
    else:
        changes.copied.append(name)
    write_whole(target, new.content)
    return True


def _is_worked_on(target: Path, old: dict[str, str], new: _Copied) -> bool:
    return cells_digest(target.read_bytes()) not in (old.get("cells"), new.noted["cells"])


def _switch(
    source: Path, target: Path, old: dict[str, str], new: _Copied, changes: Changes
) -> bool:
    """Bring a copy that was worked on into another language, cell by cell; say if it is the new.

    It is not where the course has a newer version than it was copied from.
    """
    former = old.get(MARKED, ENGLISH)
    is_other = former != new.noted.get(MARKED, ENGLISH)
    if not (is_other and target.exists() and _is_worked_on(target, old, new)):
        return False
    before = _Copied(source, former)
    if write_whole(target, switched(target.read_bytes(), before.content, new.content)):
        changes.switched.append(f"{target.parent.name}/{target.name}")
    return old.get("cells") == before.noted["cells"]


def _link_what_lessons_lead_to(course: Path, workspace: Path) -> None:
    """Let the lessons' links to the package and to what was measured work inside the workspace."""
    code = course / "tutor"
    _link(workspace / "tutor", code if code.exists() else PACKAGE)
    _link(workspace / "docs", course / "docs")


def _link(link: Path, target: Path) -> None:
    if link.is_symlink() and link.resolve() != target.resolve():
        link.unlink()
    if target.exists() and not link.exists():
        with contextlib.suppress(OSError):  # Windows asks for a privilege; links are a comfort
            link.symlink_to(target, target_is_directory=True)


def _read_marker(workspace: Path) -> dict[str, Any]:
    """Read what was copied; an unreadable marker only means that nothing counts as untouched."""
    try:
        copied = json.loads((workspace / MARKER).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return copied if isinstance(copied, dict) else {}


def _noted(marker: Mapping[str, Any], name: str) -> dict[str, str]:
    noted = marker.get(name)
    return noted if isinstance(noted, dict) else {}
