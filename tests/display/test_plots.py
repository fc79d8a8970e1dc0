"""Colours, small maps and finished pictures."""

import base64
import io
import shutil

import matplotlib as mpl
import numpy as np
import pytest
import torch
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from PIL import Image

from tutor.display import plots
from tutor.display.plots import COLOURS, PALETTE, Picture, SmallMap, colour_map, show_maps, style


def test_palette_is_seaborns_for_the_colour_blind():
    import seaborn

    assert list(PALETTE) == seaborn.color_palette("colorblind").as_hex()


def test_each_role_has_a_colour_of_its_own():
    assert len(set(COLOURS.values())) == len(COLOURS)
    assert plots.HIGHLIGHT not in COLOURS.values()


def contrast(a: str, b: str) -> float:
    """WCAG 2's contrast of two colours, 1 to 21."""

    def luminance(colour: str) -> float:
        linear = [
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)
        ]
        return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))

    bright, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("kind", ["signed", *COLOURS])
def test_numbers_can_be_read_on_every_colour(kind):
    numbers = np.linspace(-1 if kind == "signed" else 0, 1, 41)[None]
    small = SmallMap(Figure().subplots(), numbers, kind=kind, limit=1.0)
    for value, text in zip(numbers[0], small.texts[0], strict=True):
        background = mpl.colors.to_hex(small.image.to_rgba(np.array([[value]]))[0, 0])
        assert contrast(background, text.get_color()) > 3.9, value


def test_weights_keep_one_scale_and_signed_maps_have_white_at_zero():
    weights = SmallMap(Figure().subplots(), [[0.1, 0.2]], kind="attention")
    assert weights.image.get_clim() == (0.0, 1.0)
    signed = SmallMap(Figure().subplots(), [[-3.0, 1.0]], kind="signed")
    assert signed.image.get_clim() == (-3.0, 3.0)
    np.testing.assert_allclose(signed.image.to_rgba(np.array([[0.0]]))[0, 0], 1.0, atol=0.01)


def test_map_prints_what_it_is_given():
    small = SmallMap(Figure().subplots(), torch.tensor([[2.0, 4.0], [4.0, 16.0]]))
    assert small.printed() == [["2", "4"], ["4", "16"]]
    small = SmallMap(Figure().subplots(), [[0.136, -0.0001]], kind="signed")
    assert small.printed() == [["0.14", "0.00"]]


def test_map_leaves_unknown_cells_empty():
    small = SmallMap(Figure().subplots(), [[1.0, 2.0]])
    small.set([[1.0, float("nan")]])
    assert small.printed() == [["1", ""]]


def test_map_refuses_what_is_no_matrix_of_its_shape():
    with pytest.raises(ValueError, match=r"\(3,\).*\(rows, columns\)"):
        SmallMap(Figure().subplots(), [1.0, 2.0, 3.0])
    small = SmallMap(Figure().subplots(), [[1.0, 2.0]])
    with pytest.raises(ValueError, match=r"\(1, 3\).*\(1, 2\)"):
        small.set([[1.0, 2.0, 3.0]])


@pytest.mark.parametrize(
    ("place", "box"),
    [
        ({"row": 1, "column": 2}, (1.5, 0.5, 1, 1)),
        ({"row": 1}, (-0.5, 0.5, 3, 1)),
        ({"column": 2}, (1.5, -0.5, 1, 2)),
    ],
)
def test_mark_goes_round_a_cell_a_row_or_a_column(place, box):
    small = SmallMap(Figure().subplots(), np.zeros((2, 3)))
    frame = small.mark()
    assert not frame.get_visible()
    small.put_mark(frame, **place)
    assert frame.get_visible()
    assert (*frame.get_xy(), frame.get_width(), frame.get_height()) == box


def test_unknown_kind_is_named():
    with pytest.raises(ValueError, match=r"'heat'.*signed"):
        colour_map("heat")


def test_style_ends_with_its_block():
    before = mpl.rcParams["axes.spines.top"]
    with style():
        assert mpl.rcParams["axes.spines.top"] is False
    assert mpl.rcParams["axes.spines.top"] == before


def test_vendored_fonts_are_found_and_used(tmp_path, monkeypatch):
    from matplotlib import font_manager

    source = font_manager.findfont("STIXGeneral")
    shutil.copy(source, tmp_path / "mine.ttf")
    monkeypatch.setattr(plots, "FONTS", tmp_path)
    plots.vendored_fonts.cache_clear()
    with style():
        assert mpl.rcParams["font.family"] == ["DejaVu Sans", "STIXGeneral"]
    plots.vendored_fonts.cache_clear()


def test_picture_bundle_holds_png_alt_and_caption():
    def draw(fig: Figure) -> str:
        fig.subplots().plot([0, 1])
        return "slope 1.0"

    data, metadata = Picture(draw, alt="A rising line.", size=(3, 2))._repr_mimebundle_()
    assert data["text/plain"] == "A rising line.\nslope 1.0"
    assert Image.open(io.BytesIO(base64.b64decode(data["image/png"]))).size == (300, 200)
    assert metadata["image/png"]["alt"] == "A rising line."


def test_picture_needs_an_alt_text():
    with pytest.raises(ValueError, match="alt"):
        Picture(lambda fig: None, alt=" ")


def test_maps_side_by_side_have_equal_cells():
    picture = show_maps(
        alt="Three maps.", X=torch.ones(3, 4), W=torch.ones(4, 3), Q=torch.ones(3, 3)
    )
    assert Image.open(io.BytesIO(picture.png)).width < 800
