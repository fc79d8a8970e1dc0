"""What holds for every explorer of every lesson; a new one needs no word here."""

import io
import itertools
import pkgutil
import random
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from PIL import Image

import tutor.explorers
from tutor.controls import positions
from tutor.explorer import Explorer


def lesson_modules() -> list[str]:
    found = pkgutil.iter_modules(tutor.explorers.__path__)
    return [module.name for module in found if module.name.startswith("lesson")]


def every_explorer() -> Iterator[Any]:
    for name in lesson_modules():
        for make in import_module(f"tutor.explorers.{name}").EXPLORERS:
            yield pytest.param(make, id=f"{name}.{make.__name__}")


@pytest.fixture(scope="module", params=every_explorer())
def explorer(request: pytest.FixtureRequest) -> Iterator[Explorer]:
    make: Callable[[], Explorer] = request.param
    made = make()
    yield made
    made.close()


@pytest.fixture(autouse=True)
def back_to_the_start(explorer: Explorer) -> Iterator[None]:
    start = explorer.values
    yield
    for name, value in start.items():
        explorer.controls[name].value = value


def some_positions(widget: Any) -> list[Any]:
    """Minimum, middle and maximum; for typed text the start, nothing, and what no table holds."""
    try:
        every = positions(widget)
    except ValueError:
        return [widget.value, "", "qqqzzz ?", "the the the the the the the the the the the the the"]
    return list(dict.fromkeys([every[0], every[len(every) // 2], every[-1]]))


def settings(explorer: Explorer) -> list[dict[str, Any]]:
    """Each control at its positions with the others at the start, all at an end, and a mixture.

    Of many controls, which are then much alike, only the first four are moved one by one.
    """
    ends = {name: some_positions(widget) for name, widget in explorer.controls.items()}
    first = itertools.islice(ends.items(), 4)
    one_by_one = [{name: value} for name, values in first for value in values]
    all_at_once = [{name: values[place] for name, values in ends.items()} for place in (0, -1)]
    chance = random.Random(0)
    mixed = [{name: chance.choice(values) for name, values in ends.items()} for _ in range(3)]
    return [explorer.values | some for some in (*one_by_one, *all_at_once, *mixed)]


def pixels(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png)))


def test_controls_move_picture_and_caption(explorer):
    for values in settings(explorer):
        for name, value in values.items():
            explorer.controls[name].value = value
        assert explorer.error is None
        assert explorer.values == values
        assert explorer.image.value == explorer.png(**values)


def test_every_control_matters(explorer):
    for name, widget in explorer.controls.items():
        ends = some_positions(widget)
        frames = [explorer.frame(**{name: value}) for value in (ends[0], ends[-1])]
        assert len({frame.png for frame in frames}) > 1, f"{name} changes nothing in the picture"
    captions = {explorer.frame(**values).caption for values in settings(explorer)}
    assert len(captions) > 1


def test_picture_depends_on_the_values_alone(explorer):
    all_settings = settings(explorer)
    before = [explorer.frame(**values) for values in all_settings]
    for values, frame in reversed(list(zip(all_settings, before, strict=True))):
        assert explorer.frame(**values) == frame


def test_quick_picture_is_the_whole_picture(explorer):
    for values in settings(explorer):
        quick = pixels(explorer.png(**values))
        explorer._canvas.redraw()
        np.testing.assert_array_equal(quick, pixels(explorer.png(**values)), err_msg=str(values))


def test_nothing_is_cut_off(explorer):
    figure = explorer._canvas.figure
    for values in settings(explorer):
        explorer.png(**values)
        for part in (*figure.axes, *figure.texts, *figure.legends):
            if part.get_visible():
                box = part.get_tightbbox()
                inside = min(box.x0, box.y0) >= -1 and (box.max <= figure.bbox.max + 1).all()
                assert inside, f"{part} leaves the picture at {values}: {box}"


def test_words_for_those_who_cannot_see(explorer):
    assert len(explorer.alt) >= 40
    assert explorer.alt.rstrip().endswith(".")
    for values in settings(explorer):
        caption = explorer.frame(**values).caption
        assert 0 < len(caption) <= 120, caption
        assert "\n" not in caption
        assert "nan" not in caption.lower().split()
        assert any(character.isdigit() for character in caption), "no computed value"


def test_picture_fits_a_slide(explorer):
    width, height = Image.open(io.BytesIO(explorer.image.value)).size
    assert width <= 800
    assert height <= 420


@pytest.mark.parametrize("name", lesson_modules())
def test_lesson_modules_name_their_explorers(name):
    module = import_module(f"tutor.explorers.{name}")
    assert len(module.EXPLORERS) >= 2
    assert all(make.__doc__ for make in module.EXPLORERS)
