"""`hint`: opens one more hint of an exercise each time."""

from typing import Any

from tutor.exercises import lessons
from tutor.learner import screen
from tutor.learner.meant import exercise_asked
from tutor.say import say

_opened: dict[str, int] = {}  # lives as long as the kernel


def hint(answer: Any = ...) -> None:
    """Open one more hint for an exercise, given as its function or its name.

    Raises:
        UnclearError: no exercise has this name.

    Example:
        >>> hint("project_by_hand")
        Hint 1 of 3: Take the lesson's example: q = [1, 0, 1] and W = [[1, 0], [0, 1], [1, 1]]...
    """
    exercise = exercise_asked(answer)
    opened = min(_opened.get(exercise.name, 0) + 1, len(exercise.hints))
    _opened[exercise.name] = opened
    lines = [
        say(
            "Hint {number} of {all}: {hint}",
            number=number,
            all=len(exercise.hints),
            hint=say(sentence),
        )
        for number, sentence in enumerate(exercise.hints[:opened], start=1)
    ]
    if opened == len(exercise.hints):
        lines.append(
            say(
                "There are no more hints. `tutor solutions {lesson}` in a terminal brings the "
                "worked answers.",
                lesson=next(name[:2] for name, ones in lessons().items() if exercise in ones),
            )
        )
    screen.show_lines(lines)
