"""A class: right points for everybody, resumable, the same bytes again."""

import contextlib
import json
import os
import random
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.grading.accidents import ACCIDENTS, ALL, LEARNER, Accident
from tests.grading.adversaries import TRICKS
from tests.grading.classroom import (
    LESSON,
    RIGHT,
    WORTH,
    WRONG,
    answer_cell,
    as_bytes,
    filled,
    insert,
    only_answers,
    predictions,
    right_answers,
)
from tutor.grading import exports
from tutor.grading.channel import SandboxError
from tutor.grading.collecting.submissions import collect
from tutor.grading.folder import LOCK, ResultsFolder
from tutor.grading.job import Job
from tutor.grading.judge import grade
from tutor.grading.outputs import write_class
from tutor.grading.overview import class_table
from tutor.grading.results import GradedNotebook
from tutor.grading.run import ClassRun, Options
from tutor.grading.sandbox import Sandbox
from tutor.grading.students import GradedStudent

SLOW = ("endless", "never", "without", "flood", "silence", "files", "memory", "alarm", "for ever")
QUICK_TRICKS = [
    trick for trick in TRICKS if not any(word in trick.name for word in (*SLOW, "disk", "power"))
]
QUICK_ACCIDENTS = [
    accident
    for accident in ACCIDENTS
    if not any(word in accident.name for word in ("50 MB", "never", "million", "nested"))
]


class SharedSandbox:
    """Grades in this process, and counts."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.graded: list[str] = []

    def results(self, jobs: Iterable[Job]) -> Iterator[GradedNotebook]:
        for job in jobs:
            self.graded.append(job.file)
            yield grade(job, self.sandbox)


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def points_of(student: GradedStudent) -> dict[str, float | None]:
    return {exercise.name: exercise.points for exercise in student.exercises(LESSON)}


# --- two hundred generated submissions


def _mixed(rng: random.Random, learner: str) -> tuple[bytes, dict[str, int]]:
    """Some answers right, some wrong in known ways, some open."""
    answers, expected = {}, dict.fromkeys(WORTH, 0)
    right = {**RIGHT, **predictions(learner)}
    for name in WORTH:
        kind = rng.choice(["right", "right", "wrong", "open"])
        if kind == "right":
            answers[name], expected[name] = right[name], WORTH[name]
        elif kind == "wrong" and name in WRONG:
            answers[name] = WRONG[name][0]
        elif kind == "wrong":
            answers[name] = "answer = 1e6" if name.startswith("predict") else "1 / 0"
    return as_bytes(filled(answers, learner)), expected


def _damaged(accident: Accident) -> tuple[bytes, dict[str, int]]:
    lost = set(WORTH) if accident.lost == ALL else accident.lost
    return accident.make(), {name: 0 if name in lost else WORTH[name] for name in WORTH}


def _hostile(rng: random.Random) -> tuple[bytes, dict[str, int]]:
    trick = rng.choice(QUICK_TRICKS)
    answers = {"scaled_dot_product_attention": trick.attention}
    notebook = insert(only_answers(filled(answers)), trick.code)
    return as_bytes(notebook), dict.fromkeys(WORTH, 0)


def generated_class(folder: Path, size: int) -> dict[str, dict[str, int]]:
    """Write a class of mixed, damaged and hostile notebooks; give everybody's right points."""
    rng = random.Random(0)
    expected = {}
    for number in range(size):
        kind = rng.choices(["mixed", "damaged", "hostile"], [6, 2, 2])[0]
        student = f"{kind}-{number:04}"
        learner = LEARNER if kind == "damaged" else student
        if kind == "mixed":
            content, points = _mixed(rng, learner)
        elif kind == "damaged":
            content, points = _damaged(rng.choice(QUICK_ACCIDENTS))
        else:
            content, points = _hostile(rng)
        path = folder / student / f"{LESSON}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
        expected[student] = points
    return expected


@pytest.mark.long
def test_two_hundred_submissions_get_the_right_points(tmp_path: Path, sandbox: Sandbox) -> None:
    expected = generated_class(tmp_path / "class", 200)
    run = ClassRun(collect(tmp_path / "class"), ResultsFolder(tmp_path / "out"), Options(seed=3))
    students = run.grade(SharedSandbox(sandbox))
    assert len(students) == 200
    wrong = {}
    for student in students:
        given = points_of(student) or dict.fromkeys(WORTH, 0)
        if given != expected[student.student]:
            wrong[student.student] = student
    assert wrong == {}
    assert sum(sum(points.values()) for points in expected.values()) > 500  # not all are nought


# --- resuming, and versions of one notebook


@pytest.fixture
def small_class(tmp_path: Path) -> Path:
    folder = tmp_path / "class"
    for student in ("ada", "bob", "carl"):
        put(folder, f"{student}/{LESSON}.ipynb", as_bytes(filled(RIGHT, student)))
    return folder


