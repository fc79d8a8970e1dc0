"""The play button moves its slider; a touch of any control stops it."""

import pytest

from tutor.display.explorer import Explorer, live


@pytest.fixture
def film():
    def draw(fig, **_start):
        text = fig.text(0.1, 0.5, "")

        def update(step, other):
            text.set_text(f"{step} {other}")
            return f"step {step}, other {other}"

        return update

    shown = live(
        draw, alt="Words.", size=(3, 1), play="step", pace=0.5, step=([1, 10, 100], 10), other=True
    )
    yield shown
    shown.close()


def tick(film: Explorer) -> None:
    """What the button does in the browser when its time has come."""
    film.player.button.value += 1


def test_it_starts_where_the_slider_stands_and_waits_so_long(film):
    button = film.player.button
    assert (button.value, button.min, button.max, button.interval) == (1, 0, 2, 500)
    assert not button.playing


def test_each_tick_moves_the_slider_and_the_picture(film):
    film.player.button.playing = True
    tick(film)
    assert film.caption == "step 100, other True"
    assert film.player.button.playing


@pytest.mark.parametrize(("control", "value"), [("step", 1), ("other", False)])
def test_a_touch_stops_it(film, control, value):
    film.player.button.playing = True
    tick(film)
    film.controls[control].value = value
    assert not film.player.button.playing
    assert film.values[control] == value
    assert film.player.button.value == [1, 10, 100].index(film.values["step"])


def test_it_goes_on_from_where_the_reader_left_the_slider(film):
    film.controls["step"].value = 1
    tick(film)
    assert film.values["step"] == 10


def test_a_number_typed_between_steps_is_taken_and_the_film_goes_on():
    def draw(fig, **_start):
        return lambda rate: f"rate {rate}"

    film = live(draw, alt="Nothing.", size=(3, 1), play="rate", rate=(0.0, 1.0, 0.25, 0.0))
    film.controls["rate"].set_state({"value": 0.3})  # what the browser sends
    assert film.caption == "rate 0.25"
    assert film.player.button.value == 1
    tick(film)
    assert film.caption == "rate 0.5"
    film.close()
