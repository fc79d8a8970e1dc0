"""What a platform calls the lessons, and what is said to all who made one mistake."""

import csv
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.grading.classroom import LESSON, WORTH, WRONG, as_bytes, filled, right_answers
from tests.grading.collecting.platforms import put
from tests.grading.test_run import SharedSandbox, files_of
from tutor.commands import grade
from tutor.commands.cli import main
from tutor.grading.assignments import AssignmentsError, read_assignments
from tutor.grading.sandbox import Sandbox

MOST = sum(WORTH.values())
GRADEBOOK = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Homework 4 (77)\n"
    "    Points Possible,,,,,15\n"
    '"Wu, Ada",4711,S-1,ada@uni,Group 1,\n"Xi, Bo",4712,S-2,bo@uni,Group 1,\n'
)
EXERCISE = "project_by_hand"
CODE, MISTAKE = WRONG[EXERCISE]
Run = Callable[..., Path]


@pytest.fixture
def run(tmp_path: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Grade a Canvas class, in which two made one mistake, and give the folder of results."""
    monkeypatch.setattr(grade, "_grader", lambda *_: SharedSandbox(sandbox))
    (tmp_path / "list.csv").write_text(GRADEBOOK)
    for name, number in (("wuada", 4711), ("xibo", 4712)):
        answers = {**right_answers(name), EXERCISE: CODE}
        work = as_bytes(filled(answers, name))
        put(tmp_path / "class", f"{name}_{number}_8{number}_{LESSON}.ipynb", work)

    def command(*more: str) -> Path:
        out = tmp_path / "out"
        words = ["grade", str(tmp_path / "class"), "--out", str(out), "--seed", "1"]
        words += ["--class-seed", "", "--roster", str(tmp_path / "list.csv")]
        assert main([*words, *more]) == 0
        return out

    return command


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


def test_canvas_gets_back_its_own_columns(tmp_path: Path, run: Run) -> None:
    (tmp_path / "named.csv").write_text("lesson,assignment\n04,Homework 4 (77)\n")
    out = run("--export", "canvas", "--assignments", str(tmp_path / "named.csv"))
    _, ada, bo = rows((out / "exports/canvas.csv").read_text())
    lost = MOST - WORTH[EXERCISE]
    assert [*ada.values()] == ["Ada Wu", "4711", "S-1", "ada@uni", "Group 1", str(lost)]
    assert [*bo][-1] == "Homework 4 (77)"
    assert LESSON in (out / "grades.csv").read_text()  # the course's own table keeps its names


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("10,Homework 4 (77)", "Line 2: there is no lesson 10 with exercises."),
        ("04,Homework 5", "Line 2: the list of the class has no assignment Homework 5, only: HW"),
        ("04,", "has no assignment -, only"),
        ("04", "has no assignment -, only"),
        ("04,HW\n05,HW", "Line 3: a lesson is one assignment; 05, HW."),
        ("04,HW\n4,Other", "Line 3: a lesson is one assignment; 4, Other."),
    ],
)
def test_a_line_that_fits_nothing_is_refused(tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "named.csv").write_text(f"lesson,assignment\n{line}\n")
    with pytest.raises(AssignmentsError) as refused:
        read_assignments(tmp_path / "named.csv", ["HW"])
    assert said in str(refused.value)


def test_a_dry_run_shows_the_columns_of_the_list(
    tmp_path: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    run("--dry-run")
    assert "The list of the class has the columns Homework 4 (77)." in capsys.readouterr().out
    (tmp_path / "named.csv").write_text("lesson,assignment\n04,Homework 4 (77)\n")
    run("--dry-run", "--assignments", str(tmp_path / "named.csv"))
    assert f"{LESSON} is Homework 4 (77).\n" in capsys.readouterr().out


def test_one_line_is_for_all_who_made_a_mistake(tmp_path: Path, run: Run) -> None:
    before = run()
    kept = files_of(before)
    assert "changed.html" not in kept
    (tmp_path / "mine.csv").write_text(
        "student,exercise,points,comment,mistake\n"
        f",{EXERCISE},0.5,We talked about <this>.,{MISTAKE}\n"
        f"bo@uni,{EXERCISE},1,Yours was nearer.,\n"
    )
    out = run("--corrections", str(tmp_path / "mine.csv"), "--export", "canvas")
    ada, bo = rows((out / "grades.csv").read_text(encoding="utf-8"))
    assert (ada[EXERCISE], ada["comments"]) == ("0.5", "We talked about <this>.")
    assert (bo[EXERCISE], bo["comments"]) == ("1", "Yours was nearer.")
    page = (out / "changed.html").read_text()
    assert "Changed since the last run: 2 learners" in page
    assert f"<b>{EXERCISE}</b> 0 → 0.5<br>" in page
    run("--corrections", str(tmp_path / "mine.csv"), "--export", "canvas")
    assert not (out / "changed.html").exists()  # nothing is new since the last run


def test_a_word_to_one_learner_leaves_them_what_is_given_to_all(tmp_path: Path, run: Run) -> None:
    (tmp_path / "mine.csv").write_text(
        "student,exercise,points,comment,mistake\n"
        f",{EXERCISE},0.5,We talked about this.,{MISTAKE}\n"
        f"ada@uni,{EXERCISE},,Come and see me.\nbo@uni,{EXERCISE},1\n"
    )
    out = run("--corrections", str(tmp_path / "mine.csv"))
    ada, bo = rows((out / "grades.csv").read_text(encoding="utf-8"))
    assert (ada[EXERCISE], ada["comments"]) == ("0.5", "Come and see me.")
    assert (bo[EXERCISE], bo["comments"]) == ("1", "We talked about this.")


def test_feedback_finds_back_to_whoever_handed_in_a_zip(tmp_path: Path, run: Run) -> None:
    inside = io.BytesIO()
    with zipfile.ZipFile(inside, "w") as archive:
        archive.writestr("b_22_99_04.ipynb", as_bytes(filled(right_answers("wuada"), "wuada")))
    (tmp_path / f"class/wuada_4711_84711_{LESSON}.ipynb").unlink()
    put(tmp_path / "class", "wuada_4711_94711_hw.zip", inside.getvalue())
    out = run("--export", "canvas")
    with zipfile.ZipFile(out / "exports/canvas-feedback.zip") as archive:
        assert "wuada_4711_94711_feedback.html" in archive.namelist()


def test_moodles_worksheet_tells_what_was_found(
    tmp_path: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grade, "_grader", lambda *_: SharedSandbox(sandbox))
    work = as_bytes(filled({**right_answers("ada"), EXERCISE: CODE}, "ada"))
    put(tmp_path / "class", f"Ada Wu_7_assignsubmission_file_/{LESSON}.ipynb", work)
    (tmp_path / "mine.csv").write_text(
        f"student,exercise,comment\nAda Wu,04,See <me>.\nAda Wu,{EXERCISE},Nearly.\n"
    )
    words = ["--out", str(tmp_path / "out"), "--corrections", str(tmp_path / "mine.csv")]
    words += ["--class-seed", "", "--export", "moodle"]
    assert main(["grade", str(tmp_path / "class"), *words]) == 0
    sheet = (tmp_path / f"out/exports/moodle-worksheet-{LESSON}.csv").read_text()
    (row,) = rows(sheet)
    said = row["Feedback comments"].split("<br>")
    assert said[0] == "See &lt;me&gt;."
    assert said[1].startswith(f"{EXERCISE}: 0 of {WORTH[EXERCISE]}. ")
    assert said[1].endswith("? Nearly.")
    assert len(said) == 2  # what is right needs no remark
