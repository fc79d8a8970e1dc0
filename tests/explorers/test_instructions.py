"""What a lesson's text asks its readers to set can be set on pages and decks, too.

"Go to step 6, cell 5" is read out of the text beside each explorer: the name of a control with a
number, or the name of a menu's option in italics. Pages and decks offer what `offered` says, and
all combinations of it, or the settings of a tour.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

import ipywidgets
import nbformat
import pytest

from tools.authoring.files import LESSONS, notebooks_in
from tutor.display.controls import choices, positions
from tutor.display.explorer import Explorer
from tutor.display.stills import offered

NUMBER = r"[-−]?\d+(?:[.,]\d+)*"
NUMBERS = rf"{NUMBER}(?:(?:, then|, and|,| and| to| then)\s+(?:back to )?{NUMBER})*"
Setting = tuple[str, Any]


def beside(cells: list, place: int) -> str:
    """The text beside a code cell: from the heading above it to the next slide's or code.

    A prediction that is asked below does not end it.
    """
    above, below = [], []
    for cell in reversed(cells[:place]):
        if cell.cell_type != "markdown":
            break
        above.insert(0, cell.source)
        if cell.source.startswith("#"):
            break
    for cell in cells[place + 1 :]:
        if cell.cell_type == "code" and cell.source.startswith("predict("):
            continue
        if cell.cell_type != "markdown" or cell.source.startswith("## "):
            break
        below.append(cell.source)
    return "\n\n".join([*above, *below])


def shown(lesson: str) -> Iterator[tuple[str, str]]:
    """The explorers a lesson shows, by name, each with the text beside it."""
    cells = nbformat.read(LESSONS / f"{lesson}.ipynb", as_version=4).cells
    for place, cell in enumerate(cells):
        if cell.cell_type == "code" and (call := re.search(r"\bexplore\.(\w+)\(\)", cell.source)):
            yield call[1], beside(cells, place)


@cache
def explorer(lesson: str, name: str) -> Explorer | None:
    module = import_module(f"tutor.explorers.lesson{lesson}")
    makers = {make.__name__: make for make in module.EXPLORERS}
    return makers[name]() if name in makers else None  # the others are still pictures


def names_of(widget: ipywidgets.ValueWidget) -> list[str]:
    """How a text may call a control: "forget gate f" also "forget gate", "ahead" also *ahead*."""
    label = widget.description
    return [label, re.sub(r" [^\W\d]$", "", label)]


def numbers(text: str) -> list[float]:
    plain = text.replace("−", "-")
    return [float(found.replace(",", "")) for found in re.findall(r"-?\d+(?:[.,]\d+)*", plain)]


def settings_in(sentence: str, explorer: Explorer) -> Iterator[Setting]:
    """What a sentence says of an explorer's controls: a control's name and a value."""
    for name, widget in explorer.controls.items():
        texts = dict(choices(widget)) if hasattr(widget, "options") else {}
        if isinstance(widget, ipywidgets.Dropdown):
            for option in re.findall(r"\*([^*]+)\*", sentence):
                for label, value in texts.items():
                    if label.lower() == option.lower():
                        yield name, value
        elif not isinstance(widget, ipywidgets.Checkbox | ipywidgets.Text):
            for label in names_of(widget):
                word = rf"(?<![\w,]){re.escape(label)}(?!\w)"
                after = rf"{word}\s*(?:set to|to|at|of|from|=)?\s*({NUMBERS})"
                before = rf"({NUMBER}) {re.escape(label)}s?(?!\w)"
                for found in re.findall(after, sentence) + re.findall(before, sentence):
                    yield from ((name, number) for number in numbers(found))


def instructions(text: str, explorer: Explorer) -> Iterator[list[Setting]]:
    """The settings that each sentence of a text names together."""
    sliders = {n: w for n, w in explorer.controls.items() if not isinstance(w, ipywidgets.Text)}
    possible = {name: positions(widget) for name, widget in sliders.items()}
    for sentence in re.split(r"(?<=[.?!:;])\s+", re.sub(r"\([^)]*\)", "", text)):
        told = [*settings_in(sentence, explorer), *settings_in(sentence.replace("*", ""), explorer)]
        # Other numbers than a control can have are not meant for it.
        told = [(name, value) for name, value in told if value in possible[name]]
        if told:
            yield list(dict.fromkeys(told))


def is_offered(together: list[Setting], explorer: Explorer) -> bool:
    """Whether settings that a sentence names can be made: one after the other, or on a tour."""
    if explorer.tour:
        return any(
            all((explorer.values | stop)[name] == value for name, value in together)
            for stop in explorer.tour.values()
        )
    values = offered(explorer.controls, explorer.kept)
    return all(value in values[name] for name, value in together)


CASES = [
    pytest.param(lesson, name, text, id=f"{lesson}.{name}")
    for lesson in (path.stem for path in notebooks_in(LESSONS))
    for name, text in shown(lesson)
]


@pytest.mark.parametrize(("lesson", "name", "text"), CASES)
def test_what_the_text_asks_for_is_there_without_a_kernel(lesson, name, text):
    made = explorer(lesson, name)
    if made is None:
        pytest.skip("a still picture: nothing to set")
    missing = [told for told in instructions(text, made) if not is_offered(told, made)]
    assert missing == []


@pytest.mark.long
def test_the_texts_are_understood():
    found = {
        (name, setting)
        for lesson, name, text in (case.values for case in CASES)
        if (made := explorer(lesson, name)) is not None
        for together in instructions(text, made)
        for setting in together
    }
    for expected in (
        ("step_by_step", ("step", 6.0)),
        ("all_or_nothing", ("keys", 512.0)),
        ("back_through_time", ("radius", 0.9)),
        ("back_through_time", ("inputs", 1.0)),
        ("edit_the_tokens", ("x12", 2.0)),
    ):
        assert expected in found
    assert len(found) > 40
