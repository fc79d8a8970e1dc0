"""A map that is drawn the quick way has matplotlib's own pixels."""

import numpy as np
import pytest
from matplotlib.image import AxesImage

from tutor.display import quick_map
from tutor.display.canvas import Canvas


def numbers(seed: int, shape: tuple[int, ...] = (30, 47)) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def masked(seed: int) -> np.ndarray:
    return np.ma.masked_less(numbers(seed), -1)


LOOKS = {
    "plain": {},
    "uneven": {"aspect": "auto"},
    "from below": {"origin": "lower", "aspect": "auto"},
    "elsewhere": {"extent": (3, 9, -2, 5), "aspect": "auto"},
    "pale": {"alpha": 0.5, "aspect": "auto"},
    "cut": {"vmin": -0.5, "vmax": 0.5, "aspect": "auto"},
}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("make", [numbers, masked])
def test_quick_and_matplotlibs_own_pixels_are_alike(look, make):
    canvas = Canvas(4, 3)
    image = canvas.figure.subplots().imshow(make(0), **LOOKS[look])
    canvas.freeze_layout()
    canvas.pixels()
    for seed in (1, 2, 3):
        image.set_data(make(seed))
        quick = canvas.pixels().copy()
        canvas.redraw()  # from nothing, which matplotlib does alone
        np.testing.assert_array_equal(quick, canvas.pixels())
        image.set_data(make(seed + 10))
        canvas.pixels()
    if look != "pale":
        assert quick_map._places[image].rows is not None


def test_a_map_that_moves_in_its_axes_is_followed():
    canvas = Canvas(4, 3)
    ax = canvas.figure.subplots()
    image = ax.imshow(numbers(0), aspect="auto")
    canvas.freeze_layout()
    canvas.pixels()
    for seed, extent in ((1, (0, 20, 30, 0)), (2, (5, 40, 25, 5)), (3, (5, 40, 25, 5))):
        image.set(data=numbers(seed), extent=extent)
        ax.set(xlim=(0, 47), ylim=(30, 0))
        quick = canvas.pixels().copy()
        canvas.redraw()
        np.testing.assert_array_equal(quick, canvas.pixels())


@pytest.mark.parametrize("look", [{"interpolation": "bilinear"}, {"interpolation": "hanning"}])
def test_smoothed_maps_are_left_to_matplotlib(look):
    canvas = Canvas(4, 3)
    image = canvas.figure.subplots().imshow(numbers(0), **look)
    canvas.freeze_layout()
    canvas.pixels()
    image.set_data(numbers(1))
    quick = canvas.pixels().copy()
    assert quick_map._places[image].rows is None
    canvas.redraw()
    np.testing.assert_array_equal(quick, canvas.pixels())


def test_two_maps_of_one_figure_are_both_quick(monkeypatch):
    canvas = Canvas(8, 3)
    images = [ax.imshow(numbers(0), aspect="auto") for ax in canvas.figure.subplots(1, 2)]
    canvas.freeze_layout()
    for seed in (1, 2):
        for image in images:
            image.set_data(numbers(seed))
        canvas.pixels()
    asked = []
    for image in images:
        image.set_data(numbers(3))
    with monkeypatch.context() as patch:
        patch.setattr(AxesImage, "make_image", lambda *given: asked.append(given))
        quick = canvas.pixels().copy()
    assert not asked
    canvas.redraw()
    np.testing.assert_array_equal(quick, canvas.pixels())
