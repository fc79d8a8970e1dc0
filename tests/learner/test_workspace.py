import hashlib
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tutor.learner.copies import cells_digest
from tutor.learner.course import course_folder
from tutor.learner.progress_file import MARKER, save
from tutor.learner.workspace import fetch_solution, fill

LESSON, EXERCISE = "notebooks/04_self_attention.ipynb", "exercises/04_self_attention.ipynb"
SOLUTION = "solutions/04_self_attention.ipynb"


def write_notebook(path: Path, *sources: str, output: str = "", **metadata: str) -> None:
    """Write a notebook of code cells; the last one has printed the output."""
    cells: list[dict[str, object]] = [
        {"cell_type": "code", "id": f"c{number}", "source": source, "outputs": [], "metadata": {}}
        for number, source in enumerate(sources)
    ]
    cells[-1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": output}]
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(content), encoding="utf-8")


def write_answer(path: Path, text: str) -> None:
    """Write a notebook whose one cell tells what happened."""
    cell = {"cell_type": "markdown", "id": "t", "metadata": {"tags": ["reveal"]}, "source": text}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"cells": [cell], "metadata": {}}), encoding="utf-8")


def digest_of(path: Path) -> str:
    return cells_digest(path.read_bytes())


def of_cells(key: str, path: Path) -> list[Any]:
    return [cell[key] for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]]


def sources(path: Path) -> list[str]:
    return of_cells("source", path)


@pytest.fixture
def course(tmp_path: Path) -> Path:
    folder = tmp_path / "course"
    write_notebook(folder / LESSON, "print(1)", output="1")
    write_notebook(folder / EXERCISE, "def f(): ...", "check(f)")
    (folder / "tutor").mkdir()
    (folder / "tutor" / "attention.py").write_text("# attention")
    (folder / "docs" / "measured").mkdir(parents=True)
    (folder / "docs" / "measured" / "04_self_attention.md").write_text("# What was measured")
    return folder


@pytest.fixture
def workspace(course: Path) -> Path:
    return course / "workspace"


def test_a_new_workspace_gets_every_notebook_and_the_marker(course: Path, workspace: Path):
    changes = fill(course, workspace)
    assert changes.copied == [EXERCISE, LESSON]
    assert sources(workspace / LESSON) == ["print(1)"]
    assert (workspace / EXERCISE).read_bytes() == (course / EXERCISE).read_bytes()
    save("f", 2.0, workspace / "exercises")  # progress is recorded below the marker
    assert json.loads((workspace / "progress.json").read_text()) == {"f": 2.0}


def test_a_second_filling_changes_nothing(course: Path, workspace: Path):
    fill(course, workspace)
    before = {path: path.stat().st_mtime_ns for path in workspace.rglob("*.ipynb")}
    changes = fill(course, workspace)
    assert (changes.copied, changes.renewed, changes.kept) == ([], [], [])
    assert {path: path.stat().st_mtime_ns for path in workspace.rglob("*.ipynb")} == before


def test_an_update_leaves_answers_alone_and_says_so_each_time(course: Path, workspace: Path):
    fill(course, workspace)
    write_notebook(workspace / EXERCISE, "def f(): return 42", "check(f)")
    worked_on = (workspace / EXERCISE).read_bytes()
    assert fill(course, workspace).kept == []  # nothing newer yet, nothing to say
    write_notebook(course / EXERCISE, "def f(): ...", "# clearer", "check(f)")
    for _ in range(2):
        assert fill(course, workspace).kept == [EXERCISE]
        assert (workspace / EXERCISE).read_bytes() == worked_on


def test_renaming_ones_own_brings_the_newer_one_beside_it(course: Path, workspace: Path):
    fill(course, workspace)
    write_notebook(workspace / EXERCISE, "def f(): return 42")
    write_notebook(course / EXERCISE, "def f(): ...", "# clearer")
    fill(course, workspace)
    (workspace / EXERCISE).rename(workspace / "exercises" / "mine.ipynb")
    assert fill(course, workspace).copied == [EXERCISE]
    assert sources(workspace / EXERCISE) == ["def f(): ...", "# clearer"]
    assert sources(workspace / "exercises" / "mine.ipynb") == ["def f(): return 42"]
    assert fill(course, workspace).kept == []


