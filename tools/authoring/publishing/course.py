"""What the pages say of the course as a whole: its lessons, their minutes, where they run."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from nbformat import NotebookNode

from tutor.say import later

from ..files import EXERCISES, LESSONS, ROOT, notebooks_in, read_notebook
from ..published import in_colab, on_binder, repository
from ..times import core_minutes, sittings


@dataclass(frozen=True)
class Lesson:
    """A lesson as lists of lessons show it.

    Attributes:
        name: of its files, such as "04_self_attention".
        title: its first heading, with its number.
        line: what it is about, in a line.
        minutes: of its core, one number for each sitting.
        exercise_minutes: of the exercises that everyone does, likewise.
    """

    name: str
    title: str
    line: str
    minutes: tuple[int, ...]
    exercise_minutes: tuple[int, ...]

    @property
    def number(self) -> str:
        """Two digits, as in the names of files."""
        return self.name[:2]


@cache
def lessons() -> tuple[Lesson, ...]:
    """List the lessons in their order."""
    lines = lesson_lines()
    return tuple(_lesson(path.stem, lines[path.stem]) for path in notebooks_in(LESSONS))


def neighbours(name: str) -> tuple[Lesson | None, Lesson | None]:
    """Find the lessons before and after one; None where there is none."""
    listed = [None, *lessons(), None]
    for before, lesson, after in zip(listed, listed[1:], listed[2:]):
        if lesson and lesson.name == name:
            return before, after
    return None, None


def lesson_lines() -> dict[str, str]:
    """Return what each lesson is about in a line, as the README's table says it."""
    readme = (ROOT / "README.md").read_text("utf-8")
    rows = re.findall(r"^\|.*\(notebooks/(\w+)\.ipynb\) \| (.*?) \|", readme, re.MULTILINE)
    return {name: line[0].upper() + line[1:] + "." for name, line in rows}


def title_of(notebook: NotebookNode) -> str:
    """Return a notebook's title, its first heading."""
    return re.sub(r"^#+\s*", "", notebook.cells[0].source.splitlines()[0])


def open_in(folder: str, name: str) -> Mapping[str, str]:
    """Return where a notebook opens with a kernel: the button's words -> the address.

    Nothing before the course is published, for then these addresses lead nowhere.
    """
    if not repository():
        return {}
    return {
        later("Open in Colab"): in_colab(folder, name),
        later("Open on Binder"): on_binder(folder, name),
    }


def _lesson(name: str, line: str) -> Lesson:
    notebook = read_notebook(LESSONS / f"{name}.ipynb")
    exercises = read_notebook(EXERCISES / f"{name}.ipynb")
    return Lesson(
        name,
        title_of(notebook),
        line,
        tuple(sittings(notebook)),
        tuple(core_minutes(exercises)),
    )
