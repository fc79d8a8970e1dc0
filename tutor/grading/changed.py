"""What a run has changed: the class's points beside those that the last run wrote."""

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from urllib.parse import quote

from tutor.grading.feedback import document
from tutor.grading.names import file_names, shown
from tutor.grading.overview import ClassTable
from tutor.say import say, say_count

FILE = "changed.html"
_STYLE = "<style>td, th { padding: 2px 12px 2px 0; text-align: left; }</style>"
_GONE = ""  # the cell of whoever is no longer there, or was not there before


@dataclass(frozen=True)
class Change:
    """One learner's points for one thing, which are others than before.

    Attributes:
        student: tells the learner from all others.
        name: shown to people.
        about: an exercise, a lesson, or ``points`` for all of them.
        before, now: the points as ``grades.csv`` has them; "" for none.
    """

    student: str
    name: str
    about: str
    before: str
    now: str


def changes(before: str, now: str) -> list[Change]:
    r"""List what differs in two texts of ``grades.csv``, learner by learner.

    Example:
        >>> old = "student,name,points,04\nada,Ada,3,3\n"
        >>> [(one.about, one.before, one.now) for one in changes(old, old.replace("3,3", "5,5"))]
        [('points', '3', '5'), ('04', '3', '5')]
    """
    old, new = _by_student(before), _by_student(now)
    found = []
    for student in sorted({*old, *new}):
        was, is_now = old.get(student, {}), new.get(student, {})
        name = is_now.get("name") or was.get("name") or student
        for about in dict.fromkeys([*is_now, *was]):
            cells = was.get(about, _GONE), is_now.get(about, _GONE)
            if _is_of_points(about) and cells[0] != cells[1]:
                found.append(Change(student, name, about, *cells))
    return found


def _is_of_points(column: str) -> bool:
    """Say whether a column of ``grades.csv`` has points."""
    return column not in _NO_POINTS and not column.endswith(" days late")


_WHO = ("student", "name", "id", "login", "email", "group")
_NO_POINTS = frozenset([*_WHO, "max_points", "set by hand", "comments", "flags"])


def _by_student(text: str) -> Mapping[str, dict[str, str]]:
    rows = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
    return {row["student"]: row for row in rows if "student" in row}


def changed_page(found: list[Change], table: ClassTable) -> str:
    """Write ``changed.html``: whose points are others than after the last run, and which."""
    count = len({one.student for one in found})
    heading = say_count(
        "Changed since the last run: {count} learner",
        "Changed since the last run: {count} learners",
        count,
    )
    head = "".join(
        f"<th>{escape(word)}</th>"
        for word in (say("learner"), say("what"), say("before"), say("now"))
    )
    body = "".join(_rows(found, table))
    parts = [_STYLE, f"<h1>{escape(heading)}</h1>", f"<table><tr>{head}</tr>{body}</table>"]
    return document(say("Changed since the last run"), "\n".join(parts))


def _rows(found: list[Change], table: ClassTable) -> Iterator[str]:
    pages = file_names(row.student for row in table.rows)
    named = {shown(student): page for student, page in pages.items()}
    for one in found:
        name = escape(one.name)
        if page := named.get(one.student.removeprefix("'")):
            name = f"<a href='{quote(f'feedback/{page}.html')}'>{name}</a>"
        cells = [escape(one.about), escape(one.before) or "–", escape(one.now) or "–"]
        yield f"<tr><td>{name}</td>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
