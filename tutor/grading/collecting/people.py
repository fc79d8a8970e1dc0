"""Who is who: the owners of files brought together with the list of the class."""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tutor.grading.collecting.classes import HandedIn
from tutor.grading.collecting.file_names import copy_number, without_copy_number
from tutor.grading.collecting.owners import Owner
from tutor.grading.collecting.roster import Person, Roster
from tutor.grading.collecting.tree import FileEntry, Folder
from tutor.grading.results import Who

Item = tuple[Owner, FileEntry | Folder]


@dataclass
class Received:
    """One person's hand: everything that came from it.

    Attributes:
        who: the person.
        items: files and folders, each with what its name tells.
        notes: what is unclear about who it is.
        person: the person on the list of the class, if that is known.
    """

    who: Who
    items: list[Item] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    person: Person | None = None


def hands(handed_in: Iterable[HandedIn], roster: Roster) -> list[Received]:
    """Bring together what came from one person, and keep apart what came from two.

    People on the list of the class of whom nothing came have an empty hand.
    """
    groups = _grouped([(owner, one.item) for one in handed_in for owner in one.owners], roster)
    found, notes = _on_list(groups, roster)
    joined: dict[str, Received] = {}
    by_person: dict[Person, Received] = {}
    for key, items in groups.items():
        person = found.get(key)
        if person is not None and person in by_person:
            by_person[person].items += items
            continue
        who = _who(key, items[0][0], person, bool(roster.people))
        joined[key] = Received(who, items, [*notes.get(key, []), *_about(who)], person)
        if person is not None:
            by_person[person] = joined[key]
    missing = [person for person in roster.people if person not in by_person]
    return [*joined.values(), *_empty(missing, joined, found, groups)]


def _grouped(items: Iterable[Item], roster: Roster) -> dict[str, list[Item]]:
    """Group by what tells people apart; composed and decomposed letters are the same."""
    items = list(items)
    stems = Counter(owner.name for owner, _ in items if owner.is_nameless)
    groups: dict[str, list[Item]] = defaultdict(list)
    for owner, item in items:
        alone = owner.is_nameless and (stems[owner.name] > 1 or "/" in item.where)
        key = item.where if alone else owner.key
        groups[unicodedata.normalize("NFC", key)].append((owner, item))
    for key in [key for key, items in groups.items() if all(one.is_shared for one, _ in items)]:
        if len(roster.called(key)) != 1:
            for number, apart in _apart(groups.pop(key)).items():
                groups[f"{key} ({number})" if number else key] += apart
    return dict(sorted(groups.items()))


def _apart(items: Sequence[Item]) -> Mapping[int, list[Item]]:
    """Keep files of the same name apart, which can be those of two people with one name.

    A system tells such files apart by a number; a person's files of several lessons have no need
    of one.
    """
    names = Counter(without_copy_number(owner.rest).lower() for owner, _ in items)
    number = copy_number if max(names.values()) > 1 else (lambda _: 0)
    apart: dict[int, list[Item]] = defaultdict(list)
    for owner, item in items:
        apart[number(owner.rest)].append((owner, item))
    return apart


def _on_list(
    groups: Mapping[str, Sequence[Item]], roster: Roster
) -> tuple[dict[str, Person], dict[str, list[str]]]:
    """Find the people of the groups on the list: by a number, or by a name that only one has."""
    found: dict[str, Person] = {}
    named: dict[Person, list[str]] = defaultdict(list)
    notes: dict[str, list[str]] = defaultdict(list)
    for key, items in groups.items():
        owner = items[0][0]
        if person := next(filter(None, (roster.by_number(one) for one, _ in items)), None):
            found[key] = person
        elif len(called := roster.called(owner.name)) == 1:
            named[called[0]].append(key)
        elif called:
            notes[key].append(
                f"{len(called)} people on the list of the class have this name, and nothing tells "
                "which of them this is."
            )
    for person, keys in named.items():
        ids = {groups[key][0][0].id for key in keys}
        if len(ids) == 1:
            found |= dict.fromkeys(keys, person)
        for key in keys if len(ids) > 1 else []:
            notes[key].append(
                "One person on the list of the class has this name, and several handed in under it."
            )
    return found, notes


def _who(key: str, owner: Owner, person: Person | None, is_list: bool) -> Who:
    person = person or Person()
    return Who(
        student=key,
        name=person.name or owner.name,
        id=owner.id or "".join(person.ids[:1]),
        login=person.login or owner.login,
        email=person.email or owner.email,
        group=person.group,
        platform=owner.platform,
        folder=owner.key,
        is_named=bool(person.name) or owner.names_somebody,
        is_listed=not is_list or person != Person(),
    )


def _about(who: Who) -> list[str]:
    if not who.is_listed:
        return ["This learner is not on the list of the class."]
    if who.platform == "plain" and not who.is_named:
        return ["The name of the file names nobody."]
    return []


def _empty(
    missing: Iterable[Person],
    joined: Mapping[str, Received],
    found: Mapping[str, Person],
    groups: Mapping[str, Sequence[Item]],
) -> Iterable[Received]:
    """Give the hands of those of whom nothing came, or nothing that is surely theirs."""
    taken = set(joined)
    unclear = Roster(
        [Person(items[0][0].name) for key, items in groups.items() if key not in found]
    )
    for person in missing:
        key = person.key if person.key not in taken else f"{person.key} ({person.name})"
        taken.add(key)
        who = _who(key, Owner(person.name, platform=""), person, True)
        note = "Nothing was handed in."
        if unclear.called(person.name):
            note = "Somebody of this name handed in, and nothing tells whether it was this person."
        yield Received(who, notes=[note], person=person)
