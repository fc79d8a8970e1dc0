"""The notebook tests can fail: a changed number, picture or caption, and an error, are seen."""

from collections.abc import Callable
from pathlib import Path

import pytest
from nbformat import NotebookNode

from tests.notebooks.nbval_run import NbvalRun, run_nbval
from tests.tiers import first_quick
from tools.authoring.execute import execute
from tools.authoring.files import ROOT, read_notebook, write_notebook
from tools.authoring.normalise import normalise
from tools.authoring.rules import clean_outputs, pictures_with_alt_text
from tools.authoring.text import read_text

NOTEBOOK = """# %% id="number"
import torch
print(torch.arange(3.0).softmax(-1))

# %% id="explorer"
from tutor import live

def draw(fig, **values):
    (line,) = fig.subplots().plot([0, 1], [0, 1])
    def update(height):
        line.set_ydata([0, height])
        return f"height {height}"
    return update

live(draw, alt="A line rises from 0 to the height chosen.", height=(0, 2, 1, 1))

# %% id="live" tags=["nbval-skip"]
# Live: it reads the clock.
import time
print(time.time())
"""


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> NotebookNode:
    executed = execute(read_text(NOTEBOOK), tmp_path_factory.mktemp("stored")).notebook
    return normalise(executed)


@pytest.fixture
def run(
    stored: NotebookNode, tmp_path: Path, request: pytest.FixtureRequest
) -> Callable[[str, str], NbvalRun]:
    """Run the stored notebook with one text in its file replaced by another."""

    def run_with(old: str, new: str) -> NbvalRun:
        path = tmp_path / "notebook.ipynb"
        write_notebook(stored, path)
        content = path.read_text("utf-8")
        assert old in content
        path.write_text(content.replace(old, new), "utf-8")
        return run_nbval(path, request.session)

    return run_with


@pytest.mark.long
def test_a_fresh_notebook_passes(run: Callable[[str, str], NbvalRun], stored: NotebookNode) -> None:
    result = run("", "")
    assert (result.mismatches, result.stale_pictures) == ([], [])
    assert 0.1 < result.used.cpu_seconds < 60
    assert 100 < result.used.peak_mb < 1000
    explorer = stored.cells[1].outputs[0]
    assert sorted(explorer.data) == ["image/png", "text/plain"]
    assert "height 1" in explorer.data["text/plain"]
    assert [*pictures_with_alt_text(stored), *clean_outputs(stored)] == []


@pytest.mark.parametrize(
    ("old", "new", "cell"),
    first_quick(
        [
            pytest.param("0.0900", "0.0901", "number"),
            pytest.param("height 1", "height 2", "explorer"),
            pytest.param("print(torch.arange", "1 / 0\\nprint(torch.arange", "number"),
        ]
    ),
)
def test_a_changed_text_is_seen(
    run: Callable[[str, str], NbvalRun], old: str, new: str, cell: str
) -> None:
    (mismatch,) = run(old, new).mismatches
    assert f"cell {cell}" in mismatch


@pytest.mark.long
def test_a_changed_picture_is_seen(run: Callable[[str, str], NbvalRun]) -> None:
    result = run("line.set_ydata([0, height])", "line.set_ydata([0, height / 2])")
    assert result.mismatches == []
    assert result.stale_pictures == ["notebook.ipynb, cell explorer: another picture"]


@pytest.mark.long
def test_the_example_of_a_lesson_runs(tmp_path: Path) -> None:
    text = (ROOT / "tests/notebooks/data/example_lesson.txt").read_text("utf-8")
    path = tmp_path / "04_example.ipynb"
    write_notebook(normalise(execute(read_text(text), tmp_path).notebook), path)
    assert "0.136" in read_notebook(path).cells[3].outputs[0].text
