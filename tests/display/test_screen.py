"""The kernel's side of a touched picture, with a front end that notes what it is sent."""

import io

import ipywidgets
import numpy as np
import pytest
from PIL import Image

from tests.display.test_painting import painted
from tutor.display import screen
from tutor.display.canvas import Canvas
from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, live
from tutor.display.painting import Repaint
from tutor.display.regions import touch, touch_cells

WORDS = ["the", "bank", "river"]


class Page(ipywidgets.DOMWidget):
    """A front end: paints what it is sent, keeps the rest."""

    def on_msg(self, callback, remove=False):
        self.said = lambda **message: callback(self, message, [])
        self.pixels = None
        self.number, self.frames, self.messages = None, [], []

    def send(self, content, buffers=None):
        self.messages.append(content)
        if frame := content.get("frame"):
            rows, columns, pixels = buffers
            counts = [np.frombuffer(some, np.uint16) for some in (rows, columns)]
            sent = Repaint(frame["x"], frame["y"], *counts, pixels, frame["packed"])
            assert frame["after"] in (None, self.number)
            before = np.zeros((frame["height"], frame["width"]), np.uint32)
            self.pixels = painted(before if frame["after"] is None else self.pixels, sent)
            self.number = frame["number"]
            self.frames.append(frame)

    def last(self, kind):
        return [message[kind] for message in self.messages if kind in message][-1]


def draw(fig, **_start):
    d = Diagram(fig)
    tiles = d.tokens(WORDS, at=(6, 1))
    for place, tile in enumerate(tiles):
        touch(tile, word=place)
    matrix = d.matrix(np.arange(6).reshape(2, 3) / 10, at=(6, 4), rows=["a", "b"], name="scores")
    touch_cells(matrix, rows=("row", [1, 2]), columns=("word", [0, 1, 2]))

    def update(word, row):
        for place, tile in enumerate(tiles):
            tile.light(place == word)
        matrix.mark(row - 1, word)
        return f"{WORDS[word]} {row}"

    return update


def made() -> Explorer:
    return live(draw, alt="Words and numbers.", size=(6, 3), word=(0, 2, 1, 0), row=(1, 2, 1, 1))


@pytest.fixture
def page(monkeypatch):
    shown = Page()
    monkeypatch.setattr(screen, "_brush", lambda: shown)
    return shown


def seen(png: bytes) -> np.ndarray:
    rgba = np.asarray(Image.open(io.BytesIO(png)).convert("RGBA"))
    return np.ascontiguousarray(rgba).view(np.uint32)[..., 0]


def whole(explorer: Explorer) -> np.ndarray:
    explorer._canvas.redraw()
    return seen(explorer.png())


def place_of(page: Page, explorer: Explorer, **settings) -> list[int]:
    for place, region in enumerate(explorer.regions):
        for row, column in region.cells:
            if region.settings(row, column) == settings:
                return [place, row, column]
    raise AssertionError(f"no region leads to {settings}")


def test_without_a_page_that_paints_the_image_is_the_picture(page):
    explorer = made()
    explorer.controls["word"].value = 2
    assert page.messages == []
    np.testing.assert_array_equal(seen(explorer.image.value), whole(explorer))


def test_a_page_that_paints_has_the_last_picture_after_every_move(page):
    explorer = made()
    page.said(hello="new")
    assert page.frames == []  # the image is right as it is
    for word, row in ((1, 1), (2, 1), (2, 2), (0, 1), (2, 2)):
        explorer.controls["word"].value = word
        explorer.controls["row"].value = row
        np.testing.assert_array_equal(page.pixels, whole(explorer))
    assert [frame["after"] for frame in page.frames[:3]] == [None, 1, 2]
    np.testing.assert_array_equal(
        seen(explorer._repr_mimebundle_() and explorer.image.value), whole(explorer)
    )


