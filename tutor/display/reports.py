"""Verdicts as text and as HTML: the only place that decides how a report looks."""

from collections.abc import Sequence
from html import escape

from tutor.checking.verdict import Comparison, Verdict
from tutor.display.palette import ABOVE, BELOW, STATUS
from tutor.display.table import padded
from tutor.say import data, later, say, say_as

STATUS_WORDS = {
    "right": later("right", "verdict"),
    "wrong": later("not yet", "verdict"),
    "open": later("open", "verdict"),
    "missing": later("missing", "verdict"),
}


def text(verdict: Verdict, advice: bool = True) -> str:
    """Write a verdict as plain text; with advice, also what to do next in the notebook.

    Example:
        >>> print(text(Verdict("causal_mask", "right", 1, 1, "Right.")))
        causal_mask: right (1 of 1 points)
          Grading draws other numbers than this check.
    """
    lines = [title(verdict)]
    if verdict.status != "right":
        lines += ["  " + line for line in sentences(verdict)]
    if verdict.comparison:
        lines += ["      " + line for line in rows(verdict.comparison)]
    if verdict.mistake:
        known = say(
            'This looks like a known mistake, "{title}":', title=say_as("mistake", verdict.title)
        )
        lines += ["  " + known, "  " + say(verdict.hint)]
    lines += ["  " + note for note in verdict.notes]
    if advice and (steps := advice_on(verdict)):
        lines.append("  " + " ".join(steps))
    return "\n".join(lines)


def title(verdict: Verdict) -> str:
    """Write the first line: exercise, status and points."""
    points = say("{points} of {most} points", points=f"{verdict.points:g}", most=verdict.max_points)
    status = say_as("verdict", STATUS_WORDS[verdict.status])
    return f"{data(verdict.exercise)}: {status} ({points})"


def sentences(verdict: Verdict) -> list[str]:
    """List what is said of the answer before its numbers are shown."""
    called = [verdict.arguments.sentence] if verdict.arguments else []
    return [line for line in (verdict.headline, *verdict.details, *called) if line]


def advice_on(verdict: Verdict) -> list[str]:
    """Say what to do after a report, or what to know after a right answer."""
    name = verdict.exercise
    predicts = name.startswith("predict_")
    if verdict.status == "right":  # a prediction is graded on the same numbers
        return [] if predicts else [say("Grading draws other numbers than this check.")]
    asked = f'hint("{name}")' if predicts else f"hint({name})"
    steps = [say("{hint} opens another hint.", hint=asked)]
    if verdict.status == "open":
        steps = [
            say("Write your answer above, run its cell, then this one."),
            say("{hint} opens a hint.", hint=asked),
        ]
    if not predicts:
        steps.append(say("Until yours is right, cells below use the course's own function."))
    return steps


def rows(comparison: Comparison) -> list[str]:
    """Write the two rows of numbers below each other, with as many decimals as tell them apart.

    Example:
        >>> for row in rows(Comparison("", (0,), [0.5, 1.0], [0.5, 2.0])): print(row)
        yours       0.500  2.000
        expected    0.500  1.000
    """
    for decimals in (3, 6, 9):
        given = [_number(value, decimals) for value in comparison.given]
        expected = [_number(value, decimals) for value in comparison.expected]
        if given != expected:
            break
    width = max(len(number) for number in [*given, *expected]) + 2
    return [
        padded(label, 10) + "".join(number.rjust(width) for number in numbers)
        for label, numbers in ((say("yours"), given), (say("expected"), expected))
    ]


def _number(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}" if isinstance(value, float) else str(value)


def html(verdict: Verdict, advice: bool = True) -> str:
    """Write a verdict as HTML that needs no script or style sheet; everything in it is escaped."""
    body = [f"<b>{escape(title(verdict))}</b>"]
    if verdict.status != "right":
        body += [_paragraph(line) for line in sentences(verdict)]
    if verdict.comparison:
        body.append(_comparison_html(verdict.comparison))
    if verdict.mistake:
        bold = f"<b>{escape(say_as('mistake', verdict.title))}</b>"
        known = say("This looks like a known mistake, {title}:", title=bold)
        body += [f"<p style='margin:6px 0 0'>{known}</p>", _paragraph(say(verdict.hint))]
    body += [_paragraph(note) for note in verdict.notes]
    if advice and (steps := advice_on(verdict)):
        body.append(f"<p style='margin:6px 0 0;opacity:.75'>{escape(' '.join(steps))}</p>")
    style = f"border-left:4px solid {STATUS[verdict.status]};padding:4px 12px;max-width:75ch"
    return f"<div style='{style}'>{''.join(body)}</div>"


def _paragraph(sentence: str) -> str:
    return f"<p style='margin:2px 0'>{escape(sentence)}</p>"


def _comparison_html(comparison: Comparison) -> str:
    numbers = "<pre style='margin:4px 0 4px 2ch'>" + escape("\n".join(rows(comparison))) + "</pre>"
    if not comparison.expected_map:
        return numbers
    maps = [(say("yours"), comparison.given_map), (say("expected"), comparison.expected_map)]
    size = max(_size(comparison.given_map), _size(comparison.expected_map))
    tables = "".join(_map_html(label, matrix, size) for label, matrix in maps)
    return numbers + f"<div style='display:flex;gap:24px;flex-wrap:wrap'>{tables}</div>"


def _size(matrix: Sequence[Sequence[float]]) -> float:
    return max((abs(value) for row in matrix for value in row if value == value), default=0.0)


def _map_html(label: str, matrix: Sequence[Sequence[float]], size: float) -> str:
    """Draw a matrix as coloured cells: red above zero, blue below, striped for NaN."""
    lines = "".join(
        "<tr>" + "".join(_cell_html(value, size) for value in row) + "</tr>" for row in matrix
    )
    caption = f"<caption style='caption-side:top;text-align:left'>{label}</caption>"
    return f"<table style='border-collapse:collapse;margin:0'>{caption}{lines}</table>"


def _cell_html(value: float, size: float) -> str:
    is_number = value == value  # NaN differs from itself
    colour = ABOVE if value >= 0 else BELOW
    strength = min(1.0, abs(value) / size) if is_number and size else 0.0
    fill = (
        f"{colour}{round(255 * strength):02x}"
        if is_number
        else "repeating-linear-gradient(45deg,#888 0 2px,transparent 2px 5px)"
    )
    style = (
        f"width:20px;height:20px;padding:0;border:1px solid rgba(128,128,128,.4);background:{fill}"
    )
    return f"<td title='{_number(value, 3)}' style='{style}'></td>"
