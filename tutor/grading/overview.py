"""The class side by side: what each learner has, lesson by lesson and exercise by exercise."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tutor.exercises import lessons
from tutor.grading.collecting.file_names import lesson_in
from tutor.grading.collecting.kinds import is_work
from tutor.grading.flags import flags_of
from tutor.grading.results import Graded, GradedNotebook, Late, sum_of
from tutor.grading.students import GradedStudent, Who


@dataclass(frozen=True)
class LearnerRow:
    """One learner in the table of the class.

    Attributes:
        who: the learner.
        points: lesson -> points; None where grading failed, 0 where nothing counts.
        exercises: exercise -> what was found, for all that count.
        flags: sentences for the teacher.
        late: lesson -> how late its notebook was.
        files: lesson -> the file that counts.
        keys: lesson -> digest of all that its result depends on.
        comments: the teacher's, set by hand.
        on_lesson: lesson -> those of them that are about the lesson as a whole.
        is_waiting: something could not be graded, and it is not known of which lesson it is.
        absent: the lessons of which nothing was handed in.
        handed_in: the paths of all files.
    """

    who: Who
    points: dict[str, float | None]
    exercises: dict[str, Graded]
    flags: Sequence[str]
    late: Mapping[str, Late] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)
    comments: Sequence[str] = ()
    on_lesson: Mapping[str, Sequence[str]] = field(default_factory=dict)
    is_waiting: bool = False
    absent: Sequence[str] = ()
    handed_in: Sequence[str] = ()

    @property
    def student(self) -> str:
        """What tells the learner from all others."""
        return self.who.student

    @property
    def total(self) -> float | None:
        """The sum over lessons, None while one is not graded."""
        if self.is_waiting or None in self.points.values():
            return None
        return sum(points for points in self.points.values() if points is not None)

    @property
    def told(self) -> dict[str, float | None]:
        """Points as other systems are told them: none where nothing was handed in."""
        return {name: None if name in self.absent else n for name, n in self.points.items()}

    @property
    def told_total(self) -> float | None:
        """The total as other systems are told it: none for whoever handed in nothing at all."""
        return None if set(self.absent) >= set(self.points) else self.total

    def raw_points(self, lesson: str) -> float | None:
        """Give the points for a lesson before anything is taken off for being late."""
        names = [one.name for one in lessons()[lesson] if one.name in self.exercises]
        found = sum_of([self.exercises[name] for name in names])
        return found if self.points[lesson] is not None else None


@dataclass(frozen=True)
class ClassTable:
    """A class: its learners, and the lessons that are graded.

    Attributes:
        rows: the learners.
        worth: lesson -> its points.
        assignments: lesson -> what another system calls it, where that is another name.
    """

    rows: Sequence[LearnerRow]
    worth: dict[str, int]
    assignments: Mapping[str, str] = field(default_factory=dict)

    @property
    def columns(self) -> list[str]:
        """The lessons by the names that another system has for them."""
        return [self.assignments.get(lesson, lesson) for lesson in self.worth]

    @property
    def max_points(self) -> int:
        """What all lessons together are worth."""
        return sum(self.worth.values())


def class_table(
    students: Sequence[GradedStudent], only: Sequence[str] = (), class_seed: str | None = None
) -> ClassTable:
    """Put a class side by side.

    Args:
        students: all of them.
        only: the lessons asked for; if empty, those that anybody handed in.
        class_seed: the seed that was released, if known.
    """
    handed_in = {lesson for student in students for lesson in student.counting()}
    handed_in |= {_named(one) for student in students for one in student.notebooks if one.fault}
    shown_lessons = [lesson for lesson in lessons() if lesson in (only or handed_in)]
    worth = {
        lesson: sum(exercise.points for exercise in lessons()[lesson]) for lesson in shown_lessons
    }
    flags = flags_of(students, class_seed)
    return ClassTable([_row(one, shown_lessons, flags[one.student]) for one in students], worth)


def _row(student: GradedStudent, shown_lessons: Sequence[str], flags: Sequence[str]) -> LearnerRow:
    return LearnerRow(
        who=student.who,
        points={lesson: _points(student, lesson) for lesson in shown_lessons},
        exercises={
            exercise.name: exercise
            for lesson in shown_lessons
            for exercise in student.exercises(lesson)
        },
        flags=flags,
        late={
            lesson: notebook.late[lesson]
            for lesson, notebook in student.counting().items()
            if lesson in notebook.late
        },
        files={lesson: notebook.file for lesson, notebook in student.counting().items()},
        keys={lesson: notebook.key for lesson, notebook in student.counting().items()},
        comments=_comments(student, shown_lessons),
        on_lesson={lesson: student.comments_on(lesson) for lesson in shown_lessons},
        absent=[lesson for lesson in shown_lessons if _absent(student, lesson)],
        handed_in=[*(one.file for one in student.notebooks), *(one.file for one in student.others)],
        is_waiting=any(one.fault and not _named(one) for one in student.notebooks),
    )


def _comments(student: GradedStudent, shown_lessons: Sequence[str]) -> list[str]:
    """List what the teacher says to this learner; of what is said to all, what is about them."""
    own = [one.comment for one in student.corrections if one.comment and not one.mistake]
    found = [one.comment for lesson in shown_lessons for one in student.exercises(lesson)]
    return list(dict.fromkeys([*own, *filter(None, found)]))


def _named(notebook: GradedNotebook) -> str:
    """Give the lesson that the name of a notebook's file speaks of, or ""."""
    return lesson_in(notebook.file.rpartition("/")[2])


def _points(student: GradedStudent, lesson: str) -> float | None:
    """Give the points for a lesson: 0 if nothing was handed in, None if grading failed."""
    exercises = student.exercises(lesson)
    if exercises and all(one.by_hand for one in exercises):
        return student.points_of(lesson)
    for notebook in student.notebooks:
        if notebook.fault and _named(notebook) in ("", lesson):
            return None
    return student.points_of(lesson)


def _absent(student: GradedStudent, lesson: str) -> bool:
    """Say whether nothing was handed in that is, or may be, of a lesson."""
    lost = [one.file for one in student.notebooks if one.refused and not one.is_beside]
    lost += [one.file for one in student.notebooks if one.fault]
    lost += [other.file for other in student.others if is_work(other.file)]
    may_be = any(lesson_in(file.rpartition("/")[2]) in ("", lesson) for file in lost)
    return lesson not in student.counting() and not may_be
