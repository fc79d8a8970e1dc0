"""Lessons and solutions: stored outputs are the code's, within a reader's memory."""

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from tests.notebooks.in_process import stale_cells
from tests.notebooks.nbval_run import run_nbval
from tests.tiers import quick_where
from tools.authoring.check import complaints
from tools.authoring.files import EXERCISES, LESSONS, ROOT, SOLUTIONS, notebooks_in, shown
from tools.authoring.meter import Use
from tutor.exercises import lessons

MB_BESIDE_TORCH = 280.0  # with PyTorch's build for processors alone, 500 in all
MB_OF_LESSON_8 = 290.0  # 64 are torch's compiler, which Adam and the device "meta" import


@pytest.fixture(scope="session")
def torch_mb() -> float:
    """What importing torch takes: its builds with GPU libraries take more."""
    program = "import os, torch; from tools.authoring.meter import used_by; "
    program += "print(used_by(os.getpid()).peak_mb)"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return float(done.stdout)


@pytest.mark.parametrize("path", notebooks_in(LESSONS, SOLUTIONS, EXERCISES), ids=shown)
def test_notebook_keeps_the_rules(path: Path) -> None:
    found = complaints(path)
    assert not found, "\n".join(found)


SAMPLE = {"notebooks/07_masking.ipynb", "solutions/04_self_attention.ipynb"}
EXECUTED = quick_where(lambda path: shown(path) in SAMPLE, notebooks_in(LESSONS, SOLUTIONS))


@pytest.mark.parametrize("path", EXECUTED, ids=shown)
def test_stored_outputs_are_fresh(
    path: Path, request: pytest.FixtureRequest, uses: dict[str, Use], torch_mb: float
) -> None:
    """One execution serves nbval's comparison, the pictures and the budgets."""
    run = run_nbval(path, request.session)
    assert not run.mismatches, "\n\n".join(run.mismatches)
    assert not run.stale_pictures, "\n".join(run.stale_pictures)
    uses[shown(path)] = run.used
    dear = f"python tools/notebooks.py costs --cells {shown(path)} shows what takes most"
    is_long = "08_" in path.name
    assert run.used.peak_mb <= torch_mb + (MB_OF_LESSON_8 if is_long else MB_BESIDE_TORCH), dear


@pytest.mark.parametrize(
    "path", quick_where(lambda path: shown(path) not in SAMPLE, notebooks_in(LESSONS)), ids=shown
)
def test_a_lesson_prints_what_it_stores(path: Path, unchecked_shapes: None) -> None:
    """In this process, so that all lessons are quick; their pictures and budgets are above."""
    assert stale_cells(path) == []


def test_every_exercise_has_its_solution() -> None:
    exercises = [path.name for path in notebooks_in(EXERCISES)]
    assert exercises == [path.name for path in notebooks_in(SOLUTIONS)]


@pytest.mark.parametrize("path", notebooks_in(SOLUTIONS), ids=shown)
def test_exercises_are_listed_in_the_order_of_their_notebook(path: Path) -> None:
    marks = [cell.metadata.get("nbgrader", {}) for cell in nbformat.read(path, as_version=4).cells]
    checked = [mark["grade_id"].removeprefix("check-") for mark in marks if mark.get("grade")]
    assert [exercise.name for exercise in lessons()[path.stem]] == checked
