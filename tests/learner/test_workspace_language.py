"""Copies in another language: built, switched cell by cell, and never over a person's work."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.learner.test_workspace import EXERCISE, LESSON, SOLUTION, sources, write_notebook
from tutor.grading.choosing import CourseCells
from tutor.grading.inside.cells import read_notebook
from tutor.grading.results import GradedNotebook
from tutor.learner import language as languages
from tutor.learner.copies import in_every_language
from tutor.learner.course import course_folder
from tutor.learner.language import Catalogue
from tutor.learner.progress_file import MARKER
from tutor.learner.workspace import fetch_solution, fill

KOREAN = {"one word": "단어 하나", "two words": "단어 둘", "your answer": "답"}


@pytest.fixture(autouse=True)
def _korean(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {"ko": {("", english): text for english, text in KOREAN.items()}, "en": {}}
    monkeypatch.setattr(languages, "catalogue", lambda name: Catalogue(texts[name]))


@pytest.fixture
def course(tmp_path: Path) -> Path:
    folder = tmp_path / "course"
    write_notebook(folder / LESSON, 'print("one word")', 'print("two words")', output="two words")
    write_notebook(folder / EXERCISE, "# your answer\ndef f(): ...", 'print("one word", f())')
    write_notebook(folder / SOLUTION, 'print("one word")')
    return folder


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


def texts(path: Path) -> list[str]:
    return ["".join(source) for source in sources(path)]


def write_into(path: Path, cell: int, text: str) -> None:
    """Change a cell as JupyterLab would save it."""
    notebook = json.loads(path.read_text("utf-8"))
    notebook["cells"][cell]["source"] = text
    path.write_text(json.dumps(notebook), "utf-8")


def test_copies_are_built_in_the_language_and_stay_in_it(course: Path, workspace: Path):
    fill(course, workspace, "ko")
    assert texts(workspace / LESSON) == ['print("단어 하나")', 'print("단어 둘")']
    assert json.loads((workspace / MARKER).read_text())["language"] == "ko"
    changes = fill(course, workspace)
    assert (changes.copied, changes.renewed, changes.kept, changes.switched) == ([], [], [], [])
    write_notebook(course / LESSON, 'print("two words")')
    assert fill(course, workspace).renewed == [LESSON]
    assert texts(workspace / LESSON) == ['print("단어 둘")']


def test_an_untouched_copy_is_replaced_and_back_again(course: Path, workspace: Path):
    fill(course, workspace)
    english = (workspace / LESSON).read_bytes()
    assert sorted(fill(course, workspace, "ko").renewed) == [EXERCISE, LESSON]
    assert texts(workspace / LESSON) == ['print("단어 하나")', 'print("단어 둘")']
    fill(course, workspace, "en")
    assert (workspace / LESSON).read_bytes() == english


def test_of_a_copy_that_was_worked_on_only_the_other_cells_are_switched(
    course: Path, workspace: Path
):
    fill(course, workspace)
    write_into(workspace / EXERCISE, 0, "# your answer\ndef f(): return 1")
    changes = fill(course, workspace, "ko")
    assert (changes.switched, changes.kept) == ([EXERCISE], [])
    mine, other = texts(workspace / EXERCISE)
    assert (mine, other) == ("# your answer\ndef f(): return 1", 'print("단어 하나", f())')
    again = fill(course, workspace)
    assert (again.switched, again.kept, again.renewed) == ([], [], [])
    assert fill(course, workspace, "en").switched == [EXERCISE]
    assert texts(workspace / EXERCISE) == [mine, 'print("one word", f())']


def test_a_switched_cell_loses_its_outputs_and_a_changed_one_keeps_them(
    course: Path, workspace: Path
):
    fill(course, workspace)
    path = workspace / LESSON
    notebook = json.loads(path.read_text("utf-8"))
    for cell in notebook["cells"]:
        cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "in English"}]
        cell["execution_count"] = 7
    notebook["cells"][0]["source"] = "mine = 1"
    path.write_text(json.dumps(notebook), "utf-8")
    assert fill(course, workspace, "ko").switched == [LESSON]
    mine, switched = json.loads(path.read_text("utf-8"))["cells"]
    assert (mine["outputs"][0]["text"], mine["execution_count"]) == ("in English", 7)
    assert (switched["outputs"], switched["execution_count"]) == ([], None)


def test_a_switched_cell_of_a_solution_has_the_courses_outputs(course: Path, workspace: Path):
    write_notebook(course / SOLUTION, "1 + 1", 'print("one word")', output="stored")
    fill(course, workspace)
    path = fetch_solution(course, workspace, "4")
    notebook = json.loads(path.read_text("utf-8"))
    notebook["cells"][0]["source"], notebook["cells"][1]["outputs"] = "1 + 2", []
    path.write_text(json.dumps(notebook), "utf-8")
    assert fill(course, workspace, "ko").switched == [SOLUTION]
    mine, switched = json.loads(path.read_text("utf-8"))["cells"]
    assert (mine["outputs"], switched["outputs"][0]["text"]) == ([], "stored")


def test_a_copy_behind_the_course_is_switched_and_still_said_to_be_behind(
    course: Path, workspace: Path
):
    fill(course, workspace)
    write_into(workspace / LESSON, 0, "mine = 1")
    write_notebook(course / LESSON, 'print("one word")', 'print("two words")', "newer = 1")
    assert fill(course, workspace, "ko").switched == [LESSON]
    assert texts(workspace / LESSON) == ["mine = 1", 'print("단어 둘")']
    assert fill(course, workspace).kept == [LESSON]


def test_a_solution_alone_can_have_another_language(course: Path, workspace: Path):
    fill(course, workspace)
    fetched = fetch_solution(course, workspace, "4", "ko")
    assert texts(fetched) == ['print("단어 하나")']
    assert texts(workspace / LESSON) == ['print("one word")', 'print("two words")']
    assert "language" not in json.loads((workspace / MARKER).read_text())


def test_what_is_no_notebook_any_more_stays(course: Path, workspace: Path):
    fill(course, workspace)
    (workspace / LESSON).write_text("lost")
    fill(course, workspace, "ko")
    assert (workspace / LESSON).read_text() == "lost"


def test_the_command_refuses_a_language_that_the_course_has_not(tmp_path: Path):
    run = [sys.executable, "-m", "tutor", "copy", str(tmp_path / "mine"), "--language", "xx"]
    done = subprocess.run(run, capture_output=True, text=True, cwd=course_folder(), check=False)
    assert (done.returncode, "no language 'xx'; it has: en, ko" in done.stderr) == (2, True)
    assert not (tmp_path / "mine").exists()


@pytest.mark.parametrize(
    ("command", "told"), [("copy", "여러분의 작업 폴더"), ("progress --workspace", "모두 합쳐")]
)
def test_a_command_speaks_the_language_of_the_copies_it_is_for(
    workspace: Path, course: Path, tmp_path: Path, command: str, told: str
):
    fill(course, workspace, "ko")
    run = [sys.executable, "-m", "tutor", *command.split(), str(workspace)]
    done = subprocess.run(run, capture_output=True, encoding="utf-8", cwd=tmp_path, check=True)
    assert told in done.stdout


def test_grading_knows_the_courses_own_cells_in_every_language(course: Path):
    (lesson,) = (
        GradedNotebook("a.ipynb", "04", cells=[cell.digest for cell in read_notebook(copy).cells])
        for copy in in_every_language(course / LESSON)[1:]
    )
    assert not CourseCells.of(course).is_lesson(lesson)
    assert CourseCells.of(course, in_every_language).is_lesson(lesson)
