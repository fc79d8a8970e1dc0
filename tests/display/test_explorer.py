"""`live` through real ipywidgets, without a browser."""

import base64
import io
import math
import threading

import ipywidgets
import matplotlib as mpl
import numpy as np
import pytest
import torch
from PIL import Image

import tutor
from tutor.display import explorer as module
from tutor.display.explorer import Explorer, live


def draw_bar(fig, **_start):
    ax = fig.subplots()
    ax.set(xlim=(0, 10), ylim=(0, 1))
    (bar,) = ax.bar([0.5], [1.0])

    def update(length, colour="red"):
        bar.set_width(length)
        bar.set_color(colour)
        if length == 7:
            raise RuntimeError("seven <is> not allowed")
        return f"length {length}, colour {colour}"

    return update


def bar(**controls) -> Explorer:
    return live(draw_bar, alt="A bar as long as the slider says.", **controls)


@pytest.fixture
def explorer():
    made = bar(length=(0, 10, 1, 4), colour=["red", "blue"])
    yield made
    made.close()


def test_live_is_the_packages_public_name():
    assert tutor.live is live


def test_moving_a_control_changes_picture_and_caption(explorer):
    before = bytes(explorer.image.value)
    explorer.controls["length"].value = 9
    assert explorer.caption == "length 9, colour red"
    assert explorer.image.value != before
    assert explorer.image.value == explorer.png(length=9, colour="red")
    assert "length 9, colour red" in explorer._view.note.value


def test_last_value_wins_and_the_way_there_leaves_no_trace(explorer):
    start = bytes(explorer.image.value)
    for length in (0, 10, 3, 4):
        explorer.controls["length"].value = length
    assert explorer.image.value == start


def test_frame_and_png_leave_what_is_shown_alone(explorer):
    shown, caption = bytes(explorer.image.value), explorer.caption
    frame = explorer.frame(length=1)
    assert frame.values == {"length": 1, "colour": "red"}
    assert frame.caption == "length 1, colour red"
    assert frame.png != shown
    assert (explorer.image.value, explorer.caption) == (shown, caption)
    explorer.controls["colour"].value = "blue"
    assert explorer.image.value == explorer.png(length=4, colour="blue")


def test_unknown_names_are_named_with_the_known_ones(explorer):
    with pytest.raises(ValueError, match=r"\['width'\].*length"):
        explorer.png(width=3)
    with pytest.raises(ValueError, match="alt is empty"):
        live(draw_bar, alt="  ", length=(0, 10, 1, 4))


@pytest.mark.parametrize("recover", [6, 8])
def test_error_is_shown_under_the_picture_and_goes_with_the_next_move(explorer, recover):
    shown = bytes(explorer.image.value)
    explorer.controls["length"].value = 7  # raises nothing here: nobody would see it
    assert explorer.error == "RuntimeError: seven <is> not allowed"
    assert "seven &lt;is&gt; not allowed" in explorer._view.note.value
    assert explorer.image.value == shown
    explorer.controls["length"].value = recover
    assert explorer.error is None
    assert "seven" not in explorer._view.note.value
    assert explorer.image.value == explorer.png(length=recover)


def test_shown_after_an_error_it_gives_the_last_good_picture(explorer):
    before, _ = explorer._repr_mimebundle_()
    explorer.controls["length"].value = 7
    after, _ = explorer._repr_mimebundle_()
    assert after == before


def test_png_raises_so_that_tests_see_it(explorer):
    with pytest.raises(RuntimeError, match="seven"):
        explorer.png(length=7)


def test_nothing_is_in_inference_mode_but_the_callback():
    seen = []

    def draw(fig, **_start):
        def update(n):
            seen.append(torch.is_inference_mode_enabled())
            return str(n)

        return update

    made = live(draw, alt="Nothing.", n=(0, 3, 1, 0))
    made.controls["n"].value = 2
    assert seen == [True] * len(seen)
    assert len(seen) >= 2
    assert not torch.is_inference_mode_enabled()


def test_moves_leave_matplotlibs_settings_to_the_cell_that_may_be_drawing():
    seen = []

    def draw(fig, **_start):
        def update(n):
            seen.append(mpl.rcParams["font.size"])
            return str(n)

        return update

    explorer = live(draw, alt="Nothing.", n=(0, 3, 1, 0))
    explorer.frame(n=2)
    assert seen == [11.0, mpl.rcParams["font.size"]]
    assert mpl.rcParams["font.size"] != 11.0


