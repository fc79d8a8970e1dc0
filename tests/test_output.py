"""Logits and probabilities, held against torch and against numbers worked by hand."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from tests.conftest import seeded
from tutor.output import (
    log_softmax,
    min_p_probabilities,
    temperature_softmax,
    tied_logits,
    top_k_probabilities,
    top_p_probabilities,
)

B, T, V, D = 3, 5, 11, 4


def randn(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=seeded(seed), dtype=torch.float64)


def test_tied_logits_are_dot_products_with_the_rows():
    h, table = randn(B, T, D), randn(V, D, seed=1)
    logits = tied_logits(h, table)
    assert logits.shape == (B, T, V)
    assert logits[1, 2, 5].item() == pytest.approx(sum(h[1, 2, i] * table[5, i] for i in range(D)))
    torch.testing.assert_close(logits, F.linear(h, table), rtol=0, atol=1e-12)


@pytest.mark.usefixtures("unchecked_shapes")
def test_tied_logits_name_the_shapes_that_do_not_fit():
    with pytest.raises(ValueError, match=r"h \(3, 4\), table \(11, 5\)"):
        tied_logits(randn(3, 4), randn(11, 5))


@pytest.mark.parametrize("shift", [0.0, 1e4, -1e4])
def test_log_softmax_equals_torch_however_large_the_logits(shift):
    logits = randn(B, V).float() + shift
    ours = log_softmax(logits)
    torch.testing.assert_close(ours, F.log_softmax(logits, dim=-1), rtol=0, atol=1e-6)
    assert ours.isfinite().all()


def test_the_textbook_formula_overflows_where_ours_does_not():
    logits = torch.tensor([100.0, 0.0])
    textbook = logits.exp() / logits.exp().sum()
    assert textbook.isnan().any()
    assert log_softmax(logits).exp().tolist() == pytest.approx([1.0, 0.0])


def test_temperature():
    logits = randn(B, V)
    for temperature in (0.3, 1.0, 5.0):
        expected = torch.softmax(logits / temperature, dim=-1)
        ours = temperature_softmax(logits, temperature)
        torch.testing.assert_close(ours, expected, rtol=0, atol=1e-12)
    entropy = [
        -(p * p.log()).sum(-1) for p in (temperature_softmax(logits, t) for t in (0.5, 1.0, 2.0))
    ]
    assert (entropy[0] < entropy[1]).all()
    assert (entropy[1] < entropy[2]).all()
    with pytest.raises(ValueError, match="temperature must be a number above 0, got 0"):
        temperature_softmax(logits, 0.0)


@pytest.mark.parametrize("k", [1, 3, V])
def test_top_k_by_hand(k):
    logits = randn(B, T, V)
    ours = top_k_probabilities(logits, k)
    for row, probabilities in zip(logits.view(-1, V), ours.view(-1, V)):
        best = sorted(range(V), key=lambda word: -row[word])[:k]
        total = sum(math.exp(row[word]) for word in best)
        for word in range(V):
            expected = math.exp(row[word]) / total if word in best else 0.0
            assert probabilities[word].item() == pytest.approx(expected, abs=1e-12)


def test_top_k_refuses_what_the_vocabulary_does_not_hold():
    for k in (0, V + 1):
        with pytest.raises(ValueError, match=rf"k must be from 1 to the vocabulary's 11.*got {k}"):
            top_k_probabilities(randn(B, V), k)


@pytest.mark.parametrize("threshold", [0.01, 0.5, 0.9, 1.0])
def test_top_p_by_hand(threshold):
    probabilities = torch.softmax(randn(B, T, V), dim=-1)
    ours = top_p_probabilities(probabilities, threshold)
    for row, given in zip(probabilities.view(-1, V), ours.view(-1, V)):
        ranking = sorted(range(V), key=lambda word: -row[word])
        kept: list[int] = []
        while sum(row[word].item() for word in kept) < threshold and len(kept) < V:
            kept.append(ranking[len(kept)])
        total = sum(row[word].item() for word in kept)
        for word in range(V):
            expected = row[word].item() / total if word in kept else 0.0
            assert given[word].item() == pytest.approx(expected, abs=1e-12)


def test_top_p_keeps_the_word_that_crosses_the_threshold():
    probabilities = torch.tensor([0.1, 0.5, 0.3, 0.1])
    assert (top_p_probabilities(probabilities, 0.7) > 0).tolist() == [False, True, True, False]
    assert (top_p_probabilities(probabilities, 0.3) > 0).tolist() == [False, True, False, False]
    for threshold in (0.0, 1.2):
        with pytest.raises(ValueError, match="threshold must be above 0 and at most 1"):
            top_p_probabilities(probabilities, threshold)


def test_min_p_keeps_what_has_its_share_of_the_best():
    probabilities = torch.softmax(2 * torch.randn(3, 5, 40, generator=seeded(8)), dim=-1)
    found = min_p_probabilities(probabilities, 0.2)
    for row, kept in zip(probabilities.view(-1, 40).tolist(), found.view(-1, 40).tolist()):
        chosen = [p if p >= 0.2 * max(row) else 0.0 for p in row]
        assert kept == pytest.approx([p / sum(chosen) for p in chosen], abs=1e-6)
    torch.testing.assert_close(min_p_probabilities(probabilities, 1e-9), probabilities)


@pytest.mark.parametrize("ratio", [0.0, -0.1, 1.1])
def test_min_p_refuses_what_is_no_share(ratio):
    with pytest.raises(ValueError, match="above 0 and at most 1"):
        min_p_probabilities(torch.tensor([0.5, 0.5]), ratio)
