"""What results keep of a verdict, and the verdict that reports are made of again."""

from typing import Any

from tutor.checking.exercise import Exercise
from tutor.checking.verdict import Comparison, Verdict
from tutor.grading.results import Graded, Status

LONGEST_SENTENCE = 400


def graded(verdict: Verdict, cell: int | None, answer: str = "") -> Graded:
    """Keep of a verdict what a learner may see: nothing of the hidden inputs."""
    return Graded(
        name=verdict.exercise,
        status=verdict.status,
        points=float(verdict.points),
        max_points=verdict.max_points,
        cell=cell,
        headline=_short(verdict.headline),
        details=[_short(line) for line in (*verdict.details, *_arguments(verdict))],
        mistake=verdict.mistake,
        title=verdict.title,
        hint=verdict.hint,
        comparison=_rows(verdict.comparison),
        notes=[_short(note) for note in verdict.notes[:6]],
        answer=answer,
    )


def unjudged(exercise: Exercise, status: Status, headline: str, why: str = "") -> Graded:
    """Keep what is said of an exercise that has no verdict: no points, or none yet."""
    points = None if status == "not graded" else 0.0
    details = [_short(f"{why[0].upper()}{why[1:]}")] if why else []
    return Graded(exercise.name, status, points, exercise.points, None, headline, details)


def _arguments(verdict: Verdict) -> list[str]:
    """Give the sentence on the arguments, if it shows shapes alone."""
    called = verdict.arguments
    return [] if called is None or called.shows_values else [called.sentence]


def _rows(comparison: Comparison | None) -> dict[str, Any] | None:
    """Keep the two rows of numbers and leave out the maps."""
    if comparison is None:
        return None
    return {
        "part": comparison.part,
        "index": list(comparison.index),
        "expected": [_number(value) for value in comparison.expected],
        "given": [_number(value) for value in comparison.given],
    }


def _number(value: float) -> float:
    """Round as far as a report shows, so that two machines write the same."""
    return float(f"{value:.6g}") if isinstance(value, float) else value


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_SENTENCE else text[: LONGEST_SENTENCE - 1] + "…"


def as_verdict(exercise: Graded) -> Verdict:
    """Give back a verdict, for the reports that show one."""
    comparison = None
    if exercise.comparison is not None:
        comparison = Comparison(
            exercise.comparison["part"],
            tuple(exercise.comparison["index"]),
            exercise.comparison["expected"],
            exercise.comparison["given"],
        )
    status = "open" if exercise.status == "not graded" else exercise.status
    return Verdict(
        exercise=exercise.name,
        status=status,
        points=exercise.points or 0.0,
        max_points=exercise.max_points,
        headline=exercise.headline,
        details=tuple(exercise.details),
        mistake=exercise.mistake,
        title=exercise.title,
        hint=exercise.hint,
        comparison=comparison,
        notes=tuple(exercise.notes),
    )
