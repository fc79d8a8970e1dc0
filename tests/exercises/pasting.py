"""What a learner could paste from what is given: functions of a lesson and of its mendings.

Only imports and definitions of a cell are run, so nothing here executes a lesson.
"""

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from nbformat import NotebookNode

from tools.authoring.exercises import tags_of
from tools.authoring.files import LESSONS, SOLUTIONS, read_notebook
from tutor.checking.calls import FunctionAnswer
from tutor.checking.examine import examine
from tutor.checking.exercise import Exercise

Function = Callable[..., Any]
_KEPT = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Edit:
    """A change so plain that a learner makes it: of a cell given, into an answer asked.

    Attributes:
        lesson: whose notebooks these are.
        cell: the id of the cell that is copied: of the lesson, or a mending's answer.
        exercise: where it is pasted.
        changes: what is replaced by what, in this order; each must be found.
    """

    lesson: str
    cell: str
    exercise: str
    changes: Sequence[tuple[str, str]]


def earns(exercise: Exercise, answer: Function) -> bool:
    """Say whether an answer earns points, or a part of them."""
    return examine(exercise, FunctionAnswer(answer)).points > 0


def given_functions(lesson: str) -> Iterator[tuple[str, Function]]:
    """Go through the functions that a lesson and its mendings hand out, each with where it is.

    Of a mending both the code as it is given and as it is right.
    """
    for cell in _cells(lesson, solutions=False):
        for name, function in _defined(lesson, cell.source, solutions=False).items():
            yield f"{cell.id}: {name}", function
    for cell in _cells(lesson, solutions=True):
        answer = str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))
        if "given" in tags_of(cell) or answer.startswith("mend_"):
            for name, function in _defined(lesson, cell.source, solutions=True).items():
                if name.startswith("mend_"):
                    yield f"{cell.id}: {name}", function


def edited(edit: Edit) -> Function | None:
    """Make the edit and give the function; None where the cell is gone or reads otherwise."""
    for solutions in (False, True):
        for cell in _cells(edit.lesson, solutions):
            if cell.id == edit.cell:
                source = _changed(cell.source, edit.changes)
                if source is not None:
                    return _defined(edit.lesson, source, solutions).get(edit.exercise)
    return None


def _changed(source: str, changes: Sequence[tuple[str, str]]) -> str | None:
    for old, new in changes:
        if old not in source:
            return None
        source = source.replace(old, new)
    return source


@cache
def _notebook(lesson: str, solutions: bool) -> NotebookNode:
    return read_notebook((SOLUTIONS if solutions else LESSONS) / f"{lesson}.ipynb")


def _cells(lesson: str, solutions: bool) -> list[NotebookNode]:
    return [cell for cell in _notebook(lesson, solutions).cells if cell.cell_type == "code"]


def _defined(lesson: str, source: str, solutions: bool) -> dict[str, Function]:
    """Run a cell's definitions, with the notebook's imports, and give its functions by name."""
    setup = next(cell.source for cell in _cells(lesson, solutions) if cell.id == "setup")
    space: dict[str, Any] = {}
    for text in (setup, source):
        kept = [node for node in ast.parse(text).body if isinstance(node, _KEPT)]
        exec(compile(ast.Module(kept, []), f"<{lesson}>", "exec"), space)
    own = [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    return {name: space[name] for name in own}
