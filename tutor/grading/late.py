"""How late a notebook was, and what is taken off for it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tutor.exercises import lessons
from tutor.grading.collecting.times import moment
from tutor.grading.results import Late
from tutor.say import say, say_count

DAY, HOUR = 86_400, 3_600


@dataclass(frozen=True)
class Deadlines:
    """When notebooks are due, and the rule for those that come later.

    Attributes:
        due: lesson, or "" for all others, to the moment in seconds since 1970.
        grace: seconds after that which are nobody's fault.
        per_day: the share of the points that each day begun costs.
    """

    due: Mapping[str, float] = field(default_factory=dict)
    grace: float = 0.0
    per_day: float = 0.0

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
        return self._days(1 + int((time - due - 1e-6) // DAY), "")

    def _days(self, days: int, why: str) -> Late:
        share = max(0.0, 1.0 - days * self.per_day)
        said = say_count("Handed in {count} day late.", "Handed in {count} days late.", days)
        if share < 1:
            percent = round(100 * (1 - share))
            said += " " + say("{percent}% of the points are taken off.", percent=percent)
        return Late(days, share, f"{said} {why}".strip())


def _of(moments: Mapping[str, float], lesson: str) -> float | None:
    return moments.get(lesson, moments.get(""))


def read_due(asked: Iterable[str]) -> dict[str, float]:
    """Read moments such as "2026-03-01 18:00", or for one lesson "04=2026-03-01".

    Raises:
        ValueError: this is no moment, or there is no such lesson.

    Example:
        >>> read_due(["04=2026-03-01 12:00 UTC"])
        {'04_self_attention': 1772366400.0}
    """
    due = {}
    for text in asked:
        number, equals, written = text.rpartition("=")
        fitting = [name for name in lessons() if equals and name[:2] == number.zfill(2)[:2]]
        time = moment(written, end_of_day=True)
        if time is None or (equals and not fitting):
            raise ValueError(
                say("--due {text} is no time; write it like 2026-03-01 18:00.", text=text)
            )
        due["".join(fitting)] = time
    return due
