"""No word lies over another, on a dot that is not its own, or under a line."""

from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import get_annotations, isfunction, signature
from typing import Any

import pytest

from tests.explorers.overlaps import overlaps, recorded, words_overlapping
from tests.explorers.test_every_explorer import (
    every_explorer,
    every_explorer_at_length,
    lesson_modules,
)
from tutor.display.canvas import Canvas
from tutor.display.palette import PAPER
from tutor.display.plots import Picture


@pytest.mark.parametrize("walk", [*every_explorer(), *every_explorer_at_length()])
def test_no_word_is_hidden_or_struck(walk: Any):
    make, chosen = walk
    explorer = make()
    found = {}
    for values in chosen(explorer):
        found |= dict.fromkeys(words_overlapping(explorer, values), values)
    explorer.close()
    assert found == {}


def still_pictures() -> Iterator[Any]:
    """Every picture of a lesson that does not move and needs no argument."""
    for name in lesson_modules():
        module = import_module(f"tutor.explorers.{name}")
        for called in module.__all__:
            make = getattr(module, called)
            is_ready = isfunction(make) and not signature(make).parameters
            if is_ready and get_annotations(make).get("return") is Picture:
                yield pytest.param(make, id=f"{name}.{called}")


@pytest.mark.parametrize("make", [*still_pictures()])
def test_no_word_of_a_still_picture_is_hidden_or_struck(make: Callable[[], Picture]):
    with recorded() as seen:
        make()
    last = {drawn.artist: drawn for drawn in seen}  # the layout may draw some twice
    assert overlaps([*last.values()]) == []


def said_of(draw: Any) -> list[str]:
    canvas = Canvas(3, 2)
    axes = canvas.figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, 1), ylim=(0, 1))
    axes.axis("off")
    draw(axes)
    canvas.freeze_layout()
    with recorded() as seen:
        canvas.png()
    return overlaps(seen)


def test_words_over_each_other_are_found():
    def draw(axes: Any) -> None:
        axes.text(0.4, 0.5, "river")
        axes.text(0.45, 0.52, "bank")

    assert said_of(draw) == ["'river' over 'bank'"]


def test_a_line_through_a_word_is_found_unless_paper_is_between():
    def draw(axes: Any, **look: Any) -> None:
        axes.plot([0, 1], [0.5, 0.5], color="black")
        axes.text(0.5, 0.5, "guessing", va="center", **look)

    assert "a line through 'guessing'" in said_of(draw)[0]
    paper = {"facecolor": PAPER, "edgecolor": "none"}
    assert said_of(lambda axes: draw(axes, bbox=paper)) == []


def test_a_word_pushed_to_anothers_dot_is_found():
    def draw(axes: Any) -> None:
        axes.plot([0.55], [0.5], "o", markersize=4)
        axes.text(0.5, 0.5, "savings", va="center")

    assert "'savings' on a dot" in said_of(draw)[0]


def test_words_side_by_side_and_over_a_grid_are_fine():
    canvas = Canvas(3, 2)
    axes = canvas.figure.subplots()
    axes.grid(visible=True)
    axes.text(0.1, 0.4, "river")
    axes.text(0.6, 0.4, "bank")
    with recorded() as seen:
        canvas.png()
    assert overlaps(seen) == []
