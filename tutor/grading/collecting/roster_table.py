"""Reads the list of the class from whichever table a platform exports."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tutor.checking.seeds import same_name
from tutor.grading.collecting.roster import Person, Roster, numbers_of
from tutor.grading.collecting.tables import read_table
from tutor.grading.collecting.times import MACHINE, Clock, moment
from tutor.say import say

_HEAD_WITHIN = 12  # lines; some tables begin with a title

# What a column holds, by its name without capitals, blanks and marks.
_COLUMNS = {
    "name": "name fullname displayname student studentname vollständigername 이름 성명 학생",
    "first": "first firstname givenname vorname",
    "last": "last lastname surname familyname nachname",
    "login": "login user userid loginid anmeldename benutzername 아이디 로그인",
    "username": "username sisloginid",
    "sis": "sisid sisuserid",
    "github": "githubusername githublogin",
    "id": "id ids sid studentid studentnumber idnumber identifier "
    "rosteridentifier matriculationnumber matrikelnummer lmsuserid idnummer 학번",
    "canvas": "canvasid canvasuserid",
    "gradescope": "submissionid",
    "email": "email emailaddress mail emailadresse 이메일 메일 이메일주소",
    "group": "group groups section sections team class gruppe gruppen 분반 조 그룹",
    "time": "time submissiontimestamp submissiontime lastmodifiedsubmission",
    "moodles own": "status grade maximumgrade gradecanbechanged lastmodifiedgrade onlinetext "
    "feedbackcomments",
}
_HOLDS = {name: kind for kind, names in _COLUMNS.items() for name in names.split()}
_CANVAS_HAS = {
    "sisuserid",
    "sisloginid",
}  # columns by which its table is known; there ID is its own
PARTICIPANT = "Participant "  # stands before the number in Moodle's list for grading
_NOBODY = {"points possible", "test student", "student test", "date", "points", "class average"}
_NO_TIME = {"", "-"}


class RosterError(ValueError):
    """A list of the class that cannot be read; the message says why."""


def read_roster(path: Path, clock: Clock = MACHINE) -> Roster:
    """Read a list of the class: a table with a row a person, separated by commas, ; or tabs.

    Which column holds what shows in its name: those of Canvas, Moodle, Blackboard, Gradescope,
    nbgrader, GitHub Classroom and Google Classroom are known.

    Raises:
        RosterError: it names nobody, or two people by one login, number or address.
        UnreadableError: the file cannot be read.
    """
    rows = read_table(path)
    place, kinds = _head(rows)
    cells = [_cells(zip(kinds, row)) for row in rows[place + 1 :]]
    lines = {line: _person(found, clock) for line, found in enumerate(cells, start=place + 2)}
    people = _joined(
        {line: one for line, one in lines.items() if one.key and same_name(one.name) not in _NOBODY}
    )
    if not people:
        sentence = (
            "{path} names nobody. A list of the class has a line with the names of its columns, "
            "such as name, login, id, email and group, and a line for each person."
        )
        raise RosterError(say(sentence, path=path))
    if twice := list(_named_twice(people)):
        raise RosterError("\n".join(twice))
    others = [name for name, kind in zip(rows[place], kinds) if name.strip() and not kind]
    return Roster(list(people.values()), list(_odd_times(lines, cells)), others)


def _odd_times(
    lines: Mapping[int, Person], cells: Iterable[Mapping[str, list[str]]]
) -> Iterator[str]:
    for (line, person), found in zip(lines.items(), cells):
        written = "".join(found["time"][:1])
        if person.time is None and written not in _NO_TIME:
            yield say(
                "Line {line} of the list of the class: {text} is no time that is understood. "
                "Write it like 2026-03-01 18:00, or leave the column out.",
                line=line,
                text=written,
            )


def _named_twice(people: Mapping[int, Person]) -> Iterator[str]:
    """Say on which two lines two people have one login, number or address."""
    first: dict[tuple[str, str], int] = {}
    for line, person in people.items():
        for number in dict.fromkeys(numbers_of(person)):
            earlier = first.setdefault(number, line)
            is_sign = re.search(r"\w", number[1]) and number[0] not in ("front", "id", "sis")
            if is_sign and people[earlier] != person:
                yield say(
                    "Lines {first} and {second} of the list of the class name two people, "
                    "{one} and {other}, by one login, number or address: {value}.",
                    first=earlier,
                    second=line,
                    one=people[earlier].name or "-",
                    other=person.name or "-",
                    value=number[1],
                )


def _joined(people: Mapping[int, Person]) -> dict[int, Person]:
    """Join lines that differ in the group alone: of one person who belongs to two."""
    lines: dict[Person, int] = {}
    groups: dict[int, list[str]] = defaultdict(list)
    for line, person in people.items():
        first = lines.setdefault(replace(person, group="", time=None), line)
        groups[first] += [person.group] if person.group not in groups[first] else []
    return {
        line: replace(people[line], group=", ".join(filter(None, names)))
        for line, names in groups.items()
    }


def _head(rows: Sequence[Sequence[str]]) -> tuple[int, list[str]]:
    """Find the line with the names of the columns; give its place and what each column holds."""
    heads = [[_plain(cell) for cell in row] for row in rows[:_HEAD_WITHIN]]
    known = [sum(name in _HOLDS for name in head) for head in heads]
    if not any(known):
        return len(rows), []
    place = known.index(max(known))
    head = heads[place]
    is_canvas = not _CANVAS_HAS.isdisjoint(head)
    return place, ["canvas" if is_canvas and one == "id" else _HOLDS.get(one, "") for one in head]


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", same_name(text))


def _cells(cells: Iterable[tuple[str, str]]) -> Mapping[str, list[str]]:
    """Sort a row's cells by what they hold."""
    found: dict[str, list[str]] = defaultdict(list)
    for kind, cell in cells:
        if kind and cell:
            written = cell.removeprefix("'")
            is_moodles = kind == "id" and written.startswith(PARTICIPANT)
            found["moodle" if is_moodles else kind].append(written.removeprefix(PARTICIPANT))
    return found


def _person(found: Mapping[str, list[str]], clock: Clock) -> Person:
    whole = " ".join(found["name"][:1]) or " ".join([*found["first"][:1], *found["last"][:1]])
    last, comma, first = whole.partition(", ")
    logins = [(kind, one) for kind in ("login", "username", "github") for one in found[kind]]
    known = ("moodle", "canvas", "gradescope", "sis")
    platforms = [(kind, one) for kind in known for one in found[kind]]
    return Person(
        name=f"{first} {last}" if comma else whole,
        login="".join(one for _, one in logins[:1]),
        email="".join(found["email"][:1]),
        group=", ".join(found["group"]),
        ids=(*found["id"], *found["sis"]),
        known_as=(*platforms, *logins),
        time=moment("".join(found["time"][:1]), clock=clock),
    )
