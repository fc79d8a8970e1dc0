"""The class in one picture: which exercises went wrong, and which mistakes were made."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from html import escape
from urllib.parse import quote

from tutor.display.palette import STATUS
from tutor.exercises import lessons
from tutor.grading.feedback import document
from tutor.grading.names import file_names, shown
from tutor.grading.overview import ClassTable, Row
from tutor.grading.results import Graded

_OTHERS = {  # what is said of those who made no known mistake
    "half": "half right",
    "wrong": "wrong in another way",
    "open": "open: nothing written yet",
    "missing": "missing: no answer found",
    "not graded": "not graded yet, through no fault of theirs",
}


def class_page(table: ClassTable) -> str:
    """Write ``class.html``: for the lecturer, what to explain again and whom to ask."""
    parts = [f"<h1>The class: {len(table.rows)} learners</h1>", _legend()]
    for lesson in table.worth:
        parts.append(_lesson(lesson, table))
    parts += [_flags(table), _learners(table)]
    return document("The class", "\n".join(parts))


def _legend() -> str:
    words = "".join(
        f"<span class='key'><span style='background:{colour}'>&emsp;</span> {word}</span>"
        for word, colour in STATUS.items()
    )
    return f"<p>{words}</p>"


def _lesson(lesson: str, table: ClassTable) -> str:
    parts = [f"<h2>{escape(lesson)}</h2>"]
    for exercise in lessons()[lesson]:
        found = {
            name_of(row): row.exercises[exercise.name]
            for row in table.rows
            if exercise.name in row.exercises
        }
        if found:
            parts.append(_exercise(exercise.name, list(found.values())))
            parts.append(_who(found))
    return f"<section>{''.join(parts)}</section>"


def _kind(graded: Graded) -> str:
    return "half" if graded.status == "wrong" and graded.points else graded.status


def _exercise(name: str, found: Sequence[Graded]) -> str:
    """Draw one bar: how many are right, half right, wrong, open."""
    counts = Counter(_kind(graded) for graded in found)
    said = ", ".join(f"{counts[kind]} {kind}" for kind in STATUS if counts[kind])
    pieces = "".join(
        f"<span style='flex:{counts[kind]};background:{colour};height:18px'></span>"
        for kind, colour in STATUS.items()
        if counts[kind]
    )
    return (
        f"<h3 style='margin:16px 0 0;font-size:1rem'>{escape(name)}</h3>"
        f"<div role='img' aria-label='{escape(said)}' style='display:flex;gap:1px;margin:4px 0'>"
        f"{pieces}</div><div class='quiet'>{escape(said)}</div>"
    )


def _who(found: dict[str, Graded]) -> str:
    """Name those who are not right: by known mistake, the most frequent first, then the others."""
    made: dict[tuple[str, str], list[str]] = defaultdict(list)
    others: dict[tuple[str, str], list[str]] = {(said, ""): [] for said in _OTHERS.values()}
    for student, graded in found.items():
        if graded.mistake:
            made[graded.title, graded.hint].append(student)
        elif graded.status != "right":
            others[_OTHERS[_kind(graded)], ""].append(student)
    known = sorted(made.items(), key=lambda item: -len(item[1]))
    return "".join(
        f"<details><summary>{len(students)} × {escape(title)}</summary>"
        f"{f'<p>{escape(hint)}</p>' if hint else ''}"
        f"<p class='quiet'>{escape(', '.join(sorted(students)))}</p>"
        "</details>"
        for (title, hint), students in [*known, *others.items()]
        if students
    )


def _flags(table: ClassTable) -> str:
    rows = [
        f"<tr><td>{escape(name_of(row))}</td><td>{escape(' '.join(row.flags))}</td></tr>"
        for row in table.rows
        if row.flags
    ]
    if not rows:
        return ""
    return f"<h2>To look at</h2><table>{''.join(rows)}</table>"


def _learners(table: ClassTable) -> str:
    """List the learners with their points, each a link to their feedback page."""
    pages = file_names(row.student for row in table.rows)
    rows = [
        f"<tr><td><a href='{quote(f'feedback/{pages[row.student]}.html')}'>"
        f"{escape(name_of(row))}</a></td><td>{_points(row, table)}</td></tr>"
        for row in table.rows
    ]
    return f"<h2>Learners</h2><table>{''.join(rows)}</table>"


def name_of(row: Row) -> str:
    """Name a learner; where two could have the name, with what tells them apart."""
    name, student = shown(row.who.name), shown(row.student)
    return name if name == student else f"{name} ({student})"


def _points(row: Row, table: ClassTable) -> str:
    if row.total is None:
        return "not graded completely yet"
    return f"{row.total:g} of {table.max_points}"
