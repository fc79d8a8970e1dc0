"""Whatever can be touched in a picture leads to its control's value, in every explorer."""

import inspect
import math
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from tests.explorers.test_every_explorer import every_explorer, lesson_modules
from tutor.display.regions import Region, described
from tutor.display.screen import Screen

MOST = 4  # cells of a region that are touched


def touching() -> Iterator[Any]:
    for parameters in every_explorer():
        make, _ = parameters.values[0]
        source = inspect.getsource(import_module(make.__module__))
        if "touch" in source or "HeadPicture" in source:
            yield pytest.param(make, id=parameters.id)


def some_cells(region: Region) -> list[tuple[int, int]]:
    """Corners first, then what lies between."""
    rows, columns = len(region.rows) - 1, len(region.columns) - 1
    corners = [(0, 0), (rows - 1, columns - 1), (rows // 2, columns // 2), (rows - 1, 0)]
    return list(dict.fromkeys(corners))[:MOST]


@pytest.fixture(autouse=True)
def undrawn(monkeypatch):
    """Pictures as they are, but not painted, which takes nearly all the time."""
    monkeypatch.setattr(Screen, "show", lambda screen: None)


@pytest.mark.parametrize("make", [*touching()])
def test_each_region_leads_to_its_controls_value(make):
    explorer = make()
    start = explorer.values
    acting = [
        (place, region) for place, region in enumerate(explorer.regions) if region.settings(0, 0)
    ]
    assert acting
    for place, region in acting:
        for row, column in some_cells(region):
            explorer._screen._hear(None, {"touch": [place, row, column]}, [])
            settings = region.settings(row, column)
            assert explorer.values == explorer.values | settings
            assert explorer.error is None, settings
            if region.words is not None:
                assert isinstance(region.words(row, column), str)
    moved = {name for _, region in acting for name in region.settings(0, 0)}
    untouched = explorer.controls.keys() - moved
    assert {name: explorer.values[name] for name in untouched} == {
        name: start[name] for name in untouched
    }
    explorer.close()


@pytest.mark.parametrize("make", [*touching()])
def test_regions_lie_on_the_picture_and_can_be_hit(make):
    explorer = make()
    shown = [region for region in described(explorer.regions) if region["acts"]]
    assert shown
    width, height = 100 * explorer._canvas.figure.get_size_inches()  # the page's pixels
    for region in shown:
        left, top, right, bottom = region["box"]
        assert all(-0.01 <= side <= 1.01 for side in region["box"]), region["box"]
        across = abs(right - left) * width / (len(region["columns"]) - 1)
        down = abs(bottom - top) * height / (len(region["rows"]) - 1)
        assert math.sqrt(across * down) >= 5, "too small to be hit"
    explorer.close()


def test_each_lesson_has_something_to_touch():
    lessons = {parameters.id.split(".")[0] for parameters in touching()}
    assert set(lesson_modules()) == lessons
