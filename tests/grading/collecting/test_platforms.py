"""Forty learners on each platform, two of one name: forty rows, and points find the way back."""

import csv
import io
from collections import Counter
from pathlib import Path

import pytest

from tests.grading.collecting.platforms import LEARNERS, NAMES, PLATFORMS, SIZE, Learner, put
from tutor.grading import exports
from tutor.grading.collecting.submissions import Collected, collect
from tutor.grading.overview import ClassTable, class_table
from tutor.grading.results import Graded, GradedNotebook
from tutor.grading.students import GradedStudent

FIVE = "05_multi_head_attention"
# Platform -> the export that goes back to it, and the column by which learners are matched.
BACK = {
    "moodle": ("moodle", "Identifier"),
    "moodle_flat": ("moodle", "Identifier"),
    "moodle_hidden": ("moodle", "Identifier"),
    "canvas": ("canvas", "ID"),
    "blackboard": ("blackboard", "Username"),
    "gradescope": ("gradescope", "SID"),
    "nbgrader": ("nbgrader", "student_id"),
    "github": ("github", "github_username"),
}


def content_of(learner: Learner) -> bytes:
    return f'{{"cells": [], "number": {learner.number}}}'.encode()


def points_of(number: int) -> float:
    return number - 4000.0


def graded(collected: Collected) -> ClassTable:
    """Give each learner points that tell who it is."""
    students = []
    for one in collected.submissions:
        (file,) = one.files
        number = next(n.number for n in LEARNERS if file.leaf.read() == content_of(n))
        found = Graded("split_heads", "wrong", points_of(number), 40, lesson=FIVE)
        notebook = GradedNotebook(file.name, "", [FIVE], exercises=[found], counts=[FIVE])
        students.append(GradedStudent(one.who, [notebook]))
    return class_table(students)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_forty_learners_are_forty(platform: str, tmp_path: Path) -> None:
    PLATFORMS[platform](tmp_path, content_of)
    collected = collect(tmp_path)
    assert len(collected.submissions) == SIZE
    assert len({one.student for one in collected.submissions}) == SIZE
    assert collected.aside == []
    table = graded(collected)
    assert sorted(row.total for row in table.rows) == [points_of(n.number) for n in LEARNERS]


@pytest.mark.parametrize("platform", BACK)
def test_points_find_the_way_back(platform: str, tmp_path: Path) -> None:
    PLATFORMS[platform](tmp_path, content_of)
    kind, column = BACK[platform]
    files = exports.EXPORTS[kind](graded(collect(tmp_path)))
    text = next(text for name, text in reversed(files.items()) if name.endswith(".csv"))
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row[column]]
    if platform == "nbgrader":
        rows = [row | {FIVE: row["score"]} for row in rows]
    if kind == "moodle":  # an assignment's worksheet, which needs these three to be read
        rows = [row | {FIVE: row["Grade"]} for row in rows if not row["Last modified (grade)"]]
    given = {row[column]: float(row[FIVE]) for row in rows}
    known = {
        "ID": lambda one: str(one.number),
        "Identifier": lambda one: f"Participant {one.number}",
    }.get(column, lambda one: one.login)
    assert given == {known(one): points_of(one.number) for one in LEARNERS}


def test_one_name_is_shown_with_what_tells_its_learners_apart(tmp_path: Path) -> None:
    PLATFORMS["moodle"](tmp_path, content_of)
    twins = [one.who for one in collect(tmp_path).submissions if one.who.name == NAMES[7]]
    assert [who.id for who in twins] == [
        str(one.number) for one in LEARNERS if one.name == NAMES[7]
    ]
    assert Counter(NAMES)[NAMES[7]] == 2


def test_names_are_read_where_they_are_written(tmp_path: Path) -> None:
    for platform in ("moodle", "blackboard", "gradescope", "google"):
        PLATFORMS[platform](tmp_path / platform, content_of)
        names = {one.who.name for one in collect(tmp_path / platform).submissions}
        assert names == set(NAMES), platform


def test_late_work_is_marked_where_canvas_marks_it(tmp_path: Path) -> None:
    PLATFORMS["canvas"](tmp_path, content_of)
    late = {one.who.id for one in collect(tmp_path).submissions if one.files[0].is_late}
    assert late == {str(one.number) for one in LEARNERS[::5]}


def test_of_canvas_attempts_the_later_file_is_newer(tmp_path: Path) -> None:
    """Their dates are those of the download."""
    put(tmp_path, "lovelaceada_12_9003_04_self_attention-1.ipynb")
    put(tmp_path, "lovelaceada_12_8001_04_self_attention.ipynb")
    put(tmp_path, "lovelaceada_LATE_12_10007_04_self_attention-2.ipynb")
    (ada,) = collect(tmp_path).submissions
    assert [file.name.split("_")[-4] for file in ada.files] == ["8001", "9003", "10007"]


def test_people_who_hand_in_together_each_have_a_row(tmp_path: Path) -> None:
    put(tmp_path, "submission_9/04_self_attention.ipynb")
    people = "".join(f"  - :name: {name}\n    :sid: {name}1\n" for name in ("Ada", "Bo"))
    put(tmp_path, "submission_metadata.yml", f"submission_9:\n  :submitters:\n{people}".encode())
    both = collect(tmp_path).submissions
    assert [one.who.name for one in both] == ["Ada", "Bo"]
    assert both[0].files[0].name == both[1].files[0].name
