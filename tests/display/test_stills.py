"""What an explorer offers where no kernel runs."""

import itertools
import math

import pytest

from tutor.display.controls import control
from tutor.display.explorer import Explorer, live
from tutor.display.stills import MOST, offered


def made(**forms) -> dict:
    return {name: control(name, form) for name, form in forms.items()}


def test_a_few_positions_are_all_offered():
    controls = made(step=(1, 7, 1, 1), cell=(1, 9, 1, 9), scale=True)
    assert offered(controls, {}) == {
        "step": [*range(1, 8)],
        "cell": [*range(1, 10)],
        "scale": [False, True],
    }


def test_too_many_lose_sliders_positions_and_keep_ends_start_and_menus():
    controls = made(a=(0, 99, 1, 42), b=(0.0, 2.0, 0.1, 0.3), way=["x", "y", "z"])
    values = offered(controls, {})
    assert math.prod(map(len, values.values())) <= MOST
    assert values["way"] == ["x", "y", "z"]
    for name, ends in (("a", [0, 42, 99]), ("b", [0.0, 0.3, 2.0])):
        assert set(ends) <= set(values[name])
        assert values[name] == sorted(values[name])


def test_kept_values_are_offered_beside_the_present_one_and_no_others():
    controls = made(radius=(0.5, 2.0, 0.1, 0.9), length=(1, 100, 1, 50), phrase="May 3")
    kept = {"radius": [1.5, 1.0], "length": [10], "phrase": ["June 4"]}
    assert offered(controls, kept) == {
        "radius": [0.9, 1.0, 1.5],
        "length": [10, 50],
        "phrase": ["May 3", "June 4"],
    }


def test_what_cannot_be_offered_is_refused():
    with pytest.raises(ValueError, match=r"'radius' cannot be \[3\.0\]"):
        offered(made(radius=(0.5, 2.0, 0.1, 0.9)), {"radius": [3.0]})
    many = {f"x{n}": control(f"x{n}", (0, 9, 1, 3)) for n in range(12)}
    with pytest.raises(ValueError, match="a tour"):
        offered(many, {})


def draw(fig, **_start):
    text = fig.text(0.1, 0.5, "")

    def update(**values):
        text.set_text(str(values))
        return ", ".join(f"{name} {value}" for name, value in values.items())

    return update


@pytest.fixture
def explorer():
    shown = live(draw, alt="Words.", size=(3, 1), a=(0, 2, 1, 1), b=["x", "y"])
    yield shown
    shown.close()


def test_stills_are_every_combination_the_last_control_fastest(explorer: Explorer):
    stills = explorer.stills()
    assert [still.caption for still in stills] == [
        f"a {a}, b {b}" for a, b in itertools.product((0, 1, 2), "xy")
    ]
    assert stills[2].png == explorer.image.value


def test_a_tour_goes_through_its_settings_from_the_start():
    tour = {"at first": {}, "far": {"a": 2}, "other": {"b": "y", "a": 0}}
    shown = live(draw, alt="Words.", size=(3, 1), tour=tour, a=(0, 2, 1, 1), b=["x", "y"])
    assert [still.caption for still in shown.stills()] == ["a 1, b x", "a 2, b x", "a 0, b y"]
    shown.close()


@pytest.mark.parametrize("more", [{"play": "c"}, {"kept": {"c": [1]}}, {"tour": {"far": {"c": 1}}}])
def test_controls_that_are_not_there_are_named(more):
    with pytest.raises(ValueError, match=r"\['c'\].*\['a'\]"):
        live(draw, alt="Words.", a=(0, 2, 1, 1), **more)
