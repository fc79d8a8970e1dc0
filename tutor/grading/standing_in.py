"""What the course's own functions give where a notebook may use them: computed by the judge.

After a wrong answer `report.function` is the course's own; and a lesson's other exercises may use
what one of them asks to be written. The code of neither is in the sandbox, so the process asks.
"""

import importlib
from collections.abc import Mapping, Sequence
from typing import Any

from torch import Tensor

from tutor.checking.exercise import Exercise
from tutor.grading.watchdog import Overdue, watchdog

MOST_CALLS = 200  # of one process
LONGEST = 5.0  # seconds of one call
LARGEST, WIDEST = 50_000, 1024  # numbers of all arguments, and along one axis
LARGEST_NUMBER = 100_000


class StandIns:
    """Computes for one process, and refuses what would do an exercise's work.

    Args:
        exercises: those of the lesson.
        withheld: exercise -> the parts of the package it asks for, as "module:name".
    """

    def __init__(
        self, exercises: Sequence[Exercise], withheld: Mapping[str, Sequence[str]]
    ) -> None:
        self._exercises = {exercise.name: exercise for exercise in exercises}
        self._withheld = withheld
        self._left = MOST_CALLS
        self.wrong: set[str] = set()  # exercises that were answered, and not right
        self.examined: Exercise | None = None  # the one whose answer is being called

    def compute(self, what: str, called: Any) -> Any:
        """Give what an exercise's reference, or a part of the package, gives.

        Args:
            what: the exercise's name, or the part as "module:name".
            called: the arguments, as {"arguments": [...], "named": {...}}.

        Raises:
            ValueError: it must not be used now, or not with these arguments.
        """
        arguments, named = list(called["arguments"]), dict(called["named"])
        self._left -= 1
        if self._left < 0 or not self._may(what) or _size([arguments, named]) > LARGEST:
            raise ValueError("refused")
        try:
            with watchdog(LONGEST):
                return self._function(what)(*arguments, **named)
        except (Exception, Overdue):
            raise ValueError("refused") from None

    def _function(self, what: str) -> Any:
        module, part, name = what.partition(":")
        if part:
            return getattr(importlib.import_module(module), name)
        return self._exercises[what].reference

    def _may(self, what: str) -> bool:
        now = self.examined
        if ":" in what:
            known = any(what in parts for parts in self._withheld.values())
            return known and now is not None and what not in self._withheld[now.name]
        asked = self._exercises.get(what)
        if asked is None or asked.kind == "predict" or what not in self.wrong:
            return False
        return now is None or not self._are_alike(asked, now)

    def _are_alike(self, one: Exercise, other: Exercise) -> bool:
        """Say whether two exercises ask for the same, as a mending does."""
        parts = set(self._withheld[one.name]) & set(self._withheld[other.name])
        return one.reference is other.reference or bool(parts)


def _size(value: Any) -> int:
    """Count the numbers of arguments; so many that they are refused if one is too large."""
    if isinstance(value, Tensor):
        return value.numel() if max(value.shape, default=0) <= WIDEST else LARGEST + 1
    if isinstance(value, dict):
        return _size(list(value.values()))
    if isinstance(value, list | tuple):
        return sum(map(_size, value)) + len(value)
    if isinstance(value, int | float):
        return 1 if abs(value) <= LARGEST_NUMBER else LARGEST + 1
    return len(value) if isinstance(value, str) else 1
