"""Every lesson in JupyterLab, to read and as slides: a new one needs no word here."""

import statistics
from collections.abc import Iterator

import pytest

from tests.browser.axe import grave_findings
from tests.browser.driver import ROOT, Notebook
from tests.tiers import first_quick, quick_where

LESSONS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))


LAYOUT = """() => [...document.querySelectorAll('.jp-NotebookPanel .tutor-explorer')].map(box => {
    const image = box.querySelector('img.widget-image');
    const width = node => node.getBoundingClientRect().width;
    return {
        tracks: [...box.querySelectorAll('.widget-slider .noUi-base')].map(width),
        picture: width(image),
        whole: image.naturalWidth / 2,
        controls: box.querySelector('.tutor-controls').getBoundingClientRect().height,
    };
})"""


@pytest.fixture(scope="module", params=quick_where(lambda lesson: lesson[:2] == "07", LESSONS))
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


@pytest.mark.parametrize("pictures", first_quick([slice(2), slice(2, None)]), ids=str)
def test_explorers_follow_their_sliders(lesson, pictures):
    assert len(lesson.pictures()) >= 2, "a lesson has at least two explorers"
    for picture in lesson.pictures()[pictures]:
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


def test_outputs_keep_nobody_out(lesson):
    panel = ".jp-NotebookPanel"
    assert (
        grave_findings(lesson.page, f"{panel} .jp-OutputArea", f"{panel} .jp-MarkdownOutput") == []
    )


def test_small_windows_leave_sliders_to_drag_and_numbers_to_read(lesson):
    """A small laptop's, and a phone's."""
    for width, height, track in ((1024, 768, 80), (380, 760, 70)):
        with lesson.in_window(width, height):
            for shown in lesson.page.evaluate(LAYOUT):
                assert min(shown["tracks"], default=track) >= track
                assert shown["picture"] >= min(shown["whole"], 560)
                assert shown["controls"] <= 0.31 * height, "the picture is pushed away"


@pytest.mark.long
def test_slides_are_large_and_hold_all_that_is_on_them(lesson):
    """At a projector's size; `test_slides.py` tries others."""
    with lesson.as_slides():
        slides = lesson.slides()
    assert len(slides) >= 10
    assert [(slide["title"], slide["cut_off"]) for slide in slides if slide["cut_off"]] == []
    assert [slide["title"] for slide in slides if slide["body"] < 9] == []
    assert statistics.median(slide["body"] for slide in slides) >= 18


@pytest.mark.long
def test_sliders_move_on_slides(lesson):
    with lesson.as_slides():
        picture = next(picture for picture in lesson.pictures() if picture.sliders)
        lesson.show_slide_of(picture)
        start = picture.settle()
        picture.move(picture.sliders[0], "drag")
        assert picture.settle() != start
