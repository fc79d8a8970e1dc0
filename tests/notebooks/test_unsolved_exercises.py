"""Exercises as they are handed out: they run from end to end, and say what is open."""

from pathlib import Path

import pytest
from nbformat import NotebookNode

from tests.tiers import quick_where
from tools.authoring.execute import execute
from tools.authoring.files import EXERCISES, notebooks_in, read_notebook, shown
from tools.authoring.graded import awarded_points, exercise_cells


@pytest.mark.parametrize(
    "path", quick_where(lambda path: path.stem[:2] == "07", notebooks_in(EXERCISES)), ids=shown
)
def test_unsolved_exercise_runs_and_says_so(path: Path) -> None:
    notebook = execute(read_notebook(path), path.parent).notebook
    cells = exercise_cells(notebook)
    assert cells, "an exercise notebook without exercises"
    for name, (_, check) in cells.items():
        assert awarded_points(check) == 0, f"{name} awards points for no answer"
        assert f"{name}: open" in text_of(check)
        assert not any(output.get("name") == "stderr" for output in check.outputs)


def text_of(cell: NotebookNode) -> str:
    data = [output.get("data", {}) for output in cell.outputs]
    return "\n".join(entry.get("text/plain", "") for entry in data)
