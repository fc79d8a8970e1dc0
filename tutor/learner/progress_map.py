"""`progress`: the map of lessons and exercises done, and what comes next."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from tutor.checking.exercise import Exercise
from tutor.display import markup
from tutor.display.own_map import own_map
from tutor.display.palette import STATUS
from tutor.exercises import lessons
from tutor.learner import progress_file
from tutor.learner.own_parts import own_count, own_names
from tutor.say import say

MARKS = {"right": "●", "half": "◐", "open": "○"}
_CELL = "<td style='text-align:left;padding:1px 12px 1px 0;white-space:nowrap'>"
_COLOUR = STATUS["right"]
_FILLS = {
    "right": _COLOUR,
    "half": f"linear-gradient(135deg,{_COLOUR} 50%,transparent 50%)",
    "open": "transparent",
}


def progress() -> "Progress":
    """Show which exercises are done, lesson by lesson."""
    return Progress(progress_file.load(), own_names())


@dataclass(frozen=True)
class Progress:
    """The map of lessons and exercises with the best points of each.

    Attributes:
        best: exercise -> points.
        own: the exercises whose functions stand in the learner's own file.
    """

    best: dict[str, float]
    own: Sequence[str] = ()

    def next_step(self) -> str:
        """Say what to do next: go on in the lesson that was worked on last.

        Example:
            >>> Progress({"project_by_hand": 1}).next_step()
            'Next: predict_score, number 2 of exercises/04_self_attention.ipynb.'
        """
        names = [*lessons()]
        begun = [number for number, lesson in enumerate(names) if self._has_begun(lesson)]
        latest = max(begun, default=0)
        for lesson in names[latest:] + names[:latest]:
            for number, exercise in enumerate(lessons()[lesson], start=1):
                if self._state(exercise) == "right":
                    continue
                if not self._has_begun(lesson):
                    return say(
                        "Next: {lesson}, then {exercises}.",
                        lesson=f"notebooks/{lesson}.ipynb",
                        exercises=f"exercises/{lesson}.ipynb",
                    )
                return say(
                    "Next: {exercise}, number {number} of {notebook}.",
                    exercise=exercise.name,
                    number=number,
                    notebook=f"exercises/{lesson}.ipynb",
                )
        return say("All exercises are right.")

    def total(self) -> str:
        """Sum up.

        Example:
            >>> Progress({"additive_attention": 1.5}).total()
            'In all 1.5 of ... points.'
        """
        exercises = [exercise for lesson in lessons().values() for exercise in lesson]
        return say("In all {points} of {most} points.", **self._sum(exercises))

    def __str__(self) -> str:
        legend = say("● right  ◐ half points  ○ not yet")
        lines = [*self._lines(), f"{self.total()} {legend}", self.next_step()]
        return "\n".join([*lines, own_count(self.own)] if self.own else lines)

    __repr__ = __str__

    def _lines(self) -> Iterator[str]:
        for lesson, exercises in lessons().items():
            yield say("{name}: {points} of {most} points", name=lesson, **self._sum(exercises))
            yield from (f"  {MARKS[self._state(one)]} {one.name}" for one in exercises)

    def _repr_html_(self) -> str:
        """Draw the map: a row for each lesson, a square for each exercise."""
        rows = "".join(self._row(lesson, exercises) for lesson, exercises in lessons().items())
        table = f"<table style='border-collapse:collapse;margin:0'>{rows}</table>"
        sums = f"<p style='margin:6px 0 0'>{self.total()} {escape(self.next_step())}</p>"
        return f"<div style='max-width:75ch'>{table}{sums}</div>{self._model()}"

    def _model(self) -> str:
        """Draw the translator, filled where a part is the learner's own."""
        if not self.own:
            return ""
        picture = own_map("translator", self.own, own_count(self.own))
        return markup.figure(picture.png, picture.alt, picture.caption)

    def _row(self, lesson: str, exercises: Sequence[Exercise]) -> str:
        notebook = Path("..", "exercises", f"{lesson}.ipynb")  # not there outside a workspace
        link = f"<a href='{notebook.as_posix()}'>{lesson}</a>" if notebook.exists() else lesson
        squares = "".join(map(self._square, exercises))
        points = say("{points} of {most}", **self._sum(exercises))
        cells = f"{_CELL}{link}</td>{_CELL}{squares}</td>{_CELL}{points}</td>"
        return f"<tr style='background:none'>{cells}</tr>"

    def _square(self, exercise: Exercise) -> str:
        style = (
            "display:inline-block;width:11px;height:11px;margin-right:3px;border-radius:2px;"
            f"border:1px solid {_COLOUR};background:{_FILLS[self._state(exercise)]}"
        )
        sums = self._sum([exercise])
        words = escape(say("{name}: {points} of {most} points", name=exercise.name, **sums))
        return f"<span role='img' aria-label='{words}' title='{words}' style='{style}'></span>"

    def _has_begun(self, lesson: str) -> bool:
        return any(self._points(exercise) for exercise in lessons()[lesson])

    def _points(self, exercise: Exercise) -> float:
        return min(max(self.best.get(exercise.name, 0.0), 0.0), exercise.points)

    def _sum(self, exercises: Sequence[Exercise]) -> dict[str, str]:
        reached = sum(map(self._points, exercises))
        return {"points": f"{reached:g}", "most": f"{sum(one.points for one in exercises)}"}

    def _state(self, exercise: Exercise) -> str:
        points = self._points(exercise)
        return "right" if points == exercise.points else "half" if points else "open"
