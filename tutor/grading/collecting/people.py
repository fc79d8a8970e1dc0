"""Who is who: the owners of files brought together with the list of the class."""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tutor.grading.collecting.classes import HandedIn
from tutor.grading.collecting.file_names import copy_number, without_copy_number
from tutor.grading.collecting.owners import Owner
from tutor.grading.collecting.roster import Person, Roster
from tutor.grading.students import Who
from tutor.say import say


class OwnedSubmission(NamedTuple):
    """What came from somebody, and what its name tells."""

    owner: Owner
    handed_in: HandedIn

    @property
    def where(self) -> str:
        """Its path below the outer folder."""
        return self.handed_in.item.where


@dataclass
class Received:
    """Everything that came from one person.

    Attributes:
        who: the person.
        items: files and folders, each with what its name tells.
        notes: what is unclear about who it is.
        person: the person on the list of the class, if that is known.
    """

    who: Who
    items: list[OwnedSubmission] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    person: Person | None = None


def by_person(handed_in: Iterable[HandedIn], roster: Roster) -> list[Received]:
    """Bring together what came from one owner, and say who that is on the list of the class.

    Two owners stay two, also where both could be one person of the list: nobody's hand-in is
    joined to another's. People on the list of whom nothing came are there with nothing.
    """
    groups = _grouped(
        [OwnedSubmission(owner, one) for one in handed_in for owner in one.owners], roster
    )
    found, notes = _on_list(groups, roster)
    received = []
    for key, items in groups.items():
        person = found.get(key)
        who = _who(key, items[0].owner, person, bool(roster.people))
        received.append(Received(who, items, [*notes.get(key, []), *_about(who)], person))
    missing = [person for person in roster.people if person not in found.values()]
    return [*received, *_empty(missing, groups, found)]


def _grouped(items: Iterable[OwnedSubmission], roster: Roster) -> dict[str, list[OwnedSubmission]]:
    """Group by what tells people apart; composed and decomposed letters are the same."""
    items = list(items)
    stems = Counter(item.owner.name for item in items if item.owner.is_nameless)
    groups: dict[tuple[str, str], list[OwnedSubmission]] = defaultdict(list)
    for item in items:
        owner = item.owner
        alone = owner.is_nameless and (stems[owner.name] > 1 or "/" in item.where)
        key = unicodedata.normalize("NFC", item.where if alone else owner.key)
        groups[key, owner.platform if owner.id else ""].append(item)
    for key, numbered in [*groups]:
        items = groups[key, numbered]
        if all(item.owner.is_shared for item in items) and len(roster.called(key)) != 1:
            for number, apart in _apart(groups.pop((key, numbered))).items():
                groups[f"{key} ({number})" if number else key, numbered] += apart
    keys = Counter(key for key, _ in groups)
    named = {
        f"{key} ({numbered})" if keys[key] > 1 and numbered else key: items
        for (key, numbered), items in groups.items()
    }
    return dict(sorted(named.items()))


def _apart(items: Sequence[OwnedSubmission]) -> Mapping[int, list[OwnedSubmission]]:
    """Keep files of the same name apart, which can be those of two people with one name.

    A system tells such files apart by a number; a person's files of several lessons have no need
    of one.
    """
    names = Counter(without_copy_number(item.owner.rest).lower() for item in items)
    number = copy_number if max(names.values()) > 1 else (lambda _: 0)
    apart: dict[int, list[OwnedSubmission]] = defaultdict(list)
    for item in items:
        apart[number(item.owner.rest)].append(item)
    return apart


def _on_list(
    groups: Mapping[str, Sequence[OwnedSubmission]], roster: Roster
) -> tuple[dict[str, Person], dict[str, list[str]]]:
    """Find the people of the groups on the list: by a number, or by a name that only one has.

    A number comes before a name; where two have the same right to be somebody, neither is.
    """
    numbered: dict[Person, list[str]] = defaultdict(list)
    named: dict[Person, list[str]] = defaultdict(list)
    notes: dict[str, list[str]] = defaultdict(list)
    for key, items in groups.items():
        found = {one: None for item in items if (one := roster.by_number(item.owner))}
        called = [] if found or items[0].owner.is_nameless else roster.called(items[0].owner.name)
        if len(found) == 1:
            numbered[next(iter(found))].append(key)
        elif len(called) == 1:
            named[called[0]].append(key)
        elif called or found:
            notes[key].append(_several(len(called or found)))
    for person in {**named, **numbered}:
        keys = [*named.get(person, ()), *numbered.get(person, ())]
        if len(keys) > 1:
            sentence = _ONE_NUMBER if person in numbered else _ONE_NAME
            notes |= {key: [*notes[key], say(sentence)] for key in keys}
    best = {**named, **numbered}
    return {keys[0]: person for person, keys in best.items() if len(keys) == 1}, notes


def _several(count: int) -> str:
    return say(
        "{count} people on the list of the class have this name, and nothing tells which of them "
        "this is.",
        count=count,
    )


_ONE_NAME = "One person on the list of the class has this name, and several handed in under it."
_ONE_NUMBER = (
    "Several hand-ins have a name, number, login or address of one person on the list of the "
    "class; they were not put together."
)


def _who(key: str, owner: Owner, person: Person | None, is_list: bool) -> Who:
    person = person or Person()
    return Who(
        student=key,
        name=person.name or owner.name,
        id=owner.id or ("" if owner.platform else person.number_somewhere),
        login=person.login or owner.login,
        email=person.email or owner.email,
        group=person.group,
        platform=owner.platform,
        folder=owner.key,
        is_named=bool(person.name) or owner.names_somebody,
        is_listed=not is_list or person != Person(),
        number="".join(person.ids[:1]),
        known_as=dict(person.known_as),
    )


def _about(who: Who) -> list[str]:
    if not who.is_listed:
        return [say("This learner is not on the list of the class.")]
    if who.platform == "plain" and not who.is_named:
        return [say("The name of the file names nobody.")]
    return []


def _empty(
    missing: Iterable[Person],
    groups: Mapping[str, Sequence[OwnedSubmission]],
    found: Mapping[str, Person],
) -> Iterable[Received]:
    """Give those of whom nothing came, or nothing that is surely theirs."""
    taken = set(groups)
    unclear = [items[0].owner for key, items in groups.items() if key not in found]
    names = Roster([Person(owner.name) for owner in unclear])
    for person in missing:
        key = person.key if person.key not in taken else f"{person.key} ({person.name})"
        taken.add(key)
        who = _who(key, Owner(person.name, platform=""), person, True)
        is_unclear = names.called(person.name) or _is_numbered(person, unclear)
        note = say("Nothing was handed in.")
        if is_unclear:
            note = say(
                "Somebody of this name handed in, and nothing tells whether it was this person."
            )
        yield Received(who, notes=[note], person=person)


def _is_numbered(person: Person, owners: Iterable[Owner]) -> bool:
    alone = Roster([person])
    return any(alone.by_number(owner) for owner in owners)
