"""The list of the class: who belongs to it, read from whichever table a platform exports."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tutor.checking.seeds import same_name
from tutor.grading.collecting.owners import Owner
from tutor.grading.collecting.tables import read_table
from tutor.grading.collecting.times import moment

T = TypeVar("T")
_HEAD_WITHIN = 12  # lines; some tables begin with a title

# What a column holds, by its name without capitals, blanks and marks.
_COLUMNS = {
    "name": "name fullname displayname student studentname vollständigername 이름 성명 학생",
    "first": "first firstname givenname vorname",
    "last": "last lastname surname familyname nachname",
    "login": "login username loginid sisloginid githubusername githublogin user userid "
    "anmeldename benutzername 아이디 로그인",
    "id": "id ids canvasid sisid sisuserid sid studentid studentnumber idnumber identifier "
    "rosteridentifier matriculationnumber matrikelnummer submissionid githubid lmsuserid "
    "idnummer 학번",
    "email": "email emailaddress mail emailadresse 이메일 메일 이메일주소",
    "group": "group groups section sections team class gruppe gruppen 분반 조 그룹",
    "time": "time submissiontimestamp submissiontime lastmodifiedsubmission",
}
_HOLDS = {name: kind for kind, names in _COLUMNS.items() for name in names.split()}
_MOODLES = "Participant "  # stands before the number in its list for grading
_NOBODY = {"points possible", "test student", "student test", "date", "points", "class average"}


class RosterError(ValueError):
    """A list of the class that cannot be read; the message says why."""


@dataclass(frozen=True)
class Person:
    """Somebody of the class, with what the list holds of them.

    Attributes:
        name, login, email, group: "" where the list has none.
        ids: all numbers that the list has.
        time: when the person handed in, if the list says so.
    """

    name: str = ""
    login: str = ""
    email: str = ""
    group: str = ""
    ids: tuple[str, ...] = ()
    time: float | None = None

    @property
    def key(self) -> str:
        """What tells this person from the others on the list."""
        return self.login or self.email or "".join(self.ids[:1]) or self.name


class Roster:
    """The class, and of whom a name or a number speaks."""

    def __init__(self, people: Sequence[Person] = ()) -> None:
        self.people = people
        self._by_number: dict[str, list[Person]] = defaultdict(list)
        self._by_name: dict[str, list[Person]] = defaultdict(list)
        for person in people:
            for number in dict.fromkeys(_numbers(person)):
                self._by_number[number].append(person)
            for form in _forms(person.name):
                self._by_name[form].append(person)

    def by_number(self, owner: Owner) -> Person | None:
        """Find the one person whose number, login or address an owner of files has."""
        for number in (owner.id, owner.login, owner.email, owner.name):
            person = _only(self._by_number.get(same_name(number), [])) if number else None
            if person and _can_be(owner, person):
                return person
        return None

    def called(self, name: str) -> list[Person]:
        """List the people who have a name, whatever its order, capitals, blanks and accents."""
        return list(dict.fromkeys(p for form in _forms(name) for p in self._by_name.get(form, [])))


def read_roster(path: Path) -> Roster:
    """Read a list of the class: a table with a row a person, separated by commas, ; or tabs.

    Which column holds what shows in its name: those of Canvas, Moodle, Blackboard, Gradescope,
    nbgrader, GitHub Classroom and Google Classroom are known.

    Raises:
        RosterError: it names nobody.
        UnreadableError: the file cannot be read.
    """
    rows = read_table(path)
    place, kinds = _head(rows)
    people = [_person(zip(kinds, row)) for row in rows[place + 1 :]]
    known = [one for one in people if one.key and same_name(one.name) not in _NOBODY]
    if not known:
        raise RosterError(
            f"{path} names nobody. A list of the class has a line with the names of its columns, "
            "such as name, login, id, email and group, and a line for each person."
        )
    return Roster(known)


def _head(rows: Sequence[Sequence[str]]) -> tuple[int, list[str]]:
    """Find the line with the names of the columns; give its place and what each column holds."""
    heads = [[_HOLDS.get(_plain(cell), "") for cell in row] for row in rows[:_HEAD_WITHIN]]
    known = [sum(map(bool, head)) for head in heads]
    if not any(known):
        return len(rows), []
    place = known.index(max(known))
    return place, heads[place]


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", same_name(text))


def _person(cells: Iterable[tuple[str, str]]) -> Person:
    found: Mapping[str, list[str]] = defaultdict(list)
    for kind, cell in cells:
        if cell:
            found[kind].append(cell.lstrip("'") if cell.startswith("'") else cell)
    whole = " ".join(found["name"][:1]) or " ".join([*found["first"][:1], *found["last"][:1]])
    last, comma, first = whole.partition(", ")
    return Person(
        name=f"{first} {last}" if comma else whole,
        login="".join(found["login"][:1]),
        email="".join(found["email"][:1]),
        group=", ".join(found["group"]),
        ids=(*(one.removeprefix(_MOODLES) for one in found["id"]), *found["login"][1:]),
        time=moment("".join(found["time"][:1])),
    )


def _numbers(person: Person) -> Iterator[str]:
    for number in (*person.ids, person.login, person.email, person.email.partition("@")[0]):
        if number:
            yield same_name(number)


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
