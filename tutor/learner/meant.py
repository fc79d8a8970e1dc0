"""Which exercise is meant: by the name given, the function's own, or the one typed in the cell."""

from typing import Any

from tutor.checking.exercise import Exercise
from tutor.exercises import UnclearError, find, lessons
from tutor.learner import history
from tutor.say import say

_last = {"checked": ""}  # lives as long as the kernel


def exercise_meant(answer: Any, name: str | None = None) -> Exercise:
    """Find the exercise that a call of `check` is about.

    Raises:
        UnclearError: there is no such name, or none at all.

    Example:
        >>> exercise_meant(..., "causal_mask").points
        1
    """
    meant = name or _name_of(answer)
    if not isinstance(meant, str):
        ask = say('Which exercise is this? Give its name: check(answer, name="…").')
        raise UnclearError(" ".join([ask, *_names_at_hand()]))
    exercise = find(meant)
    _last["checked"] = exercise.name
    return exercise


def exercise_asked(answer: Any) -> Exercise:
    """Find the exercise that a call of `hint` is about: its function, or its name as a text.

    Raises:
        UnclearError: there is no such name, or none at all.

    Example:
        >>> exercise_asked("causal_mask").points
        1
    """
    meant = answer if isinstance(answer, str) else _name_of(answer)
    if not isinstance(meant, str):
        ask = say('Which exercise? Give its function, or its name in quotes: hint("…").')
        raise UnclearError(" ".join([ask, *_names_at_hand()]))
    return find(meant)


def _name_of(answer: Any) -> Any:
    """Give a function's own name, or if no exercise has that, the name it is typed by."""
    known = {exercise.name for exercises in lessons().values() for exercise in exercises}
    try:
        own = getattr(answer, "__name__", None)
    except Exception:  # an object of the learner's can answer any question with an error
        own = None
    typed = history.current.checked_name(answer)
    return typed if own not in known and typed in known else own


def _names_at_hand() -> list[str]:
    """Name the exercises of the lesson that was checked last, in a sentence if there is one."""
    for exercises in lessons().values():
        names = [exercise.name for exercise in exercises]
        if _last["checked"] in names:
            return [say("This lesson has {names}.", names=", ".join(names))]
    return []
