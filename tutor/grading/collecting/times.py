"""Moments as platforms and teachers write them, read whole or not at all, by the class's clock."""

import re
import time
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, available_timezones

from tutor.say import say

_MOMENT = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)(?:[ T](?P<hour>\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?(?: ?(?P<zone>\S+))?"
)
_OFFSET = re.compile(r"[+-]\d\d:?\d\d")
_MOODLES = "%A, %d %B %Y, %I:%M %p"  # in its list for grading, in English


@dataclass(frozen=True)
class Clock:
    """The clock of the class: what a time means that is written without a zone.

    Attributes:
        zone: None is this machine's.

    Example:
        >>> Clock.of("Asia/Seoul").wall(0.0).hour
        9
    """

    zone: tzinfo | None = None

    @classmethod
    def of(cls, name: str) -> "Clock":
        """Give the clock of a zone by its name.

        Raises:
            ValueError: there is no such zone.
        """
        if name not in available_timezones():
            raise ValueError(
                say("There is no timezone {name}; write it like Europe/Berlin.", name=name)
            )
        return cls(ZoneInfo(name))

    @property
    def name(self) -> str:
        """The zone's name, for whoever reads times."""
        return str(self.zone) if self.zone else time.tzname[0]

    def wall(self, seconds: float) -> datetime:
        """Say what the clock shows at a moment, in seconds since 1970."""
        return datetime.fromtimestamp(seconds, self.zone).replace(tzinfo=None)

    def seconds(self, wall: datetime, later: bool = False) -> float:
        """Give the moment at which the clock shows a time, in seconds since 1970.

        Args:
            wall: what it shows.
            later: where the clock is put back and shows a time twice, the second is meant.
        """
        return wall.replace(tzinfo=self.zone, fold=int(later)).timestamp()


MACHINE = Clock()


def moment(text: str, end_of_day: bool = False, clock: Clock = MACHINE) -> float | None:
    """Read a moment, in seconds since 1970; None unless the whole text is one.

    Without a zone it is the class's time. What a clock never shows, since it is put forward
    there, is no moment.

    Args:
        text: such as "2026-03-01 12:00:00.5 UTC", "2026-03-01T12:00:00+09:00", "2026-03-01",
            "2026-03-01 12:00 Asia/Seoul" or "Sunday, 1 March 2026, 12:00 PM".
        end_of_day: it is a deadline: a day without an hour means its end, and an hour that the
            clock shows twice its second time.
        clock: the class's.

    Example:
        >>> moment("2026-03-01 12:00:00.5 UTC"), moment("2026-03-01 6pm")
        (1772366400.5, None)
    """
    found = _MOMENT.fullmatch(text.strip())
    if not found:
        return _moodles(text.strip(), clock)
    hour = found["hour"] or ("23:59:59" if end_of_day else "00:00:00")
    try:
        read = datetime.fromisoformat(f"{found['day']}T{hour}")
        clock = _clock(found["zone"]) if found["zone"] else clock
    except ValueError:
        return None
    return _shown(read, end_of_day, clock)


def _shown(wall: datetime, later: bool, clock: Clock) -> float | None:
    seconds = clock.seconds(wall, later)
    return seconds if clock.wall(seconds) == wall else None


def _clock(zone: str) -> Clock:
    """Read a zone; of names only those that mean one, such as Asia/Seoul.

    Raises:
        ValueError: it is none; KST and EST may mean several.
    """
    if zone in ("Z", "UTC"):
        return Clock(UTC)
    if _OFFSET.fullmatch(zone):
        return Clock(datetime.strptime(zone, "%z").tzinfo)
    if "/" not in zone:
        raise ValueError(zone)
    return Clock.of(zone)


def _moodles(text: str, clock: Clock) -> float | None:
    try:
        read = datetime.strptime(text, _MOODLES)
    except ValueError:
        return None
    return _shown(read, False, clock) if text.startswith(read.strftime("%A")) else None
