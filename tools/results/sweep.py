"""Sweeps: one experiment, run at every setting that could turn its result over.

A script beside this one defines the experiment as a function of its settings and a seed, and the
grids of settings to run it at::

    def measured(keys: int, scale: bool, initialisation: str, seed: int) -> dict[str, float]:
        ...

    SWEEP = Sweep("attention_scale", "...", measured, grids=[{"keys": [8, 512], ...}], ...)

    if __name__ == "__main__":
        SWEEP.main()

`tutor/claims/` holds the lessons' sentences against the numbers stored here.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import stored  # first: it makes the package importable
import torch
from tqdm import tqdm

SEEDS = (0, 1, 2)
MOST_MINUTES = 20  # of processor time, for a whole sweep

Experiment = Callable[..., Mapping[str, float]]


@dataclass(frozen=True)
class Sweep:
    """An experiment and the settings to run it at.

    Attributes:
        name: of the stored result.
        what: the experiment, in a sentence.
        experiment: takes a value of each axis and a seed by name, gives numbers by name. It draws
            from torch's global generator, which stands at the seed.
        grids: each a list of values for every axis; all combinations are run.
        labels: what an axis or a number is called where it is shown.
        margins: how far a number may lie from the stored one when it is measured on another
            machine.
        sample: values of some axes: `make check` runs these settings anew, with the first seed, in
            a few seconds. Choose some whose numbers do not hang on the last digit.
        unvaried: for "seed" or "initialisation", why it is no axis.
        seeds: at least three, unless nothing is drawn.
    """

    name: str
    what: str
    experiment: Experiment
    grids: Sequence[Mapping[str, Sequence[Any]]]
    labels: Mapping[str, str]
    margins: Mapping[str, float]
    sample: Mapping[str, Sequence[Any]]
    unvaried: Mapping[str, str] = field(default_factory=dict)
    seeds: Sequence[int] = SEEDS

    def settings(self) -> Iterator[dict[str, Any]]:
        """Go through the settings, each once."""
        seen = []
        for grid in self.grids:
            for values in product(*grid.values()):
                setting = dict(zip(grid, values))
                if setting not in seen:
                    seen.append(setting)
                    yield setting

    def sampled(self) -> list[dict[str, Any]]:
        """Return the settings of the sample."""
        return [s for s in self.settings() if all(s[axis] in v for axis, v in self.sample.items())]

    def run(self, setting: Mapping[str, Any], seed: int) -> dict[str, float]:
        """Run the experiment once; numbers are kept with four digits."""
        torch.manual_seed(seed)
        numbers = self.experiment(**setting, seed=seed)
        return {name: float(f"{number:.4g}") for name, number in numbers.items()}

    def measure(self, reduced: bool) -> dict[str, Any]:
        """Run all settings with all seeds, or the sample with the first seed."""
        settings = self.sampled() if reduced else list(self.settings())
        seeds = self.seeds[:1] if reduced else self.seeds
        began, rows = time.process_time(), []
        for setting in tqdm(settings, unit="setting"):
            runs = [self.run(setting, seed) for seed in seeds]
            rows.append([*setting.values(), *(number for run in runs for number in run.values())])
        return {
            "axes": list(settings[0]),
            "numbers": list(self.margins),
            "labels": dict(self.labels),
            "margins": dict(self.margins),
            "unvaried": dict(self.unvaried),
            "cpu minutes": round((time.process_time() - began) / 60, 2),
            "rows": rows,
        }

    def main(self) -> None:
        """Measure and store, or measure the sample, as the command line says."""
        stored.main(self.name, self.what, list(self.seeds), self.measure)
