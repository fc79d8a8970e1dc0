"""Whatever an explorer shows can be translated: seen by one who speaks a language of its own."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from matplotlib.text import Text

from tests.allowances import hold
from tests.explorers.test_every_explorer import first_and_last, lesson_modules
from tests.learner.pseudo import left_over, spoken
from tests.tiers import quick_where
from tutor.display.canvas import Canvas
from tutor.display.controls import choices
from tutor.display.explorer import Explorer


@pytest.fixture
def _undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words can be read without a picture: drawing is what takes the time."""
    monkeypatch.setattr(Canvas, "png", lambda self: b"")
    monkeypatch.setattr(Canvas, "freeze_layout", lambda self: None)


def words_of(explorer: Explorer) -> Iterator[str]:
    """Give all that a reader sees of an explorer first and last."""
    yield explorer.alt
    yield from explorer.tour or ()
    for widget in explorer.controls.values():
        yield widget.description
        yield from (label for label, _ in choices(widget)) if hasattr(widget, "options") else ()
    for values in first_and_last(explorer):
        yield explorer.frame(**values).caption
        yield from (text.get_text() for text in explorer._canvas.figure.findobj(Text))


def english_in(name: str) -> list[str]:
    """List what of a lesson's explorers stays English in every language."""
    found: dict[tuple[str, str], Any] = {}
    with spoken():
        for make in import_module(f"tutor.explorers.{name}").EXPLORERS:
            explorer = make()
            for text in words_of(explorer):
                if left_over(text):
                    found[make.__name__, text] = None
            explorer.close()
    return [f"{make}: {text}" for make, text in found]


QUICK = ("03", "04", "06", "07", "09")  # a second or two each; the others take three to five


@pytest.mark.usefixtures("_undrawn")
@pytest.mark.parametrize("name", quick_where(lambda name: name[6:8] in QUICK, lesson_modules()))
def test_what_explorers_show_can_be_translated(name: str):
    hold("english in explorers", name[6:], english_in(name))
