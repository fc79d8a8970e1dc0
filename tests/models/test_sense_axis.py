"""The axis of two senses is the first principal component, and hiding hides one word."""

import pytest
import torch

from tests.conftest import seeded
from tests.needs import missing
from tutor.models.minilm import INSTALL, is_installed
from tutor.models.sense_axis import LAST, fit_axis, one_hidden, word_states


def drawn(sentences: int = 12) -> tuple[torch.Tensor, torch.Tensor]:
    states = torch.randn(sentences, LAST + 1, 5, generator=seeded(0), dtype=torch.float64)
    first = torch.arange(sentences) % 3 > 0
    states[:, LAST, 2] += torch.where(first, 6.0, -6.0)
    return states, first


def test_directions_are_the_eigenvectors_of_the_covariance():
    states, first = drawn()
    axis = fit_axis(states, first)
    largest = torch.linalg.eigh(torch.cov(states[:, LAST].T)).eigenvectors[:, [-1, -2]].T
    torch.testing.assert_close(axis.directions.abs(), largest.abs(), rtol=0, atol=1e-9)
    assert (
        axis.places(states)[first, LAST, 0].min() > 0 > axis.places(states)[~first, LAST, 0].max()
    )
    torch.testing.assert_close(axis.places(states).mean(0), torch.zeros(7, 2, dtype=torch.float64))


def test_labels_only_turn_the_axis_round():
    states, first = drawn()
    one, other = fit_axis(states, first), fit_axis(states, ~first)
    torch.testing.assert_close(one.directions[0], -other.directions[0])
    torch.testing.assert_close(one.directions[1], other.directions[1])


def test_every_word_but_the_watched_one_is_hidden_once():
    assert one_hidden("bank", "The bank shut", by="") == {0: "bank shut", 2: "The bank"}
    hidden = one_hidden("bank", "A bank near a bank")
    assert list(hidden) == [0, 2, 3]
    assert hidden[2] == "A bank [MASK] a bank"


def test_the_model_reads_a_hidden_word_as_missing():
    if not is_installed():
        missing("MiniLM", INSTALL)
    with_word, without, other = word_states(
        "bank", ["The river bank", "The [MASK] bank", "The savings bank"]
    )
    torch.testing.assert_close(with_word[0], other[0])  # the same token at the same position
    assert not torch.allclose(with_word[1], without[1], atol=0.1)
    with pytest.raises(ValueError, match="not among the tokens"):
        word_states("bank", ["The river"])
