"""Every lesson in JupyterLab, to read and as slides: a new one needs no word here."""

import statistics
from collections.abc import Iterator

import pytest

from tests.browser.driver import ROOT, Notebook

LESSONS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))


@pytest.fixture(scope="module", params=LESSONS)
def lesson(lab, request) -> Iterator[Notebook]:
    """A lesson that has been run to the end."""
    with lab.notebook(f"notebooks/{request.param}.ipynb") as notebook:
        assert notebook.run_all() == []
        yield notebook


@pytest.fixture(autouse=True)
def nothing_complained(lab, server) -> Iterator[None]:
    yield
    assert lab.complaints == []
    assert server.complaints() == []


def test_explorers_follow_their_sliders(lesson):
    pictures = lesson.pictures()
    assert len(pictures) >= 2, "a lesson has at least two explorers"
    for picture in pictures:
        picture.settle()
        before = picture.readouts()
        with picture.watched() as height:
            for slider in picture.sliders:
                picture.move(slider, "key")
            moved = picture.readouts()
            assert all(a != b for a, b in zip(before, moved, strict=True)), "a slider is stuck"
            picture.settle()
            if picture.sliders:
                picture.move(picture.sliders[0], "drag")
                picture.settle()
            picture.use_other_controls()
            picture.settle()
        assert height["least"] >= 0.98 * height["start"]


def test_slides_are_large_and_hold_all_that_is_on_them(lesson):
    """At a projector's size; `test_slides.py` tries others."""
    with lesson.as_slides():
        slides = lesson.slides()
    assert len(slides) >= 10
    assert [(slide["title"], slide["cut_off"]) for slide in slides if slide["cut_off"]] == []
    assert [slide["title"] for slide in slides if slide["body"] < 9] == []
    assert statistics.median(slide["body"] for slide in slides) >= 18


def test_sliders_move_on_slides(lesson):
    with lesson.as_slides():
        picture = next(picture for picture in lesson.pictures() if picture.sliders)
        lesson.show_slide_of(picture)
        start = picture.settle()
        picture.move(picture.sliders[0], "drag")
        assert picture.settle() != start
