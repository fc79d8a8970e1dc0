"""Whatever grading says can be translated: its pages, and what the command prints."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.commands.hearing import NAMES, Heard, hearing
from tests.grading.classroom import LESSON, WORTH
from tests.grading.collecting.platforms import put
from tests.grading.test_changed import CASES, WHOLE, run
from tests.grading.test_run import SharedSandbox, generated_class
from tests.learner.pseudo import english_on, known, spoken
from tutor import catalogue
from tutor.checking.calls import FunctionAnswer
from tutor.checking.examine import examine
from tutor.commands import grade
from tutor.exercises import find
from tutor.grading import endings, file_sentences, worker
from tutor.grading.changed import changed_page, changes
from tutor.grading.choosing import CourseCells
from tutor.grading.collecting.kinds import is_work, why_not_graded
from tutor.grading.feedback import page
from tutor.grading.job import Job
from tutor.grading.late import Deadlines
from tutor.grading.limits import Limits
from tutor.grading.overview import class_table
from tutor.grading.picture import class_page
from tutor.grading.results import Graded, GradedNotebook
from tutor.grading.sandbox import Sandbox
from tutor.grading.students import Correction, GradedStudent, Other, Who
from tutor.grading.verdicts import graded, unjudged
from tutor.say import say, speak

PEOPLE = ("Ada", "Bob", "Carl", "Dora", "Eve", "Faye")
# What a learner has written, and what Python or torch says of it.
THEIRS = re.compile(r"<pre tabindex=.*?</pre>|\b\w+(?:Error|Exception)\b[^<]*", re.DOTALL)
SILENT = {*PEOPLE, *map(str.lower, PEOPLE), *NAMES}


@pytest.fixture
def heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Heard:
    monkeypatch.setattr(grade.CourseCells, "of", staticmethod(lambda *_: CourseCells()))  # slow
    return hearing(tmp_path, monkeypatch, capsys)


# --- pages


def judged(name: str, function: Any) -> Graded:
    return graded(examine(find(name), FunctionAnswer(function), 0), 3, "【answer】")


def exercises() -> list[Graded]:
    """One of each kind, as the judge makes them in the language that is spoken."""
    wrong = find("additive_attention").mistakes[0]
    found = [
        judged("project_by_hand", find("project_by_hand").reference),
        judged("additive_attention", wrong.function),
        judged("scaled_dot_product_attention", lambda q, k, v: (v, q)),
    ]
    left = [find(name) for name in WORTH if name not in [one.name for one in found]]
    found += [
        unjudged(left[0], "missing", "【no answer】", "【why】"),
        unjudged(left[1], "not graded", say("The checker failed."), "【why】"),
        *(judged(one.name, lambda: None) for one in left[2:]),
    ]
    return [Graded(**{**vars(one), "lesson": LESSON}) for one in found]


def notebook(learner: str = "Ada", **more: Any) -> GradedNotebook:
    given = {"lessons": [LESSON], "counts": [LESSON], "learner": learner, "learners": [learner]}
    given |= {"exercises": exercises(), "class_seed": "a"}
    return GradedNotebook(**{"file": "file.ipynb", "key": "h-g", **given, **more})


def students() -> list[GradedStudent]:
    late = Deadlines({"": 0.0}, per_day=0.1).late(LESSON, 90_000.0, False, {})
    marked = Deadlines({"": 0.0}).late(LESSON, 0.0, True, {})
    by_hand = [
        Correction("additive_attention", 1.0, "【well】"),
        Correction(LESSON, comment="【so】"),
    ]
    mine = Who("ada", "Ada")
    refused = file_sentences.told(file_sentences.REFUSALS, "empty", {})
    return [
        GradedStudent(mine, [notebook(late={LESSON: late})], [say("Nothing was handed in.")]),
        GradedStudent(Who("bob", "Bob"), [notebook("Bob", late={LESSON: marked})], (), (), by_hand),
        GradedStudent(Who("carl", "Carl"), [notebook("Eve", counts=[], why=["【older】"])]),
        GradedStudent(Who("dora", "Dora"), [GradedNotebook("x.ipynb", "k", fault="【full】")]),
        GradedStudent(
            Who("eve", "Eve"),
            [GradedNotebook("x.ipynb", "k", refused=refused)],
            (),
            [Other("x.pdf", why_not_graded("x.pdf")), Other("x.txt", why_not_graded("x.txt"))],
        ),
        GradedStudent(Who("faye", "Faye"), [notebook("", class_seed="b")]),
    ]


def test_what_learners_and_lecturers_read_can_be_translated():
    with spoken():
        everybody = students()
        pages = [page(student) for student in everybody]
        pages += [class_page(class_table(everybody, [LESSON], "a"))]
        assert [english_on(html, SILENT) for html in pages] == [[]] * len(pages)


def test_what_has_changed_can_be_translated():
    with spoken():
        for before, now, _ in (*CASES.values(), *WHOLE.values()):
            found = changes(run(before), run(now))
            assert english_on(changed_page(found, ["ada"]), {*SILENT, "Late"}) == []


def test_sentences_that_are_chosen_by_a_reason_reach_a_translator():
    tables = (endings.CELL, endings.ANSWER, endings.READING)
    tables += (file_sentences.REFUSALS, file_sentences.NOTES)
    said = {sentence for table in tables for sentence in table.values()}
    said |= {why_not_graded(f"a.{ending}") for ending in ("html", "pdf", "7z", "lnk", "part", "x")}
    assert is_work("a.pdf")
    assert {("", sentence) for sentence in said} <= known()


# --- the command


class Invented:
    """A grader that finds the same in every notebook."""

    def __init__(self, **more: Any) -> None:
        self._more = more

    def results(self, jobs: Iterable[Job]) -> Iterator[GradedNotebook]:
        for job in jobs:
            yield notebook(file=job.file, key=job.key, **self._more)


@pytest.fixture
def graded_by(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(grade, "unavailable", lambda: None)
    return lambda **more: monkeypatch.setattr(grade, "_grader", lambda *_: Invented(**more))


def test_what_a_run_says_can_be_translated(heard: Heard, graded_by: Any, tmp_path: Path):
    for learner in ("ada", "bob", "carl"):
        put(tmp_path, f"class/{learner}/{LESSON}.ipynb")
    put(tmp_path, "class/notes.txt", b"x")
    run = ("grade", "class", "--out", "out", "--seed", "1")
    graded_by()
    assert heard(*run, "--due", "2026-01-01", "--export", "moodle") == []
    graded_by(exercises=exercises()[:1])
    assert heard(*run, "--class-seed", "other") == []  # points changed, and another seed
    put(tmp_path, f"class/ada/{LESSON}.ipynb", b'{"cells": []}')
    graded_by(fault="【full】", exercises=(), counts=())
    assert heard(*run, "--class-seed", "a") == []
    graded_by(is_beside=True, refused="【other】", exercises=(), counts=())
    assert heard("grade", "class", "--out", "new", "--lesson", "05") == []


def test_what_a_dry_run_says_can_be_translated(heard: Heard, tmp_path: Path):
    for number in range(12):
        put(tmp_path, f"class/ada/{LESSON}-{number}.ipynb")
    put(tmp_path, "class/ada/notes.pdf", b"x")
    put(tmp_path, "class/carl_1234_LATE.ipynb")
    Path("list.csv").write_text("login,name,group,Homework\nada,Ada,red,1\ndora,Dora,blue,2\n")
    Path("names.csv").write_text("lesson,assignment\n04,Homework\n")
    words = ("grade", "class", "--dry-run", "--roster", "list.csv")
    silent = {"red", "blue", "Homework", "notes", "carl"}
    assert {*heard(*words)} <= silent
    assert {*heard(*words, "--assignments", "names.csv")} <= silent


FAULTS = [
    "grade class",
    "grade class --out class/out",
    "grade class --out out --lesson 42",
    "grade class --out out --due tomorrow",
    "grade class --out out --due 42=2026-01-01",
    "grade class --out out --due 2026-01-01 --due 2026-01-02",
    "grade class --out out --timezone Nowhere",
    "grade class --out out --released class",
    "grade class --out out --roster file",
    "grade class --out out --corrections file",
    "grade class --out out --corrections lines.csv",
    "grade class --out out --assignments file",
    "grade class --out out --whole-class nobody",
    "grade empty --out out",
]


@pytest.mark.parametrize("line", FAULTS)
def test_why_nothing_is_graded_can_be_translated(
    line: str, heard: Heard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(grade, "unavailable", lambda: None)
    put(tmp_path, f"class/ada/{LESSON}.ipynb")
    put(tmp_path, "empty/ada/notes.pdf", b"x")
    Path("file").write_bytes(b"\xff\xfe\0")
    odd = ["ada,04,1,", ",no_such,1,", "ada,project_by_hand,99,", "nobody,,,", "ada,04,,,never"]
    Path("lines.csv").write_text("\n".join(["student,exercise,points,comment,due", *odd]))
    assert heard(*line.split()) == []


def test_without_a_sandbox_its_cure_can_be_translated(
    heard: Heard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    put(tmp_path, f"class/ada/{LESSON}.ipynb")
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert heard("grade", "class", "--out", "out") == []


@pytest.mark.long
def test_what_is_said_of_a_whole_class_can_be_translated(
    heard: Heard, sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    generated_class(tmp_path / "class", 60)
    monkeypatch.setattr(grade, "unavailable", lambda: None)
    monkeypatch.setattr(grade, "_grader", lambda *_: SharedSandbox(sandbox))
    assert heard("grade", "class", "--out", "out", "--seed", "3") == []
    pages = [tmp_path / "out" / "class.html", *(tmp_path / "out" / "feedback").iterdir()]
    learners = {"Lovelace", *(word for file in pages for word in file.stem.split("-"))}
    told = {file.name: THEIRS.sub("", file.read_text("utf-8")) for file in pages}
    found = {name: english_on(html, SILENT | learners) for name, html in told.items()}
    assert {name: words for name, words in found.items() if words} == {}


# --- one language a run


def test_a_worker_speaks_the_language_of_its_job(monkeypatch: pytest.MonkeyPatch):
    asked = []
    monkeypatch.setattr(worker, "grade_patiently", lambda job, *_: GradedNotebook("", job.language))
    monkeypatch.setattr(worker, "speak", lambda words: asked.append(words.language))
    job = Job("a.ipynb", "key", b"{}", language="ko")
    found = worker.grade_data(*worker.job_data(job, Limits(), True))
    assert (found["key"], asked) == ("ko", ["ko"])


def test_what_was_graded_in_another_language_is_graded_anew(
    heard: Heard, graded_by: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from tutor.commands.cli import main

    monkeypatch.setattr(grade, "speak", speak)
    put(tmp_path, f"class/ada/{LESSON}.ipynb")
    jobs: list[Job] = []

    class Listening(Invented):
        def results(self, given: Iterable[Job]) -> Iterator[GradedNotebook]:
            jobs.extend(given)
            return super().results(jobs[-1:])

    monkeypatch.setattr(grade, "_grader", lambda *_: Listening(exercises=exercises()[:1]))
    for language in ("en", "ko"):
        assert main(["grade", "class", "--out", "out", "--language", language]) == 0
        feedback = (tmp_path / "out/feedback/ada.html").read_text("utf-8")
        assert f"<html lang='{language}'>" in feedback
    speak(catalogue("en"))
    assert [job.language for job in jobs] == ["en", "ko"]
    assert jobs[0].key != jobs[1].key
