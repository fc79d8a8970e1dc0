"""What shows only with the whole class in view: points side by side, names that do not fit."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tutor.checking.seeds import SELF_STUDY
from tutor.exercises import lessons
from tutor.grading.names import fits, look_alikes, shown
from tutor.grading.results import Graded, GradedNotebook, GradedStudent


@dataclass(frozen=True)
class Row:
    """One learner in the table of the class.

    Attributes:
        student: the name of the folder.
        points: lesson -> points; None where grading failed, 0 where nothing counts.
        exercises: exercise -> what was found, for all that count.
        flags: sentences for the teacher.
    """

    student: str
    points: dict[str, float | None]
    exercises: dict[str, Graded]
    flags: Sequence[str]

    @property
    def total(self) -> float | None:
        """The sum over lessons, None while one is not graded."""
        known = [points for points in self.points.values() if points is not None]
        return sum(known) if len(known) == len(self.points) else None


@dataclass(frozen=True)
class ClassTable:
    """A class: its learners, and the lessons that are graded, with what each is worth."""

    rows: Sequence[Row]
    worth: dict[str, int]

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
    shown_lessons = [lesson for lesson in lessons() if lesson in (only or handed_in)]
    worth = {
        lesson: sum(exercise.points for exercise in lessons()[lesson]) for lesson in shown_lessons
    }
    flags = _flags(students, class_seed)
    return ClassTable([_row(one, shown_lessons, flags[one.student]) for one in students], worth)


def _row(student: GradedStudent, shown_lessons: Sequence[str], flags: Sequence[str]) -> Row:
    counting = student.counting()
    nothing = None if any(notebook.fault for notebook in student.notebooks) else 0.0
    return Row(
        student=student.student,
        points={
            lesson: counting[lesson].points if lesson in counting else nothing
            for lesson in shown_lessons
        },
        exercises={
            exercise.name: exercise
            for lesson in shown_lessons
            if lesson in counting
            for exercise in counting[lesson].exercises
        },
        flags=flags,
    )


def _flags(students: Sequence[GradedStudent], class_seed: str | None) -> dict[str, list[str]]:
    flags: dict[str, list[str]] = {student.student: [] for student in students}
    for name, sentence in look_alikes(flags).items():
        flags[name].append(sentence)
    _flag_declared_names(students, flags)
    _flag_class_seeds(students, class_seed, flags)
    for student in students:
        flags[student.student] += _renamed(student.counting().values())
        flags[student.student] += student.notes
        flags[student.student] += [
            f"{notebook.file}: {notebook.refused or notebook.fault}"
            for notebook in student.notebooks
            if notebook.fault or (notebook.refused and not notebook.is_beside)
        ]
    return {name: list(dict.fromkeys(sentences)) for name, sentences in flags.items()}


def _renamed(notebooks: Iterable[GradedNotebook]) -> list[str]:
    """Tell which answers may stand under another name, so that they got no points."""
    return [
        f"{exercise.name}: no answer was found. {' '.join(exercise.details)}"
        for notebook in notebooks
        for exercise in notebook.exercises
        if exercise.status == "missing" and exercise.details
    ]


def _flag_declared_names(students: Iterable[GradedStudent], flags: dict[str, list[str]]) -> None:
    users: dict[str, list[str]] = defaultdict(list)
    for student in students:
        for declared in dict.fromkeys(one.learner for one in student.counting().values()):
            if declared in (None, "", SELF_STUDY):
                flags[student.student].append("No name is declared in the notebook.")
                continue
            users[str(declared).casefold()].append(student.student)
            if not fits(str(declared), student.student):
                sentence = f"The declared name {shown(str(declared))} does not fit."
                flags[student.student].append(sentence)
    for owners in users.values():
        for owner in set(owners):
            others = ", ".join(shown(other) for other in sorted(set(owners) - {owner}))
            if others:
                flags[owner].append(f"The declared name is also that of {others}.")


def odd_seeds(students: Sequence[GradedStudent], class_seed: str | None) -> list[str]:
    """List learners with a notebook whose class seed is not the given or else the usual one."""
    expected = usual_seed(students) if class_seed is None else class_seed
    return [
        student.student
        for student in students
        if any(notebook.class_seed != expected for notebook in student.counting().values())
    ]


def usual_seed(students: Iterable[GradedStudent]) -> str:
    """Give the class seed that most notebooks declare."""
    declared = sorted(
        (student.student, notebook.class_seed)
        for student in students
        for notebook in student.counting().values()
    )
    usual = Counter(seed for _, seed in declared).most_common(1)
    return usual[0][0] if usual else ""


def _flag_class_seeds(
    students: Sequence[GradedStudent], class_seed: str | None, flags: dict[str, list[str]]
) -> None:
    for student in odd_seeds(students, class_seed):
        flags[student].append("The class seed in the notebook is not that of the class.")
