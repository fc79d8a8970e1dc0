"""What a run has changed: whose points are others than after the last run, and why."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby
from urllib.parse import quote

from tutor.grading.feedback import document
from tutor.grading.last_run import Counted, Learner, Remembered
from tutor.grading.names import file_names, shown
from tutor.say import say, say_count

FILE = "changed.html"
_STYLE = "<style>p { margin: 4px 0; } .exercise { margin-left: 1.5rem; }</style>"


@dataclass(frozen=True)
class Change:
    """One learner's points for one thing, which are others than before.

    Attributes:
        student: tells the learner from all others.
        name: shown to people.
        about: an exercise, a lesson, or "" for all of them.
        before, now: the points; None where there are none.
        why: sentences that say what has changed them; none for a sum.
        is_exercise: it is a part of the lesson before it.
    """

    student: str
    name: str
    about: str
    before: float | None
    now: float | None
    why: tuple[str, ...] = ()
    is_exercise: bool = False


def changes(before: Remembered, now: Remembered) -> list[Change]:
    """List whose points differ between two runs, learner by learner.

    Example:
        >>> old = Remembered("1", {"ada": Learner(["Ada"], 3, {"04": Counted(3, file="a.ipynb")})})
        >>> new = Remembered("1", {"ada": Learner(["Ada"], 3, {"04": Counted(2, file="b.ipynb")})})
        >>> [(one.about, one.before, one.now, *one.why) for one in changes(old, new)]
        [('04', 3, 2, 'Another notebook counts: b.ipynb.')]
    """
    found: list[Change] = []
    then = before.known_in(now)
    for student in sorted({*then, *now.learners}):
        pair = then.get(student), now.learners.get(student)
        found += _Comparison(student, *pair, before.version != now.version).changes()
    return found


class _Comparison:
    """One learner in two runs.

    Args:
        student: tells the learner from all others.
        was, now: the learner then and now; None for not in the class.
        is_other_version: the course has changed between them.
    """

    def __init__(
        self, student: str, was: Learner | None, now: Learner | None, is_other_version: bool
    ) -> None:
        self._student, self._is_other_version = student, is_other_version
        self._was, self._now = was or Learner([], None, {}), now or Learner([], None, {})
        self._is_new, self._is_gone = was is None, now is None

    def changes(self) -> Iterator[Change]:
        """List the sum, where there are several lessons, then each lesson and its exercises."""
        was, now = self._was, self._now
        lessons = dict.fromkeys([*now.lessons, *was.lessons])
        if len(lessons) > 1:
            yield from self._change("", was.points, now.points)
        for lesson in lessons:
            yield from self._lesson(lesson, was.lessons.get(lesson), now.lessons.get(lesson))

    def _change(
        self,
        about: str,
        before: float | None,
        now: float | None,
        why: Iterable[str] = (),
        is_exercise: bool = False,
    ) -> Iterator[Change]:
        if before != now:
            name = (self._now.who or self._was.who)[0]
            reasons = tuple(dict.fromkeys(why))
            yield Change(self._student, name, about, before, now, reasons, is_exercise)

    def _lesson(self, lesson: str, was: Counted | None, now: Counted | None) -> Iterator[Change]:
        before, after = was or Counted(), now or Counted()
        if why := self._why_there(was, now):
            yield from self._change(lesson, before.points, after.points, [why])
            return
        changed = [
            change
            for name in dict.fromkeys([*after.exercises, *before.exercises])
            for change in self._exercise(name, before, after)
        ]
        why_all = [*_why_late(before, after), *_why_handed_in(before, after)]
        why_all += [sentence for change in changed for sentence in change.why]
        yield from self._change(lesson, before.points, after.points, why_all)
        yield from changed

    def _why_there(self, was: Counted | None, now: Counted | None) -> str:
        """Say why a lesson has points in one of the runs alone, or ""."""
        if self._is_new:
            return say("The learner is new in the class.")
        if self._is_gone:
            return say("The learner is no longer in the class.")
        if was is None:
            return say("The last run did not grade this lesson.")
        if now is None:
            return say("This run did not grade this lesson.")
        return _why_whole(was, now)

    def _exercise(self, name: str, was: Counted, now: Counted) -> Iterator[Change]:
        before, after = was.exercises.get(name), now.exercises.get(name)
        if name in was.by_hand or name in now.by_hand:
            why = [_why_by_hand(name in was.by_hand, name in now.by_hand)]
        else:
            why = [*_why_graded(before, after), *_why_handed_in(was, now)]
            why += self._why_otherwise(was, now)
        why = why or [say("It stands in another of the learner's notebooks than before.")]
        yield from self._change(name, before, after, why, is_exercise=True)

    def _why_otherwise(self, was: Counted, now: Counted) -> Iterator[str]:
        if was.graded_by == now.graded_by:
            return
        if self._is_other_version:
            yield say("It was graded anew, since this is another version of the course.")
        elif was.handed_in == now.handed_in:
            yield say("It was graded anew, with another seed or for other lessons.")


def _why_whole(was: Counted, now: Counted) -> str:
    """Say why there are exercises to compare in one of the runs alone, or ""."""
    if was.is_absent and not now.is_absent:
        return say("It was handed in since the last run.")
    if now.is_absent and not was.is_absent:
        return say("It is no longer among what was handed in.")
    if bool(was.exercises) == bool(now.exercises):
        return ""
    if was.points is None or now.points is None:
        return " ".join(_why_graded(was.points, now.points))
    if now.exercises:
        return say("Before there was no notebook that could be read.")
    return say("Now there is no notebook that can be read.")


def _why_by_hand(was: bool, now: bool) -> str:
    if was and now:
        return say("You set other points by hand than before.")
    if now:
        return say("You set the points by hand.")
    return say("The points are no longer set by hand.")


def _why_graded(before: float | None, now: float | None) -> Iterator[str]:
    if before is None:
        yield say("It could not be graded before.")
    if now is None:
        yield say("It could not be graded this time.")


def _why_handed_in(was: Counted, now: Counted) -> Iterator[str]:
    if was.file != now.file:
        yield say("Another notebook counts: {file}.", file=now.file or "–")
    elif was.handed_in != now.handed_in:
        yield say("The notebook was handed in anew.")


def _why_late(was: Counted, now: Counted) -> Iterator[str]:
    before, after = (round(100 * (1 - one.share)) for one in (was, now))
    if before != after:
        yield say(
            "For being late {before}% were taken off, and now {now}%.", before=before, now=after
        )


def changed_page(found: list[Change], students: list[str]) -> str:
    """Write ``changed.html``: whose points are others than after the last run, which, and why.

    Args:
        found: what has changed.
        students: whoever has a page.
    """
    count = len({one.student for one in found})
    heading = say_count(
        "Changed since the last run: {count} learner",
        "Changed since the last run: {count} learners",
        count,
    )
    pages = file_names(students)
    parts = [_STYLE, f"<h1>{escape(heading)}</h1>"]
    for student, of_learner in groupby(found, key=lambda one: one.student):
        parts.append(_section([*of_learner], pages.get(student)))
    return document(say("Changed since the last run"), "\n".join(parts))


def _section(found: list[Change], page: str | None) -> str:
    """Show one learner's changes; what an exercise has in common with its lesson is said once."""
    name = escape(shown(found[0].name))
    if page is not None:
        name = f"<a href='{quote(f'feedback/{page}.html')}'>{name}</a>"
    lines, said = [f"<h2>{name}</h2>"], set[str]()
    for one in found:
        points = " → ".join("–" if n is None else f"{n:g}" for n in (one.before, one.now))
        why = [sentence for sentence in one.why if sentence not in said]
        said = said | {*why} if one.is_exercise else {*why}
        about = f"<b>{escape(one.about or say('all lessons'))}</b>"
        start = "<p class='exercise'>" if one.is_exercise else "<p>"
        lines.append(f"{start}{about} {points}<br>{escape(shown(' '.join(why)))}</p>")
    return f"<section>{''.join(lines)}</section>"
