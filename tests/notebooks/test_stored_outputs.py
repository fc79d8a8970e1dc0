"""Lessons and solutions: stored outputs are those of the code, within the time a reader has."""

from pathlib import Path

import nbformat
import pytest

from tests.notebooks.nbval_run import run_nbval
from tools.authoring.check import complaints
from tools.authoring.files import EXERCISES, LESSONS, SOLUTIONS, notebooks_in, shown
from tutor.exercises import lessons

SECONDS = 25.0
SECONDS_OF_LESSON_8 = 60.0


@pytest.mark.parametrize("path", notebooks_in(LESSONS, SOLUTIONS, EXERCISES), ids=shown)
def test_notebook_keeps_the_rules(path: Path) -> None:
    found = complaints(path)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", notebooks_in(LESSONS, SOLUTIONS), ids=shown)
def test_stored_outputs_are_fresh(
    path: Path, request: pytest.FixtureRequest, seconds: dict[str, float]
) -> None:
    """One execution serves nbval's comparison, the pictures and the budget of time."""
    run = run_nbval(path, request.session)
    assert not run.mismatches, "\n\n".join(run.mismatches)
    assert not run.stale_pictures, "\n".join(run.stale_pictures)
    seconds[shown(path)] = run.cpu_seconds
    assert run.cpu_seconds <= (SECONDS_OF_LESSON_8 if "08_" in path.name else SECONDS)


def test_every_exercise_has_its_solution() -> None:
    exercises = [path.name for path in notebooks_in(EXERCISES)]
    assert exercises == [path.name for path in notebooks_in(SOLUTIONS)]


@pytest.mark.parametrize("path", notebooks_in(SOLUTIONS), ids=shown)
def test_exercises_are_listed_in_the_order_of_their_notebook(path: Path) -> None:
    marks = [cell.metadata.get("nbgrader", {}) for cell in nbformat.read(path, as_version=4).cells]
    checked = [mark["grade_id"].removeprefix("check-") for mark in marks if mark.get("grade")]
    assert [exercise.name for exercise in lessons()[path.stem]] == checked
