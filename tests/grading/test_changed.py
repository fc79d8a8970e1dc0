"""What a run has changed since the last one, and the reason that is given for it."""

from dataclasses import replace
from typing import Any

import pytest

from tests.grading.classroom import LESSON
from tests.grading.test_outputs import exercise, notebook
from tutor.grading.changed import Change, changed_page, changes
from tutor.grading.last_run import Remembered, read_last_run, remembered
from tutor.grading.overview import class_table
from tutor.grading.results import GradedNotebook, Late
from tutor.grading.store import json_text
from tutor.grading.students import Correction, GradedStudent, Who

EXERCISE = "additive_attention"
ANOTHER = "05_multi_head_attention"
FAULT = GradedNotebook("04.ipynb", "h-g", fault="the disk is full")
DAMAGED = GradedNotebook("04.ipynb", "h-g", refused="The file is empty.")


def work(points: float | None = 3, **more: Any) -> GradedNotebook:
    return replace(notebook(), **{"key": "h-g", "exercises": [exercise(EXERCISE, points)], **more})


def ada(*notebooks: GradedNotebook, by_hand: float | None = None) -> list[GradedStudent]:
    set_by_hand = [] if by_hand is None else [Correction(EXERCISE, by_hand)]
    return [GradedStudent(Who("ada", "Ada"), notebooks, corrections=set_by_hand)]


def run(students: list[GradedStudent], version: str = "1", *only: str) -> Remembered:
    return replace(remembered(class_table(students, only or [LESSON])), version=version)


def between(before: Remembered, now: Remembered) -> dict[str, Change]:
    return {one.about: one for one in changes(before, now)}


LATE = {LESSON: Late(1, 0.9, "Late.")}
CASES = {
    "a new hand-in": (ada(work()), ada(work(0, key="x-g")), "The notebook was handed in anew."),
    "another file": (
        ada(work()),
        ada(work(0, key="x-g", file="04-1.ipynb")),
        "Another notebook counts: 04-1.ipynb.",
    ),
    "an override": (ada(work()), ada(work(), by_hand=1), "You set the points by hand."),
    "another override": (
        ada(work(), by_hand=1),
        ada(work(), by_hand=2),
        "You set other points by hand than before.",
    ),
    "no override": (
        ada(work(), by_hand=1),
        ada(work()),
        "The points are no longer set by hand.",
    ),
    "another seed": (
        ada(work()),
        ada(work(0, key="h-x")),
        "It was graded anew, with another seed or for other lessons.",
    ),
    "a fault": (ada(work(None)), ada(work()), "It could not be graded before."),
    "a fault now": (ada(work()), ada(work(None)), "It could not be graded this time."),
    "an exercise of another notebook": (
        ada(work()),
        ada(work(0)),
        "It stands in another of the learner's notebooks than before.",
    ),
}


@pytest.mark.parametrize(("before", "now", "why"), CASES.values(), ids=list(CASES))
def test_an_exercise_says_why(
    before: list[GradedStudent], now: list[GradedStudent], why: str
) -> None:
    found = between(run(before), run(now))
    assert [*found] == [LESSON, EXERCISE]  # of one lesson the sum is the lesson's
    assert found[EXERCISE].why == found[LESSON].why == (why,)


WHOLE = {
    "handed in": (ada(), ada(work()), "It was handed in since the last run."),
    "gone": (ada(work()), ada(), "It is no longer among what was handed in."),
    "not graded": (ada(FAULT), ada(work()), "It could not be graded before."),
    "not graded now": (ada(work()), ada(FAULT), "It could not be graded this time."),
    "damaged": (ada(DAMAGED), ada(work()), "Before there was no notebook that could be read."),
    "damaged now": (ada(work()), ada(DAMAGED), "Now there is no notebook that can be read."),
    "new": ([], ada(work()), "The learner is new in the class."),
    "left": (ada(work()), [], "The learner is no longer in the class."),
    "late": (
        ada(work()),
        ada(work(late=LATE)),
        "For being late 0% were taken off, and now 10%.",
    ),
}


@pytest.mark.parametrize(("before", "now", "why"), WHOLE.values(), ids=list(WHOLE))
def test_a_lesson_says_why(before: list[GradedStudent], now: list[GradedStudent], why: str) -> None:
    found = between(run(before), run(now))
    assert [*found] == [LESSON]
    assert found[LESSON].why == (why,)


def test_another_version_of_the_course_is_the_reason() -> None:
    found = between(run(ada(work())), run(ada(work(0, key="h-x")), version="2"))
    why = "It was graded anew, since this is another version of the course."
    assert found[EXERCISE].why == (why,)


def test_of_several_lessons_there_is_a_sum_and_one_may_not_be_asked_for() -> None:
    both, one = run(ada(work()), "1", LESSON, ANOTHER), run(ada(work()))
    assert changes(both, one) == []  # there was nothing of the other
    other = work(lessons=[ANOTHER], counts=[ANOTHER])
    other = replace(other, exercises=[replace(exercise(EXERCISE, 3), lesson=ANOTHER)])
    both = run(ada(work(), other), "1", LESSON, ANOTHER)
    found = between(both, one)
    assert [*found] == ["", ANOTHER]
    assert found[ANOTHER].why == ("This run did not grade this lesson.",)
    assert between(one, both)[ANOTHER].why == ("The last run did not grade this lesson.",)
    page = changed_page([*found.values()], [])
    assert "<b>all lessons</b> 6 → 3<br></p>" in page


def test_what_is_remembered_is_read_again(tmp_path) -> None:
    kept = run(ada(work(late=LATE), by_hand=2))
    path = tmp_path / "last_run.json"
    path.write_text(json_text(kept.as_data()))
    assert changes(kept, read_last_run(path) or run([])) == []
    path.write_text('{"learners": 3}')
    assert read_last_run(path) is None


def test_a_reason_is_said_once() -> None:
    found = changes(run(ada(work())), run(ada(work(), by_hand=1)))
    page = changed_page(found, ["ada"])
    assert page.count("You set the points by hand.") == 1
    assert f"<p class='exercise'><b>{EXERCISE}</b> 3 → 1<br></p>" in page


def test_a_learner_is_the_same_under_the_name_that_a_platform_gives_to_files() -> None:
    absent = GradedStudent(Who("ada@uni", "Ada", id="7", login="ada@uni"))
    there = GradedStudent(Who("ada_7", "Ada", id="7", login="ada@uni"), [work()])
    for before, now in ((absent, there), (there, absent)):
        found = between(run([before]), run([now]))
        assert "handed in" in found[LESSON].why[0]


def test_names_do_no_harm() -> None:
    found = [Change("a", "<b>A</b>", EXERCISE, 1.0, None, ("Another counts: <i>.ipynb.",))]
    page = changed_page(found, ["a"])
    assert "<b>A</b>" not in page
    assert "<i>" not in page
    assert "<a href='feedback/a.html'>" in page
