"""The page docs/exercises.md: every exercise with its arguments, results and points."""

from tutor.checking.examine import key
from tutor.checking.exercise import Exercise
from tutor.exercises import lessons

HEADER = """# The exercises

Written by `make notebooks`. Arguments go by position. What an exercise asks in full stands in its
notebook; cases, properties and known mistakes stand in `tutor/exercises/`. Predictions
(`predict_…`) have other numbers for every learner; mendings (`mend_…`) are checked like the
exercise they come from.
"""


def row(lesson: str, exercise: Exercise) -> str:
    """Give one line of the table."""
    arguments = ", ".join(next(iter(key(exercise, 0).cases.values())))
    asked = "a value" if exercise.kind == "predict" else ", ".join(exercise.returns) or "a result"
    return (
        f"| {lesson[:2]} | `{exercise.name}` | `{arguments}` | {asked} | {exercise.points} | "
        f"{len(exercise.mistakes)} |"
    )


def exercises_page() -> str:
    """Give the whole page."""
    rows = [
        row(lesson, exercise) for lesson, exercises in lessons().items() for exercise in exercises
    ]
    count = sum(len(exercises) for exercises in lessons().values())
    points = sum(exercise.points for exercises in lessons().values() for exercise in exercises)
    head = "| lesson | exercise | arguments | returns | points | known mistakes |"
    lines = [
        HEADER,
        head,
        "|---|---|---|---|---|---|",
        *rows,
        "",
        f"{count} exercises, {points} points.",
    ]
    return "\n".join(lines) + "\n"
