"""Moments as platforms write them."""

import re
from datetime import datetime

_MOMENT = re.compile(
    r"\s*(?P<day>\d{4}-\d\d-\d\d)(?:[ T](?P<hour>\d\d:\d\d)(?P<second>:\d\d)?(?:\.\d+)?)?"
    r"\s*(?P<zone>Z|UTC|[+-]\d\d:?\d\d)?"
)
_MOODLES = "%A, %d %B %Y, %I:%M %p"  # in its list for grading, in English


def moment(text: str, end_of_day: bool = False) -> float | None:
    """Read a moment, in seconds since 1970; None if there is none at the start of the text.

    Without a zone it is this machine's time.

    Args:
        text: such as "2026-03-01 12:00:00.5 UTC", "2026-03-01T12:00:00+09:00", "2026-03-01" or
            "Sunday, 1 March 2026, 12:00 PM".
        end_of_day: a day without an hour means its end.

    Example:
        >>> moment("2026-03-01 12:00:00.5 UTC"), moment("tomorrow")
        (1772366400.0, None)
    """
    found = _MOMENT.match(text)
    if not found:
        return _moodles(text)
    hour = (found["hour"] + (found["second"] or ":00")) if found["hour"] else "00:00:00"
    if end_of_day and not found["hour"]:
        hour = "23:59:59"
    try:
        read = datetime.fromisoformat(f"{found['day']}T{hour}")
        zone = (found["zone"] or "").replace("UTC", "Z")
        aware = datetime.strptime(zone, "%z").tzinfo if zone else None
    except ValueError:
        return None
    return read.replace(tzinfo=aware).timestamp()


def _moodles(text: str) -> float | None:
    try:
        return datetime.strptime(text.strip(), _MOODLES).timestamp()
    except ValueError:
        return None
