"""The teacher's own table: points and comments set by hand, and more time for somebody."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tutor.checking.exercise import Exercise
from tutor.checking.seeds import same_name
from tutor.exercises import lesson_called, lessons
from tutor.grading.collecting.tables import read_table
from tutor.grading.collecting.times import MACHINE, Clock, moment
from tutor.grading.results import Graded, GradedNotebook
from tutor.grading.students import Correction, Who
from tutor.grading.verdicts import unjudged
from tutor.say import say

COLUMNS = ("student", "exercise", "points", "comment", "due", "mistake")


class CorrectionError(ValueError):
    """A table of corrections that cannot be used; the message has a sentence for each line."""


@dataclass(frozen=True)
class Line:
    """One line of the table.

    Attributes:
        number: of the line, counted from 1.
        student: as it is written there; "" for all who made a mistake.
        correction: what is set.
        due: until when the learner has time for the lesson, in seconds since 1970, or None.
    """

    number: int
    student: str
    correction: Correction
    due: float | None = None


class Corrections:
    """What is set by hand, learner by learner.

    Args:
        lines: of the table.
        people: everybody in the class.

    Attributes:
        has_times: somebody has more time.

    Raises:
        CorrectionError: a line speaks of nobody, or of several people, or two set the same.
    """

    def __init__(self, lines: Sequence[Line] = (), people: Iterable[Who] = ()) -> None:
        self._of: dict[str, list[Line]] = defaultdict(list)
        self.has_times = any(line.due is not None for line in lines)
        for_all = [line for line in lines if line.correction.mistake]
        self._for_all = [line.correction for line in for_all]
        named = _by_name(people)
        wrong = [*_set_twice(for_all)]
        for line in lines:
            if line.correction.mistake:
                continue
            fitting = named.get(same_name(line.student), [])
            if len(fitting) == 1:
                self._of[fitting[0]].append(line)
            else:
                wrong.append(_about_nobody(line, len(fitting)))
        wrong += [said for lines in self._of.values() for said in _set_twice(lines)]
        if wrong:
            raise CorrectionError("\n".join(wrong))

    def of(self, student: str) -> list[Correction]:
        """Give the points and comments for a learner, together for each exercise or lesson."""
        joined: dict[str, Correction] = {}
        for line in self._of.get(student, []):
            new, old = line.correction, joined.get(line.correction.about, line.correction)
            points = old.points if new.points is None else new.points
            joined[new.about] = Correction(new.about, points, new.comment or old.comment)
        own = [one for one in joined.values() if one.points is not None or one.comment]
        return [*own, *self._for_all]

    def due(self, student: str) -> dict[str, float]:
        """Give until when a learner has time: lesson, or "" for all, to the moment."""
        lines = self._of.get(student, [])
        return {line.correction.about: line.due for line in lines if line.due is not None}


def _set_twice(lines: Iterable[Line]) -> Iterator[str]:
    """Say of which two lines for one learner each sets the same to something else."""
    first: dict[tuple[str, str], tuple[int, object]] = {}
    for line in lines:
        one = line.correction
        values = {"points": one.points, "comment": one.comment or None, "due": line.due}
        for column, value in values.items():
            about = f"{one.about} {one.mistake}"
            number, known = first.setdefault((about, column), (line.number, value))
            if known is None:
                first[about, column] = line.number, value
            elif value not in (None, known):
                sentence = (
                    "Lines {first} and {second} set different {column} for {student}: {about}."
                )
                gaps = {"first": number, "second": line.number, "column": column}
                yield say(
                    sentence, **gaps, student=line.student or one.mistake, about=one.about or "-"
                )


def _by_name(people: Iterable[Who]) -> Mapping[str, list[str]]:
    """List for each name, login, number and address the learners it may mean."""
    exact: dict[str, list[str]] = {}
    known: dict[str, dict[str, None]] = defaultdict(dict)
    for who in people:
        exact[same_name(who.student)] = [who.student]
        for word in filter(None, (who.name, who.login, who.id, who.email)):
            known[same_name(word)][who.student] = None
    return {word: [*students] for word, students in known.items()} | exact


def _about_nobody(line: Line, count: int) -> str:
    gaps = {"line": line.number, "student": line.student, "count": count}
    if count:
        return say("Line {line}: {count} learners are called {student}.", **gaps)
    return say("Line {line}: nobody in the class is called {student}.", **gaps)


def read_corrections(path: Path, clock: Clock = MACHINE) -> list[Line]:
    """Read the table, whose columns are ``COLUMNS``; all but the first may be left out.

    A line with a mistake and no student is for all who made it.

    Raises:
        CorrectionError: a line cannot be understood.
        UnreadableError: the file cannot be read.
    """
    head, *rows = read_table(path) or [[]]
    columns = [same_name(cell) for cell in head]
    if "student" not in columns:
        raise CorrectionError(
            say("{path} must begin with a line {columns}.", path=path, columns=",".join(COLUMNS))
        )
    lines, wrong = [], []
    for number, row in enumerate(rows, start=2):
        cells = dict(zip(columns, row))
        try:
            lines += [_line(number, cells, clock)] if any(row) else []
        except CorrectionError as why:
            wrong.append(say("Line {line}: {why}", line=number, why=why))
    if wrong:
        raise CorrectionError("\n".join(wrong))
    return lines


def _line(number: int, cells: Mapping[str, str], clock: Clock) -> Line:
    about, exercise = _about(cells.get("exercise", ""))
    points = _points(cells.get("points", ""), exercise)
    until = cells.get("due", "")
    due = moment(until, end_of_day=True, clock=clock)
    if until and (due is None or exercise):
        sentence = "{due} is no time for a lesson; write it like 2026-03-01 18:00."
        raise CorrectionError(say(sentence, due=until))
    student = cells.get("student", "").removeprefix("'")
    mistake = _mistake(cells.get("mistake", ""), student, exercise)
    correction = Correction(about, points, cells.get("comment", ""), mistake)
    return Line(number, student, correction, due)


def _mistake(text: str, student: str, exercise: Exercise | None) -> str:
    """Read for whose mistake a line is."""
    if not text:
        return ""
    if student or exercise is None:
        sentence = "a line for all who made {mistake} names its exercise and no student."
        raise CorrectionError(say(sentence, mistake=text))
    if text not in [one.id for one in exercise.mistakes]:
        sentence = "{exercise} has no mistake {mistake}; mistakes.csv has their names."
        raise CorrectionError(say(sentence, exercise=exercise.name, mistake=text))
    return text


def _about(text: str) -> tuple[str, Exercise | None]:
    """Find what a line is about: an exercise, a lesson by name or number, or all."""
    known = {one.name: one for exercises in lessons().values() for one in exercises}
    if text in known:
        return text, known[text]
    lesson = lesson_called(text)
    if text and not lesson:
        raise CorrectionError(say("there is no exercise and no lesson {text}.", text=text))
    return lesson, None


def _points(text: str, exercise: Exercise | None) -> float | None:
    if not text:
        return None
    if exercise is None:
        raise CorrectionError(say("points are set for one exercise; name it."))
    try:
        points = float(text.replace(",", "."))
    except ValueError:
        points = -1.0
    if not 0 <= points <= exercise.points:
        gaps = {"name": exercise.name, "most": exercise.points, "points": text}
        raise CorrectionError(say("{name} can have 0 to {most} points, not {points}.", **gaps))
    return points


def for_want_of_a_notebook(
    corrections: Iterable[Correction],
    notebooks: Iterable[GradedNotebook],
    only: Sequence[str] = (),
) -> list[GradedNotebook]:
    """Give what points set by hand are put down in where no notebook of a lesson counts.

    Args:
        corrections: of one learner.
        notebooks: the learner's.
        only: the lessons that are graded; empty means all.
    """
    counted = {lesson for notebook in notebooks for lesson in notebook.counts}
    set_by_hand = {one.about for one in corrections if one.points is not None and not one.mistake}
    return [
        GradedNotebook(
            "",
            "",
            lessons=[lesson],
            exercises=[_missing(exercise, lesson) for exercise in exercises],
            counts=[lesson],
        )
        for lesson, exercises in lessons().items()
        if lesson in (only or lessons())
        and lesson not in counted
        and not set_by_hand.isdisjoint(one.name for one in exercises)
    ]


def _missing(exercise: Exercise, lesson: str) -> Graded:
    headline = say("No notebook of this lesson was graded.")
    return replace(unjudged(exercise, "missing", headline), lesson=lesson)
