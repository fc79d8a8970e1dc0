"""Points set by hand that a better answer has outgrown, and learners who handed in nothing."""

from tutor.grading.exports import canvas, moodle
from tutor.grading.overview import class_table
from tutor.grading.picture import class_page
from tutor.grading.results import Graded, GradedNotebook
from tutor.grading.students import Correction, GradedStudent, Who

LESSON = "04_self_attention"
RIGHT = Graded("additive_attention", "right", 3.0, 3, lesson=LESSON)


def ada(points: float | None) -> GradedStudent:
    notebook = GradedNotebook("04.ipynb", "", [LESSON], exercises=[RIGHT], counts=[LESSON])
    by_hand = [] if points is None else [Correction("additive_attention", points)]
    return GradedStudent(Who("ada", "ada"), [notebook], corrections=by_hand)


def test_fewer_points_by_hand_than_grading_gives_are_flagged() -> None:
    outgrown, meant = class_table([ada(2.0)]).rows[0], class_table([ada(3.0)]).rows[0]
    assert any("fewer points by hand" in flag for flag in outgrown.flags)
    assert not any("by hand" in flag for flag in meant.flags)
    assert "grading now gives more: 3" in outgrown.exercises["additive_attention"].by_hand


def test_who_handed_in_nothing_has_no_nought() -> None:
    broken = GradedNotebook("04.ipynb", "", refused="The file is empty.")
    students = [
        ada(None),
        GradedStudent(Who("bea", "bea")),
        GradedStudent(Who("cy", "cy"), [broken]),
    ]
    table = class_table(students)
    for export in (canvas, moodle):
        (text,) = export(table).values()
        ends = {line.split(",")[0]: line.rpartition(",")[2] for line in text.splitlines()}
        assert (ends["ada"], ends["bea"], ends["cy"]) == ("3", "", "0")
    page = class_page(table)
    assert "1 learner handed in nothing of this lesson." in page
    assert "<th>04_<wbr>self_<wbr>attention</th>" in page
