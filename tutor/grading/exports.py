"""Points in the forms that other systems read."""

import base64
import csv
import io
import json
import unicodedata
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from tutor.display import reports
from tutor.display.palette import STATUS
from tutor.grading.collecting.roster_table import PARTICIPANT
from tutor.grading.names import file_names, shown
from tutor.grading.overview import ClassTable, LearnerRow
from tutor.grading.results import IN_TIME, Graded
from tutor.grading.statistics import item_rows, mistake_rows
from tutor.grading.store import json_text
from tutor.grading.verdicts import as_verdict
from tutor.say import say

Files = dict[str, str]
"""Path below the folder of results -> content."""

BYTE_ORDER_MARK = "\ufeff"  # so that Excel reads tables as UTF-8
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "|")


def grades(table: ClassTable) -> Files:
    """Write ``grades.csv``: a row for each learner, a column for each lesson and exercise."""
    exercises = list(dict.fromkeys(name for row in table.rows for name in row.exercises))
    head = ["student", "name", "id", "login", "email", "group", "points", "max_points"]
    late = [lesson for lesson in table.worth if any(lesson in row.late for row in table.rows)]
    head += [
        *table.worth,
        *exercises,
        *(" ".join([lesson, "days late"]) for lesson in late),  # English in every language
    ]
    head += ["set by hand", "comments", "flags"]
    body = [
        [
            *(shown(row.student), shown(who.name), who.id, who.login, who.email, who.group),
            row.told_total,
            table.max_points,
            *row.told.values(),
            *(row.exercises[name].points if name in row.exercises else None for name in exercises),
            *(row.late.get(lesson, IN_TIME).days for lesson in late),
            " ".join(name for name, one in row.exercises.items() if one.by_hand),
            *(" ".join(row.comments), " ".join(row.flags)),
        ]
        for row in table.rows
        for who in [row.who]
    ]
    return {"grades.csv": BYTE_ORDER_MARK + _csv([head, *body])}


def statistics(table: ClassTable) -> Files:
    """Write how each exercise went and which mistakes were made, without names."""
    return {
        "statistics.csv": BYTE_ORDER_MARK + _csv(list(item_rows(table, list(STATUS)))),
        "mistakes.csv": BYTE_ORDER_MARK + _csv(list(mistake_rows(table))),
    }


def canvas(table: ClassTable) -> Files:
    """Write a Canvas gradebook; learners are matched by Canvas' number, else by their login."""
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *table.columns]
    possible = ["    Points Possible", "", "", "", "", *table.worth.values()]
    body = [
        [
            *(shown(who.name), _id(row, "canvas"), who.known_as.get("sis", ""), login_of(row)),
            *(who.group, *row.told.values()),
        ]
        for row in table.rows
        for who in [row.who]
    ]
    return {"exports/canvas.csv": _csv([head, possible, *body])}


def moodle(table: ClassTable) -> Files:
    """Write a table for Moodle's gradebook, and one of each lesson for its assignment.

    The gradebook matches by username, ID number or address. An assignment's grading worksheet
    matches by the identifier, which is the number in the names of the folders, and by no other.
    """
    head = ["Full name", "username", "ID number", "Email address", *table.columns]
    body = [
        [shown(who.name), shown(who.login), who.number, who.email, *row.told.values()]
        for row in table.rows
        for who in [row.who]
    ]
    files = {"exports/moodle.csv": _csv([head, *body])}
    numbered = [row for row in table.rows if _id(row, "moodle")]
    for lesson in table.worth if numbered else ():
        files[f"exports/moodle-worksheet-{lesson}.csv"] = _worksheet(table, lesson, numbered)
    return files


def _worksheet(table: ClassTable, lesson: str, rows: Sequence[LearnerRow]) -> str:
    """Write what Moodle reads of a grading worksheet; without all but the last it reads none."""
    head = ["Identifier", "Full name", "Email address", "Grade", "Maximum Grade"]
    body = [
        [
            *(f"{PARTICIPANT}{_id(row, 'moodle')}", shown(row.who.name), row.who.email),
            *(row.told[lesson], table.worth[lesson], "", _remarks(row, lesson)),
        ]
        for row in rows
    ]
    return _csv([[*head, "Last modified (grade)", "Feedback comments"], *body])


def _remarks(row: LearnerRow, lesson: str) -> str:
    """Tell a learner in short what was found: Moodle shows it as HTML below the points."""
    found = [one for one in row.exercises.values() if one.lesson == lesson]
    lines = [*row.on_lesson.get(lesson, ()), *filter(None, [row.late.get(lesson, IN_TIME).why])]
    if not found and row.told[lesson] == 0:
        lines.append(say("Nothing that was handed in could be graded; your feedback says why."))
    lines += [
        " ".join(
            [
                say(
                    "{exercise}: {points:g} of {most}.",
                    exercise=one.name,
                    points=one.points or 0,
                    most=one.max_points,
                ),
                *filter(None, [one.by_hand or one.headline, one.hint, one.comment]),
            ]
        )
        for one in found
        if one.comment or (one.points is not None and one.points < one.max_points)
    ]
    return "<br>".join(escape(line) for line in lines)


