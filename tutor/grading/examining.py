"""Examining an answer when what it returns may be meant to break the checker."""

from tutor.checking.calls import Answer, FunctionAnswer
from tutor.checking.examine import examine
from tutor.checking.exercise import Exercise
from tutor.checking.verdict import Verdict
from tutor.grading.watchdog import Overdue, watchdog

PATIENCE = 60.0  # seconds that the judge may compute for one judgement


class UncheckableError(Exception):
    """The checker breaks on what an answer returned, and gets along with the right one."""


class CheckerError(Exception):
    """The checker itself is broken: it does not get along with the right answer either."""


def examined(exercise: Exercise, answer: Answer, seed: int) -> Verdict:
    """Examine an answer.

    Raises:
        UncheckableError: the answer is to blame that it cannot be judged.
        CheckerError: the checker is.
    """
    try:
        with watchdog(PATIENCE):
            return examine(exercise, answer, seed)
    except (Exception, Overdue) as error:
        kind = UncheckableError if _works(exercise, seed) else CheckerError
        raise kind(f"{type(error).__name__}: {error}") from None


def _works(exercise: Exercise, seed: int) -> bool:
    try:
        with watchdog(PATIENCE):
            return examine(exercise, FunctionAnswer(exercise.reference), seed).passed
    except (Exception, Overdue):
        return False
