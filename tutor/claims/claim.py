"""A measured sentence of a lesson: the inequality it stands for, and where that holds."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any

from tutor.claims.runs import Runs, Setting, Sweep, load_sweep


@dataclass(frozen=True)
class Shown:
    """How the runs behind a claim are shown: one number by two axes, over all other axes.

    Attributes:
        number: what stands in the cells, from the lowest of the runs to the highest.
        down: the axis whose values are the rows.
        across: the axis whose values are the columns.
        only: values of other axes, if not all are shown.
        form: how a number is written.
    """

    number: str
    down: str
    across: str
    only: Mapping[str, Any] = field(default_factory=dict)
    form: str = ".2f"


@dataclass(frozen=True)
class Claim:
    """A measured sentence of a lesson.

    Attributes:
        name: by which the lesson and the documentation call it.
        lesson: whose notebook says it.
        cell: the id of the cell that says it.
        sentence: word for word.
        compares: what is compared with what, in words.
        sweep: the stored sweep it rests on, made by the script of that name in tools/results.
        holds: the sentence as an inequality with a margin, over the runs at one setting.
        of: values of axes, where the claim is about some of the runs only.
        each: the axes at each of whose settings the sentence has to hold by itself.
        within: the values of these axes that the sentence speaks of, where it does not mean all.
        shown: the tables that show its range.
    """

    name: str
    lesson: str
    cell: str
    sentence: str
    compares: str
    sweep: str
    holds: Callable[[Runs], bool]
    each: tuple[str, ...]
    shown: tuple[Shown, ...]
    of: Mapping[str, Any] = field(default_factory=dict)
    within: Mapping[str, list[Any]] = field(default_factory=dict)

    @cached_property
    def stored(self) -> Sweep:
        """The stored sweep."""
        return load_sweep(self.sweep)

    @property
    def runs(self) -> Runs:
        """The runs the claim is about."""
        return self.stored.runs.at(**self.of)

    def verdicts(self) -> list[tuple[Setting, bool]]:
        """Say for each setting whether the inequality holds there."""
        return [(setting, self.holds(runs)) for setting, runs in self.runs.each(self.each)]

    def speaks_of(self, setting: Setting) -> bool:
        """Say whether the sentence means to hold at a setting."""
        return all(setting[axis] in values for axis, values in self.within.items())

    def broken(self) -> list[Setting]:
        """Return the settings at which the sentence says what is not so: none, if it is true."""
        return [s for s, holds in self.verdicts() if not holds and self.speaks_of(s)]

    def ends(self) -> list[Setting]:
        """Return where the inequality fails, in as few words as it takes: some axes of settings."""
        verdicts = self.verdicts()
        failing = [setting for setting, holds in verdicts if not holds]
        settings = [setting for setting, _ in verdicts]
        parts: list[Setting] = []
        for part in _parts(self.each, settings):
            matching = [s for s in settings if part.items() <= s.items()]
            said = [s for s in matching if any(known.items() <= s.items() for known in parts)]
            if len(said) < len(matching) and all(s in failing for s in matching):
                parts.append(part)
        return parts


def _parts(axes: tuple[str, ...], settings: list[Setting]) -> Iterator[Setting]:
    """Go through all that a setting can be said to have, the least said first."""
    for count in range(1, len(axes) + 1):
        for names in combinations(axes, count):
            for setting in settings:
                yield {name: setting[name] for name in names}
