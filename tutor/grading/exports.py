"""Points in the forms that other systems read."""

import base64
import csv
import io
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from tutor.display import reports
from tutor.files import write_whole
from tutor.grading.names import file_names, shown
from tutor.grading.overview import ClassTable, Row
from tutor.grading.results import Graded, as_verdict
from tutor.grading.store import json_text

Files = dict[str, str]
"""Path below the folder of results -> content."""

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "|")


def export(kinds: Iterable[str], table: ClassTable, out: Path) -> list[Path]:
    """Write the table of the class in the given forms; give the paths of what was written.

    Args:
        kinds: names from ``EXPORTS``.
        table: the class.
        out: the folder of results.
    """
    written = []
    for kind in kinds:
        for name, content in EXPORTS[kind](table).items():
            path = out / name
            write_whole(path, content)
            written.append(path)
    return written


def grades(table: ClassTable) -> Files:
    """Write ``grades.csv``: a row for each learner, a column for each lesson and exercise."""
    exercises = list(dict.fromkeys(name for row in table.rows for name in row.exercises))
    head = ["student", "points", "max_points", *table.worth, *exercises, "flags"]
    body = [
        [
            shown(row.student),
            row.total,
            table.max_points,
            *row.points.values(),
            *(row.exercises[name].points if name in row.exercises else None for name in exercises),
            " ".join(row.flags),
        ]
        for row in table.rows
    ]
    return {"grades.csv": _csv([head, *body])}


def canvas(table: ClassTable) -> Files:
    """Write a Canvas gradebook; learners are matched by their login."""
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *table.worth]
    possible = ["    Points Possible", "", "", "", "", *table.worth.values()]
    body = [
        [shown(row.student), "", "", shown(row.student), "", *row.points.values()]
        for row in table.rows
    ]
    return {"exports/canvas.csv": _csv([head, possible, *body])}


def moodle(table: ClassTable) -> Files:
    """Write a table that Moodle's grade import reads; learners are matched by user name."""
    head = ["username", *table.worth]
    return {
        "exports/moodle.csv": _csv(
            [head, *([shown(row.student), *row.points.values()] for row in table.rows)]
        )
    }


def nbgrader(table: ClassTable) -> Files:
    """Write what ``nbgrader export`` writes."""
    head = ["assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email"]
    head += ["raw_score", "late_submission_penalty", "score", "max_score"]
    body = [
        [lesson, "", "", shown(row.student), "", "", "", points, 0.0, points, worth]
        for lesson, worth in table.worth.items()
        for row in table.rows
        for points in [row.points[lesson]]
    ]
    return {"exports/nbgrader.csv": _csv([head, *body])}


def gradescope(table: ClassTable) -> Files:
    """Write a ``results.json`` for each learner."""
    names = file_names(row.student for row in table.rows)
    return {
        f"exports/gradescope/{names[row.student]}/results.json": json_text(
            {
                "score": row.total,
                "tests": [_gradescope_test(exercise) for exercise in row.exercises.values()],
                "stdout_visibility": "hidden",
            }
        )
        for row in table.rows
        if row.total is not None
    }


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
    """Write a line for each learner that GitHub Classroom's reporter takes from a runner."""
    names = file_names(row.student for row in table.rows)
    return {
        f"exports/github/{names[row.student]}.env": f"TUTOR_RESULTS={_github_results(row, table)}\n"
        for row in table.rows
        if row.total is not None
    }


def _github_results(row: Row, table: ClassTable) -> str:
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
    if isinstance(value, str) and value.lstrip(" ").startswith(_FORMULA_STARTS):
        return f"'{value}"
    return value
