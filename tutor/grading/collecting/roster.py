"""The list of the class: who belongs to it, and of whom a name or a number speaks."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tutor.checking.seeds import same_name
from tutor.grading.collecting.owners import Owner

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
            for number in dict.fromkeys(numbers_of(person)):
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


def numbers_of(person: Person) -> Iterator[tuple[str, str]]:
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
