"""What a solution notebook is held to: its answers and checks fit the lesson's exercises."""

from collections import Counter
from collections.abc import Collection
from itertools import pairwise

from nbformat import NotebookNode

from .exercises import is_answer, is_check, tags_of
from .rules import Complaints, code_cells


def exercise_cells(notebook: NotebookNode) -> dict[str, tuple[NotebookNode, NotebookNode]]:
    """Give each exercise's answer and check cell."""
    named = {cell.metadata.nbgrader.grade_id: cell for cell in _graded(notebook)}
    return {
        name: (cell, named[f"check-{name}"])
        for name, cell in named.items()
        if is_answer(cell) and f"check-{name}" in named
    }


def _graded(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in code_cells(notebook) if is_answer(cell) or is_check(cell)]


def paired(notebook: NotebookNode) -> Complaints:
    """Every answer has its check after it, every check its answer, and names are used once."""
    names = [cell.metadata.nbgrader.grade_id for cell in _graded(notebook)]
    for name, times in Counter(names).items():
        if times > 1:
            yield f"grade id {name} is used {times} times"
    for name in set(names):
        partner = name.removeprefix("check-") if name.startswith("check-") else f"check-{name}"
        if partner not in names:
            yield f"{name} has no {partner}"
        elif not name.startswith("check-") and names.index(name) > names.index(partner):
            yield f"{name} stands after its check"


def complete(notebook: NotebookNode, names: Collection[str]) -> Complaints:
    """The notebook holds the exercises of the lesson."""
    cells = exercise_cells(notebook)
    for name in sorted(set(names) - set(cells)):
        yield f"exercise {name} is missing"
    for name in sorted(set(cells) - set(names)):
        yield f"{name} is no exercise of this lesson"


def checks_award_points(notebook: NotebookNode) -> Complaints:
    """A check ends in `report.points`, the value from which nbgrader takes the points."""
    for name, (_, check) in exercise_cells(notebook).items():
        if check.source.splitlines()[-1].strip() != "report.points":
            yield f"check-{name} does not end in `report.points`"
        if f'"{name}"' not in check.source and f"({name})" not in check.source:
            yield f"check-{name} does not check {name}"


def solved(notebook: NotebookNode) -> Complaints:
    """Every stored check awards full points."""
    for name, (_, check) in exercise_cells(notebook).items():
        worth = check.metadata.nbgrader.points
        if awarded_points(check) != worth:
            yield f"check-{name} awards {awarded_points(check)} of {worth} points"


def awarded_points(check: NotebookNode) -> float | None:
    """Read the points from an executed check cell, None if it shows none."""
    for output in check.get("outputs", []):
        if output.output_type == "execute_result":
            try:
                return float(output.data.get("text/plain", ""))
            except ValueError:
                return None
    return None


def names_its_learner(notebook: NotebookNode) -> Complaints:
    """One cell says who works here: prediction exercises draw other numbers for everyone."""
    cells = [cell for cell in code_cells(notebook) if "set_learner(" in cell.source]
    if len(cells) != 1:
        yield f"has {len(cells)} cells with set_learner(...); one is expected"


def given_code_is_wrong_code(notebook: NotebookNode) -> Complaints:
    """Each mend exercise hands out code, and no other exercise does."""
    cells = code_cells(notebook)
    for cell, after in pairwise(cells):
        mends = is_answer(after) and _name(after).startswith("mend_")
        if "given" in tags_of(cell) and not mends:
            yield f"given code {cell.id} stands before no mend exercise"
        if mends and "given" not in tags_of(cell):
            yield f"no given code stands before {_name(after)}"


def _name(cell: NotebookNode) -> str:
    return str(cell.metadata.nbgrader.grade_id)
