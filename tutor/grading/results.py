"""What grading found, as plain data: the files in ``OUT/results`` and everything made of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from tutor.checking.exercise import Exercise
from tutor.checking.verdict import Comparison, Verdict
from tutor.say import say

Status = Literal["right", "wrong", "open", "missing", "not graded"]
LONGEST_SENTENCE = 400


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


@dataclass(frozen=True)
class Who:
    """One learner, as results name them.

    Attributes:
        student: tells the learner from all others, and names files.
        name: shown to people.
        id: the number that the platform has given, or "".
        login, email, group: what is known, or "".
        platform: whose names the files have, or "".
        folder: what the platform calls the learner's folder or file, without what follows.
        is_named: the name is a person's; False where a platform or a file hides it.
        is_listed: the learner is on the list of the class, or there is no list.
        number: the institution's number for the learner, or "".
        known_as: other platform, or kind of login -> number or login there, as the list has it.
    """

    student: str
    name: str
    id: str = ""
    login: str = ""
    email: str = ""
    group: str = ""
    platform: str = ""
    folder: str = ""
    is_named: bool = True
    is_listed: bool = True
    number: str = ""
    known_as: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Other:
    """A file that was handed in and is not graded.

    Attributes:
        file: its name.
        why: the sentence that says why.
        is_harmless: whether no work was lost by it: it lies beside the notebooks, which can import
            it, or is a learner's own model.
    """

    file: str
    why: str
    is_harmless: bool = False


@dataclass(frozen=True)
class Correction:
    """What a teacher has set by hand for one learner.

    Attributes:
        about: an exercise, a lesson, or "" for everything.
        points: of an exercise; None leaves them.
        comment: shown to the learner.
        mistake: the correction is for whoever made it, and for nobody else; "" is for one learner.
    """

    about: str
    points: float | None = None
    comment: str = ""
    mistake: str = ""

    def is_for(self, exercise: Graded) -> bool:
        """Say whether it speaks of what was found for an exercise."""
        return self.about == exercise.name and self.mistake in ("", exercise.mistake)


@dataclass(frozen=True)
class GradedStudent:
    """Everything a learner handed in.

    Attributes:
        who: the learner.
        notebooks: those that count first.
        notes: what was odd about the whole.
        others: files that are no notebooks.
        corrections: what a teacher has set by hand.
    """

    who: Who
    notebooks: Sequence[GradedNotebook] = ()
    notes: Sequence[str] = ()
    others: Sequence[Other] = ()
    corrections: Sequence[Correction] = ()

    @property
    def student(self) -> str:
        """What tells the learner from all others."""
        return self.who.student

    def counting(self) -> dict[str, GradedNotebook]:
        """Give the notebook that counts for each lesson."""
        return {lesson: notebook for notebook in self.notebooks for lesson in notebook.counts}

    def exercises(self, lesson: str) -> list[Graded]:
        """Give a lesson's exercises as they count.

        One that is not in the notebook that counts is taken from another that has it.
        """
        counting = self.counting().get(lesson)
        if counting is None:
            return []
        others = [one for one in self.notebooks if one is not counting and not one.is_courses]
        found = [_found_in(others, exercise) for exercise in counting.of(lesson)]
        return [corrected(one, self._correction_for(one)) for one in found]

    def _correction_for(self, exercise: Graded) -> Correction | None:
        """Put together what is set by hand: what is meant for this learner, else what for all."""
        fitting = [one for one in self.corrections if one.is_for(exercise)]
        if not fitting:
            return None
        fitting.sort(key=lambda one: one.mistake != "")
        points = next((one.points for one in fitting if one.points is not None), None)
        comment = next((one.comment for one in fitting if one.comment), "")
        return Correction(exercise.name, points, comment)

    def below_grading(self, lesson: str) -> list[str]:
        """Name a lesson's exercises for which less is set by hand than grading now gives."""
        bare = replace(self, corrections=())
        pairs = zip(bare.exercises(lesson), self.exercises(lesson))
        return [
            by_hand.name
            for graded, by_hand in pairs
            if by_hand.by_hand and _is_below(by_hand, graded)
        ]

    def points_of(self, lesson: str) -> float | None:
        """Give the points for a lesson; None while something could not be graded."""
        counting = self.counting().get(lesson)
        return counting.kept(lesson, sum_of(self.exercises(lesson))) if counting else 0.0

    def comments_on(self, about: str) -> list[str]:
        """List the teacher's comments on a lesson, or with "" on everything."""
        return [one.comment for one in self.corrections if one.about == about and one.comment]


