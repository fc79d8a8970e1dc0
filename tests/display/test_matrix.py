"""A matrix in a diagram: what is printed, where, in which colours, and what is said of it."""

import numpy as np
import pytest
import torch
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.lettering import short
from tutor.display.matrix import Matrix
from tutor.display.palette import ATTENTION, INK, PAPER, contrast, on_dark, tint


def matrix(numbers, **look) -> Matrix:
    return Diagram(Figure(figsize=(8, 4))).matrix(numbers, at=(8, 4), **look)


def colours(drawn: Matrix) -> list[str]:
    return [to_hex(colour) for colour in drawn._mesh.to_rgba(drawn._mesh.get_array().ravel())]


def test_weights_keep_one_scale():
    half = matrix([[0.5, 0.25]], kind="attention")
    assert half._mesh.get_clim() == (0.0, 1.0)
    assert matrix([[4.0, 16.0]], kind="attention")._mesh.get_clim() == (0.0, 16.0)


def test_numbers_on_both_sides_of_zero_are_red_and_blue_without_being_told():
    red, white, blue = colours(matrix([[3.0, 0.0, -3.0]]))
    assert white == PAPER
    assert int(red[1:3], 16) > int(red[5:], 16)
    assert int(blue[5:], 16) > int(blue[1:3], 16)


@pytest.mark.parametrize("kind", ["query", "key", "value", "attention", "neutral", "signed"])
def test_numbers_can_be_read_on_every_colour(kind):
    drawn = matrix(np.linspace(-1 if kind == "signed" else 0, 1, 21)[None], kind=kind)
    for ground in colours(drawn):
        assert contrast(INK, ground) >= 4.5
        assert contrast(on_dark(INK), on_dark(ground)) >= 4.5


def test_full_weight_has_the_tint_and_small_cells_the_colour_itself():
    assert colours(matrix([[1.0]], kind="attention")) == [tint(ATTENTION)]
    assert colours(matrix([[1.0]], kind="attention", cell=(0.2, 0.2))) == [ATTENTION]


@pytest.mark.parametrize(
    ("numbers", "printed"),
    [
        (torch.tensor([[2.0, 4.0], [4.0, 16.0]]), [["2", "4"], ["4", "16"]]),
        ([[0.136, 0.0009]], [["0.14", "0.0009"]]),
        ([[0.0, -0.25]], [["0.00", "−0.25"]]),
        ([[-0.0, 1.0]], [["0", "1"]]),
        ([[float("nan"), -np.inf]], [["", "−∞"]]),
    ],
)
def test_map_prints_what_it_is_given(numbers, printed):
    assert matrix(numbers).printed() == printed


@pytest.mark.parametrize("number", [0.5, -0.5, 0.004, 0.00049, -2e-6, 1e-30, 123.456, 1e9])
def test_no_number_but_zero_is_printed_as_zero(number):
    printed = float(short(number).replace("−", "-"))
    assert printed != 0
    assert np.sign(printed) == np.sign(number)
    assert abs(printed - number) <= max(0.005, 0.5 * abs(number))


def test_half_way_numbers_are_printed_alike_on_either_side():
    assert {short(0.125 + step) for step in (-1e-8, 0.0, 1e-8)} == {"0.12"}


@pytest.mark.parametrize(
    ("place", "box"),
    [
        ({"row": 1, "column": 2}, (0.5, -1.0, 1, 1)),
        ({"row": 1}, (-1.5, -1.0, 3, 1)),
        ({"column": 2}, (0.5, -1.0, 1, 2)),
    ],
)
def test_mark_goes_round_a_cell_a_row_or_a_column(place, box):
    drawn = matrix(np.zeros((2, 3)), cell=(1, 1))
    frame = drawn._frame
    assert not frame.get_visible()
    drawn.mark(**place)
    assert frame.get_visible()
    assert (*frame.get_xy(), frame.get_width(), frame.get_height()) == box
    drawn.mark()
    assert not frame.get_visible()


def test_arrows_find_its_cells_wherever_it_moves():
    drawn = matrix(np.zeros((2, 3)), cell=(1, 1))
    assert (drawn.cell(0, 0), drawn.row_edge(1), drawn.column_edge(2, "top")) == (
        (7.0, 4.5),
        (9.5, 3.5),
        (9.0, 5.0),
    )
    drawn.move(8, 5)
    assert drawn.cell(0, 0) == (7.0, 5.5)


def test_map_refuses_what_is_no_matrix_of_its_shape():
    with pytest.raises(ValueError, match=r"\(3,\).*\(rows, columns\)"):
        matrix([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match=r"\(1, 3\).*\(1, 2\)"):
        matrix([[1.0, 2.0]]).set([[1.0, 2.0, 3.0]])


def test_what_is_said_holds_the_names_and_the_numbers():
    drawn = matrix([[1, 0], [0.25, 0.75]], name="weights", rows=["a", "b"], columns=["c", "d"])
    assert drawn.said() == "weights (columns c, d): a: 1.00 0.00 / b: 0.25 0.75"
    large = matrix(np.linspace(-1, 1, 100).reshape(10, 10), name="large")
    assert large.said() == "large: 10 × 10 numbers from −1.00 to 1.00"
