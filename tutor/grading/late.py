"""How late a notebook was, and what is taken off for it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from tutor.exercises import lessons
from tutor.grading.collecting.times import MACHINE, Clock, moment
from tutor.grading.results import Late
from tutor.say import say, say_count

DAY, HOUR = 86_400, 3_600  # seconds; a day of the clock can be an hour longer or shorter


@dataclass(frozen=True)
class Deadlines:
    """When notebooks are due, and the rule for those that come later.

    Attributes:
        due: lesson, or "" for all others, to the moment in seconds since 1970.
        grace: seconds after that which are nobody's fault.
        per_day: the share of the points that each day begun costs.
        clock: the class's; its days are counted.
    """

    due: Mapping[str, float] = field(default_factory=dict)
    grace: float = 0.0
    per_day: float = 0.0
    clock: Clock = MACHINE

    def late(
        self, lesson: str, time: float, is_marked: bool, more_time: Mapping[str, float]
    ) -> Late | None:
        """Say how late a notebook was; None if nothing says that it was.

        Args:
            lesson: what it is a notebook of.
            time: when it was handed in.
            is_marked: the platform marks it as late, and gives no time.
            more_time: what one learner has, as `due`.
        """
        due = _of(more_time, lesson)
        is_given = due is not None
        due = due if is_given else _of(self.due, lesson)
        if is_marked and not is_given:
            return self._days(1, say("The platform has marked it as late: one day is counted."))
        if due is None or is_marked or time <= due + self.grace:
            return None
        return self._days(_days_begun(due, time, self.clock), "")

    def _days(self, days: int, why: str) -> Late:
        share = max(0.0, 1.0 - days * self.per_day)
        said = say_count("Handed in {count} day late.", "Handed in {count} days late.", days)
        if share < 1:
            percent = round(100 * (1 - share))
            said += " " + say("{percent}% of the points are taken off.", percent=percent)
        return Late(days, share, f"{said} {why}".strip())


def _days_begun(since: float, until: float, clock: Clock) -> int:
    """Count the calendar days begun between two moments, each as long as the clock makes it."""
    start, days = clock.wall(since), max(1, int((until - since) // DAY) - 1)
    while clock.seconds(start + timedelta(days=days), later=True) < until - 1e-6:
        days += 1
    return days


def _of(moments: Mapping[str, float], lesson: str) -> float | None:
    return moments.get(lesson, moments.get(""))


def read_due(asked: Iterable[str], clock: Clock = MACHINE) -> dict[str, float]:
    """Read moments such as "2026-03-01 18:00", or for one lesson "04=2026-03-01".

    Raises:
        ValueError: this is no moment, there is no such lesson, or one has two.

    Example:
        >>> read_due(["04=2026-03-01 12:00 UTC"])
        {'04_self_attention': 1772366400.0}
    """
    due: dict[str, float] = {}
    for text in asked:
        number, equals, written = text.rpartition("=")
        lesson = _lesson(number, text) if equals else ""
        time = moment(written, end_of_day=True, clock=clock)
        if time is None:
            raise ValueError(
                say(
                    "--due {text} is no time by the clock of {zone}; write it like "
                    "2026-03-01 18:00, with an offset or a zone behind it if it is another's.",
                    text=text,
                    zone=clock.name,
                )
            )
        if lesson in due:
            raise ValueError(say("--due {text} is a second time for the same.", text=text))
        due[lesson] = time
    return due


def _lesson(number: str, text: str) -> str:
    found = next((name for name in lessons() if number in (name, name[:2], name[1])), "")
    if not found:
        raise ValueError(say("--due {text} is no time of a lesson with exercises.", text=text))
    return found
