"""What the checker says of a right answer and of a wrong one, for those who only read."""

from collections.abc import Callable
from typing import Any, NamedTuple

from tutor.checking.calls import FunctionAnswer
from tutor.checking.examine import examine
from tutor.checking.exercise import Exercise
from tutor.checking.settings import course_settings
from tutor.exercises import find, lessons
from tutor.learner.report import Report
from tutor.say import later

from .html import highlighted

EXERCISE = "scaled_dot_product_attention"
_ANSWER = """\
def scaled_dot_product_attention(q, k, v, keep=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if keep is not None:
        scores = scores.masked_fill(~keep, -torch.inf)
    weights = torch.softmax(scores, dim={axis})
    return weights @ v, weights
"""
_AXES = {later("A right answer"): "-1", later("A wrong one"): "-2"}


class Checked(NamedTuple):
    """An answer, what is said of it, and whether it is right; both in HTML."""

    heading: str
    code: str
    report: str
    right: bool


def checked_answers() -> list[Checked]:
    """Check a right answer and a wrong one here and now, without keeping points anywhere."""
    return [_checked(heading, _ANSWER.format(axis=axis)) for heading, axis in _AXES.items()]


def first_checks() -> dict[str, dict[str, str]]:
    """Check each lesson's first exercise, answered rightly and with its commonest mistake.

    Returns:
        By the exercise's name what is said, in HTML, of which answer.
    """
    firsts = [exercises[0] for exercises in lessons().values()]
    return {
        exercise.name: {
            later("Of a right answer"): _said(exercise, exercise.reference),
            later("Of a common mistake"): _said(exercise, exercise.mistakes[0].function),
        }
        for exercise in firsts
    }


def _said(exercise: Exercise, answer: Callable[..., Any]) -> str:
    with course_settings():
        verdict = examine(exercise, FunctionAnswer(answer), 0)
        return Report(verdict, answer)._repr_html_()


def _checked(heading: str, code: str) -> Checked:
    names: dict[str, Any] = {}
    exec(f"import math, torch\n{code}", names)
    with course_settings():
        verdict = examine(find(EXERCISE), FunctionAnswer(names[EXERCISE]), 0)
        report = Report(verdict, names[EXERCISE])._repr_html_()
    return Checked(heading, highlighted(code), report, verdict.passed)