def put(folder: Path, name: str, content: bytes, age: int = 0) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    os.utime(path, (1_700_000_000 + age, 1_700_000_000 + age))


def graded(folder: Path, out: Path, grader: SharedSandbox, **options: object) -> ClassRun:
    """Grade a class and write everything, as the command does."""
    results = ResultsFolder(out)
    with results.locked():
        run = ClassRun(collect(folder), results, Options(**options))  # type: ignore[arg-type]
        write_class(results, class_table(run.grade(grader)), exports.EXPORTS)
    (out / LOCK).unlink()
    return run


def test_what_is_known_is_not_graded_again(
    small_class: Path, tmp_path: Path, sandbox: Sandbox
) -> None:
    out = tmp_path / "out"
    graded(small_class, out, SharedSandbox(sandbox))
    before = files_of(out)
    again = SharedSandbox(sandbox)
    assert graded(small_class, out, again).reused == 3
    assert again.graded == []
    assert files_of(out) == before
    put(small_class, f"bob/{LESSON}.ipynb", as_bytes(filled({}, "bob")))
    graded(small_class, out, again)
    assert again.graded == [f"bob/{LESSON}.ipynb"]
    assert files_of(out) != before


def test_seed_is_fresh_recorded_and_kept(
    small_class: Path, tmp_path: Path, sandbox: Sandbox
) -> None:
    graded(small_class, tmp_path / "a", SharedSandbox(sandbox))
    graded(small_class, tmp_path / "b", SharedSandbox(sandbox))
    seeds = [json.loads((tmp_path / name / "run.json").read_text())["seed"] for name in "ab"]
    assert seeds[0] != seeds[1]
    other = SharedSandbox(sandbox)
    graded(small_class, tmp_path / "a", other, seed=seeds[1])
    assert len(other.graded) == 3  # another seed draws other cases
    assert files_of(tmp_path / "a") == files_of(tmp_path / "b")


def test_damaged_results_are_graded_again(
    small_class: Path, tmp_path: Path, sandbox: Sandbox
) -> None:
    out = tmp_path / "out"
    graded(small_class, out, SharedSandbox(sandbox))
    before = files_of(out)
    (out / "results" / "ada.json").write_text('{"student": "ada", "notebooks": [')
    (out / "results" / ".bob.json.77.unfinished").write_text("{")
    again = SharedSandbox(sandbox)
    graded(small_class, out, again)
    assert again.graded == [f"ada/{LESSON}.ipynb"]
    assert files_of(out) == before


def test_newest_of_several_copies_counts(tmp_path: Path, sandbox: Sandbox) -> None:
    folder = tmp_path / "class"
    put(folder, f"ada/{LESSON}.ipynb", as_bytes(filled({}, "ada")), age=0)
    put(folder, "ada/my work (1).ipynb", as_bytes(filled(right_answers("ada"), "ada")), age=9)
    put(folder, "ada/notes.ipynb", as_bytes({"cells": []}), age=99)
    run = graded(folder, tmp_path / "out", SharedSandbox(sandbox))
    (ada,) = run.students
    assert points_of(ada) == WORTH
    assert [notebook.counts for notebook in ada.notebooks] == [[LESSON], [], []]
    page = (tmp_path / "out" / "feedback" / "ada.html").read_text()
    assert "Nothing is answered in this notebook, so ada/my work (1).ipynb counts" in page
    assert "holds no exercise of the course" in page


def test_helper_files_are_laid_beside_the_notebook(tmp_path: Path, sandbox: Sandbox) -> None:
    by_hand = RIGHT["project_by_hand"].replace("return x @ W", "return times(x, W)")
    notebook = insert(filled({"project_by_hand": by_hand}, "ada"), "from own.helpers import times")
    folder, helper = tmp_path / "class", b"def times(x, W): return x @ W"
    put(folder, f"ada/work/{LESSON}.ipynb", as_bytes(notebook))
    put(folder, "ada/work/own/helpers.py", helper)
    run = graded(folder, tmp_path / "out", SharedSandbox(sandbox))
    assert points_of(run.students[0])["project_by_hand"] == 1
    put(folder, "ada/work/own/helpers.py", helper + b" * 2")
    again = SharedSandbox(sandbox)
    run = graded(folder, tmp_path / "out", again)
    assert again.graded  # it depends on the helper too
    assert points_of(run.students[0])["project_by_hand"] == 0


def test_one_lesson_of_several(tmp_path: Path, sandbox: Sandbox) -> None:
    folder = tmp_path / "class"
    put(folder, f"ada/{LESSON}.ipynb", as_bytes(filled(RIGHT, "ada")))
    put(folder, "ada/05.ipynb", as_bytes({"cells": [answer_cell("split_heads", "x = 1")]}))
    (ada,) = graded(
        folder, tmp_path / "out", SharedSandbox(sandbox), only=[LESSON], class_seed=""
    ).students
    assert list(ada.counting()) == [LESSON]
    (row,) = class_table([ada], only=[LESSON]).rows
    assert list(row.points) == [LESSON]
    assert row.flags == []
    assert "05" not in (tmp_path / "out" / "feedback" / "ada.html").read_text()
    (both,) = graded(folder, tmp_path / "both", SharedSandbox(sandbox)).students
    assert list(both.counting()) == [LESSON, "05_multi_head_attention"]


