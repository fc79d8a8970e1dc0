"""Finished pictures and the words that go with them."""

import base64
import io

import pytest
from bs4 import BeautifulSoup
from matplotlib.figure import Figure
from PIL import Image

from tutor.display.diagram import Diagram
from tutor.display.plots import Picture


def line() -> Picture:
    def draw(fig: Figure) -> str:
        fig.subplots().plot([0, 1])
        return "slope <1.0>"

    return Picture(draw, alt='A "rising" line.', size=(3, 2))


def test_picture_bundle_holds_png_alt_and_caption():
    data, metadata = line()._repr_mimebundle_()
    assert set(data) == {"image/png", "text/plain"}
    assert data["text/plain"] == 'A "rising" line.\nslope <1.0>'
    assert Image.open(io.BytesIO(base64.b64decode(data["image/png"]))).size == (600, 400)
    assert metadata["image/png"] == {"alt": 'A "rising" line.', "width": 300, "height": 200}


def test_jupyter_is_sent_the_same_picture_with_its_words(monkeypatch):
    monkeypatch.setenv("JPY_SESSION_NAME", "lesson.ipynb")
    data, _ = line()._repr_mimebundle_()
    figure = BeautifulSoup(data["text/html"], "html.parser").figure
    assert figure.img["alt"] == 'A "rising" line.'
    assert figure.img["src"].removeprefix("data:image/png;base64,") == data["image/png"]
    assert (figure.img["width"], figure.img["height"]) == ("300", "200")
    assert figure.figcaption.text == "slope <1.0>"


def test_picture_needs_an_alt_text():
    with pytest.raises(ValueError, match="alt"):
        Picture(lambda fig: None, alt=" ")


def test_a_diagram_adds_its_data_to_the_alt_text():
    def draw(fig: Figure) -> None:
        d = Diagram(fig)
        d.link(d.box("river", at=(1, 1)), d.box("bank", at=(5, 1)), weight=0.755)

    assert Picture(draw, alt="Two words.").alt == "Two words. Links: river → bank 0.76."
