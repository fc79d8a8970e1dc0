"""Whose a file or folder is, as far as the name tells that a learning platform has given it.

A platform writes a number of its own into each name, since two people can have one name. It stays
part of what tells people apart, and a name is never cut to something that two people could share.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

from tutor.grading.collecting.file_names import lesson_in, person_in, stem_of
from tutor.grading.collecting.times import MACHINE, Clock, moment


@dataclass(frozen=True)
class Owner:
    """Who handed something in, and what else the name of the file says.

    Attributes:
        name: the person's, as it is written there; where nobody is named, the file's own.
        id: the platform's number for the person, or "".
        login: the person's login, or "".
        email: the person's address, or "".
        platform: who names files so.
        is_shared: two people could have this name, for there is no number with it.
        is_nameless: the file's name names nobody.
        rest: the file's own name, without what the platform has added; "" for a folder.
        order: of two files the higher was handed in later, where the platform counts.
        time: when it was handed in, in seconds since 1970, where the name tells.
        is_late: the platform has marked it as late.
    """

    name: str
    id: str = ""
    login: str = ""
    email: str = ""
    platform: str = "plain"
    is_shared: bool = False
    is_nameless: bool = False
    rest: str = ""
    order: int = 0
    time: float | None = None
    is_late: bool = False

    @property
    def key(self) -> str:
        """What tells this person from all others.

        Example:
            >>> Owner("Ada Lovelace", id="1234").key, Owner("ada", id="ada").key
            ('Ada Lovelace_1234', 'ada')
        """
        return self.name if self.id in ("", self.name) else f"{self.name}_{self.id}"

    @property
    def names_somebody(self) -> bool:
        """Whether the name is a person's, and not what stands there where names are hidden."""
        return not self.is_nameless and self.name not in HIDDEN


HIDDEN = ("Participant", "anon", "submission")


class Mark(NamedTuple):
    """What a platform has written into a name: whose it is, and where in the name that stands.

    Whatever follows is the learner's own, and could look like the mark of another platform.
    """

    at: int
    owner: Owner


def marks(name: str, is_folder: bool, clock: Clock = MACHINE) -> dict[str, Mark]:
    """Read a name as each platform that could have written it.

    Example:
        >>> [*marks("ada_7_71_HW - 04_5_assignsubmission_file_04.ipynb", False)]
        ['moodle', 'canvas', 'google']
    """
    found = [_moodle(name), _canvas(name), _nbgrader_exchange(name, clock)]
    found += [] if is_folder else [_google(name)]
    return {mark.owner.platform: mark for mark in found if mark}


def owner_of(name: str, is_folder: bool) -> Owner:
    """Tell whose a file or folder is by its name alone.

    Example:
        >>> owner_of("lovelaceada_LATE_4711_88123_hw4.ipynb", False).key
        'lovelaceada_4711'
    """
    found = marks(name, is_folder).values()
    return min(found, key=lambda mark: mark.at).owner if found else plain(name, is_folder)


def plain(name: str, is_folder: bool) -> Owner:
    """Tell whose a file or folder is that no platform has named."""
    person = name if is_folder else person_in(name)
    if not person:
        return Owner(stem_of(name), is_nameless=True, rest=name)
    is_login = person.isascii() and " " not in person
    if is_folder:
        return Owner(person)
    return Owner(person, login=person if is_login else "", is_shared=not is_login, rest=name)


_MOODLE = re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_[a-z]+_?(?P<rest>.*)", re.DOTALL)
_ANONYMOUS = re.compile(r"(?P<name>Participant)[ _](?P<id>\d+)(?P<rest>)")


def _moodle(name: str) -> Mark | None:
    """Read "Ada Lovelace_1234_assignsubmission_file_", also with a file's name behind it.

    Where names are hidden, it is "Participant_1234" or "Participant 1234" instead.
    """
    found = _MOODLE.fullmatch(name) or _ANONYMOUS.fullmatch(name)
    if not found:
        return None
    owner = Owner(found["name"], id=found["id"], platform="moodle", rest=found["rest"])
    return Mark(found.start("id"), owner)


_NO_DATE = r"(?!20\d\d_[01]\d_[0-3]\d)"  # ada_2024_10_04 has no number of Canvas
_CANVAS = re.compile(
    rf"(?P<name>.+?)_(?P<late>LATE_)?{_NO_DATE}(?P<id>[1-9]\d*)_"
    r"(?:(?P<file>[1-9]\d+)_(?P<rest>.+)|(?:text|link)\.html)",
    re.DOTALL,
)
_CANVAS_HIDDEN = re.compile(
    r"(?P<name>anon)_(?P<late>LATE_)?(?P<id>[A-Za-z0-9]+)_(?:LATE_)?(?P<file>\d+)_(?P<rest>.+)",
    re.DOTALL,
)


def _canvas(name: str) -> Mark | None:
    """Read "lovelaceada_LATE_4711_88123_hw4-1.ipynb": person, file, and the learner's own name.

    Each file that is handed in gets a higher number than those before.
    """
    found = _CANVAS_HIDDEN.fullmatch(name) or _CANVAS.fullmatch(name)
    if not found:
        return None
    owner = Owner(
        found["name"],
        id=found["id"],
        platform="canvas",
        rest=name[found.end("id") + 1 :] if found["file"] is None else found["rest"],
        order=int(found["file"] or 0),
        is_late=bool(found["late"]),
    )
    return Mark(found.start("id"), owner)


_EXCHANGE = re.compile(
    r"(?P<student>[^+]+)\+[^+]+\+(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[^+]*)(?:\+.*)?"
)


def _nbgrader_exchange(name: str, clock: Clock) -> Mark | None:
    """Read "ada+04_self_attention+2026-03-01 12:00:00 UTC", as nbgrader's inbound folder has it."""
    found = _EXCHANGE.fullmatch(name)
    if not found:
        return None
    student, time = found["student"], moment(found["time"], clock=clock)
    return Mark(len(student), Owner(student, login=student, platform="nbgrader", time=time))


def _google(name: str) -> Mark | None:
    """Read "Ada Lovelace - 04_self_attention.ipynb"; two people of one name get "(1)" at the end.

    Whether that number means another person or another copy shows with the files beside it.
    """
    person, dash, rest = name.partition(" - ")
    if not dash or not lesson_in(rest) or lesson_in(person):
        return None
    owner = Owner(person.strip(), platform="google", is_shared=True, rest=rest)
    return Mark(len(person), owner)
