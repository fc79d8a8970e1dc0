"""Lesson 7's explorers show what their captions and alt texts claim."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from matplotlib.colors import to_rgb

from tutor.display.palette import HIGHLIGHT
from tutor.explorers import lesson07_masking as lesson


def test_captions_count_what_the_triangle_leaves():
    explorer = lesson.who_may_look()
    for length in range(1, 11):
        caption = explorer.frame(length=length, query=length).caption
        assert f"sees {length} of {length} keys" in caption
        assert f"Of {length * length} cells {length * (length + 1) // 2} are open" in caption
        assert "get 0.000" in caption
    assert "Of 36 cells 36" in explorer.frame(length=6, look_ahead_mask=False).caption
    beyond = explorer.frame(length=3, query=9)
    assert beyond.caption.startswith("Query 3 sees 3 of 3")  # the last one asks instead


@pytest.mark.parametrize("layers", lesson._DEPTHS)
@pytest.mark.parametrize("diagonal", lesson._DIAGONALS)
def test_a_leak_reaches_as_far_as_layers_times_the_step_ahead(diagonal, layers):
    places = torch.arange(lesson._PLACES)
    ahead = places[None, :] - places[:, None]
    expected = (ahead > 0) & (ahead <= layers * diagonal)
    assert torch.equal(lesson.influence(diagonal, layers).triu(1) > 0, expected)


def test_influence_is_what_a_small_change_does():
    """Against differences, through attention written out; the same draws in the same order."""
    generator = torch.Generator().manual_seed(7)
    x, *rest = (
        torch.randn(rows, 4, generator=generator, dtype=torch.float64) for rows in (8, 4, 4, 4)
    )
    W_q, W_k, W_v = (W / 2 for W in rest)
    hide = torch.ones(8, 8, dtype=torch.bool).triu(2)

    def layer(x):
        scores = (x @ W_q) @ (x @ W_k).T / math.sqrt(4)
        return x + F.softmax(scores.masked_fill(hide, -math.inf), -1) @ (x @ W_v)

    squares = torch.zeros(8, 8, dtype=torch.float64)
    for place in range(8):
        for feature in range(4):
            step = torch.zeros_like(x)
            step[place, feature] = 1e-6
            squares[:, place] += ((layer(x + step) - layer(x - step)) / 2e-6).square().sum(-1)
    torch.testing.assert_close(lesson.influence(1, 1), squares.sqrt(), rtol=1e-6, atol=1e-8)


def test_only_the_future_is_drawn_in_the_leak_colour():
    drawn = lesson._past_and_leak(lesson.influence(1, 2)).numpy()
    assert (drawn[3, 7] == 1).all()  # four places ahead: exactly nothing
    orange = np.array(to_rgb(HIGHLIGHT))
    away, towards = 1 - drawn[3, 5], 1 - orange
    np.testing.assert_allclose(away / away.max(), towards / towards.max(), atol=1e-6)
    assert np.ptp(drawn[5, 3]) < 0.01  # the past is grey


@pytest.mark.parametrize("mask", lesson._MASKS)
def test_a_batch_is_masked_as_its_menu_says(mask):
    real = torch.tensor([[True] * 6, [True] * 4 + [False] * 2, [True] + [False] * 5])
    keep = lesson._keep_of(mask, real)
    for sentence, query, key in np.ndindex(3, 6, 6):
        hidden = ("padding" in mask and not real[sentence, key]) or (
            "look-ahead" in mask and key > query
        )
        assert keep[sentence, query, key] == (not hidden)
    assert keep.any(-1).all()  # no row has nothing to see
