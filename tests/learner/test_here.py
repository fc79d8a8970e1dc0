"""The first cell of every notebook, in environments that lack something."""

import contextlib
import importlib.util
import io
import subprocess
import sys
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell

from tools.authoring import first_cell
from tools.authoring.first_cell import first_source
from tutor.learner import course, here, progress_file
from tutor.learner.progress_map import Progress

ROOT = Path(__file__).parents[2]

# Hides packages as if they were not installed, then runs a program.
HIDING = """
import sys
from importlib.machinery import PathFinder
hidden, find = set(sys.argv[1].split(",")), PathFinder.find_spec.__func__
PathFinder.find_spec = classmethod(
    lambda cls, name, *rest: None if name.split(".")[0] in hidden else find(cls, name, *rest)
)
"""


def without(packages: str, program: str) -> str:
    """What a program says where packages are missing."""
    command = [sys.executable, "-c", HIDING + program, packages]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    return done.stdout + done.stderr


def run_in_ipython(cell: str) -> str:
    """What a cell shows in IPython."""
    shell, said = InteractiveShell(), io.StringIO()
    shell.colors = "NoColor"
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        assert not shell.run_cell(cell).success
    return said.getvalue().strip()


@pytest.fixture
def no_course(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the package, as in a kernel that somebody chose by mistake."""
    for name in [name for name in sys.modules if name.split(".")[0] == "tutor"]:
        monkeypatch.delitem(sys.modules, name)
    find = PathFinder.find_spec.__func__  # type: ignore[attr-defined]
    hidden = classmethod(
        lambda cls, name, *rest: None if name == "tutor" else find(cls, name, *rest)
    )
    monkeypatch.setattr(PathFinder, "find_spec", hidden)
    monkeypatch.setattr(sys, "meta_path", [PathFinder, *sys.meta_path[:2]])


PUBLISHED = "https://github.com/ada/course"


@pytest.mark.usefixtures("no_course")
@pytest.mark.parametrize(
    ("repository", "cure"),
    [
        ("", ": choose the kernel .venv of the course's folder, or run make lab there."),
        (
            PUBLISHED,
            f'. Run %pip install "transformer-tutor @ git+{PUBLISHED}" and restart the kernel.',
        ),
    ],
)
def test_where_the_course_is_missing_one_sentence_says_how_to_get_it(
    repository: str, cure: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(first_cell, "repository", lambda: repository)
    assert len(first_source().splitlines()) <= 3
    assert run_in_ipython(first_source()) == (
        f"UsageError: The course is missing in this kernel{cure}"
    )


def test_on_colab_the_first_cell_gets_the_published_course(monkeypatch: pytest.MonkeyPatch):
    asked: list[tuple[str, str]] = []
    missing = ["tutor"]

    class Shell(InteractiveShell):
        def run_line_magic(self, name: str, line: str, *rest: Any, **more: Any) -> None:
            asked.append((name, line))

    Shell.__module__ = "google.colab._shell"
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name not in missing)
    monkeypatch.setattr(first_cell, "repository", lambda: PUBLISHED)
    for _ in range(2):  # the second time it is there
        Shell().run_cell(first_source())
        missing.clear()
    assert asked == [("pip", f'install -q "transformer-tutor @ git+{PUBLISHED}"')]


def test_every_notebook_begins_with_it():
    for folder in ("notebooks", "solutions", "exercises"):
        for path in (ROOT / folder).glob("[0-9]*.ipynb"):
            notebook = nbformat.read(path, as_version=4)
            first = next(cell for cell in notebook.cells if cell.cell_type == "code")
            assert first.source == first_source()
            assert first.metadata.jupyter.source_hidden


@pytest.mark.parametrize("package", ["matplotlib", "ipywidgets"])
@pytest.mark.long
def test_a_missing_package_is_told_once_and_ends_a_run_of_all_cells(package: str):
    said = without(
        package,
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell(); shell.colors = 'NoColor'\n"
        "ran = shell.run_cell('from tutor.learner.here import look_around; look_around()')\n"
        "print(ran.success)",
    )
    assert said.splitlines() == [
        f"This kernel lacks what the lessons need: run %pip install {package} and restart the "
        "kernel.",
        "False",
    ]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A learner's home, with the course installed from a wheel."""
    monkeypatch.setattr(progress_file, "is_installed", lambda: True)
    monkeypatch.setattr(progress_file, "DRIVE", tmp_path / "drive")
    monkeypatch.delenv("COLAB_RELEASE_TAG", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "downloads").mkdir()
    monkeypatch.chdir(tmp_path / "downloads")
    return tmp_path


def test_outside_a_workspace_points_go_to_a_folder_of_ones_own(installed: Path):
    kept = installed / course.NAME
    assert progress_file.where_kept() == f"Your points and predictions are kept in {kept}"
    assert progress_file.save("causal_mask", 1.0) == ""
    assert progress_file.save_prediction("soft-dictionary", "below 10") == ""
    assert progress_file.load() == {"causal_mask": 1.0}
    assert progress_file.load_predictions() == {"soft-dictionary": "below 10"}
    assert (kept / "progress.json").exists()


def test_a_workspace_goes_before_it_and_needs_no_word(installed: Path):
    (installed / "downloads" / progress_file.MARKER).write_text("{}")
    assert progress_file.where_kept() == ""
    progress_file.save("causal_mask", 1.0)
    assert (installed / "downloads" / "progress.json").exists()


def test_colab_forgets_unless_drive_is_there(installed: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLAB_RELEASE_TAG", "release-colab")
    assert "drive.mount('/content/drive')" in progress_file.where_kept()
    progress_file.DRIVE.mkdir()
    kept = progress_file.DRIVE / course.NAME
    assert progress_file.where_kept() == f"Your points and predictions are kept in {kept}"
    progress_file.save("causal_mask", 1.0)
    assert (kept / "progress.json").exists()


def test_a_home_that_takes_nothing_is_told(installed: Path):
    (installed / course.NAME).write_text("a file where the folder should be")
    assert progress_file.save("causal_mask", 1.0).startswith("Not saved: ")


def test_in_a_clone_nothing_is_kept_and_the_way_to_copies_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    assert progress_file.save("causal_mask", 1.0) == ""
    assert [*tmp_path.iterdir()] == []
    assert here.missing() == []
    assert (
        progress_file.where_kept() == "Points are not kept here. For copies of your own: tutor copy"
    )


def test_the_map_leads_to_exercises_only_where_they_lie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path / "notebooks")
    assert "<a " not in Progress({})._repr_html_()
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises" / "07_masking.ipynb").write_text("{}")
    assert Progress({})._repr_html_().count("<a href='../exercises/07_masking.ipynb'>") == 1
