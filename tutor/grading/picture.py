"""The class in one picture: which exercises went wrong, and which mistakes were made."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from html import escape

from tutor.exercises import lessons
from tutor.grading.feedback import document
from tutor.grading.names import shown
from tutor.grading.overview import ClassTable
from tutor.grading.results import Graded

_COLOURS = {  # seaborn's colour-blind palette
    "right": "#029e73",
    "half": "#56b4e9",
    "wrong": "#d55e00",
    "open": "#949494",
    "missing": "#ca9161",
    "not graded": "#fbafe4",
}


def class_page(table: ClassTable) -> str:
    """Write ``class.html``: for the lecturer, what to explain again and whom to ask."""
    parts = [f"<h1>The class: {len(table.rows)} learners</h1>", _legend()]
    for lesson in table.worth:
        parts.append(_lesson(lesson, table))
    parts.append(_flags(table))
    return document("The class", "\n".join(parts))


def _legend() -> str:
    words = "".join(
        f"<span style='margin-right:1em'><span style='background:{colour}'>&emsp;</span> {word}"
        "</span>"
        for word, colour in _COLOURS.items()
    )
    return f"<p>{words}</p>"


def _lesson(lesson: str, table: ClassTable) -> str:
    parts = [f"<h2>{escape(lesson)}</h2>"]
    for exercise in lessons()[lesson]:
        found = {
            row.student: row.exercises[exercise.name]
            for row in table.rows
            if exercise.name in row.exercises
        }
        if found:
            parts.append(_exercise(exercise.name, list(found.values())))
            parts.append(_mistakes(found))
    return f"<section>{''.join(parts)}</section>"


def _kind(graded: Graded) -> str:
    return "half" if graded.status == "wrong" and graded.points else graded.status


def _exercise(name: str, found: Sequence[Graded]) -> str:
    """Draw one bar: how many are right, half right, wrong, open."""
    counts = Counter(_kind(graded) for graded in found)
    said = ", ".join(f"{counts[kind]} {kind}" for kind in _COLOURS if counts[kind])
    pieces = "".join(
        f"<span style='flex:{counts[kind]};background:{colour};height:18px'></span>"
        for kind, colour in _COLOURS.items()
        if counts[kind]
    )
    return (
        f"<h3 style='margin:16px 0 0;font-size:1rem'>{escape(name)}</h3>"
        f"<div role='img' aria-label='{escape(said)}' style='display:flex;gap:1px;margin:4px 0'>"
        f"{pieces}</div><div class='quiet'>{escape(said)}</div>"
    )


def _mistakes(found: dict[str, Graded]) -> str:
    """List the known mistakes of an exercise, the most frequent first, with who made them."""
    made: dict[tuple[str, str], list[str]] = defaultdict(list)
    for student, graded in found.items():
        if graded.mistake:
            made[graded.title, graded.hint].append(student)
    items = [
        f"<details><summary>{len(students)} × {escape(title)}</summary><p>{escape(hint)}</p>"
        f"<p class='quiet'>{escape(', '.join(shown(name) for name in sorted(students)))}</p>"
        "</details>"
        for (title, hint), students in sorted(made.items(), key=lambda item: -len(item[1]))
    ]
    return "".join(items)


def _flags(table: ClassTable) -> str:
    rows = [
        f"<tr><td>{escape(shown(row.student))}</td><td>{escape(' '.join(row.flags))}</td></tr>"
        for row in table.rows
        if row.flags
    ]
    if not rows:
        return ""
    return f"<h2>To look at</h2><table>{''.join(rows)}</table>"
