"""What is published is made once, and made anew as soon as anything it is made from changes."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools.authoring.files import LESSONS, notebooks_in, read_notebook
from tools.authoring.publishing import lessons, made
from tools.authoring.publishing.files import write_deck, write_page
from tools.authoring.publishing.frames import FRAMES, frames_of
from tools.authoring.publishing.limits import too_large
from tutor.explorers import lesson07_masking

EXPLORER = "tutor/explorers/lesson07_masking/masks_meet.py"


class Course:
    """A course of one lesson that loads two files, and a kernel that counts its runs."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.runs = folder, 0
        self.path = folder / "01_made.ipynb"
        for name in ("draws.py", "other.py", "tutor/data/numbers.json"):
            self.write(name, "1")
        self.cells = [new_markdown_cell("# One"), new_code_cell("show()")]
        for module in ("publishing.lessons", "refresh", "files"):
            monkeypatch.setattr(f"tools.authoring.{module}.ROOT", folder)
        monkeypatch.setattr(lessons, "execute", self._execute)

    def write(self, name: str, text: str) -> None:
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text, "utf-8")

    def publish(self) -> NotebookNode:
        nbformat.write(new_notebook(cells=self.cells), self.path)
        return lessons.lesson_with_frames(self.path, self.folder / "kept")

    def _execute(self, notebook: NotebookNode, folder: Path) -> SimpleNamespace:
        self.runs += 1
        executed = copy.deepcopy(notebook)
        assert "carry_frames()" in executed.cells[0].source
        output = new_output("display_data", data={"text/plain": f"run {self.runs}"})
        executed.cells[-1].outputs = [output]
        return SimpleNamespace(notebook=executed, files=[self.folder / "draws.py"])


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Course:
    made_course = Course(tmp_path, monkeypatch)
    made_course.publish()
    return made_course


def change_code(course: Course) -> None:
    course.cells[1].source = "show(2)"


@pytest.mark.parametrize(
    ("change", "runs"),
    [
        (lambda course: None, 1),
        (lambda course: course.write("other.py", "2"), 1),
        (lambda course: course.write("draws.py", "2"), 2),
        (lambda course: (course.folder / "draws.py").unlink(), 2),
        (lambda course: course.write("tutor/data/numbers.json", "2"), 2),
        (lambda course: course.write("tutor/data/results/new.json", "1"), 2),
        (change_code, 2),
    ],
    ids=["nothing", "not loaded", "loaded", "gone", "data", "more data", "code"],
)
def test_a_lesson_runs_again_only_if_what_it_is_made_from_changes(
    course: Course, change: Callable[[Course], None], runs: int
):
    change(course)
    for _ in range(2):
        shown = course.publish()
    assert course.runs == runs
    assert shown.cells[-1].outputs[0].data["text/plain"] == f"run {runs}"


def test_a_text_changes_without_a_run(course: Course):
    course.cells[0].source = "# Two"
    shown = course.publish()
    assert (shown.cells[0].source, course.runs) == ("# Two", 1)
    assert shown.cells[1].outputs[0].data["text/plain"] == "run 1"


def test_what_is_edited_during_a_run_runs_again(course: Course, monkeypatch):
    def edit(notebook: NotebookNode, folder: Path) -> SimpleNamespace:
        course.write("tutor/draws.py", "2")
        return course._execute(notebook, folder)

    monkeypatch.setattr(lessons, "execute", edit)
    change_code(course)
    course.publish()
    monkeypatch.setattr(lessons, "execute", course._execute)
    course.publish()
    course.publish()
    assert course.runs == 3


@pytest.mark.long
def test_a_changed_explorer_makes_its_frames_anew(tmp_path: Path):
    """In a real kernel: what draws the lesson's pictures is among the files it is kept by."""
    stored = read_notebook(LESSONS / "07_masking.ipynb")
    shows = next(cell for cell in stored.cells if "explore.masks_meet()" in cell.source)
    needed = [cell for cell in stored.cells[: stored.cells.index(shows)] if cell.id == "tools"]
    notebook = new_notebook(cells=[*needed, shows])
    lessons._made(notebook, LESSONS, tmp_path / "made.ipynb")
    kept = read_notebook(tmp_path / "made.ipynb")
    (output,) = [one for one in kept.cells[-1].outputs if FRAMES in one.data]
    frames = frames_of(lesson07_masking.masks_meet())
    assert output.data[FRAMES]["frames"] == json.loads(json.dumps(frames["frames"]))
    assert {EXPLORER, "tutor/display/palette.py"} <= set(kept.metadata["drawn_from"]["files"])


@pytest.mark.parametrize(
    ("change", "is_made"),
    [
        (lambda root, out: None, True),
        (lambda root, out: (root / "README.md").write_text("2"), False),
        (lambda root, out: (root / "tutor" / "new.py").write_text(""), False),
        (lambda root, out: (out / "site" / "a.html").unlink(), False),
        (lambda root, out: (out / "site" / "a.html").write_text("mended by hand"), False),
    ],
    ids=["nothing", "a source", "a new source", "a page is gone", "a page is not ours"],
)
def test_nothing_is_published_twice(tmp_path: Path, monkeypatch, change, is_made: bool):
    root, out = tmp_path / "course", tmp_path / "build"
    page = out / "site" / "a.html"
    for file in (root / "tutor" / "old.py", root / "README.md", page):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("1")
    for module in ("refresh", "files"):
        monkeypatch.setattr(f"tools.authoring.{module}.ROOT", root)
    assert not made.is_made("site", out, root)
    made.remember(made.sources("site", root), out, [page])
    change(root, out)
    assert made.is_made("site", out, root) == is_made
    assert not made.is_made("slides", out, root)


def test_what_is_too_large_is_named(tmp_path: Path):
    page, frames = tmp_path / "a.html", tmp_path / "a.js"
    page.write_bytes(b"1" * 20)
    frames.write_bytes(b"1" * 60)
    assert too_large([page, frames], 80, 20) == []
    assert len(too_large([page, frames], 79, 20)) == len(too_large([page, frames], 80, 19)) == 1


@pytest.mark.long
@pytest.mark.parametrize("path", notebooks_in(LESSONS), ids=lambda path: path.stem)
def test_pages_and_decks_load_on_a_phone(path: Path, tmp_path: Path):
    notebook = read_notebook(path)
    files = [write(notebook, path.stem, tmp_path) for write in (write_page, write_deck)]
    assert too_large(files) == []
