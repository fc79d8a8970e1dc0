"""Lesson 7's explorers show what their captions and alt texts claim."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from matplotlib.colors import to_rgb

from tutor.data.files import load_results
from tutor.display.palette import HIGHLIGHT
from tutor.explorers import lesson07_masking as lesson
from tutor.explorers.lesson07_masking.a_real_head_masked import head_weights, hide_future
from tutor.explorers.lesson07_masking.hidden_before_softmax import (
    _KEEPS,
    _masked,
    _weights,
    scores_of_padded_words,
)
from tutor.explorers.lesson07_masking.moved_diagonal import (
    _DEPTHS,
    _DIAGONALS,
    _PLACES,
    _past_and_leak,
    influence,
)
from tutor.explorers.lesson07_masking.padded_batch import _MASKS, _keep_of
from tutor.explorers.worked_example import W_K, W_Q, X


@pytest.mark.parametrize("mask", _KEEPS)
def test_the_picture_of_hiding_shows_what_torch_computes(mask):
    """Weights by torch's own attention, of values that are the identity."""
    scaled, keep = scores_of_padded_words(), _KEEPS[mask]
    hidden, shares = _masked(scaled, mask), _weights(scaled, mask)
    if mask.endswith("times 0"):
        assert (hidden[~keep] == 0).all()
        leaks = int((~keep[0]).sum())  # of the first row: each has a weight of e to the power of 0
        rest = math.e ** (2 / 3**0.5)
        assert shares[0][~keep[0]].sum() == pytest.approx(leaks / (leaks + rest))
        return
    padded = torch.cat([X, torch.zeros(2, 4)])
    theirs = F.scaled_dot_product_attention(
        padded @ W_Q, padded @ W_K, torch.eye(5), attn_mask=keep
    )
    rows = keep.any(-1)
    torch.testing.assert_close(shares[rows], theirs[rows])
    assert shares[~rows].isnan().all()
    assert (hidden == -math.inf).equal(~keep)


def test_the_culprit_says_what_it_looks_at_and_the_triangle_takes_that_away():
    """The digits themselves say where it must have looked: one ahead, or at its own."""
    stored = load_results("fortune_maps")["values"]
    digits = stored["digits"]
    cheat, blinded, honest, copies, cut = stored["decoders"].values()
    assert cheat["says"] == digits[1:]
    looked_at = [digits[row.index(max(row))] for row in cheat["weights"]]
    assert looked_at == cheat["says"]
    assert copies["says"] == cut["says"] == digits[:-1]
    for hidden in (blinded, honest, copies):
        assert all(w == 0 for i, row in enumerate(hidden["weights"]) for w in row[i + 1 :])
    assert blinded["loss"] > 5 > 2.4 > honest["loss"] > 2.2
    explorer = lesson.the_culprit()
    assert explorer.frame(decoder="no mask, then the triangle").caption.startswith(
        "no mask, then the triangle: 0 of 5 right, loss 11.9"
    )


def test_the_real_head_shares_out_what_the_future_had():
    tokens, free = head_weights()
    masked = hide_future(free)
    expected = free.tril() / free.tril().sum(-1, keepdim=True)
    torch.testing.assert_close(masked, expected)
    assert tokens[2] == tokens[6] == "cat"
    assert "[CLS] .64" in lesson.a_real_head_masked().caption


def test_the_shift_says_the_next_word_under_the_row_that_saw_the_words_before():
    explorer = lesson.read_and_say()
    assert explorer.frame(place=4).caption.startswith("Position 4 of 4: has read <bos> I love her")
    assert "must say <eos>" in explorer.frame(place=4).caption


def test_a_picture_of_losses_cuts_and_says_what_is_too_high():
    picture = lesson.losses_of_decoders({"a": (0.04, 5.2), "b": (2.3, 4.96)})
    assert picture.caption == "a: as trained 0.0, in use over 5; b: as trained 2.3, in use 5.0"


@pytest.mark.parametrize("layers", _DEPTHS)
@pytest.mark.parametrize("diagonal", _DIAGONALS)
def test_a_leak_reaches_as_far_as_layers_times_the_step_ahead(diagonal, layers):
    places = torch.arange(_PLACES)
    ahead = places[None, :] - places[:, None]
    expected = (ahead > 0) & (ahead <= layers * diagonal)
    assert torch.equal(influence(diagonal, layers).triu(1) > 0, expected)


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
    torch.testing.assert_close(influence(1, 1), squares.sqrt(), rtol=1e-6, atol=1e-8)


def test_only_the_future_is_drawn_in_the_leak_colour():
    drawn = _past_and_leak(influence(1, 2)).numpy()
    assert (drawn[3, 7] == 1).all()  # four places ahead: exactly nothing
    orange = np.array(to_rgb(HIGHLIGHT))
    away, towards = 1 - drawn[3, 5], 1 - orange
    np.testing.assert_allclose(away / away.max(), towards / towards.max(), atol=1e-6)
    assert np.ptp(drawn[5, 3]) < 0.01  # the past is grey


@pytest.mark.parametrize("mask", _MASKS)
def test_a_batch_is_masked_as_its_menu_says(mask):
    real = torch.tensor([[True] * 6, [True] * 4 + [False] * 2, [True] + [False] * 5])
    keep = _keep_of(mask, real)
    for sentence, query, key in np.ndindex(3, 6, 6):
        hidden = ("padding" in mask and not real[sentence, key]) or (
            "look-ahead" in mask and key > query
        )
        assert keep[sentence, query, key] == (not hidden)
    assert keep.any(-1).all()  # no row has nothing to see
