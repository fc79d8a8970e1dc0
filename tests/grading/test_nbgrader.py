"""Real nbgrader over five submissions gives the points that `tutor grade` gives."""

import os
from pathlib import Path

import nbformat
import pytest

from tests.grading.classroom import (
    LESSON,
    RIGHT,
    WORTH,
    WRONG,
    as_bytes,
    filled,
    predictions,
    right_answers,
)
from tests.grading.test_run import SharedSandbox
from tutor.grading.collecting.submissions import collect
from tutor.grading.folder import ResultsFolder
from tutor.grading.run import ClassRun, Options
from tutor.grading.sandbox import Sandbox

HALF = """
def additive_attention(q, k, v, W_q, W_k, w):
    hidden = torch.tanh((q @ W_q.T).unsqueeze(2) + (k @ W_k.T).unsqueeze(1))
    weights = torch.softmax(hidden @ w, dim=-1)
    output = weights @ v
    v.zero_()
    return output, weights
"""


def five_submissions() -> dict[str, bytes]:
    wrong = {name: answer for name, (answer, _) in WRONG.items()}
    answers = {
        "allright": right_answers("allright"),
        "nothing": {},
        "somewrong": {**RIGHT, **predictions("somewrong"), **wrong},
        "halfpoints": {**RIGHT, "additive_attention": HALF},
        "othersname": {**RIGHT, **predictions("allright")},
    }
    return {student: as_bytes(filled(given, student)) for student, given in answers.items()}


@pytest.mark.skipif(
    os.environ.get("TUTOR_NBGRADER") != "1", reason="takes a minute; set TUTOR_NBGRADER=1"
)
@pytest.mark.timeout(1200)
def test_nbgrader_awards_the_same_points(tmp_path: Path, sandbox: Sandbox) -> None:
    pytest.importorskip("nbgrader")
    from tests.grading.nbgrader_course import Course

    course = Course(tmp_path / "course")
    nbformat.validate(nbformat.read(course.released, as_version=4))
    submitted = course.submit(five_submissions())
    course.run("autograde", LESSON)
    course.run("generate_feedback", LESSON)
    run = ClassRun(collect(submitted), ResultsFolder(tmp_path / "out"), Options(seed=1))
    ours = {
        student.student: sum(notebook.points or 0 for notebook in student.counting().values())
        for student in run.grade(SharedSandbox(sandbox))
    }
    theirs = course.scores()
    assert ours == theirs
    assert ours["allright"] == sum(WORTH.values())
    functions = sum(WORTH[name] for name in RIGHT)
    assert ours["halfpoints"] == functions - 1.5  # half of additive_attention
    feedback = course.folder / "feedback" / "somewrong" / LESSON / f"{LESSON}.html"
    assert "no scale" in feedback.read_text(encoding="utf-8")
