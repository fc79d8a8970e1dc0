"""Where regions lie on a picture, and what they lead to."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from tutor.display.canvas import Canvas
from tutor.display.diagram import Diagram
from tutor.display.explorer import live
from tutor.display.regions import (
    described,
    regions_of,
    touch,
    touch_along,
    touch_cells,
    touch_spot,
)


def test_a_part_lies_where_it_is_drawn():
    fig = Figure(figsize=(4, 2))  # 8 × 4 units
    box = Diagram(fig).box("word", at=(2, 1), width=2, height=1)
    touch(box, word=3)
    (region,) = regions_of(fig)
    assert region.box() == pytest.approx((1 / 8, 1 - 1.5 / 4, 3 / 8, 1 - 0.5 / 4))
    assert region.settings(0, 0) == {"word": 3}
    box.show(False)
    assert region.box() is None
    assert described([region]) == []


def test_a_matrix_tells_its_numbers_without_a_word_about_it():
    fig = Figure(figsize=(4, 2))
    Diagram(fig).matrix([[0.25, 0.75]], at=(4, 2), name="w", rows=["a"], columns=["the", "bank"])
    (region,) = regions_of(fig)
    assert region.words(0, 1) == "w, a → bank: 0.75"
    (told,) = described([region])
    assert (told["acts"], told["tells"], told["columns"]) == (False, True, [0.0, 0.5, 1.0])


def mean_where(pixels: np.ndarray, box: tuple[float, ...]) -> np.ndarray:
    height, width = pixels.shape
    left, top, right, bottom = box
    part = pixels[
        round(top * height) + 3 : round(bottom * height) - 3,
        round(left * width) + 3 : round(right * width) - 3,
    ]
    return np.unique(part)


@pytest.mark.parametrize("origin", ["upper", "lower"])
def test_cells_of_a_map_lie_on_their_colours(origin):
    canvas = Canvas(4, 3)
    numbers = np.arange(6.0).reshape(2, 3)
    image = canvas.figure.subplots().imshow(numbers, origin=origin, aspect="auto")
    touch_cells(image, rows=("row", [0, 1]), columns=("column", "abc"))
    canvas.freeze_layout()
    pixels = canvas.pixels()
    (region,) = regions_of(canvas.figure)
    left, top, right, bottom = region.box()
    colours = image.to_rgba(numbers, bytes=True).view(np.uint32)[..., 0]
    for row, column in region.cells:
        x0, x1 = (left + (right - left) * region.columns[column + n] for n in (0, 1))
        y0, y1 = sorted(top + (bottom - top) * region.rows[row + n] for n in (0, 1))
        assert mean_where(pixels, (x0, y0, x1, y1)) == [colours[row, column]]
        assert region.settings(row, column) == {"row": row, "column": "abc"[column]}
        assert region.words(row, column).endswith(f": {numbers[row, column]:.0f}.00")


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_a_drag_along_an_axis_takes_the_nearest_step(scale):
    canvas = Canvas(4, 3)
    ax = canvas.figure.subplots()
    ax.set(xlim=(1, 1000), xscale=scale)
    values = [1, 10, 100, 1000]
    touch_along(ax, x=("rate", values))
    canvas.freeze_layout()
    (region,) = regions_of(canvas.figure)
    left, _, right, _ = region.box()
    for place, value in enumerate(values):
        assert region.settings(0, place) == {"rate": value}
        pixel = ax.transData.transform((value, ax.get_ylim()[0]))[0]
        share = (pixel / canvas.figure.bbox.width - left) / (right - left)
        assert region.columns[place] - 1e-6 <= share <= region.columns[place + 1] + 1e-6
    assert described([region])[0]["along"] == "x"


def test_along_y_the_highest_is_at_the_top():
    canvas = Canvas(4, 3)
    ax = canvas.figure.subplots()
    ax.set(ylim=(0, 2))
    touch_along(ax, y=("height", [0, 1, 2]))
    (region,) = regions_of(canvas.figure)
    assert region.rows == [1.0, 0.75, 0.25, 0.0]


def test_rows_counted_from_the_top_may_stand_elsewhere_than_at_their_value():
    canvas = Canvas(4, 3)
    ax = canvas.figure.subplots()
    ax.set(ylim=(2.5, -0.5))
    touch_along(ax, y=("row", [1, 2, 3]), at=[0, 1, 2])
    (region,) = regions_of(canvas.figure)
    assert region.rows == pytest.approx([0.0, 1 / 3, 2 / 3, 1.0])
    assert region.settings(0, 0) == {"row": 1}


def test_a_spot_lies_round_its_point():
    canvas = Canvas(4, 3)
    ax = canvas.figure.add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, 4), ylim=(0, 3))
    touch_spot(ax, 1, 2, reach=0.5, word="river")
    (region,) = regions_of(canvas.figure)
    assert region.box() == pytest.approx((0.5 / 4, 0.5 / 3, 1.5 / 4, 1.5 / 3))


def test_values_that_do_not_fit_are_named():
    fig = Figure()
    matrix = Diagram(fig).matrix([[1, 2]], at=(4, 2))
    with pytest.raises(ValueError, match="'column' has 3 values; expected 2"):
        touch_cells(matrix, columns=("column", [1, 2, 3]))
    with pytest.raises(ValueError, match="along x or along y"):
        touch_along(fig.subplots())


def test_a_region_that_sets_what_is_not_there_is_named():
    def draw(fig, **_start):
        touch(Diagram(fig).box("here", at=(1, 1)), wrod=1)
        return lambda word: "nothing"

    with pytest.raises(
        ValueError, match="a region sets \\['wrod'\\]; expected some of \\['word'\\]"
    ):
        live(draw, alt="A box.", word=(0, 1, 1, 0))