def test_a_lesson_that_was_only_run_follows_the_course(course: Path, workspace: Path):
    fill(course, workspace)
    # Run and saved by JupyterLab: new outputs and metadata, an empty cell at the end.
    write_notebook(workspace / LESSON, "print(1)", "", output="1", kernelspec="python3")
    write_notebook(course / LESSON, "print(2)", output="2")
    assert fill(course, workspace).renewed == [LESSON]
    assert sources(workspace / LESSON) == ["print(2)"]
    assert of_cells("outputs", workspace / LESSON) == [[]]


def test_a_note_in_a_lesson_counts_as_work(course: Path, workspace: Path):
    fill(course, workspace)
    write_notebook(workspace / LESSON, "print(1)", "# ask about this")
    write_notebook(course / LESSON, "print(2)")
    assert fill(course, workspace).kept == [LESSON]
    assert sources(workspace / LESSON) == ["print(1)", "# ask about this"]


def test_new_outputs_alone_change_nothing_of_the_learners(course: Path, workspace: Path):
    fill(course, workspace)
    write_notebook(workspace / LESSON, "print(1)", output="my own")
    write_notebook(course / LESSON, "print(1)", output="1.0")
    changes = fill(course, workspace)
    assert (changes.copied, changes.renewed, changes.kept) == ([], [], [])
    assert of_cells("outputs", workspace / LESSON)[0][0]["text"] == "my own"


def test_a_lesson_comes_without_the_outputs_that_answer_its_predictions(
    course: Path, workspace: Path
):
    before = (course / LESSON).read_bytes()
    fill(course, workspace)
    assert of_cells("outputs", workspace / LESSON) == [[]]
    assert of_cells("execution_count", workspace / LESSON) == [None]
    nbformat.validate(nbformat.read(workspace / LESSON, as_version=4))
    assert (course / LESSON).read_bytes() == before  # for readers without a kernel


@pytest.mark.parametrize(("text", "untouched"), [("print(1)", True), ("print(1)  # why?", False)])
def test_only_an_untouched_copy_of_before_loses_its_outputs(
    text: str, untouched: bool, course: Path, workspace: Path
):
    """Earlier versions of the course copied a lesson with its outputs."""
    fill(course, workspace)
    marker = json.loads((workspace / MARKER).read_text())
    marker[LESSON]["file"] = hashlib.sha256((course / LESSON).read_bytes()).hexdigest()
    (workspace / MARKER).write_text(json.dumps(marker))
    write_notebook(workspace / LESSON, text, output="1")
    changes = fill(course, workspace)
    assert changes.renewed == ([LESSON] if untouched else [])
    assert changes.kept == []  # the course has no newer text, so there is nothing to say
    assert sources(workspace / LESSON) == [text]
    assert (of_cells("outputs", workspace / LESSON) == [[]]) is untouched


def test_without_the_marker_nothing_that_differs_is_overwritten(course: Path, workspace: Path):
    fill(course, workspace)
    write_notebook(workspace / EXERCISE, "def f(): return 42")
    for damage in ("", "{", "[1]"):
        (workspace / MARKER).write_text(damage)
        changes = fill(course, workspace)
        assert changes.kept == [EXERCISE]
        assert sources(workspace / EXERCISE) == ["def f(): return 42"]


@pytest.mark.parametrize("damaged", [b"", b"{", b'{"cells": 3}', b"\xff\xfe", b"[]"])
def test_a_damaged_notebook_is_kept(damaged: bytes, course: Path, workspace: Path):
    fill(course, workspace)
    (workspace / EXERCISE).write_bytes(damaged)
    write_notebook(course / EXERCISE, "def f(): ...", "# clearer")
    assert fill(course, workspace).kept == [EXERCISE]
    assert (workspace / EXERCISE).read_bytes() == damaged


def test_a_deleted_notebook_comes_back(course: Path, workspace: Path):
    fill(course, workspace)
    (workspace / LESSON).unlink()
    assert fill(course, workspace).copied == [LESSON]


def test_a_lesson_the_course_has_dropped_stays_with_the_learner(course: Path, workspace: Path):
    fill(course, workspace)
    (course / LESSON).unlink()
    fill(course, workspace)
    assert sources(workspace / LESSON) == ["print(1)"]


def test_links_to_the_code_lead_to_the_package_even_after_the_course_moved(
    course: Path, workspace: Path, tmp_path: Path
):
    fill(course, workspace)
    for name in ("tutor/attention.py", "docs/measured/04_self_attention.md"):
        assert os.path.samefile(workspace / "notebooks" / ".." / name, course / name)
    moved = course.rename(tmp_path / "moved")
    fill(moved, moved / "workspace")
    linked = moved / "workspace" / "tutor" / "attention.py"
    assert os.path.samefile(linked, moved / "tutor" / "attention.py")


