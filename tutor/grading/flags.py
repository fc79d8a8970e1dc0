"""What a teacher is to look at: names that do not fit, work that may be lost, odd seeds."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from tutor.checking.seeds import SELF_STUDY, same_name
from tutor.grading.collecting.kinds import is_work
from tutor.grading.names import fits, look_alikes, shown, skeleton
from tutor.grading.results import GradedNotebook
from tutor.grading.students import GradedStudent, Other, Who
from tutor.say import say

_MOST_FILES_TOLD = 5


def flags_of(
    students: Sequence[GradedStudent], class_seed: str | None = None
) -> dict[str, list[str]]:
    """List for each learner the sentences for the teacher, each once.

    Args:
        students: all of them.
        class_seed: the seed that was released, if known.
    """
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
            flags[student.student].append(say("No name is declared in the notebook."))
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
        flags[student].append(say("The class seed in the notebook is not that of the class."))
