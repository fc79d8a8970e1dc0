"""What can be touched in a stored picture, and which of the other pictures it leads to."""

import json
from collections.abc import Mapping
from numbers import Real
from typing import Any

from tutor.display.explorer import Explorer
from tutor.display.regions import Region, described
from tutor.display.stills import offered

MOST_WORDS = 10_000  # cells that tell something, over all pictures of one explorer

Lead = dict[int, int] | None  # a control's place, and which of its positions


class Touched:
    """The regions of an explorer's frames, each kind of them once.

    Attributes:
        places: for each frame which corners it has, and which words.
    """

    def __init__(self, explorer: Explorer) -> None:
        self._explorer = explorer
        self._start = dict(explorer.values)
        told = sum(len([*region.cells]) for region in explorer.regions if region.words)
        self._has_words = told * len(explorer.settings_offered()) <= MOST_WORDS
        self._corners: dict[str, int] = {}
        self._words: dict[str, int] = {}
        self.places: list[tuple[int, int]] = []

    def add(self) -> None:
        """Note where the regions are in the frame that was drawn last, and what they tell."""
        regions = described(self._explorer.regions)
        words = {one["place"]: self._words_of(one["place"]) for one in regions if one["tells"]}
        self.places.append((_once(self._corners, regions), _once(self._words, words)))

    def told(self) -> dict[str, Any]:
        """Return all corners, all words, and where each cell leads, as a page is given them."""
        return {
            "regions": [json.loads(one) for one in self._corners],
            "words": [json.loads(one) for one in self._words],
            "leads": [self._leads_of(region) for region in self._explorer.regions],
        }

    def _words_of(self, place: int) -> list[list[str]]:
        region = self._explorer.regions[place]
        if region.words is None or not self._has_words:
            return []
        across = range(len(region.columns) - 1)
        return [[region.words(row, n) for n in across] for row in range(len(region.rows) - 1)]

    def _leads_of(self, region: Region) -> list[list[Lead]]:
        across = range(len(region.columns) - 1)
        return [
            [self._lead(region.settings(row, column)) for column in across]
            for row in range(len(region.rows) - 1)
        ]

    def _lead(self, settings: Mapping[str, Any]) -> Lead:
        """Return what a page's controls become, None if no stored picture shows it."""
        if not settings:
            return None
        if self._explorer.tour:
            wanted = self._start | dict(settings)
            stops = [self._start | dict(stop) for stop in self._explorer.tour.values()]
            return {0: stops.index(wanted)} if wanted in stops else None
        positions = offered(self._explorer.controls, self._explorer.kept)
        found = {
            place: _nearest(every, settings[name])
            for place, (name, every) in enumerate(positions.items())
            if name in settings and len(every) > 1
        }
        return None if not found or None in found.values() else found  # type: ignore[return-value]


def _nearest(every: list[Any], value: Any) -> int | None:
    """Return the place of a value, of a number that is left out that of the nearest."""
    if value in every:
        return every.index(value)
    if not isinstance(value, Real) or not all(isinstance(one, Real) for one in every):
        return None
    return min(range(len(every)), key=lambda place: abs(every[place] - value))


def _once(seen: dict[str, int], what: Any) -> int:
    return seen.setdefault(json.dumps(what), len(seen))
