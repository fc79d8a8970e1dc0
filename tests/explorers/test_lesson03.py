"""Lesson 3's clocks against formulas worked out here: one face, one start, one direction."""

import math

import pytest
from matplotlib.axes import Axes

from tutor.display.explorer import Explorer
from tutor.explorers.lesson03_positional_encoding import (
    counting_wheels,
    moving_on,
    one_clock_a_pair,
    slide_together,
)


def axes_at(explorer: Explorer, **values) -> list[Axes]:
    explorer.frame(**values)
    return explorer._canvas.figure.axes


def tip(face: Axes) -> tuple[float, float]:
    """Where the hand that was drawn last ends: how far to the right, and how high."""
    x, y = face.lines[-1].get_data()
    return float(x[1]), float(y[1])


@pytest.mark.parametrize("position", [0, 7, 42])
def test_a_hand_reaches_as_its_two_cells_say(position: int):
    faces = axes_at(one_clock_a_pair(), position=position)[:4]
    for divisor, face in zip((1, 10, 100, 1000), faces, strict=True):
        angle = position / divisor
        assert tip(face) == pytest.approx((math.cos(angle), math.sin(angle)))


def test_a_binary_digit_is_the_half_in_which_the_hand_is():
    explorer = counting_wheels()
    for position in (1, 5, 6, 8, 11):
        faces = axes_at(explorer, position=position)[1::2]
        for power, face in enumerate(faces):
            _, height = tip(face)
            if abs(height) > 1e-6:  # else it is at the start of a half
                assert (height < 0) == bool(position >> power & 1), (position, power)


def test_the_same_move_turns_by_the_same_angle_from_wherever_one_starts():
    explorer, turns = moving_on(), []
    for start in (0, 3, 50):
        faces = axes_at(explorer, start=start, on=5)[:4]
        before, after = (  # grey hands, and coloured ones
            [
                math.atan2(*reversed([float(part[1]) for part in face.lines[n].get_data()]))
                for face in faces
            ]
            for n in (-2, -1)
        )
        turns.append([(b - a) % (2 * math.pi) for a, b in zip(before, after, strict=True)])
    assert turns[0] == pytest.approx([5, 0.5, 0.05, 0.005])
    assert turns[1] == pytest.approx(turns[0])
    assert turns[2] == pytest.approx(turns[0])


@pytest.mark.parametrize(("key", "apart"), [("hot", 1), ("Mina", 4)])
def test_two_words_slide_together_and_their_score_stays(key: str, apart: int):
    explorer = slide_together()
    captions = [explorer.frame(key=key, before=before).caption for before in (0, 4, 9)]
    scores = {caption.rpartition("= ")[2] for caption in captions}
    expected = sum(math.cos(apart / divisor) for divisor in (1, 10, 100, 1000))
    assert scores == {f"{expected:.2f}."}
    assert len(set(captions)) == len(captions)  # the words do move
