"""The page that a learner gets: what is right, which mistake it looks like, and a hint."""

from collections.abc import Iterator
from html import escape

from tutor.display import reports
from tutor.display.palette import STATUS
from tutor.grading.names import printable, shown
from tutor.grading.results import Graded, GradedNotebook, sum_of_points
from tutor.grading.students import GradedStudent
from tutor.grading.verdicts import as_verdict
from tutor.say import language, later, say

STYLE = "".join(
    [
        f":root {{ --comment: {STATUS['half']}; }}",
        """
:root { --page: #fff; } a { color: inherit; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; padding: 16px; max-width: 46rem;
  color: #222; background: var(--page); overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
section > div { margin: 12px 0; }
pre { overflow-x: auto; background:  /* a shadow where more can be scrolled in from the right */
  linear-gradient(var(--page), var(--page)) right / 24px 100% no-repeat local,
  linear-gradient(to left, #8888, transparent) right / 16px 100% no-repeat; }
.quiet { color: #666; } .comment { border-left: 4px solid var(--comment); padding: 4px 12px; }
details > pre { padding: 8px 12px; border: 1px solid #8884; } summary { cursor: pointer; }
 .key { display: inline-block; margin-right: 1em; white-space: nowrap; }
table { border-collapse: collapse; } td { padding: 2px 8px; vertical-align: top; }
td:first-child { min-width: 8rem; }
@media (prefers-color-scheme: dark) {
  :root { --page: #181818; } body { color: #ddd; } .quiet { color: #aaa; } }
""",
    ]
)
_ADVICE = later(
    "Open your notebook in JupyterLab, see that your answers are there, save it, and hand it in "
    "again."
)
# Nothing on the page may run or load, whatever a learner's text should smuggle in.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def document(title: str, body: str) -> str:
    """Write a page that needs nothing from elsewhere."""
    return (
        f"<!DOCTYPE html>\n<html lang='{language()}'><head><meta charset='utf-8'>"
        f"<meta http-equiv='Content-Security-Policy' content=\"{_POLICY}\">"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n"
        f"<body><main>{body}</main></body></html>\n"
    )


def page(student: GradedStudent) -> str:
    """Write a learner's feedback page."""
    declared = (shown(one.learner) for one in student.notebooks if one.learner)
    name = " · ".join(dict.fromkeys([shown(student.who.name), *declared]))
    parts = [f"<h1>{escape(name)}</h1>"]
    parts += [quiet(note) for note in student.notes]
    parts += [_comment(comment) for comment in student.comments_on("")]
    parts += [_notebook(one, student) for one in student.notebooks if not one.is_beside]
    parts += [_others(student)]
    return document(say("Feedback: {name}", name=name), "\n".join(parts))


def _notebook(notebook: GradedNotebook, student: GradedStudent) -> str:
    title = ", ".join(notebook.lessons) or notebook.file
    parts = [f"<h2>{escape(title)}: {escape(_points(notebook, student))}</h2>"]
    parts += [quiet(say("File {file}", file=notebook.file))] if notebook.file else []
    if notebook.refused:
        parts.append(f"<p>{escape(notebook.refused)} {escape(say(_ADVICE))}</p>")
    parts += [f"<p>{escape(one.why)}</p>" for one in notebook.late.values()]
    for lesson in notebook.counts:
        parts += [_comment(comment) for comment in student.comments_on(lesson)]
    parts += [f"<p>{escape(sentence)}</p>" for sentence in notebook.why]
    parts += [quiet(note) for note in notebook.notes]
    parts += [_exercise(exercise, counts) for exercise, counts in _exercises(notebook, student)]
    return f"<section>{''.join(parts)}</section>"


def _exercises(notebook: GradedNotebook, student: GradedStudent) -> Iterator[tuple[Graded, bool]]:
    """Give a notebook's exercises, each with whether it counts; those that do as they count."""
    for lesson in dict.fromkeys(exercise.lesson for exercise in notebook.exercises):
        counts = lesson in notebook.counts
        exercises = student.exercises(lesson) if counts else notebook.of(lesson)
        yield from ((exercise, counts) for exercise in exercises)


def _comment(text: str) -> str:
    return f"<p class='comment'>{escape(say('Your teacher says:'))} {escape(text)}</p>"


def _others(student: GradedStudent) -> str:
    """List what else was handed in, each file with the reason why it is not graded."""
    rows = [
        f"<tr><td>{escape(other.file)}</td><td>{escape(other.why)}</td></tr>"
        for other in student.others
    ]
    title = escape(say("Other files"))
    return f"<h2>{title}</h2><table>{''.join(rows)}</table>" if rows else ""


def _points(notebook: GradedNotebook, student: GradedStudent) -> str:
    if notebook.fault:
        return say("not graded yet, through no fault of yours")
    if notebook.refused:
        return say("0 points")
    most = sum(exercise.max_points for exercise in notebook.exercises)
    points = sum_of_points(
        student.points_of(lesson) if lesson in notebook.counts else notebook.points_of(lesson)
        for lesson in notebook.lessons
    )
    if points is None:
        return say("not graded completely yet, of {most} points", most=most)
    return say("{points:g} of {most} points", points=points, most=most)


def _exercise(exercise: Graded, counts: bool) -> str:
    """Show a verdict, and with it the answer; only what counts can be linked to."""
    if exercise.status == "not graded":
        text = say("{name}: not graded yet, through no fault of yours.", name=exercise.name)
        return f"<div><b>{escape(text)}</b></div>"
    parts = [reports.html(as_verdict(exercise), advice=False)]
    parts += [f"<p class='comment'>{escape(exercise.by_hand)}</p>"] if exercise.by_hand else []
    parts += [_comment(exercise.comment)] if exercise.comment else []
    is_given = exercise.status != "open" and exercise.answer.strip()
    parts += [_answer(exercise)] if is_given else []
    place = f" id='{escape(exercise.name)}'" if counts else ""
    return f"<div{place}>{''.join(parts)}</div>"


def _answer(exercise: Graded) -> str:
    summary = say("The answer, code cell {cell}", cell=exercise.cell)
    text = printable(exercise.answer)
    opened = "" if exercise.status == "right" else " open"
    code = f"<pre tabindex='0'>{escape(text)}</pre>"  # a wide one is moved by arrow keys
    return f"<details{opened}><summary>{escape(summary)}</summary>{code}</details>"


def quiet(text: str) -> str:
    """Give a paragraph that stands back behind the others."""
    return f"<p class='quiet'>{escape(text)}</p>"
