"""What is sent makes the next picture of the last one, pixel for pixel, in few bytes."""

import zlib

import numpy as np
import pytest

from tutor.display.painting import Repaint, change

SIZE = (60, 90)


def pictures() -> dict[str, np.ndarray]:
    chance = np.random.default_rng(0)
    cells = chance.integers(0, 1 << 32, (6, 9), dtype=np.uint32)
    corner = np.zeros(SIZE, np.uint32)
    corner[-1, -1] = 5
    return {
        "nothing": np.zeros(SIZE, np.uint32),
        "one corner": corner,
        "a map": cells.repeat(10, axis=0).repeat(10, axis=1),
        "uneven cells": np.pad(cells.repeat(7, axis=0).repeat(8, axis=1), ((3, 15), (8, 10))),
        "noise": chance.integers(0, 1 << 32, SIZE, dtype=np.uint32),
    }


def painted(before: np.ndarray, sent: Repaint) -> np.ndarray:
    """What the page's script does, in the words of numpy."""
    data = zlib.decompress(sent.pixels) if sent.is_packed else sent.pixels
    small = np.frombuffer(data, np.uint32).reshape(len(sent.rows), len(sent.columns))
    large = small.repeat(sent.rows, axis=0).repeat(sent.columns, axis=1)
    after = before.copy()
    after[sent.y : sent.y + len(large), sent.x : sent.x + large.shape[1]] = large
    return after


@pytest.mark.parametrize("first", pictures())
@pytest.mark.parametrize("then", pictures())
def test_the_next_picture_is_made_of_the_last(first, then):
    before, now = pictures()[first], pictures()[then]
    sent = change(before, now)
    if first == then:
        assert sent is None
        return
    np.testing.assert_array_equal(painted(before, sent), now)
    whole = change(None, now)
    np.testing.assert_array_equal(painted(np.full(SIZE, 9, np.uint32), whole), now)


def test_cells_are_sent_once_and_what_stays_is_not():
    cells = pictures()["a map"]
    assert len(change(None, cells).pixels) == 4 * 6 * 9
    touched = cells.copy()
    touched[20:30, 40:50] = 1
    sent = change(cells, touched)
    assert (sent.x, sent.y, len(sent.pixels)) == (40, 20, 4)


def test_what_is_large_is_packed():
    chance = np.random.default_rng(1)
    large = chance.integers(0, 4, (200, 300), dtype=np.uint32)
    sent = change(None, large)
    assert sent.is_packed
    assert len(sent.pixels) < large.nbytes / 4
    np.testing.assert_array_equal(painted(np.zeros_like(large), sent), large)
