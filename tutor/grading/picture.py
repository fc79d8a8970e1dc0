"""The class in one picture: which exercises went wrong, and which mistakes were made."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from html import escape
from urllib.parse import quote

from tutor.display.palette import STATUS
from tutor.grading.feedback import document, quiet
from tutor.grading.names import file_names, shown
from tutor.grading.overview import ClassTable, LearnerRow
from tutor.grading.results import IN_TIME, Graded
from tutor.grading.similarity import pairs
from tutor.grading.statistics import Item, items, kind_of
from tutor.say import later, say, say_as, say_count

_LEGEND = {
    "right": later("right", "of the class"),
    "half": later("half", "of the class"),
    "wrong": later("wrong", "of the class"),
    "open": later("open", "of the class"),
    "missing": later("missing", "of the class"),
    "not graded": later("not graded", "of the class"),
}
_OTHERS = {  # what is said of those who made no known mistake
    "half": later("half right"),
    "wrong": later("wrong in another way"),
    "open": later("open: nothing written yet"),
    "missing": later("missing: no answer found"),
    "not graded": later("not graded yet, through no fault of theirs"),
}
# On paper the bars and mistakes alone, without names, so that a lesson fits on a page.
_STYLE = """<style>
.screen { overflow-x: auto; } .screen :is(td, th) { overflow-wrap: break-word; }
.screen .said { overflow-wrap: anywhere; }
.name { display: inline-block; max-width: 100%; overflow-wrap: break-word; }
.exercise { break-inside: avoid; }
.bar { display: flex; gap: 1px; margin: 4px 0; } .bar span { height: 18px; }
h3 { margin: 16px 0 0; font-size: 1rem; } details { margin: 2px 0; }
@media print { .screen { display: none; } details p { display: none; }
  body { max-width: none; padding: 0; font-size: 8.5pt; line-height: 1.3; color: #000; }
  section { columns: 2; break-inside: avoid; } h2, h3 { break-after: avoid; margin: 4px 0 0; }
  .bar span { height: 10px; print-color-adjust: exact; } .key span { print-color-adjust: exact; }
  summary { list-style: none; } @page { margin: 12mm; } }
</style>"""


def class_page(table: ClassTable) -> str:
    """Write ``class.html``: for the lecturer, what to explain again and whom to ask."""
    links = _Links(table)
    heading = say_count(
        "The class: {count} learner", "The class: {count} learners", len(table.rows)
    )
    parts = [_STYLE, f"<h1>{escape(heading)}</h1>", _legend()]
    parts += [_lesson(lesson, table, links) for lesson in table.worth]
    parts += [_flags(table, links), _alike(table, links), _learners(table, links)]
    return document(say("The class"), "\n".join(parts))


class _Links:
    """Names that lead to the learners' pages, and there to an exercise."""

    def __init__(self, table: ClassTable) -> None:
        pages = file_names(row.student for row in table.rows)
        self._names = _names(table)
        self._to = {name: quote(f"feedback/{page}.html") for name, page in pages.items()}

    def to(self, student: str, exercise: str = "") -> str:
        """Write a learner's name as a link."""
        place = f"#{quote(exercise)}" if exercise else ""
        name = escape(self._names[student])
        return f"<a class='name' href='{self._to[student]}{place}'>{name}</a>"

    def all_to(self, students: Iterable[str], exercise: str) -> str:
        """Write learners' names as links, in the order of the names."""
        ordered = sorted(students, key=lambda student: self._names[student])
        return ", ".join(self.to(student, exercise) for student in ordered)


def _names(table: ClassTable) -> dict[str, str]:
    """Name each learner; where two have the name, with what tells them apart."""
    times = Counter(shown(row.who.name) for row in table.rows)
    return {
        row.student: name if times[name] == 1 else f"{name} ({shown(row.student)})"
        for row in table.rows
        for name in [shown(row.who.name)]
    }


def _legend() -> str:
    labels = {escape(_label(kind)): colour for kind, colour in STATUS.items()}
    words = "".join(
        f"<span class='key'><span style='background:{colour}'>&emsp;</span> {label}</span>"
        for label, colour in labels.items()
    )
    return f"<p>{words}</p>"


def _label(kind: str) -> str:
    """Name in the reader's language what came of an answer."""
    return say_as("of the class", _LEGEND[kind])


def _lesson(lesson: str, table: ClassTable, links: _Links) -> str:
    """Show a lesson's exercises, those first with which the class needs most help."""
    parts = [
        f"<div class='exercise'>{_exercise(item)}{_who(item, links)}</div>"
        for item in items(table, lesson)
    ]
    absent = sum(lesson in row.absent for row in table.rows)
    said = say_count(
        "{count} learner handed in nothing of this lesson.",
        "{count} learners handed in nothing of this lesson.",
        absent,
    )
    told = quiet(said) if absent else ""
    return f"<h2>{escape(lesson)}</h2>{told}<section>{''.join(parts)}</section>"


def _exercise(item: Item) -> str:
    """Draw one bar: how many are right, half right, wrong, open."""
    counts = item.kinds
    said = ", ".join(f"{counts[kind]} {_label(kind)}" for kind in STATUS if counts[kind])
    mean = say("{percent}% of the points", percent=round(100 * item.mean))
    pieces = "".join(
        f"<span style='flex:{counts[kind]};background:{colour}'></span>"
        for kind, colour in STATUS.items()
        if counts[kind]
    )
    return (
        f"<h3>{escape(item.exercise)}</h3>"
        f"<div role='img' aria-label='{escape(said)}' class='bar'>{pieces}</div>"
        f"<div class='quiet'>{escape(mean)}: {escape(said)}</div>"
    )


def _who(item: Item, links: _Links) -> str:
    """Name those who are not right: by known mistake, the most frequent first, then the others."""
    made: dict[tuple[str, str], list[str]] = defaultdict(list)
    others: dict[tuple[str, str], list[str]] = defaultdict(list)
    for student, graded in item.found.items():
        if graded.mistake:
            made[say_as("mistake", graded.title), say(graded.hint)].append(student)
        elif graded.status != "right":
            others[kind_of(graded), _in_other_ways(graded)].append(student)
    known = sorted(made.items(), key=lambda one: -len(one[1]))
    kinds = [*_OTHERS]
    rest = sorted(others.items(), key=lambda one: (kinds.index(one[0][0]), -len(one[1]), one[0]))
    named = [(title, hint, students) for (title, hint), students in known]
    named += [(way, "", students) for (_, way), students in rest]
    return "".join(
        f"<details><summary>{len(students)} × {escape(title)}</summary>"
        f"{f'<p>{escape(hint)}</p>' if hint else ''}"
        f"<p class='quiet'>{links.all_to(students, item.exercise)}</p></details>"
        for title, hint, students in named
    )


def _in_other_ways(graded: Graded) -> str:
    """Say how an answer is not right that is no known mistake: by where its numbers part."""
    kind = kind_of(graded)
    way = say(_OTHERS[kind])
    if kind not in ("wrong", "half") or not graded.headline:
        return way
    if graded.by_hand:
        return f"{way}: {graded.by_hand}"
    part = (graded.comparison or {}).get("part", "")
    where = f" ({shown(str(part))})" if part else ""
    return f"{way}: {graded.headline}{where}"


def _flags(table: ClassTable, links: _Links) -> str:
    rows = [
        f"<tr><td>{links.to(row.student)}</td>"
        f"<td class='said'>{''.join(f'<div>{escape(flag)}</div>' for flag in row.flags)}</td></tr>"
        for row in table.rows
        if row.flags
    ]
    return _table(say("To look at"), rows)


def _alike(table: ClassTable, links: _Links) -> str:
    """List pairs of learners to talk with."""
    answers: Mapping[str, Mapping[str, Graded]]
    answers = {row.student: row.exercises for row in table.rows}
    rows = [
        f"<tr><td>{links.to(pair.one, first)}</td><td>{links.to(pair.other, first)}</td>"
        f"<td>{escape(', '.join(pair.exercises))}</td></tr>"
        for pair in pairs(answers)
        for first in [next(iter(pair.exercises))]
    ]
    said = say(
        "These share turns of code that hardly anybody else in the class has, whatever the names. "
        "That proves nothing: people learn together. Ask each how the answer works."
    )
    return _table(say("Answers that resemble each other"), rows, said)


def _learners(table: ClassTable, links: _Links) -> str:
    """List the learners with their points, each a link to their feedback page."""
    heads = [say("Learner"), *table.worth, say("All")]
    words = [escape(head).replace("_", "_<wbr>") for head in heads]  # where they may be broken
    rows = [f"<tr>{''.join(f'<th>{word}</th>' for word in words)}</tr>"]
    rows += [
        f"<tr><td>{links.to(row.student)}</td>"
        f"{''.join(f'<td>{escape(_of_lesson(row, lesson))}</td>' for lesson in table.worth)}"
        f"<td>{_points(row, table)}</td></tr>"
        for row in table.rows
    ]
    said = say("A dash: nothing was handed in. It is no 0, and empty in what is exported.")
    return _table(say("Learners"), rows if table.rows else [], said)


def _of_lesson(row: LearnerRow, lesson: str) -> str:
    """Write the points for a lesson, or a dash where nothing was handed in."""
    if lesson in row.absent:
        return "–"
    points, days = row.points[lesson], row.late.get(lesson, IN_TIME).days
    if points is None:
        return say("not graded")
    if not days:
        return f"{points:g}"
    return say_count(
        "{points:g} ({count} day late)", "{points:g} ({count} days late)", days, points=points
    )


def _table(title: str, rows: list[str], said: str = "") -> str:
    if not rows:
        return ""
    words = f"<p>{escape(said)}</p>" if said else ""
    heading = f"<h2>{escape(title)}</h2>{words}"
    return f"<div class='screen'>{heading}<table>{''.join(rows)}</table></div>"


def _points(row: LearnerRow, table: ClassTable) -> str:
    if row.total is None:
        return say("not graded completely yet")
    if row.told_total is None:
        return "–"
    return say("{points} of {most}", points=f"{row.total:g}", most=table.max_points)