def test_a_solution_comes_when_it_is_asked_for_and_then_follows_the_course(
    course: Path, workspace: Path
):
    write_answer(course / SOLUTION, ANSWER)
    fill(course, workspace)
    assert not (workspace / "solutions").exists()
    for asked in ("4", "04", "04_self_attention"):
        assert fetch_solution(course, workspace, asked) == workspace / SOLUTION
    # Who opens a solution wants to see it, answers unfolded.
    assert (workspace / SOLUTION).read_bytes() == (course / SOLUTION).read_bytes()
    write_answer(course / SOLUTION, "**What happened.** Row 2.")
    assert fill(course, workspace).renewed == [SOLUTION]
    with pytest.raises(ValueError, match="no lesson 10; there are 04"):
        fetch_solution(course, workspace, "10")


def test_a_course_without_lessons_is_refused_and_nothing_is_made(tmp_path: Path):
    with pytest.raises(ValueError, match="no lessons"):
        fill(tmp_path / "course", tmp_path / "workspace")
    assert not (tmp_path / "workspace").exists()


def test_the_course_itself_is_no_workspace(course: Path):
    with pytest.raises(ValueError, match="is the course itself"):
        fill(course, course / "notebooks" / "..")
    assert not (course / MARKER).exists()


def test_a_source_may_be_a_string_or_a_list_of_lines(tmp_path: Path):
    write_notebook(tmp_path / "one.ipynb", "a\nb")
    content = json.loads((tmp_path / "one.ipynb").read_text())
    content["cells"][0]["source"] = ["a\n", "b"]
    (tmp_path / "two.ipynb").write_text(json.dumps(content))
    content["cells"][0]["source"] = ["a\n", "c"]
    (tmp_path / "three.ipynb").write_text(json.dumps(content))
    one, two, three = (digest_of(tmp_path / f"{name}.ipynb") for name in ("one", "two", "three"))
    assert one == two != three


def test_the_course_is_the_folder_around_the_package():
    assert (course_folder() / "pyproject.toml").exists()


def test_git_does_not_see_the_workspace():
    ignored = ["git", "check-ignore", "--quiet", "workspace/exercises/04_self_attention.ipynb"]
    assert subprocess.run(ignored, cwd=course_folder()).returncode == 0


ANSWER = "**What happened.** Rows 1 and 3.\n\nTheir sum is $x$."
FOLDED = (
    "<details><summary><b>What happened.</b></summary>\n\n"
    "Rows 1 and 3.\n\nTheir sum is $x$.\n\n</details>"
)


def test_answers_of_a_lesson_are_folded_in_its_copy(course: Path, workspace: Path):
    write_answer(course / LESSON, ANSWER)
    fill(course, workspace)
    assert "".join(sources(workspace / LESSON)[0]) == FOLDED


def test_a_copy_from_before_answers_were_folded_is_renewed(course: Path, workspace: Path):
    write_answer(course / LESSON, ANSWER)
    fill(course, workspace)
    write_answer(workspace / LESSON, ANSWER)  # as an older version of the course copied it
    marker = json.loads((workspace / MARKER).read_text())
    marker[LESSON]["file"] = hashlib.sha256((workspace / LESSON).read_bytes()).hexdigest()
    (workspace / MARKER).write_text(json.dumps(marker))
    assert fill(course, workspace).renewed == [LESSON]
    assert "".join(sources(workspace / LESSON)[0]) == FOLDED


def test_a_folded_answer_follows_the_course_until_somebody_writes_in_it(
    course: Path, workspace: Path
):
    write_answer(course / LESSON, ANSWER)
    fill(course, workspace)
    write_answer(course / LESSON, ANSWER.replace("Rows 1", "Rows 2"))
    assert fill(course, workspace).renewed == [LESSON]
    own = FOLDED.replace("Rows 1", "I think rows 1")
    write_answer(workspace / LESSON, own)
    write_answer(course / LESSON, ANSWER.replace("Rows 1", "Rows 3"))
    assert fill(course, workspace).kept == [LESSON]
    assert "".join(sources(workspace / LESSON)[0]) == own


def test_folding_counts_for_nothing_in_what_a_person_wrote(tmp_path: Path):
    for name, text in (("plain", ANSWER), ("folded", FOLDED), ("other", FOLDED + "!")):
        write_answer(tmp_path / name, text)
    plain, folded, other = (digest_of(tmp_path / name) for name in ("plain", "folded", "other"))
    assert plain == folded != other
