"""What grading found in a notebook, as plain data, of which points and pages are made."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Status = Literal["right", "wrong", "open", "missing", "not graded"]


@dataclass(frozen=True)
class Graded:
    """One exercise of one notebook.

    Attributes:
        name: of the exercise.
        status: "missing" means that no answer was found, "not graded" that grading itself failed.
        points: None if not graded.
        max_points: of a right answer.
        cell: number of the code cell that holds the answer, counted from 1; None if missing.
        headline, details, mistake, title, hint, comparison, notes: as in a verdict.
        lesson: the exercise's.
        answer: the text of that cell.
        by_hand: the sentence that says that a teacher has set the points, or "".
        comment: the teacher's.
    """

    name: str
    status: Status
    points: float | None
    max_points: int
    cell: int | None = None
    headline: str = ""
    details: Sequence[str] = ()
    mistake: str | None = None
    title: str = ""
    hint: str = ""
    comparison: Mapping[str, Any] | None = None
    notes: Sequence[str] = ()
    lesson: str = ""
    answer: str = ""
    by_hand: str = ""
    comment: str = ""


@dataclass(frozen=True)
class Late:
    """How late a notebook was for a lesson.

    Attributes:
        days: begun after the time at which it was due; 0 for in time.
        share: of its points, what is left of them.
        why: the sentence that says so, or "".
    """

    days: int = 0
    share: float = 1.0
    why: str = ""


IN_TIME = Late()


@dataclass(frozen=True)
class GradedNotebook:
    """One notebook file.

    Attributes:
        file: its path in the folder of submissions.
        key: digest of all that the result depends on.
        lessons: whose exercises it holds, the main one first; none if it was refused.
        refused: why there is nothing to grade, or "".
        is_beside: it was left aside, as no notebook of a lesson that was asked for.
        fault: why grading itself failed, so that a later run must try again, or "".
        learner: the name declared in it, the last if there are several.
        learners: all names declared in it.
        class_seed: the class's seed declared in it.
        exercises: lesson by lesson, in the lesson's order.
        notes: what was odd about the file, which cells failed.
        losses: those of them that tell of work that may be lost.
        counts: the lessons for which it counts; an older copy counts for none.
        why: sentences on why it counts or does not.
        is_courses: it is the course's own, and nobody's work.
        cells: a short digest of each code cell, which tells the course's own notebooks.
        late: lesson -> how late it was, where it was.
    """

    file: str
    key: str
    lessons: Sequence[str] = ()
    refused: str = ""
    is_beside: bool = False
    fault: str = ""
    learner: str | None = None
    learners: Sequence[str] = ()
    class_seed: str = ""
    exercises: Sequence[Graded] = ()
    notes: Sequence[str] = ()
    losses: Sequence[str] = ()
    counts: Sequence[str] = ()
    why: Sequence[str] = ()
    is_courses: bool = False
    cells: Sequence[str] = ()
    late: Mapping[str, Late] = field(default_factory=dict)

    def of(self, lesson: str) -> list[Graded]:
        """Give the exercises of a lesson."""
        return [exercise for exercise in self.exercises if exercise.lesson == lesson]

    def points_of(self, lesson: str) -> float | None:
        """Give the points for a lesson, None while something could not be graded."""
        return self.kept(lesson, sum_of(self.of(lesson))) if not self.fault else None

    def kept(self, lesson: str, points: float | None) -> float | None:
        """Give what is left of points for a lesson, if the notebook was late."""
        return None if points is None else round(points * self.late.get(lesson, IN_TIME).share, 2)

    def is_empty(self, lesson: str) -> bool:
        """Say whether nothing of a lesson has been answered in it."""
        return all(found.status in ("open", "missing") for found in self.of(lesson))

    @property
    def points(self) -> float | None:
        """The sum of the points, None while something could not be graded."""
        return sum_of(self.exercises) if not self.fault else None

    @property
    def complete(self) -> bool:
        """Whether everything could be graded, so that a later run need not try again."""
        return not self.fault and all(found.status != "not graded" for found in self.exercises)


def sum_of(exercises: Iterable[Graded]) -> float | None:
    """Add points up; None while something could not be graded."""
    return sum_of_points(exercise.points for exercise in exercises)


def sum_of_points(points: Iterable[float | None]) -> float | None:
    """Add points up; None if one is not known.

    Example:
        >>> sum_of_points([1, 0.5]), sum_of_points([1, None])
        (1.5, None)
    """
    total = 0.0
    for one in points:
        if one is None:
            return None
        total += one
    return total
