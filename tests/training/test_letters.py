"""The model of letters: what it reads, where its heads look, and what switching one off does."""

from functools import partial

import pytest
import torch

from tests.conftest import seeded
from tutor.training.letters import (
    HEADS,
    LAYERS,
    ids_of,
    load_letters,
    looks_of,
    mean_outputs,
    repeated,
    scores_of,
    share_right,
    switched_off,
    text_of,
    weights_of,
)

ALL = [(layer, head) for layer in range(LAYERS) for head in range(HEADS)]


def test_a_stretch_of_different_letters_comes_again():
    ids = repeated(5, stretch=7, length=20, rng=seeded(0))
    assert torch.equal(ids[:, 7:], ids[:, :-7])
    assert all(len(set(row[:7].tolist())) == 7 for row in ids)
    assert ids.min() >= 1
    assert ids.max() <= 26
    assert torch.equal(ids_of(text_of(ids[0])), ids[:1])
    with pytest.raises(ValueError, match="other characters"):
        ids_of("a b")


def test_looks_are_counted_as_by_hand():
    model, stretch = load_letters(), 12
    looks = looks_of(model, stretch)
    weights = weights_of(model, repeated(64, stretch, 48, seeded(5))).mean(dim=1)
    back = [weights[0, 2, t, t - 1] for t in range(1, 48)]
    assert looks.back[0, 2].item() == pytest.approx(sum(back).item() / 47, abs=1e-5)
    behind = [
        sum(weights[1, 0, t, t - n * stretch + 1] for n in range(1, t // stretch + 1))
        for t in range(stretch, 48)
    ]
    assert looks.behind[1, 0].item() == pytest.approx(sum(behind).item() / 36, abs=1e-5)


def test_a_head_that_is_off_says_the_same_whatever_it_sees():
    model = load_letters()
    means = mean_outputs(model)
    one, other = repeated(2, 12, 24, seeded(1)), repeated(2, 12, 24, seeded(2))
    last = one[:, -1:]
    one, other = (torch.cat([ids[:, :-1], last], dim=1) for ids in (one, other))
    with torch.inference_mode(), switched_off(model, ALL, means):
        blind = [scores_of(model, ids)[:, -1] for ids in (one, other)]
    torch.testing.assert_close(*blind, rtol=0, atol=1e-4)  # the last letter is all it knows
    with torch.inference_mode():
        seeing = [scores_of(model, ids)[:, -1] for ids in (one, other)]
    assert (seeing[0] - seeing[1]).abs().max() > 1  # and the hooks are gone


def test_nothing_off_changes_nothing():
    model, ids = load_letters(), repeated(2, 8, 20, seeded(3))
    with torch.inference_mode():
        before = scores_of(model, ids)
        with switched_off(model, [], mean_outputs(model)):
            assert torch.equal(before, scores_of(model, ids))


def test_the_shipped_model_has_the_lesson_s_heads():
    model = load_letters()
    scores = partial(scores_of, model)
    assert share_right(scores, 12) > 0.99
    for off, low, high in (([(0, 2)], 0.4, 0.6), ([(1, 2)], 0.99, 1.0), ([(1, 0)], 0.9, 1.0)):
        with switched_off(model, off, mean_outputs(model)):
            assert low < share_right(scores, 12) <= high
