"""The runs of a stored sweep: which settings were tried, and what was measured in each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from tutor.data.files import load_results
from tutor.say import say

Setting = dict[str, Any]
SEED = "seed"


class Runs:
    """Runs of one experiment: in each a value of every axis, and the numbers measured there.

    Example:
        >>> runs = Runs([
        ...     {"bias": 0, "seed": 0, "told": 0.1}, {"bias": 0, "seed": 1, "told": 0.2},
        ...     {"bias": 5, "seed": 0, "told": 0.9}, {"bias": 5, "seed": 1, "told": 1.0},
        ... ])
        >>> runs.at(bias=5).lowest("told") > runs.at(bias=0).highest("told")
        True
        >>> len(runs), runs.values_of("bias")
        (4, [0, 5])
    """

    def __init__(self, runs: Sequence[Mapping[str, Any]]) -> None:
        self._runs = list(runs)

    def __len__(self) -> int:
        return len(self._runs)

    def at(self, **setting: Any) -> "Runs":
        """Return the runs in which each named axis has the given value, or one of a list of them.

        Raises:
            ValueError: there is no such run.
        """
        wanted = {axis: v if isinstance(v, list) else [v] for axis, v in setting.items()}
        found = [run for run in self._runs if all(run[axis] in v for axis, v in wanted.items())]
        if not found:
            raise ValueError(
                say(
                    "no run at {setting}; {offered}",
                    setting=setting,
                    offered=self._offered(setting),
                )
            )
        return Runs(found)

    def numbers(self, name: str) -> list[float]:
        """Return what was measured under a name, one number a run."""
        return [run[name] for run in self._runs]

    def lowest(self, name: str) -> float:
        """Return the smallest number measured."""
        return min(self.numbers(name))

    def highest(self, name: str) -> float:
        """Return the largest number measured."""
        return max(self.numbers(name))

    def median(self, name: str) -> float:
        """Return the number in the middle."""
        return median(self.numbers(name))

    def values_of(self, axis: str) -> list[Any]:
        """Return the values that an axis takes, in the order of the sweep."""
        return list(dict.fromkeys(run[axis] for run in self._runs))

    def each(self, axes: Sequence[str]) -> Iterator[tuple[Setting, "Runs"]]:
        """Go through what was tried of some axes; give each setting and the runs at it."""
        groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
        for run in self._runs:
            groups.setdefault(tuple(run[axis] for axis in axes), []).append(run)
        for values, runs in groups.items():
            yield dict(zip(axes, values)), Runs(runs)

    def _offered(self, setting: Setting) -> str:
        return "; ".join(
            say("{axis} has {values}", axis=axis, values=self.values_of(axis)) for axis in setting
        )


@dataclass(frozen=True)
class Sweep:
    """A stored sweep, as `tools/results/sweep.py` writes it.

    Attributes:
        name: of its file in tutor/data/results and of its script in tools/results.
        what: the experiment, in a sentence.
        runs: all of them.
        labels: what an axis or number is called where it is shown.
        unvaried: why an axis that a claim should vary is not among the settings.
        margins: how far each number may lie from the stored one when it is measured again.
        cpu_minutes: of the whole sweep.
    """

    name: str
    what: str
    runs: Runs
    axes: tuple[str, ...]
    labels: dict[str, str]
    unvaried: dict[str, str]
    margins: dict[str, float]
    cpu_minutes: float


def load_sweep(name: str) -> Sweep:
    """Read a stored sweep.

    Example:
        >>> load_sweep("attention_scale").axes
        ('keys', 'd_k', 'scale', 'initialisation')

    Raises:
        ValueError: there is no stored result of that name, or it is no sweep.
    """
    result = load_results(name)
    values = result["values"]
    if "rows" not in values:
        raise ValueError(
            say(
                "the stored result {name!r} is no sweep; it has {values}",
                name=name,
                values=sorted(values),
            )
        )
    axes, numbers, seeds = values["axes"], values["numbers"], result["seed"]
    runs = []
    for row in values["rows"]:
        setting = dict(zip(axes, row))
        measured = row[len(axes) :]  # all numbers of the first seed, then those of the next
        for index, seed in enumerate(seeds):
            of_seed = measured[index * len(numbers) : (index + 1) * len(numbers)]
            runs.append(setting | {SEED: seed} | dict(zip(numbers, of_seed, strict=True)))
    return Sweep(
        name,
        result["what"],
        Runs(runs),
        tuple(axes),
        values["labels"],
        values["unvaried"],
        values["margins"],
        values["cpu minutes"],
    )
