"""Short forms and the controls they stand for."""

import ipywidgets
import pytest

from tutor.display.controls import control, positions


@pytest.mark.parametrize(
    ("form", "kind", "start"),
    [
        ((1, 9, 2, 3), ipywidgets.IntSlider, 3),
        ((0.0, 1.0, 0.1, 0.3), ipywidgets.FloatSlider, 0.3),
        ((0, 1, 0.25, 0.5), ipywidgets.FloatSlider, 0.5),
        ([4, 8, 16], ipywidgets.SelectionSlider, 4),
        (([4, 8, 16], 16), ipywidgets.SelectionSlider, 16),
        (["pre", "post"], ipywidgets.Dropdown, "pre"),
        ((["pre", "post"], "post"), ipywidgets.Dropdown, "post"),
        ([("before", 0), ("after", 1)], ipywidgets.Dropdown, 0),
        (([("before", 0), ("after", 1)], 1), ipywidgets.Dropdown, 1),
        (True, ipywidgets.Checkbox, True),
        (False, ipywidgets.Checkbox, False),
        ("a cat", ipywidgets.Text, "a cat"),
    ],
)
def test_form_gives_control_and_start(form, kind, start):
    widget = control("name", form)
    assert isinstance(widget, kind)
    assert widget.value == start


def test_a_widget_is_taken_as_it_is():
    slider = ipywidgets.IntSlider()
    assert control("name", slider) is slider


@pytest.mark.parametrize(
    ("form", "part"),
    [
        ((1, 2, 3), "expected"),
        ((5, 1, 1, 3), "low <= start <= high"),
        ((0, 5, 1, 9), "low <= start <= high"),
        ((0, 5, 0, 2), "step"),
        (([4, 8], 5), r"\[4, 8\]"),
        ([], "expected"),
        (None, "expected"),
        (3.5, "expected"),
    ],
)
def test_unknown_form_is_named_with_what_is_expected(form, part):
    with pytest.raises(ValueError, match=part) as caught:
        control("heads", form)
    assert "'heads'" in str(caught.value)


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ((1, 9, 2, 3), [1, 3, 5, 7, 9]),
        ((0.0, 0.3, 0.1, 0.1), [0.0, 0.1, 0.2, 0.3]),
        ([4, 8], [4, 8]),
        ([("before", 0), ("after", 1)], [0, 1]),
        (True, [False, True]),
    ],
)
def test_positions_are_all_values_in_order(form, expected):
    assert positions(control("name", form)) == expected


def test_typed_text_has_no_positions():
    with pytest.raises(ValueError, match="any value"):
        positions(control("sentence", "a cat"))


@pytest.mark.parametrize(
    ("name", "label"),
    [("d_k", "d_k"), ("query_position", "query position"), ("heads", "heads")],
)
def test_label_is_the_name_in_words(name, label):
    assert control(name, True).description == label
    assert control(name, True, "my label").description == "my label"


@pytest.mark.parametrize(("step", "shown"), [(0.5, ".1f"), (0.25, ".2f"), (1.0, ".0f")])
def test_slider_shows_as_many_decimals_as_its_step(step, shown):
    assert control("t", (0.0, 2.0, step, 1.0)).readout_format == shown


@pytest.mark.parametrize(
    ("form", "typed", "taken"),
    [
        ((0.0, 1.0, 0.25, 0.5), 0.3, 0.25),
        ((0.0, 1.0, 0.25, 0.5), 7.0, 1.0),
        ((0.1, 0.7, 0.1, 0.1), 0.30000000000000004, 0.3),
        ((1, 9, 2, 3), 6, 5),
        ((1, 9, 2, 3), -4, 1),
        ((0, 1000, 1, 0), 501, 501),
        ((1, 8, 2, 3), 8, 7),
    ],
)
def test_a_typed_number_becomes_the_nearest_step(form, typed, taken):
    slider = control("name", form)
    slider.set_state({"value": typed})  # what the browser sends
    assert slider.value == taken
    assert slider.value in positions(slider)
