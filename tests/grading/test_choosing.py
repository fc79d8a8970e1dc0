"""Which of a learner's notebooks counts, and what the page says of it."""

from pathlib import Path

import pytest

from tests.grading.classroom import LESSON
from tutor.grading.choosing import OWN_LESSON, OWN_SOLUTION, CourseCells, choose
from tutor.grading.inside.cells import read_notebook
from tutor.grading.results import Graded, GradedNotebook
from tutor.grading.students import GradedStudent, Who

ROOT = Path(__file__).resolve().parents[2]
COURSE = CourseCells({LESSON: [*"abcde"]}, {LESSON: [*"xyz"]})


def graded(file: str, points: float, cells: str = "mn", lesson: str = LESSON) -> GradedNotebook:
    """A notebook with points; with less than none nothing is answered in it."""
    status = "open" if points < 0 else "wrong" if points == 0 else "right"
    exercise = Graded("split_heads", status, max(points, 0.0), 9, lesson=lesson)
    return GradedNotebook(file, "", [lesson], exercises=[exercise], cells=[*cells])


def counting(*newest_first: GradedNotebook, rule: str = "newest") -> list[str]:
    chosen = choose(newest_first, rule, COURSE)  # type: ignore[arg-type]
    assert sorted(one.file for one in chosen) == sorted(one.file for one in newest_first)
    return [one.file for one in chosen if one.counts]


def why(*newest_first: GradedNotebook, rule: str = "newest") -> dict[str, str]:
    return {one.file: " ".join(one.why) for one in choose(newest_first, rule, COURSE)}  # type: ignore[arg-type]


def test_newest_or_best() -> None:
    three = graded("c", 2), graded("b", 5), graded("a", 5)
    assert counting(*three) == ["c"]
    assert counting(*three, rule="best") == ["b"]
    said = why(*three)
    assert said["c"] == "It counts, since it is the newest of 3 of this lesson."
    assert said["a"] == "A newer notebook of this lesson counts instead of this one: c."
    said = why(*three, rule="best")
    assert said["b"] == "It counts, since it has the most points of 3 of this lesson."
    assert said["c"] == "An older notebook, b, has more points and counts instead."
    assert said["a"] == "A newer notebook of this lesson counts instead of this one: b."
    assert why(graded("a", 1)) == {"a": ""}


@pytest.mark.parametrize("rule", ["newest", "best"])
def test_an_empty_copy_never_counts_before_an_answered_one(rule: str) -> None:
    both = graded("fresh", -1), graded("work", 0)
    assert counting(*both, rule=rule) == ["work"]
    said = why(*both, rule=rule)
    assert said["fresh"] == "Nothing is answered in this notebook, so work counts instead."
    assert "only one of this lesson with answers" in said["work"]
    assert counting(graded("fresh", -1), rule=rule) == ["fresh"]


@pytest.mark.parametrize("rule", ["newest", "best"])
def test_the_courses_own_never_counts_before_the_learners(rule: str) -> None:
    solution, work, empty = graded("solution", 9, "xyz"), graded("work", 3), graded("empty", -1)
    assert counting(solution, work, rule=rule) == ["work"]
    assert counting(solution, empty, rule=rule) == ["empty"]
    assert counting(solution, rule=rule) == ["solution"]
    assert why(solution, work, rule=rule)["solution"] == OWN_SOLUTION
    assert counting(graded("own", 9, "xyzn"), work) == ["own"]  # something is the learner's
    lesson = graded("lesson", 2, "abcdq")
    assert counting(lesson, rule=rule) == []
    assert why(lesson, work, rule=rule)["lesson"] == OWN_LESSON


def test_every_lesson_has_its_own() -> None:
    assert counting(graded("four", 1), graded("five", 1, lesson="05_multi_head_attention")) == [
        "four",
        "five",
    ]
    assert counting(GradedNotebook("x", "", refused="It is empty.")) == []


def test_the_courses_notebooks_are_known_by_their_cells() -> None:
    course = CourseCells.of(ROOT)
    for folder, is_lesson, is_solution in (
        ("notebooks", True, False),
        ("exercises", False, False),
        ("solutions", False, True),
    ):
        for path in sorted((ROOT / folder).glob("0[1-9]_*.ipynb")):
            cells = [cell.digest for cell in read_notebook(path.read_bytes()).cells]
            own = GradedNotebook(path.name, "", [path.stem], cells=[cell for cell in cells if cell])
            assert course.is_lesson(own) is is_lesson, path
            assert course.is_solution(own) is is_solution, path


def test_a_notebook_of_two_lessons_counts_for_each() -> None:
    five = "05_multi_head_attention"
    both = [
        Graded("project_by_hand", "right", 1.0, 1, lesson=LESSON),
        Graded("split_heads", "open", 0.0, 1, lesson=five),
    ]
    two = GradedNotebook("two", "", [LESSON, five], exercises=both)
    newer = graded("newer", 0), graded("five", 1, lesson=five)
    chosen = {one.file: one.counts for one in choose([*newer, two], "best", COURSE)}
    assert chosen == {"two": [LESSON], "newer": [], "five": [five]}


def test_an_answer_in_another_notebook_is_found() -> None:
    here = Graded("split_heads", "missing", 0.0, 2, lesson=LESSON)
    there = Graded("split_heads", "right", 2.0, 2, lesson=LESSON)
    newest = GradedNotebook("newest", "", [LESSON], exercises=[here, graded("x", 1).exercises[0]])
    older = GradedNotebook("older", "", [LESSON], exercises=[there])
    student = GradedStudent(Who("ada", "ada"), choose([newest, older], "newest", COURSE))
    assert list(student.counting()) == [LESSON]
    (found, _) = student.exercises(LESSON)
    assert (found.points, found.notes[0]) == (2.0, "It stands in another notebook: older.")