def test_two_pictures_in_turns_are_each_right(page, monkeypatch):
    first, other = made(), Page()
    monkeypatch.setattr(screen, "_brush", lambda: other)
    second = made()
    for shown in (page, other):
        shown.said(hello="new")
    for word in (1, 2, 0):
        for explorer, shown in ((first, page), (second, other)):
            explorer.controls["word"].value = word
            np.testing.assert_array_equal(shown.pixels, whole(explorer))


def test_a_page_that_lost_a_picture_is_sent_all_of_it(page):
    explorer = made()
    page.said(hello="new")
    explorer.controls["word"].value = 1
    explorer.frame(word=2)  # drawn for somebody else
    page.pixels = page.number = None
    page.said(hello="again")
    np.testing.assert_array_equal(page.pixels, whole(explorer))


def test_what_is_touched_moves_the_controls_and_is_answered(page):
    explorer = made()
    page.said(hello="new")
    page.said(touch=place_of(page, explorer, word=2))
    assert explorer.values == {"word": 2, "row": 1}
    assert explorer.caption == "river 1"
    cell = place_of(page, explorer, word=1, row=2)
    page.said(touch=cell)
    assert explorer.values == {"word": 1, "row": 2}
    assert page.last("told") == [cell, "scores, b → 2: 0.40"]
    np.testing.assert_array_equal(page.pixels, whole(explorer))


def test_a_touch_draws_once(page, monkeypatch):
    explorer = made()
    page.said(hello="new")
    drawn = []
    update = explorer._update
    monkeypatch.setattr(
        explorer, "_update", lambda **values: drawn.append(values) or update(**values)
    )
    page.said(touch=place_of(page, explorer, word=2, row=2))
    assert drawn == [{"word": 2, "row": 2}]


def test_a_touch_that_fails_is_answered_and_shown(page):
    def broken(fig, **_start):
        touch(Diagram(fig).box("here", at=(3, 1)), word=1)

        def update(word):
            if word:
                raise ValueError("not one")
            return "nought"

        return update

    explorer = live(broken, alt="A box.", size=(3, 1), word=(0, 1, 1, 0))
    page.said(hello="new")
    page.said(touch=[0, 0, 0])
    assert explorer.error == "ValueError: not one"
    assert page.last("answer")


def test_regions_that_move_are_told_again(page):
    def moving(fig, **_start):
        tile = Diagram(fig).box("here", at=(1, 1))
        touch(tile, x=3)
        return lambda x: tile.move(x, 1) or f"{x}"

    explorer = live(moving, alt="A box.", size=(3, 1), x=(1, 5, 1, 1))
    page.said(hello="new")
    before = page.last("regions")
    explorer.controls["x"].value = 4
    after = page.last("regions")
    assert after[0]["box"][0] - before[0]["box"][0] == pytest.approx(3 / 6, abs=1e-3)


def test_without_anywidget_pictures_are_as_they_were(monkeypatch):
    monkeypatch.setattr(screen, "find_spec", lambda name: None)
    explorer = made()
    assert explorer._screen.brush is None
    explorer.controls["word"].value = 2
    np.testing.assert_array_equal(seen(explorer.image.value), whole(explorer))


def test_canvas_gives_the_pixels_of_its_png():
    canvas = Canvas(2, 1)
    canvas.figure.subplots().plot([0, 1])
    canvas.freeze_layout()
    np.testing.assert_array_equal(canvas.pixels().copy(), seen(canvas.png()))


def test_a_page_that_hears_nothing_goes_on_with_images(page):
    """Its ping comes, and no hello, since the answer does not arrive; another page heard before."""
    explorer = made()
    page.said(hello="new")
    explorer.controls["word"].value = 1
    page.said(ping=True)
    assert page.last("pong")
    np.testing.assert_array_equal(seen(explorer.image.value), whole(explorer))
    frames = len(page.frames)
    explorer.controls["word"].value = 2
    assert len(page.frames) == frames
    np.testing.assert_array_equal(seen(explorer.image.value), whole(explorer))
