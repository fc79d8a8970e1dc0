"""What holds for every explorer of every lesson; a new one needs no word here."""

import io
import itertools
import pkgutil
import random
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
import pytest
from matplotlib.text import Text
from PIL import Image

import tutor.explorers
from tutor.display.canvas import size_on_page
from tutor.display.controls import positions
from tutor.display.explorer import Explorer, Still
from tutor.display.stills import offered
from tutor.display.style import BOLD

Settings = Callable[[Explorer], list[dict[str, Any]]]


class Visit(NamedTuple):
    """What an explorer showed at one setting of its controls."""

    values: dict[str, Any]
    error: str | None
    shown: bytes  # what the reader sees, drawn the quick way
    said: str  # below it
    frame: Still  # both, on another way, every artist drawn anew
    cut_off: list[str]


class Tour(NamedTuple):
    """An explorer, and what it showed on a walk through its settings."""

    explorer: Explorer
    visits: list[Visit]


def lesson_modules() -> list[str]:
    found = pkgutil.iter_modules(tutor.explorers.__path__)
    return [module.name for module in found if module.name.startswith("lesson")]


def every_explorer() -> Iterator[Any]:
    for name in lesson_modules():
        for make in import_module(f"tutor.explorers.{name}").EXPLORERS:
            place = f"{name}.{make.__name__}"
            together = pytest.mark.xdist_group(place)  # one walk, in one process
            yield pytest.param((make, first_and_last), id=place, marks=together)


def every_explorer_at_length() -> Iterator[Any]:
    for quick in every_explorer():
        place, (make, _) = f"{quick.id} whole", quick.values[0]
        marks = [pytest.mark.xdist_group(place), pytest.mark.long]
        yield pytest.param((make, settings), id=place, marks=marks)