def _found_in(others: Sequence[GradedNotebook], missing: Graded) -> Graded:
    if missing.status != "missing":
        return missing
    for notebook in others:
        for exercise in notebook.exercises:
            if exercise.name == missing.name and exercise.status in ("right", "wrong"):
                note = say("It stands in another notebook: {file}.", file=notebook.file)
                return replace(exercise, notes=[note, *exercise.notes])
    return missing


def _is_below(by_hand: Graded, found: Graded) -> bool:
    """Say whether a teacher's points are fewer than grading gives."""
    if by_hand.points is None or found.points is None:
        return False
    return by_hand.points < found.points


def corrected(found: Graded, correction: Correction | None) -> Graded:
    """Give an exercise with what a teacher has set by hand."""
    if correction is None:
        return found
    found = replace(found, comment=correction.comment)
    if correction.points is None:
        return found
    before = "–" if found.points is None else f"{found.points:g}"
    said = say("Points set by hand; grading gave {before}.", before=before)
    if found.points is not None and correction.points < found.points:
        said = say("Points set by hand; grading now gives more: {before}.", before=before)
    found = replace(found, points=correction.points, by_hand=said)
    if correction.points < found.max_points:
        return replace(found, status="wrong")
    return replace(found, status="right", mistake=None, title="", hint="")


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


def graded(verdict: Verdict, cell: int | None, answer: str = "") -> Graded:
    """Keep of a verdict what a learner may see: nothing of the hidden inputs."""
    return Graded(
        name=verdict.exercise,
        status=verdict.status,
        points=float(verdict.points),
        max_points=verdict.max_points,
        cell=cell,
        headline=_short(verdict.headline),
        details=[_short(line) for line in (*verdict.details, *_arguments(verdict))],
        mistake=verdict.mistake,
        title=verdict.title,
        hint=verdict.hint,
        comparison=_rows(verdict.comparison),
        notes=[_short(note) for note in verdict.notes[:6]],
        answer=answer,
    )


def unjudged(exercise: Exercise, status: Status, headline: str, why: str = "") -> Graded:
    """Keep what is said of an exercise that has no verdict: no points, or none yet."""
    points = None if status == "not graded" else 0.0
    details = [_short(f"{why[0].upper()}{why[1:]}")] if why else []
    return Graded(exercise.name, status, points, exercise.points, None, headline, details)


def _arguments(verdict: Verdict) -> list[str]:
    """Give the sentence on the arguments, if it shows shapes alone."""
    called = verdict.arguments
    return [] if called is None or called.shows_values else [called.sentence]


def _rows(comparison: Comparison | None) -> dict[str, Any] | None:
    """Keep the two rows of numbers and leave out the maps."""
    if comparison is None:
        return None
    return {
        "part": comparison.part,
        "index": list(comparison.index),
        "expected": [_number(value) for value in comparison.expected],
        "given": [_number(value) for value in comparison.given],
    }


def _number(value: float) -> float:
    """Round as far as a report shows, so that two machines write the same."""
    return float(f"{value:.6g}") if isinstance(value, float) else value


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_SENTENCE else text[: LONGEST_SENTENCE - 1] + "…"


def as_verdict(exercise: Graded) -> Verdict:
    """Give back a verdict, for the reports that show one."""
    comparison = None
    if exercise.comparison is not None:
        comparison = Comparison(
            exercise.comparison["part"],
            tuple(exercise.comparison["index"]),
            exercise.comparison["expected"],
            exercise.comparison["given"],
        )
    status = exercise.status if exercise.status in ("right", "wrong") else "open"
    return Verdict(
        exercise=exercise.name,
        status=status,
        points=exercise.points or 0.0,
        max_points=exercise.max_points,
        headline=exercise.headline,
        details=tuple(exercise.details),
        mistake=exercise.mistake,
        title=exercise.title,
        hint=exercise.hint,
        comparison=comparison,
        notes=tuple(exercise.notes),
    )


def to_data(result: GradedNotebook | GradedStudent) -> dict[str, Any]:
    """Give a result as plain data."""
    return asdict(result)


def notebook_of(data: Mapping[str, Any]) -> GradedNotebook:
    """Read a notebook's result.

    Raises:
        TypeError, KeyError: the data were not written by ``to_data`` of this version.
    """
    whole = GradedNotebook(**data)
    exercises = [Graded(**exercise) for exercise in data["exercises"]]
    late = {lesson: Late(**one) for lesson, one in data["late"].items()}
    return replace(whole, exercises=exercises, late=late)


def student_of(data: Mapping[str, Any]) -> GradedStudent:
    """Read a learner's result; raises as ``notebook_of`` does."""
    notebooks = [notebook_of(notebook) for notebook in data["notebooks"]]
    others = [Other(**other) for other in data["others"]]
    corrections = [Correction(**one) for one in data["corrections"]]
    return GradedStudent(Who(**data["who"]), notebooks, data["notes"], others, corrections)
