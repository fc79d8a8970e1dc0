"""A learner's own copies of the lessons and exercises, which an update of the course leaves alone.

Lessons are copied without their outputs, and with *What happened* folded: a prediction is none
with its answer below it.

A file is *worked on* once the text of its cells differs from what was copied. Running a lesson
changes only outputs, so a lesson that was merely run still follows the course.
"""

import contextlib
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tutor.files import write_whole
from tutor.learner.course import NAME, PACKAGE, course_folder, is_installed
from tutor.learner.folding import fold, is_reveal, unfold
from tutor.learner.language import ENGLISH, in_language
from tutor.learner.progress_file import MARKER, workspace_of
from tutor.say import say

LESSONS, SOLUTIONS = "notebooks", "solutions"
FOLDERS = (LESSONS, "exercises")


@dataclass
class Changes:
    """What filling a workspace did, as paths inside it.

    Attributes:
        copied: were not there.
        renewed: untouched copies that the course has a newer version of; replaced by it.
        kept: worked on, though the course has a newer version; left as they are.
    """

    copied: list[str] = field(default_factory=list)
    renewed: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)


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


def fill(course: Path, workspace: Path) -> Changes:
    """Copy the course's notebooks where they are missing or untouched, and say what was done.

    Solutions are not laid before a learner's eyes: only those that were fetched are kept up to date
    (see `fetch_solution`).

    Args:
        course: the folder with notebooks/, exercises/ and solutions/.
        workspace: the learner's folder; made if it does not exist.

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
    return _copy(sources, course, workspace)


def fetch_solution(course: Path, workspace: Path, lesson: str) -> Path:
    """Copy a lesson's worked exercises into a learner's folder, and say where they are.

    Args:
        course: the folder with solutions/.
        workspace: the learner's folder.
        lesson: its number, with or without a nought before it, or its name.

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
    _copy([source], course, workspace)
    return workspace / SOLUTIONS / source.name


def _copy(sources: Sequence[Path], course: Path, workspace: Path) -> Changes:
    """Copy notebooks where they are missing or untouched, and note it in the marker."""
    copied = _read_marker(workspace)
    changes = Changes()
    for source in sources:
        name = source.relative_to(course).as_posix()
        content = copy_of(source)
        new = {"file": _digest(content), "cells": cells_digest(source)}
        if _bring(content, workspace / name, copied.get(name, {}), new, changes):
            copied[name] = new
    write_whole(workspace / MARKER, json.dumps(copied, indent=1, sort_keys=True) + "\n")
    return changes


def copy_of(source: Path, language: str = ENGLISH) -> bytes:
    """Give what a learner's copy of a notebook holds: a lesson's outputs left out, answers folded.

    Solutions keep theirs: who opens one wants to see the answer. A file that is no notebook is
    copied byte by byte.
    """
    content = source.read_bytes()
    is_lesson = source.parent.name == LESSONS
    if not is_lesson and language == ENGLISH:
        return content
    try:
        notebook = in_language(json.loads(content), language)
        for cell in notebook["cells"] if is_lesson else ():
            if cell["cell_type"] == "code":
                cell["outputs"], cell["execution_count"] = [], None
            elif is_reveal(cell):
                cell["source"] = fold("".join(cell["source"])).splitlines(keepends=True)
    except (ValueError, KeyError, TypeError):
        return content
    return json.dumps(notebook, ensure_ascii=False, indent=1).encode() + b"\n"


def cells_digest(notebook: Path) -> str:
    """Digest what a person wrote into a notebook: the cells' texts, but no outputs or empty cells.

    Folded or not, an answer counts the same: folding is the copy's doing, not a person's. A file
    that is no notebook counts byte by byte.
    """
    content = notebook.read_bytes()
    try:
        cells = json.loads(content)["cells"]
        texts = [(cell["cell_type"], unfold("".join(cell["source"])).rstrip()) for cell in cells]
    except (ValueError, KeyError, TypeError):
        return _digest(content)
    return _digest(json.dumps([text for text in texts if text[1]]).encode())


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


def _bring(
    content: bytes, target: Path, old: dict[str, str], new: dict[str, str], changes: Changes
) -> bool:
    """Copy one notebook if nothing of the learner's is lost; say whether the copy is now the new.

    `old` has the digests of what was copied before, `new` those of the course's present version.
    """
    name = f"{target.parent.name}/{target.name}"
    if target.exists():
        if old.get("file") == new["file"]:
            return False
        if cells_digest(target) not in (old.get("cells"), new["cells"]):
            if old.get("cells") != new["cells"]:  # newer in more than its outputs
                changes.kept.append(name)
            return False
        changes.renewed.append(name)
    else:
        changes.copied.append(name)
    write_whole(target, content)
    return True


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


def _read_marker(workspace: Path) -> dict[str, dict[str, str]]:
    """Read what was copied; an unreadable marker only means that nothing counts as untouched."""
    try:
        copied = json.loads((workspace / MARKER).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return copied if isinstance(copied, dict) else {}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