def blackboard(table: ClassTable) -> Files:
    """Write a table that Blackboard's work offline reads; learners are matched by username."""
    head = ["Last Name", "First Name", "Username", "Student ID", *table.columns]
    body = [
        ["", shown(row.who.name), login_of(row), row.who.number, *row.told.values()]
        for row in table.rows
    ]
    return {"exports/blackboard.csv": _csv([head, *body])}


def nbgrader(table: ClassTable) -> Files:
    """Write what ``nbgrader export`` writes."""
    head = ["assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email"]
    head += ["raw_score", "late_submission_penalty", "score", "max_score"]
    body = [
        [
            *(name, "", "", login_of(row), "", "", row.who.email),
            *(raw, _lost(raw, points), points, worth),
        ]
        for name, (lesson, worth) in zip(table.columns, table.worth.items())
        for row in table.rows
        for points in [row.told[lesson]]
        for raw in [None if points is None else row.raw_points(lesson)]
    ]
    return {"exports/nbgrader.csv": _csv([head, *body])}


def _lost(raw: float | None, points: float | None) -> float | None:
    """Give what was taken off for being late."""
    return None if raw is None or points is None else raw - points


def login_of(row: LearnerRow) -> str:
    """Give the login that other systems know a learner by; without one, what names the files."""
    return shown(row.who.login or row.student)


def _id(row: LearnerRow, platform: str) -> str:
    """Give the number that a platform knows a learner by; another's or the school's is none."""
    return row.who.id if row.who.platform == platform else row.who.known_as.get(platform, "")


def gradescope(table: ClassTable) -> Files:
    """Write a ``results.json`` for each learner, and a table matched by SID or address."""
    names = file_names(row.student for row in table.rows)
    head = ["First Name", "Last Name", "SID", "Email", *table.columns, "Total Score"]
    body = [
        [shown(row.who.name), "", _sid(row), row.who.email, *row.told.values(), row.told_total]
        for row in table.rows
    ]
    return {"exports/gradescope/grades.csv": _csv([head, *body])} | {
        f"exports/gradescope/{names[row.student]}/results.json": json_text(
            {
                "score": row.total,
                "tests": [_gradescope_test(exercise) for exercise in row.exercises.values()],
                "stdout_visibility": "hidden",
            }
        )
        for row in table.rows
        if row.told_total is not None
    }


def _sid(row: LearnerRow) -> str:
    return row.who.id if row.who.platform == "gradescope" else row.who.number


def _gradescope_test(exercise: Graded) -> dict[str, Any]:
    return {
        "name": exercise.name,
        "score": exercise.points,
        "max_score": exercise.max_points,
        "status": "passed" if exercise.status == "right" else "failed",
        "output": reports.text(as_verdict(exercise), advice=False),
        "output_format": "text",
        "visibility": "visible",
    }


def github(table: ClassTable) -> Files:
    """Write a line for each learner for GitHub Classroom's reporter, and a table by login."""
    names = file_names(row.student for row in table.rows)
    head = ["github_username", "roster_identifier", *table.columns, "points_awarded"]
    head.append("points_available")
    body = [
        [login_of(row), row.who.number, *row.told.values(), row.told_total, table.max_points]
        for row in table.rows
    ]
    return {"exports/github/grades.csv": _csv([head, *body])} | {
        f"exports/github/{names[row.student]}.env": f"TUTOR_RESULTS={_github_results(row, table)}\n"
        for row in table.rows
        if row.told_total is not None
    }


def _github_results(row: LearnerRow, table: ClassTable) -> str:
    results = {
        "version": 1,
        "status": "pass" if row.total == table.max_points else "fail",
        "max_score": table.max_points,
        "tests": [
            {
                "name": exercise.name,
                "status": "pass" if exercise.status == "right" else "fail",
                "score": exercise.points,
                "message": exercise.headline,
                "line_no": 0,
            }
            for exercise in row.exercises.values()
        ],
    }
    return base64.b64encode(json.dumps(results, sort_keys=True).encode()).decode()


EXPORTS: dict[str, Callable[[ClassTable], Files]] = {
    "blackboard": blackboard,
    "canvas": canvas,
    "moodle": moodle,
    "gradescope": gradescope,
    "github": github,
    "nbgrader": nbgrader,
}


def _csv(rows: Sequence[Sequence[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    """Write a cell so that no spreadsheet takes a name for a formula; nothing for None."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and _looks_like_a_formula(value):
        return f"'{value}"
    return value


def _looks_like_a_formula(text: str) -> bool:
    """Say whether a spreadsheet could take a text for a formula: some know ＝ and odd blanks."""
    plain = unicodedata.normalize("NFKC", text)
    return text.startswith(_FORMULA_STARTS) or plain.strip().startswith(_FORMULA_STARTS)