def test_callbacks_on_another_thread_are_in_inference_mode_and_give_the_same_picture(explorer):
    expected = explorer.png(length=2)
    thread = threading.Thread(target=setattr, args=(explorer.controls["length"], "value", 2))
    thread.start()
    thread.join()
    assert explorer.error is None
    assert explorer.image.value == expected


@pytest.mark.long
def test_two_threads_drawing_at_once_spoil_nothing():
    made = [bar(length=(0, 6, 1, 1), colour=["red", "blue"]) for _ in range(2)]
    expected = made[0].png(length=5)

    def shake(explorer: Explorer) -> None:
        for _ in range(10):
            for length in range(7):
                explorer.controls["length"].value = length
        explorer.controls["length"].value = 5

    threads = [threading.Thread(target=shake, args=(explorer,)) for explorer in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [explorer.error for explorer in made] == [None, None]
    assert [explorer.image.value for explorer in made] == [expected, expected]


def test_bundle_is_live_view_still_and_text(explorer):
    explorer.controls["length"].value = 3
    data, metadata = explorer._repr_mimebundle_()
    assert set(data) == {module._WIDGET_VIEW, "image/png", "text/plain"}
    assert data[module._WIDGET_VIEW]["model_id"] == explorer._view.box.model_id
    assert data["text/plain"] == "A bar as long as the slider says.\nlength 3, colour red"
    still = Image.open(io.BytesIO(base64.b64decode(data["image/png"])))
    shown = Image.open(io.BytesIO(explorer.image.value))
    difference = np.asarray(still.convert("RGB"), dtype=int) - np.asarray(shown)
    assert np.abs(difference).max() <= 5
    assert metadata["image/png"]["alt"] == explorer.alt


def test_picture_keeps_its_size_and_its_place(explorer):
    fixed = (explorer.image, explorer._view.note)
    layouts = [widget.layout.get_state() for widget in fixed]
    for length in (0, 7, 10):
        explorer.controls["length"].value = length
        assert Image.open(io.BytesIO(explorer.image.value)).size == (1600, 800)
    assert layouts == [
        widget.layout.get_state() for widget in (explorer.image, explorer._view.note)
    ]


def test_settings_of_others_are_left_alone(explorer):
    before = dict(mpl.rcParams)
    explorer.controls["length"].value = 2
    bar(length=(0, 10, 1, 4)).close()
    assert dict(mpl.rcParams) == before


@pytest.mark.long
def test_pyplot_is_never_touched():
    import subprocess
    import sys

    code = (
        "import sys; from tutor import live; "
        "from tutor.explorers.lesson04_self_attention import edit_the_tokens; "
        "e = edit_the_tokens(); e.controls['x11'].value = 2.0; "
        "print('matplotlib.pyplot' in sys.modules, 'seaborn' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_closing_frees_every_widget():
    every = ipywidgets.widgets.widget._instances
    before = set(every)
    made = bar(length=(0, 10, 1, 4), colour=["red", "blue"])
    assert set(every) > before
    made.close()
    assert set(every) == before
    made.close()  # a second time is harmless


def test_a_cell_run_again_replaces_what_it_showed(monkeypatch):
    place = ["cell-a", 1]
    monkeypatch.setattr(module, "running_cell", lambda: tuple(place))
    monkeypatch.setattr(module, "_open", {})
    first, beside = bar(length=(0, 10, 1, 4)), bar(length=(0, 10, 1, 4))
    place[:] = ["cell-b", 2]
    elsewhere = bar(length=(0, 10, 1, 4))
    place[:] = ["cell-a", 3]
    again = bar(length=(0, 10, 1, 4))
    is_open = {made: made.image.comm is not None for made in (first, beside, elsewhere, again)}
    assert is_open == {first: False, beside: False, elsewhere: True, again: True}


def test_example_of_the_docstring_turns_exactly():
    def draw(fig, **_start):
        (hand,) = fig.subplots().plot([0, 1], [0, 0])

        def update(degrees):
            angle = math.radians(degrees)
            hand.set_data([0, math.cos(angle)], [0, math.sin(angle)])
            return f"{hand.get_ydata()[1]:.3f}"

        return update

    clock = live(draw, alt="A hand turns.", degrees=(0, 90, 30, 0))
    assert [frame.caption for frame in clock.stills()] == [
        "0.000",
        "0.500",
        "0.866",
        "1.000",
    ]
