"""What shows only with the whole class in view: points side by side, names that do not fit."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tutor.checking.seeds import SELF_STUDY, same_name
from tutor.exercises import lessons
from tutor.grading.collecting.file_names import lesson_in
from tutor.grading.collecting.kinds import is_work
from tutor.grading.names import fits, look_alikes, shown, skeleton
from tutor.grading.results import Graded, GradedNotebook, GradedStudent, Late, Other, Who, sum_of
from tutor.say import say


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
    flags = _flags(students, class_seed)
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


def _flags(students: Sequence[GradedStudent], class_seed: str | None) -> dict[str, list[str]]:
    flags: dict[str, list[str]] = {student.student: [] for student in students}
    for name, sentence in look_alikes(flags).items():
        flags[name].append(sentence)
    _flag_declared_names(students, flags)
    _flag_class_seeds(students, class_seed, flags)
    for student in students:
        flags[student.student] += _renamed(student)
        flags[student.student] += _below_grading(student)
        flags[student.student] += student.notes
        flags[student.student] += [
            f"{notebook.file}: {notebook.refused or notebook.fault}"
            for notebook in student.notebooks
            if notebook.fault or (notebook.refused and not notebook.is_beside)
        ]
        flags[student.student] += _about_files(student)
    return {name: list(dict.fromkeys(sentences)) for name, sentences in flags.items()}


def _about_files(student: GradedStudent) -> list[str]:
    """Tell what was handed in and does not count though somebody may think so."""
    counting = student.counting()
    said = [
        f"{notebook.file}: {sentence}"
        for notebook in counting.values()
        if notebook.is_courses
        for sentence in notebook.why
    ]
    said += [
        f"{notebook.file}: {loss}" for notebook in counting.values() for loss in notebook.losses
    ]
    for lesson, counts in counting.items():
        for older in student.notebooks:
            if lesson in older.lessons and older is not counts and not older.is_courses:
                said += _has_more_points(older, counts, lesson)
    work = [other for other in student.others if not counting or _is_lost(other)]
    return said + [f"{other.file}: {other.why}" for other in work[:_MOST_FILES_TOLD]]


def _is_lost(other: Other) -> bool:
    """Say whether a file may be work that nobody graded."""
    return is_work(other.file) and not other.is_harmless


def _has_more_points(older: GradedNotebook, counts: GradedNotebook, lesson: str) -> list[str]:
    more, points = older.points_of(lesson), counts.points_of(lesson)
    if more is None or points is None or more <= points:
        return []
    return [
        say(
            "{older} has {more:g} points and is older than {newer}, which counts with {points:g}.",
            older=older.file,
            more=more,
            newer=counts.file,
            points=points,
        )
    ]


_MOST_FILES_TOLD = 5


def _renamed(student: GradedStudent) -> list[str]:
    """Tell which answers may stand under another name, so that they got no points."""
    return [
        f"{exercise.name}: {exercise.headline} {' '.join(exercise.details)}"
        for lesson in student.counting()
        for exercise in student.exercises(lesson)
        if exercise.status == "missing" and exercise.details
    ]


def _below_grading(student: GradedStudent) -> list[str]:
    """Tell of points set by hand that a better answer has outgrown since."""
    return [
        say(
            "{exercise}: you set fewer points by hand than grading now gives. Is the line in your "
            "table still meant?",
            exercise=name,
        )
        for lesson in student.counting()
        for name in student.below_grading(lesson)
    ]


def _absent(student: GradedStudent, lesson: str) -> bool:
    """Say whether nothing was handed in that is, or may be, of a lesson."""
    lost = [one.file for one in student.notebooks if one.refused and not one.is_beside]
    lost += [one.file for one in student.notebooks if one.fault]
    lost += [other.file for other in student.others if is_work(other.file)]
    may_be = any(lesson_in(file.rpartition("/")[2]) in ("", lesson) for file in lost)
    return lesson not in student.counting() and not may_be


def _flag_declared_names(students: Iterable[GradedStudent], flags: dict[str, list[str]]) -> None:
    users: dict[str, list[str]] = defaultdict(list)
    for student in students:
        names = declared_names(student)
        if len(names) > 1:
            flags[student.student].append(
                say(
                    "{count} names are declared in this learner's notebooks: {names}. Are they of "
                    "one person?",
                    count=len(names),
                    names=", ".join(map(shown, names)),
                )
            )
        if not names and any(one.file for one in student.counting().values()):
            flags[student.student].append("No name is declared in the notebook.")
        for name in names:
            users[skeleton(name)].append(student.student)
            if not _may_be(name, student.who):
                sentence = "The declared name {name} does not fit."
                flags[student.student].append(say(sentence, name=shown(name)))
    for owners in users.values():
        for owner in set(owners):
            others = ", ".join(shown(other) for other in sorted(set(owners) - {owner}))
            if others:
                sentence = "The declared name is also that of {others}."
                flags[owner].append(say(sentence, others=others))


def declared_names(student: GradedStudent) -> list[str]:
    """List the names that a learner's notebooks declare, each once."""
    declared = (name for one in student.notebooks for name in one.learners)
    names = {same_name(name): name for name in declared}
    return [name for form, name in names.items() if form not in ("", SELF_STUDY)]


def _may_be(declared: str, who: Who) -> bool:
    known = f"{who.name} {who.student} {who.login} {who.email.partition('@')[0]}"
    return not who.is_named or fits(declared, known)


def odd_seeds(students: Sequence[GradedStudent], class_seed: str | None) -> list[str]:
    """List learners with a notebook whose class seed is not the given or else the usual one."""
    expected = usual_seed(students) if class_seed is None else class_seed
    return [
        student.student
        for student in students
        if any(one.class_seed != expected for one in student.counting().values() if one.file)
    ]


def usual_seed(students: Iterable[GradedStudent]) -> str:
    """Give the class seed that most notebooks declare."""
    declared = sorted(
        (student.student, notebook.class_seed)
        for student in students
        for notebook in student.counting().values()
        if notebook.file
    )
    usual = Counter(seed for _, seed in declared).most_common(1)
    return usual[0][0] if usual else ""


def _flag_class_seeds(
    students: Sequence[GradedStudent], class_seed: str | None, flags: dict[str, list[str]]
) -> None:
    for student in odd_seeds(students, class_seed):
        flags[student].append("The class seed in the notebook is not that of the class.")