def test_class_seed_decides_predictions(tmp_path: Path, sandbox: Sandbox) -> None:
    answers = {**RIGHT, **predictions("ada", "spring")}
    put(tmp_path / "class", f"ada/{LESSON}.ipynb", as_bytes(filled(answers, "ada")))
    (right,) = graded(
        tmp_path / "class", tmp_path / "a", SharedSandbox(sandbox), class_seed="spring"
    ).students
    (wrong,) = graded(
        tmp_path / "class", tmp_path / "b", SharedSandbox(sandbox), class_seed="autumn"
    ).students
    assert points_of(right) == WORTH
    assert points_of(wrong)["predict_weighted_average"] == 0


def test_odd_names_of_folders(tmp_path: Path, sandbox: Sandbox) -> None:
    folder, out = tmp_path / "class", tmp_path / "out"
    odd = [
        b"Ada\xff",
        b"=1+1",
        b"new\nline",
        "..\u202e..".encode(),
        b"<script>alert(1)</script>"[:17],
        "김철수".encode(),
        b"-rf",
        b"ADA",
        b"ada",
        b"a" * 200,
        b"%00",
    ]
    for name in odd:
        place = os.path.join(os.fsencode(folder), name, f"{LESSON}.ipynb".encode())
        os.makedirs(os.path.dirname(place))
        Path(os.fsdecode(place)).write_bytes(as_bytes(filled(RIGHT)))
    run = graded(folder, out, SharedSandbox(sandbox))
    table = class_table(run.students)
    assert {row.total for row in table.rows} == {float(sum(WORTH[name] for name in RIGHT))}
    for part, ending in (("results", "json"), ("feedback", "html")):
        assert len(list((out / part).glob(f"*.{ending}"))) == len(odd)
    for path in out.rglob("*"):
        assert path.resolve().is_relative_to(out.resolve())
        if path.is_file():
            path.read_text(encoding="utf-8")
    again = SharedSandbox(sandbox)
    graded(folder, out, again)
    assert again.graded == []


def test_result_that_keeps_the_checker_busy_is_no_nought(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object) -> None:
        while True:
            with contextlib.suppress(Exception):
                sum(range(1000))

    monkeypatch.setattr("tutor.grading.examining.examine", busy)
    monkeypatch.setattr("tutor.grading.examining.PATIENCE", 0.05)
    result = grade(Job("x", "k", as_bytes(filled(RIGHT))), sandbox)
    assert {exercise.status for exercise in result.exercises} == {"not graded"}
    assert "not done after" in result.exercises[0].details[0]


def test_fault_is_no_nought_and_tried_again(
    small_class: Path, tmp_path: Path, sandbox: Sandbox
) -> None:
    class Failing(SharedSandbox):
        def results(self, jobs: Iterable[Job]) -> Iterator[GradedNotebook]:
            for job in jobs:
                yield GradedNotebook(job.file, job.key, fault="the disk is full")

    out = tmp_path / "out"
    graded(small_class, out, Failing(sandbox))
    stored = json.loads((out / "results" / "ada.json").read_text())
    assert stored["notebooks"][0]["fault"] == "the disk is full"
    assert "no fault of yours" in (out / "feedback" / "ada.html").read_text()
    healthy = SharedSandbox(sandbox)
    run = graded(small_class, out, healthy)
    assert len(healthy.graded) == 3
    assert points_of(run.students[0])["additive_attention"] == 3


def test_checker_that_fails_is_no_nought(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a bug of ours")

    monkeypatch.setattr("tutor.grading.examining.examine", broken)
    result = grade(Job("x", "k", as_bytes(filled(RIGHT))), sandbox)
    assert {exercise.points for exercise in result.exercises} == {None}
    assert result.points is None
    assert not result.complete


def test_sandbox_that_fails_is_started_again(
    bubblewrap: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tutor.grading import worker

    tried = []

    def failing(job: Job, *_: object) -> GradedNotebook:
        tried.append(job)
        if len(tried) < 3:
            raise SandboxError("gone")
        return GradedNotebook(job.file, job.key, lessons=[LESSON])

    monkeypatch.setattr(worker, "grade", failing)
    monkeypatch.setattr(worker, "_sandbox", lambda *_: None)
    job = Job("x", "k", b"")
    assert worker.grade_patiently(job, None, True).lessons == [LESSON]  # type: ignore[arg-type]
    tried[:] = []
    monkeypatch.setattr(worker, "TRIES", 2)
    assert worker.grade_patiently(job, None, True).fault == "gone"  # type: ignore[arg-type]
