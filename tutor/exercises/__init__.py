"""The exercises of the course, one package a lesson; each lists its exercises in ``EXERCISES``."""

from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from tutor.checking.exercise import Exercise
from tutor.say import PlainError, say


class UnclearError(PlainError, ValueError):
    """What was asked cannot be told."""


@cache
def lessons() -> dict[str, tuple[Exercise, ...]]:
    """List every lesson's exercises: "04_self_attention" -> exercises, in the lesson's order.

    Example:
        >>> [exercise.name for exercise in lessons()["04_self_attention"]][:2]
        ['project_by_hand', 'predict_score']
    """
    modules = sorted(found.name for found in iter_modules(__path__) if found.name[:6] == "lesson")
    return {
        name.removeprefix("lesson"): import_module(f"{__name__}.{name}").EXERCISES
        for name in modules
    }


def lesson_called(text: str) -> str:
    """Find the lesson that a name or a number means; "" if none with exercises does.

    Example:
        >>> lesson_called("4"), lesson_called("04_self_attention"), lesson_called("10")
        ('04_self_attention', '04_self_attention', '')
    """
    fitting = [name for name in lessons() if name == text or name[:2] == text.zfill(2)]
    return "".join(fitting[:1])


def find(name: str) -> Exercise:
    """Find an exercise by its name.

    Raises:
        UnclearError: none has this name; says which are close.

    Example:
        >>> find("additive_attention").points
        3
    """
    known = {exercise.name: exercise for lesson in lessons().values() for exercise in lesson}
    if name in known:
        return known[name]
    close = ", ".join(get_close_matches(name, known, n=3, cutoff=0.5))
    if close:
        raise UnclearError(
            say(
                "No exercise is called {name}. Close names: {close}. "
                "An answer keeps the exercise's name.",
                name=repr(name),
                close=close,
            )
        )
    raise UnclearError(
        say("No exercise is called {name}. An answer keeps the exercise's name.", name=repr(name))
    )
