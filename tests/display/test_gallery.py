"""The ten diagrams of the gallery can be drawn, stored, heard, and translated."""

import base64
from collections.abc import Callable

import pytest
from matplotlib.text import Text

from tests.display.gallery import GALLERY
from tutor.display import lettering, links, matrix, shapes
from tutor.display.canvas import Canvas
from tutor.display.plots import Picture


@pytest.mark.parametrize("make", GALLERY, ids=lambda make: make.__name__)
def test_it_can_be_stored_and_its_data_heard(make: Callable[[], Picture]):
    data, _ = make()._repr_mimebundle_()
    assert len(base64.b64decode(data["image/png"])) < 60_000
    assert len(data["text/plain"]) > 60
    assert "nan" not in data["text/plain"]


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> list:
    """The figures that are drawn, kept for a look at their texts."""
    made = []
    freeze = Canvas.freeze_layout

    def keep(canvas: Canvas) -> None:
        made.append(canvas.figure)
        freeze(canvas)

    monkeypatch.setattr(Canvas, "freeze_layout", keep)
    return made


@pytest.mark.parametrize("make", GALLERY, ids=lambda make: make.__name__)
@pytest.mark.parametrize("times", [1, 2])
def test_labels_stay_in_their_boxes_and_on_the_sheet(make, times, figures, monkeypatch):
    """With every label twice as long, too, as it may be in another language."""
    monkeypatch.setattr(lettering, "_WIDEST", 99)
    for module in (shapes, links, matrix):
        monkeypatch.setattr(module, "label", lambda words: " ".join([words] * times))
    make()
    (sheet,) = figures[-1].axes
    room = figures[-1].bbox
    for part in sheet.parts:
        texts = [text for text in part.artists if isinstance(text, Text)]
        texts = [text for text in texts if text.get_text()]
        for text in texts:
            box = text.get_window_extent()
            if times == 1:
                assert room.x0 - 1 <= box.x0 <= box.x1 <= room.x1 + 1, text
                assert room.y0 - 1 <= box.y0 <= box.y1 <= room.y1 + 1, text
            if isinstance(part, shapes.Box):
                outline = part.patch.get_window_extent()
                assert outline.x0 <= box.x0 + 1 <= box.x1 - 1 <= outline.x1, text
                assert outline.y0 <= box.y0 + 2 <= box.y1 - 2 <= outline.y1, text
