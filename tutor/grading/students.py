"""Everything a learner handed in, as it counts, with what a teacher has set by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tutor.grading.results import Graded, GradedNotebook, sum_of
from tutor.say import say


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
