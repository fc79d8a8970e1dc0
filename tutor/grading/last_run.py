"""What a run leaves for the next: the class's points, and what each of them rests on."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tutor.grading.overview import ClassTable, LearnerRow
from tutor.grading.results import IN_TIME
from tutor.grading.store import parts_of, read_json, version

FILE = "last_run.json"


@dataclass(frozen=True)
class Counted:
    """What counted for a lesson.

    Attributes:
        points: None where nothing was handed in, or grading failed.
        is_absent: nothing was handed in.
        file: the notebook that counted, or "".
        handed_in: digest of it and of what lay beside it.
        graded_by: digest of everything else that its result depends on.
        share: of the points, what was left of them after the days that it was late.
        exercises: exercise -> points, None where grading failed.
        by_hand: the exercises whose points a teacher has set.
    """

    points: float | None = None
    is_absent: bool = False
    file: str = ""
    handed_in: str = ""
    graded_by: str = ""
    share: float = 1.0
    exercises: Mapping[str, float | None] = field(default_factory=dict)
    by_hand: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Learner:
    """One learner's points.

    Attributes:
        who: the name, and whatever else is known of the learner.
        points: for all lessons together.
        lessons: lesson -> what counted.
    """

    who: list[str]
    points: float | None
    lessons: Mapping[str, Counted]


@dataclass(frozen=True)
class Remembered:
    """A class's points.

    Attributes:
        version: digest of the course and of torch.
        learners: by what tells them apart.
    """

    version: str
    learners: Mapping[str, Learner]

    def known_in(self, later: "Remembered") -> dict[str, Learner]:
        """Give the learners by what tells them apart in another run.

        Whoever handed in nothing may have been named by a login, and is by the platform's words
        later; such a learner is known by a number, a login or an address.
        """
        new = {
            tuple(learner.who): student
            for student, learner in later.learners.items()
            if student not in self.learners and any(learner.who[1:])
        }
        return {
            student if student in later.learners else new.get(tuple(learner.who), student): learner
            for student, learner in self.learners.items()
        }

    def as_data(self) -> dict[str, Any]:
        """Give it as plain data."""
        return asdict(self)


def remembered(table: ClassTable) -> Remembered:
    """Take from a class's table what the next run is to know."""
    return Remembered(
        version(),
        {
            row.student: Learner(
                [row.who.name, row.who.login, row.who.id, row.who.email, row.who.number],
                row.told_total,
                {name: _counted(row, name) for name in table.worth},
            )
            for row in table.rows
        },
    )


def _counted(row: LearnerRow, lesson: str) -> Counted:
    exercises = [one for one in row.exercises.values() if one.lesson == lesson]
    handed_in, graded_by = parts_of(row.keys.get(lesson, ""))
    return Counted(
        row.told[lesson],
        lesson in row.absent,
        row.files.get(lesson, ""),
        handed_in,
        graded_by,
        row.late.get(lesson, IN_TIME).share,
        {one.name: one.points for one in exercises},
        [one.name for one in exercises if one.by_hand],
    )


def read_last_run(path: Path) -> Remembered | None:
    """Read what the last run has left; None if it has left nothing that can be read."""
    try:
        data = read_json(path)
        learners = {student: _learner(one) for student, one in data["learners"].items()}
        return Remembered(data["version"], learners)
    except (TypeError, KeyError, AttributeError):
        return None


def _learner(data: Mapping[str, Any]) -> Learner:
    lessons = {name: Counted(**one) for name, one in data["lessons"].items()}
    return Learner(data["who"], data["points"], lessons)
