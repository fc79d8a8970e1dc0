"""The parts of a model: a learner's own functions, and the course's where one is missing."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tutor.display.own_map import own_map
from tutor.exercises import find, lessons
from tutor.files import reason
from tutor.learner import progress_file
from tutor.learner.own_answers import read_file
from tutor.learner.own_file import FILE, OwnFile, run
from tutor.learner.own_record import load_record
from tutor.models import plain_from_parts, speaker_from_parts, translator_from_parts
from tutor.say import say, say_as

Function = Callable[..., Any]

MODELS: Mapping[str, tuple[str, ...]] = {
    "plain": plain_from_parts.PARTS,
    "translator": translator_from_parts.PARTS,
    "speaker": speaker_from_parts.PARTS,
}
"""Whose functions each model runs, in the order in which a sentence meets them."""


def my_parts(model: str, folder: Path | None = None) -> "MyParts":
    """Give the parts of a model: your functions, and the course's where yours are missing.

    Args:
        model: "plain" learns from nothing (lesson 8), "translator" uses trained weights, "speaker"
            is SmolLM2 (lesson 9).
        folder: where you work; the one this runs in if not given.

    Raises:
        ValueError: there is no such model.

    Example:
        >>> len(my_parts("plain"))
        7
    """
    if model not in MODELS:
        raise ValueError(
            say("model={model!r}; expected one of {models}", model=model, models=[*MODELS])
        )
    functions, faults = own_functions(folder)
    edited = _edited(folder)
    names = MODELS[model]
    own = {name: functions[name] for name in names if name in functions}
    used = {name: why for name, why in faults.items() if name in ("", FILE, *names)}
    return MyParts(model, names, own, used, edited=edited)


def own_functions(folder: Path | None = None) -> tuple[dict[str, Function], dict[str, str]]:
    """Run the learner's file; give its functions by exercise, and why others cannot be used."""
    try:
        kept = progress_file.place(folder)
        return run(read_file(kept / FILE), str(kept / FILE)) if kept else ({}, {})
    except OSError as error:
        return {}, {FILE: reason(error)}


def own_names(folder: Path | None = None) -> list[str]:
    """Name the exercises that the learner's file has a function for; nothing of it is run.

    Example:
        >>> own_names(Path("/"))
        []
    """
    try:
        kept = progress_file.place(folder)
        return (read_file(kept / FILE) if kept else OwnFile()).names()
    except OSError:
        return []


def _edited(folder: Path | None) -> frozenset[str]:
    """Name the sections that are edited and have an earlier right answer to bring back."""
    try:
        if kept := progress_file.place(folder):
            right = load_record(kept).right
            sections = read_file(kept / FILE).sections.values()
            return frozenset(one.name for one in sections if one.is_edited and one.name in right)
    except OSError:
        pass  # `own_functions` says it
    return frozenset()


def own_count(own: Collection[str]) -> str:
    """Say how many parts of the translator have a function among these, and which is lent first.

    Example:
        >>> own_count(["embed"])[:55]
        'Of the translator of lesson 8, 1 of 14 parts are yours.'
    """
    names = MODELS["translator"]
    missing = [name for name in names if name not in own]
    gaps: dict[str, object] = {"own": len(names) - len(missing), "all": len(names)}
    if not missing:
        return say("Of the translator of lesson 8, all {all} parts are yours.", **gaps)
    return say(
        "Of the translator of lesson 8, {own} of {all} parts are yours. The first that is lent: "
        "{next}, {where}.",
        next=missing[0],
        where=where(missing[0]),
        **gaps,
    )


def where(name: str) -> str:
    """Say where an exercise is found.

    Example:
        >>> where("layer_norm")
        'number 3 of exercises/06_residual_and_layer_norm.ipynb'
    """
    lesson, number = _place(name)
    return say("number {number} of {notebook}", number=number, notebook=f"exercises/{lesson}.ipynb")


def _place(name: str) -> tuple[str, int]:
    """Give an exercise's lesson, and its number there."""
    for lesson, exercises in lessons().items():
        for number, exercise in enumerate(exercises, start=1):
            if exercise.name == name:
                return lesson, number
    raise ValueError(say("no exercise is called {name}", name=name))


def short_number(name: str) -> str:
    """Give an exercise's lesson and its number there, as a picture has room for.

    Example:
        >>> short_number("noam_rate")
        '8.6'
    """
    lesson, number = _place(name)
    return f"{int(lesson[:2])}.{number}"


