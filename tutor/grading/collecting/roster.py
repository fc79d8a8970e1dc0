"""The list of the class: who belongs to it, read from whichever table a platform exports."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from tutor.checking.seeds import same_name
from tutor.grading.collecting.owners import Owner
from tutor.grading.collecting.tables import read_table
from tutor.grading.collecting.times import MACHINE, Clock, moment
from tutor.say import say

T = TypeVar("T")
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
_MOODLES = "Participant "  # stands before the number in its list for grading
_NOBODY = {"points possible", "test student", "student test", "date", "points", "class average"}
_NO_TIME = {"", "-"}
_LOGINS = frozenset({"login", "username", "github"})

# What names a person on each platform, by the kinds of a list's columns; a number or a login
# means somebody on the platform that has given it, and on no other.
_KNOWN_BY: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "moodle": {"id": ("moodle",)},
    "canvas": {"id": ("canvas",)},
    "blackboard": {"login": ("login", "username")},
    "gradescope": {"id": ("id", "gradescope"), "email": ("email",)},
    "nbgrader": {"login": ("login", "username", "id")},
    "github": {"login": ("login", "github")},
    "google": {},
    "plain": {"name": ("login", "username", "github", "id", "email", "front")},
}


class RosterError(ValueError):
    """A list of the class that cannot be read; the message says why."""


@dataclass(frozen=True)
class Person:
    """Somebody of the class, with what the list holds of them.

    Attributes:
        name, login, email, group: "" where the list has none.
        ids: the numbers that the person has at the institution.
        known_as: what a platform alone calls the person: its name, or that of a kind of login,
            and the number or login.
        time: when the person handed in, if the list says so.
    """

    name: str = ""
    login: str = ""
    email: str = ""
    group: str = ""
    ids: tuple[str, ...] = ()
    known_as: tuple[tuple[str, str], ...] = ()
    time: float | None = None

    @property
    def key(self) -> str:
        """What tells this person from the others on the list."""
        numbers = [*self.ids, *(number for _, number in self.known_as)]
        return self.login or self.email or "".join(numbers[:1]) or self.name

    @property
    def number_somewhere(self) -> str:
        """The number that a platform has given this person, or else the institution."""
        numbers = [one for kind, one in self.known_as if kind not in _LOGINS]
        return "".join([*numbers, *self.ids][:1])


class Roster:
    """The class, and of whom a name or a number speaks.

    Args:
        people: everybody.
        odd_times: sentences on times in the list that cannot be read.
        assignments: the names of the columns that tell nothing of people, as of a gradebook's.
    """

    def __init__(
        self,
        people: Sequence[Person] = (),
        odd_times: Sequence[str] = (),
        assignments: Sequence[str] = (),
    ) -> None:
        self.people, self.odd_times, self.assignments = people, odd_times, assignments
        self._by_number: dict[tuple[str, str], list[Person]] = defaultdict(list)
        self._by_name: dict[str, list[Person]] = defaultdict(list)
        for person in people:
            for number in dict.fromkeys(_numbers(person)):
                self._by_number[number].append(person)
            for form in _forms(person.name):
                self._by_name[form].append(person)

    def by_number(self, owner: Owner) -> Person | None:
        """Find the one person whose number, login or address an owner of files has."""
        found: dict[Person, None] = {}
        for known, kinds in _KNOWN_BY.get(owner.platform, {}).items():
            value = same_name(getattr(owner, known))
            for kind in kinds if value and not owner.is_nameless else ():
                found |= dict.fromkeys(self._by_number.get((kind, value), ()))
        (person,) = found if len(found) == 1 else (None,)
        return person if person and _can_be(owner, person) else None

    def knows(self, owner: Owner) -> bool:
        """Say whether an owner's number or name is that of somebody on the list."""
        return self.by_number(owner) is not None or bool(self.called(owner.name))

    def called(self, name: str) -> list[Person]:
        """List the people who have a name, whatever its order, capitals, blanks and accents."""
        return list(dict.fromkeys(p for form in _forms(name) for p in self._by_name.get(form, [])))


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
        for number in dict.fromkeys(_numbers(person)):
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
            is_moodles = kind == "id" and written.startswith(_MOODLES)
            found["moodle" if is_moodles else kind].append(written.removeprefix(_MOODLES))
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


def _numbers(person: Person) -> Iterator[tuple[str, str]]:
    """Give what names a person, each with its kind."""
    named = [*person.known_as, *(("id", number) for number in person.ids)]
    if _LOGINS.isdisjoint(kind for kind, _ in person.known_as):
        named.append(("login", person.login))
    named += [("email", person.email), ("front", person.email.partition("@")[0])]
    yield from ((kind, same_name(number)) for kind, number in named if number)


def _forms(name: str) -> list[str]:
    """Give the forms by which platforms know a name: words in any order, and drawn together."""
    words = _name_words(name)
    turned = ["".join([*words[place:], *words[:place]]) for place in range(len(words))]
    return list(dict.fromkeys([" ".join(sorted(words)), *turned])) if words else []


def _name_words(name: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", same_name(name))
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    return re.findall(r"[^\W_]+", unicodedata.normalize("NFC", plain))


def _can_be(owner: Owner, person: Person) -> bool:
    """Say whether names do not contradict a number: another platform may have the same one."""
    known = "".join(_name_words(owner.name))
    words = [word for word in _name_words(person.name) if len(word) > 1]
    named = owner.platform not in ("plain", "github", "nbgrader") and owner.names_somebody
    return not named or not words or any(word in known for word in words)


def _only(found: Sequence[T]) -> T | None:
    return found[0] if len(found) == 1 else None