def some_positions(widget: Any) -> list[Any]:
    """Minimum, middle and maximum; for typed text the start, nothing, and what no table holds."""
    try:
        every = positions(widget)
    except ValueError:
        return [widget.value, "", "qqqzzz ?", "the the the the the the the the the the the the the"]
    return list(dict.fromkeys([every[0], every[len(every) // 2], every[-1]]))


def settings(explorer: Explorer) -> list[dict[str, Any]]:
    """Each control at its positions with the others at the start, all at an end, and a mixture.

    Of many controls, which are then much alike, only the first three are moved one by one.
    """
    ends = {name: some_positions(widget) for name, widget in explorer.controls.items()}
    first = itertools.islice(ends.items(), 3)
    one_by_one = [{name: value} for name, values in first for value in values]
    all_at_once = [{name: values[place] for name, values in ends.items()} for place in (0, -1)]
    chance = random.Random(0)
    mixed = [{name: chance.choice(values) for name, values in ends.items()} for _ in range(2)]
    return [explorer.values | some for some in (*one_by_one, *all_at_once, *mixed)]


def first_and_last(explorer: Explorer) -> list[dict[str, Any]]:
    """All controls as they are shown first, then all at an end."""
    last = {name: some_positions(widget)[-1] for name, widget in explorer.controls.items()}
    return [explorer.values, last]


def walk(explorer: Explorer, chosen: Settings) -> list[Visit]:
    """Move the controls through settings like a reader, and draw each anew on the way back."""
    every, seen = chosen(explorer), []
    for values in every:
        for name, value in values.items():
            explorer.controls[name].value = value
        seen.append((explorer.error, bytes(explorer.image.value), explorer.caption))
    back = []
    for values, shown in reversed([*zip(every, seen, strict=True)]):
        explorer._canvas.redraw()
        back.append(Visit(values, *shown, explorer.frame(**values), cut_off(explorer)))
    return back[::-1]


def cut_off(explorer: Explorer) -> list[str]:
    figure = explorer._canvas.figure
    found = []
    for part in (*figure.axes, *figure.texts, *figure.legends):
        if part.get_visible():
            box = part.get_tightbbox()
            if min(box.x0, box.y0) < -1 or (box.max > figure.bbox.max + 1).any():
                found.append(f"{part} at {box}")
    return found


def toured(make: Callable[[], Explorer], chosen: Settings) -> Iterator[Tour]:
    explorer = make()
    yield Tour(explorer, walk(explorer, chosen))
    explorer.close()


@pytest.fixture(scope="module", params=[*every_explorer(), *every_explorer_at_length()])
def tour(request: pytest.FixtureRequest) -> Iterator[Tour]:
    yield from toured(*request.param)


@pytest.fixture(scope="module", params=every_explorer_at_length())
def whole_tour(request: pytest.FixtureRequest) -> Iterator[Tour]:
    yield from toured(*request.param)


def pixels(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png)))


def test_no_setting_is_an_error(tour):
    assert [(visit.values, visit.error) for visit in tour.visits if visit.error] == []


def test_quick_picture_is_the_whole_picture_and_depends_on_the_values_alone(tour):
    for visit in tour.visits:
        shown, whole = pixels(visit.shown), pixels(visit.frame.png)
        np.testing.assert_array_equal(shown, whole, err_msg=str(visit.values))
        assert visit.said == visit.frame.caption, visit.values


def changes_the_picture(tour: Tour, name: str) -> bool:
    """Say whether a control alone changes the picture: on the walk, or from one of its settings."""
    by_others: dict[tuple, set[bytes]] = {}
    for visit in tour.visits:
        others = tuple(value for other, value in visit.values.items() if other != name)
        by_others.setdefault(others, set()).add(visit.frame.png)
    if any(len(pictures) > 1 for pictures in by_others.values()):
        return True
    values = some_positions(tour.explorer.controls[name])
    return any(
        tour.explorer.png(**visit.values | {name: value}) != visit.frame.png
        for visit in tour.visits
        for value in values
        if value != visit.values[name]
    )


def test_every_control_matters(tour):
    for name in tour.explorer.controls:
        assert changes_the_picture(tour, name), name


def test_captions_follow_the_controls(whole_tour):
    assert len({visit.frame.caption for visit in whole_tour.visits}) > 1


def test_nothing_is_cut_off(tour):
    assert [(visit.values, visit.cut_off) for visit in tour.visits if visit.cut_off] == []


def test_letters_are_of_the_courses_typeface_and_titles_bold(tour):
    for axes in tour.explorer._canvas.figure.axes:
        for text in axes.findobj(Text):
            assert text.get_fontfamily()[0] in ("Course Sans", "monospace", "DejaVu Sans Mono"), (
                text
            )
        for title in (axes.title, axes._left_title, axes._right_title):
            assert not title.get_text() or title.get_fontweight() == BOLD, title


def test_words_for_those_who_cannot_see(tour):
    assert len(tour.explorer.alt) >= 40
    assert tour.explorer.alt.rstrip().endswith(".")
    for visit in tour.visits:
        caption = visit.frame.caption
        assert 0 < len(caption) <= 120, caption
        assert "\n" not in caption
        assert "nan" not in caption.lower().split()


def test_captions_tell_numbers_that_were_computed(whole_tour):
    captions = "".join(visit.frame.caption for visit in whole_tour.visits)
    assert any(character.isdigit() for character in captions)


def test_picture_fits_a_slide(tour):
    width, height = size_on_page(tour.visits[0].shown)
    assert width <= 800
    assert height <= 420


def test_pages_without_a_kernel_can_show_it(tour):
    explorer = tour.explorer
    if explorer.tour:
        stops = [explorer.values | settings for settings in explorer.tour.values()]
        assert explorer.values in stops
        every = {name: positions(widget) for name, widget in explorer.controls.items()}
        assert all(stop[name] in every[name] for stop in stops for name in stop)
    else:
        for name, values in offered(explorer.controls, explorer.kept).items():
            assert explorer.values[name] in values


@pytest.mark.parametrize("name", lesson_modules())
def test_lesson_modules_name_their_explorers(name):
    module = import_module(f"tutor.explorers.{name}")
    assert len(module.EXPLORERS) >= 2
    assert all(make.__doc__ for make in module.EXPLORERS)