@dataclass(frozen=True)
class MyParts(Mapping[str, Function]):
    """Parts by the names of their exercises; a notebook shows them as the model's figure.

    Attributes:
        model: whose parts they are.
        names: of all parts, in order.
        own: the learner's functions.
        faults: why a section of their file cannot be used; "" is its top, its name the whole.
        slow: exercise -> how many times as long as the course's a function takes that is not used.
        mistakes: exercise -> the listed mistake that the course lends in place of a function.
        edited: sections that their owner has edited, of which the last right answer is kept.
    """

    model: str
    names: Sequence[str]
    own: Mapping[str, Function]
    faults: Mapping[str, str] = field(default_factory=dict)
    mistakes: Mapping[str, str] = field(default_factory=dict)
    slow: Mapping[str, float] = field(default_factory=dict)
    edited: Collection[str] = ()

    def __getitem__(self, name: str) -> Function:
        if name not in self.names:
            raise KeyError(name)
        if mistake := self.mistakes.get(name):
            listed = {one.id: one.function for one in find(name).mistakes}
            return listed[mistake]
        return self.own.get(name) or find(name).reference

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def only(self, *names: str) -> "MyParts":
        """Give the same parts with these functions as your own; the rest is the course's."""
        return replace(self, own={name: self.own[name] for name in names}, mistakes={})

    def lending(self, slow: Mapping[str, float]) -> "MyParts":
        """Give the same parts without your functions that take so many times as long."""
        own = {name: function for name, function in self.own.items() if name not in slow}
        return replace(self, own=own, slow={**self.slow, **slow})

    def with_mistake(self, name: str, mistake: str) -> "MyParts":
        """Give the same parts, of which the course lends one with a mistake.

        Your own function stays as it is in your file, and is not among these.

        Raises:
            ValueError: the exercise has no such mistake.
        """
        known = [one.id for one in find(name).mistakes]
        if mistake not in known:
            raise ValueError(
                say(
                    "mistake={mistake!r}; {name} has {known}",
                    mistake=mistake,
                    name=name,
                    known=known,
                )
            )
        own = {other: function for other, function in self.own.items() if other != name}
        return replace(self, own=own, mistakes={**self.mistakes, name: mistake})

    def lent(self) -> list[str]:
        """Name the parts that the course lends."""
        return [name for name in self.names if name not in self.own]

    def advice(self, name: str) -> str:
        """Say what to do about a part of yours that breaks the whole.

        An edited one is wrong in the file alone: a check of the notebook would call it right.
        """
        if name in self.edited:
            return say(
                "You have edited it in {file}. To bring your last right one back: "
                "tutor mine --restore {name}",
                file=FILE,
                name=name,
            )
        return say("Run {check}, {where}.", check=f"check({name})", where=where(name))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict, dict]:
        """Draw the model, filled where a function is the learner's own."""
        own = [name for name in self.names if name not in self.lent()]
        few = self.model != "translator"  # there a box has no room for all that fill it
        numbers = {name: short_number(name) for name in self.names} if few else None
        return own_map(self.model, own, repr(self), numbers)._repr_mimebundle_(include, exclude)

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """Say which parts are yours, what is lent and why, and what comes next."""
        lines = [_count(self)]
        lines += [
            say("Lent with a mistake: {name}, {mistake}.", name=name, mistake=_label(name, mistake))
            for name, mistake in self.mistakes.items()
        ]
        lines += [_fault(name, why) for name, why in self.faults.items()]
        lines += [self.advice(name) for name in self.faults if name in self.edited]
        lines += [
            say(
                "The course lends {name}; yours takes {times} times as long here.",
                name=name,
                times=f"{times:.0f}",
            )
            for name, times in self.slow.items()
        ]
        return lines


def _fault(name: str, why: str) -> str:
    if name == FILE:
        return say("{file} cannot be read: {why}", file=FILE, why=why)
    if not name:
        return say("The top of {file} does not run: {why}", file=FILE, why=why)
    return say("The course lends {name}; yours does not run: {why}", name=name, why=why)


def _count(parts: MyParts) -> str:
    lent, all_ = parts.lent(), len(parts)
    gaps: dict[str, object] = {"own": all_ - len(lent), "all": all_}
    if not lent:
        return say("All {all} parts are yours.", **gaps)
    gaps |= {"lent": ", ".join(lent)}
    missing = [name for name in lent if name not in {*parts.own, *parts.faults, *parts.slow}]
    if not missing:
        return say("{own} of {all} parts are yours. The course lends {lent}.", **gaps)
    return say(
        "{own} of {all} parts are yours. The course lends {lent}. Next: {next}, {where}.",
        next=missing[0],
        where=where(missing[0]),
        **gaps,
    )


def _label(name: str, mistake: str) -> str:
    found = next(one.title for one in find(name).mistakes if one.id == mistake)
    return say_as("mistake", found)
