"""What a teacher sets: points and comments by hand, times, and what is given back."""

import csv
import io
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.grading.classroom import LESSON, RIGHT, WORTH, as_bytes, filled, right_answers
from tests.grading.collecting.platforms import LEARNERS, PLATFORMS, put
from tests.grading.test_outputs import exercise, notebook
from tests.grading.test_run import SharedSandbox, files_of
from tutor.commands import grade
from tutor.commands.cli import main
from tutor.grading.collecting.times import Clock, moment
from tutor.grading.corrections import CorrectionError, Corrections, read_corrections
from tutor.grading.late import DAY, HOUR, Deadlines, read_due
from tutor.grading.results import GradedNotebook
from tutor.grading.sandbox import Sandbox
from tutor.grading.students import Correction, Who

MOST = sum(WORTH.values())
Run = Callable[..., dict[str, dict[str, str]]]
HEAD = "student,exercise,points,comment,due\n"


@pytest.fixture
def run(tmp_path: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Grade a folder by the command; give grades.csv as learner -> column -> cell."""
    monkeypatch.setattr(grade, "_grader", lambda *_: SharedSandbox(sandbox))

    def command(*more: str) -> dict[str, dict[str, str]]:
        out = tmp_path / "out"
        words = ["grade", str(tmp_path / "class"), "--out", str(out), "--seed", "1"]
        assert main([*words, "--class-seed", "", *more]) == 0
        text = (out / "grades.csv").read_text(encoding="utf-8-sig")
        return {row["student"]: row for row in csv.DictReader(io.StringIO(text))}

    return command


def test_points_set_by_hand_survive_every_run(tmp_path: Path, run: Run) -> None:
    put(tmp_path / "class", f"ada/{LESSON}.ipynb", as_bytes(filled(right_answers("ada"), "ada")))
    put(tmp_path / "class", "bo/notes.md", b"On paper, as agreed.")
    table = tmp_path / "mine.csv"
    table.write_text(
        HEAD + "ada,additive_attention,1.5,<b>Half</b> is a gift.,\n"
        "ada,04,,Well done.,\n"
        "BO,additive_attention,3,You showed me on paper.,\n",
        encoding="utf-8-sig",
    )
    for _ in range(2):
        grades = run("--corrections", str(table))
        assert float(grades["ada"]["points"]) == MOST - WORTH["additive_attention"] + 1.5
        assert grades["ada"]["set by hand"] == "additive_attention"
        assert grades["bo"]["points"] == "3"
    ada = (tmp_path / "out/feedback/ada.html").read_text()
    for words in (
        "Points set by hand; grading now gives more: 3.",
        "&lt;b&gt;Half&lt;/b&gt;",
        "Well done.",
    ):
        assert words in ada
    assert "You showed me on paper." in (tmp_path / "out/feedback/bo.html").read_text()
    kept = files_of(tmp_path / "out")
    run("--corrections", str(table))
    assert files_of(tmp_path / "out") == kept
    assert float(run()["ada"]["points"]) == MOST  # without the table all is as it was graded


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("eve,,,Hello,", "Line 2: nobody in the class is called eve."),
        ("Kim,,,Hello,", "Line 2: 2 learners are called Kim."),
        ("ada,no_such,1,,", "Line 2: there is no exercise and no lesson no_such."),
        ("ada,additive_attention,4,,", "additive_attention can have 0 to 3 points, not 4."),
        ("ada,additive_attention,nan,,", "additive_attention can have 0 to 3 points, not nan."),
        ("ada,04,2,,", "Line 2: points are set for one exercise; name it."),
        ("ada,04,,,tomorrow", "tomorrow is no time for a lesson"),
        ("ada,04,,,2026-03-01 6pm", "6pm is no time for a lesson"),
        (
            "ada,additive_attention,1,,\nAda,additive_attention,0,,",
            "Lines 2 and 3 set different points for Ada: additive_attention.",
        ),
        ("ada,04,,One.,\nada,04,,Two.,", "Lines 2 and 3 set different comment for ada"),
        ("ada,,,,2026-03-01\nada,,,,2026-03-02", "Lines 2 and 3 set different due for ada"),
    ],
)
def test_a_line_that_says_nothing_is_refused(tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "mine.csv").write_text(HEAD + line)
    people = [Who("ada", "Ada"), Who("k1", "Kim"), Who("k2", "Kim")]
    with pytest.raises(CorrectionError) as refused:
        Corrections(read_corrections(tmp_path / "mine.csv"), people)
    assert said in str(refused.value)


def test_two_lines_that_set_different_things_are_put_together(tmp_path: Path) -> None:
    lines = "ada,additive_attention,1,,\nada,additive_attention,,Good.,\nada,04,,,2026-03-01\n"
    (tmp_path / "mine.csv").write_text(HEAD + lines)
    found = Corrections(read_corrections(tmp_path / "mine.csv"), [Who("ada", "Ada")])
    assert found.of("ada") == [Correction("additive_attention", 1.0, "Good.")]
    assert [*found.due("ada")] == [LESSON]


def test_somebody_is_found_by_whatever_names_them(tmp_path: Path) -> None:
    words = ("Ada_4711", "ada lovelace", "4711", "ADA@example.edu", "'=ada")
    lines = "".join(f"{word},,,comment,\n" for word in words[:4])
    (tmp_path / "mine.csv").write_text(HEAD + lines + "'=ada,,,comment,\n")
    ada = Who("Ada_4711", "Ada Lovelace", id="4711", login="=ada", email="ada@example.edu")
    found = Corrections(read_corrections(tmp_path / "mine.csv"), [ada])
    assert found.of("Ada_4711")[0].comment == "comment"


def test_what_is_late_costs_what_the_rule_says(tmp_path: Path, run: Run) -> None:
    due = moment("2026-03-01 18:00")
    assert due is not None
    content = as_bytes(filled(right_answers("ada"), "ada"))
    for learner, hours in (("ada", -1), ("bo", 0.4), ("cy", 1), ("dee", 25), ("eve", 24 * 30)):
        path = put(tmp_path / "class", f"{learner}/{LESSON}.ipynb", content)
        os.utime(path, (due + hours * 3600,) * 2)
    table = tmp_path / "mine.csv"
    table.write_text(HEAD + "eve,04,,,2026-04-01\n")
    words = ["--due", "2026-03-01 18:00", "--grace", "0.5", "--late", "10", "--export", "nbgrader"]
    grades = run(*words, "--corrections", str(table))
    lost = {learner: 1 - float(row["points"]) / MOST for learner, row in grades.items()}
    assert lost == pytest.approx({"ada": 0, "bo": 0, "cy": 0.1, "dee": 0.2, "eve": 0})
    assert all(len(row["points"]) <= 5 for row in grades.values())  # 8.4, not 8.399999999999999
    assert [row[f"{LESSON} days late"] for row in grades.values()] == ["0", "0", "1", "2", "0"]
    assert "2 days late. 20% of the points are taken off" in (
        (tmp_path / "out/feedback/dee.html").read_text()
    )
    exported = csv.DictReader((tmp_path / "out/exports/nbgrader.csv").open())
    penalties = [float(row["late_submission_penalty"]) for row in exported]
    assert penalties == pytest.approx([0, 0, 0.1 * MOST, 0.2 * MOST, 0])


def test_a_lesson_has_a_time_of_its_own() -> None:
    rule = Deadlines(read_due(["2026-03-01", "05=2026-03-08 12:00"]), per_day=1.0)
    noon = moment("2026-03-02 12:00")
    assert noon is not None
    late = rule.late(LESSON, noon, False, {})
    assert late is not None
    assert (late.days, late.share) == (1, 0.0)
    assert rule.late("05_multi_head_attention", noon, False, {}) is None
    assert rule.late(LESSON, noon, False, {"": noon}) is None  # more time for one learner
    marked = rule.late(LESSON, noon - DAY, True, {})
    assert marked is not None
    assert "The platform has marked it as late" in marked.why


@pytest.mark.parametrize("grace", [0, 0.5, 6])
@pytest.mark.parametrize("length", [0.1, 1, 2.9])
@pytest.mark.parametrize("edge", [1, 2, 7])
def test_days_are_counted_from_the_time_it_was_due(grace: float, length: float, edge: int) -> None:
    """Grace forgives a delay, it moves no day: a lateness just past a day has begun the next."""
    utc = Clock.of("UTC")
    due = moment("2026-03-01 18:00", clock=utc)
    assert due is not None
    rule = Deadlines({"": due}, grace=grace * HOUR, per_day=0.1, clock=utc)
    for hours, days in ((-length, edge), (0, edge), (length, edge + 1)):
        late = rule.late(LESSON, due + edge * DAY + hours * HOUR, False, {})
        assert late is not None
        assert (late.days, late.share) == (days, pytest.approx(1 - 0.1 * days))


@pytest.mark.parametrize("text", ["tomorrow", "04=", "99=2026-03-01", "2026-13-01", "4"])
def test_no_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no time"):
        read_due([text])


@pytest.mark.parametrize(
    ("platform", "name"),
    [
        ("moodle", "{one.name}_{one.number}_assignsubmission_file_/feedback.html"),
        ("canvas", "{one.drawn_together}_{late}{one.number}_{file}_feedback.html"),
    ],
)
@pytest.mark.long
def test_feedback_goes_back_by_the_names_of_the_platform(
    tmp_path: Path, run: Run, platform: str, name: str
) -> None:
    (tmp_path / "class").mkdir()
    PLATFORMS[platform](tmp_path / "class", lambda one: as_bytes(filled({}, one.name)))
    run("--export", platform)
    with zipfile.ZipFile(tmp_path / f"out/exports/{platform}-feedback.zip") as archive:
        found = set(archive.namelist())
        page = archive.read(sorted(found)[0]).decode()
    assert found == {
        name.format(one=one, late="LATE_" if place % 5 == 0 else "", file=70_000 + place)
        for place, one in enumerate(LEARNERS)
    }
    assert "<h1>" in page


def test_answers_stand_beside_verdicts(tmp_path: Path, run: Run) -> None:
    answer = "def additive_attention(*all):\n    return '</pre><script>\x1b[2J\u202e'"
    content = as_bytes(filled({"additive_attention": answer}, "ada"))
    put(tmp_path / "class", f"ada/{LESSON}.ipynb", content)
    run()
    page = (tmp_path / "out/feedback/ada.html").read_text()
    assert "return &#x27;&lt;/pre&gt;&lt;script&gt;\\x1b[2J\\u202e&#x27;</pre>" in page
    assert "feedback/ada.html#additive_attention" in (tmp_path / "out/class.html").read_text()
    kept = json.loads((tmp_path / "out/results/ada.json").read_text())
    (one,) = [e for e in kept["notebooks"][0]["exercises"] if e["name"] == "additive_attention"]
    assert one["answer"] == answer


def test_best_counts_after_what_lateness_costs() -> None:
    late = Deadlines({"": 0.0}, per_day=0.5).late(LESSON, 1.0, False, {})
    assert late is not None
    newer = notebook(late={LESSON: late})
    older = GradedNotebook("old", "", [LESSON], exercises=[exercise("additive_attention", 3)])
    assert newer.points_of(LESSON) == MOST / 2
    assert older.points_of(LESSON) == 3


def test_a_dry_run_tells_who_and_when_and_grades_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = put(tmp_path / "class", f"Ada Wu_7_assignsubmission_file_/{LESSON}.ipynb")
    os.utime(path, (moment("2026-03-01 12:00 UTC"),) * 2)
    put(tmp_path / "class", "Cy Wu_8_assignsubmission_file_/notes.pdf")
    (tmp_path / "list.csv").write_text("name,login\nAda Wu,ada\nBo Wu,bo\n")
    words = ["--roster", str(tmp_path / "list.csv"), "--timezone", "Asia/Seoul", "--dry-run"]
    assert main(["grade", str(tmp_path / "class"), *words]) == 0
    said = capsys.readouterr().out
    assert "Ada Wu_7: Ada Wu, ada\n" in said
    assert f"{LESSON}, dated 2026-03-01 21:00: Ada Wu_7_assignsubmission_file_/" in said
    assert "bo: Bo Wu\n    Nothing was handed in." in said
    assert "Cy Wu_8: Cy Wu" in said
    assert "notes.pdf: This is a PDF document" in said
    assert "This learner is not on the list of the class." in said
    assert "Times are by the clock of Asia/Seoul." in said


@pytest.mark.parametrize("is_for_one", [False, True])
def test_a_run_with_a_time_says_by_which_clock(
    tmp_path: Path, run: Run, capsys: pytest.CaptureFixture[str], is_for_one: bool
) -> None:
    put(tmp_path / "class", f"ada/{LESSON}.ipynb")
    (tmp_path / "mine.csv").write_text(HEAD + "ada,04,,,2026-03-01 18:00\n")
    due = ["--corrections", str(tmp_path / "mine.csv")] if is_for_one else ["--due", "2026-03-01"]
    run()
    assert "by the clock" not in capsys.readouterr().out
    run(*due, "--timezone", "Asia/Seoul")
    assert "Times are by the clock of Asia/Seoul." in capsys.readouterr().out


@pytest.mark.long
def test_the_own_model_beside_a_notebook_changes_no_point(tmp_path: Path, run: Run) -> None:
    answers = right_answers("ada")
    own = "\n".join(RIGHT[name] for name in RIGHT)
    imported = {name: f"from my_transformer import {name}" for name in RIGHT}
    content = as_bytes(filled({**answers, **imported}, "ada"))
    model = f"import math\nimport torch\n{own}"
    whole = {name: as_bytes(filled(right_answers(name), name)) for name in ("cy", "di")}
    importing = as_bytes(filled({**right_answers("bo"), **imported}, "bo"))
    put(tmp_path / "class", f"ada/{LESSON}.ipynb", content)
    put(tmp_path / "class", f"bo/{LESSON}.ipynb", importing)
    put(tmp_path / "class", f"cy/{LESSON}.ipynb", whole["cy"])
    put(tmp_path / "class", f"di/{LESSON}.ipynb", whole["di"])
    for name in ("ada", "cy"):
        put(tmp_path / "class", f"{name}/my_transformer.py", model.encode())
    grades = run()
    worth = sum(points for name, points in WORTH.items() if name in RIGHT)
    points = {name: float(grades[name]["points"]) for name in grades}
    assert points == {"ada": MOST - worth, "bo": MOST - worth, "cy": MOST, "di": MOST}
