"""Logits, probabilities and losses, held against torch and against numbers worked by hand."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from tests.conftest import seeded
from tutor.output import (
    SmoothingForm,
    log_softmax,
    min_p_probabilities,
    perplexity,
    sequence_cross_entropy,
    smooth_labels,
    smoothed_cross_entropy,
    smoothing_floor,
    temperature_softmax,
    tied_logits,
    top_k_probabilities,
    top_p_probabilities,
)

B, T, V, D, PAD = 3, 5, 11, 4, 2
FORMS: tuple[SmoothingForm, ...] = ("torch", "paper")


def randn(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=seeded(seed), dtype=torch.float64)


def batch() -> tuple[Tensor, Tensor]:
    """Give logits and labels of sentences that are 5, 3 and 1 words long; word 0 is real."""
    labels = torch.tensor([[4, 0, 7, 10, 1], [3, 0, 9, PAD, PAD], [8, PAD, PAD, PAD, PAD]])
    return 2 * randn(B, T, V), labels


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


def test_cross_entropy_equals_torch_forward_and_backward():
    logits, labels = batch()
    ours, theirs = logits.clone().requires_grad_(), logits.clone().requires_grad_()
    loss = sequence_cross_entropy(ours, labels, PAD)
    expected = F.cross_entropy(theirs.view(-1, V), labels.view(-1), ignore_index=PAD)
    torch.testing.assert_close(loss, expected, rtol=0, atol=1e-12)
    loss.backward()
    expected.backward()
    torch.testing.assert_close(ours.grad, theirs.grad, rtol=0, atol=1e-12)
    assert (ours.grad[labels == PAD] == 0).all()
    assert (ours.grad[labels != PAD] != 0).all()


def test_cross_entropy_is_one_mean_over_tokens_not_over_sentences():
    logits, labels = batch()
    of_sentences = [
        sequence_cross_entropy(logits[i : i + 1], labels[i : i + 1], PAD) for i in range(B)
    ]
    weighted = (5 * of_sentences[0] + 3 * of_sentences[1] + 1 * of_sentences[2]) / 9
    loss = sequence_cross_entropy(logits, labels, PAD)
    torch.testing.assert_close(loss, weighted, rtol=0, atol=1e-12)
    assert abs(loss - sum(of_sentences) / B) > 0.01


def test_perplexity_of_an_even_guess_is_the_vocabulary():
    labels = batch()[1]
    loss = sequence_cross_entropy(torch.zeros(B, T, V), labels, PAD)
    assert perplexity(loss).item() == pytest.approx(V, rel=1e-5)


def test_losses_refuse_what_does_not_fit():
    logits, labels = batch()
    with pytest.raises(ValueError, match="every label is padding"):
        sequence_cross_entropy(logits, torch.full_like(labels, PAD), PAD)
    with pytest.raises(ValueError, match="epsilon must be from 0 to below 1, got 1"):
        smoothed_cross_entropy(logits, labels, PAD, epsilon=1.0)
    with pytest.raises(ValueError, match="vocabulary 2"):
        smooth_labels(torch.tensor([0]), vocabulary=2, epsilon=0.1, pad_id=1)


@pytest.mark.usefixtures("unchecked_shapes")
def test_smoothing_refuses_a_form_it_does_not_know():
    logits, labels = batch()
    with pytest.raises(ValueError, match="form='Torch'; expected 'torch' or 'paper'"):
        smoothed_cross_entropy(logits, labels, PAD, 0.1, form="Torch")
    with pytest.raises(ValueError, match="form='labels'"):
        smoothing_floor(5, 0.1, form="labels")


@pytest.mark.usefixtures("unchecked_shapes")
def test_losses_name_the_shapes_that_do_not_fit():
    logits, labels = batch()
    with pytest.raises(ValueError, match=r"logits \(3, 4, 11\), labels \(3, 5\)"):
        sequence_cross_entropy(logits[:, :-1], labels, PAD)


def test_smooth_labels_by_hand():
    labels = torch.tensor([4, PAD, 0])
    smooth = smooth_labels(labels, vocabulary=5, epsilon=0.3, pad_id=PAD)
    expected = torch.tensor([[0.1, 0.1, 0, 0.1, 0.7], [0] * 5, [0.7, 0.1, 0, 0.1, 0.1]])
    torch.testing.assert_close(smooth, expected)


def test_torchs_smoothing_equals_torch_forward_and_backward():
    logits, labels = batch()
    ours, theirs = logits.clone().requires_grad_(), logits.clone().requires_grad_()
    loss = smoothed_cross_entropy(ours, labels, PAD, epsilon=0.1)
    expected = F.cross_entropy(
        theirs.view(-1, V), labels.view(-1), ignore_index=PAD, label_smoothing=0.1
    )
    torch.testing.assert_close(loss, expected, rtol=0, atol=1e-12)
    loss.backward()
    expected.backward()
    torch.testing.assert_close(ours.grad, theirs.grad, rtol=0, atol=1e-12)


def test_the_papers_smoothing_equals_its_table_of_labels():
    logits, labels = batch()
    logits[..., PAD] += 4  # a model that likes padding: only torch's form rewards it
    table = smooth_labels(labels.flatten(), V, 0.1, PAD).double()
    surprise = -(table * F.log_softmax(logits.view(-1, V), dim=-1)).sum()
    loss = smoothed_cross_entropy(logits, labels, PAD, epsilon=0.1, form="paper")
    torch.testing.assert_close(loss, surprise / 9, rtol=0, atol=1e-6)
    assert abs(loss - smoothed_cross_entropy(logits, labels, PAD, epsilon=0.1)) > 0.01


@pytest.mark.parametrize("form", FORMS)
def test_no_smoothing_is_plain_cross_entropy(form):
    logits, labels = batch()
    plain = sequence_cross_entropy(logits, labels, PAD)
    smoothed = smoothed_cross_entropy(logits, labels, PAD, epsilon=0.0, form=form)
    torch.testing.assert_close(smoothed, plain, rtol=0, atol=1e-12)


def test_the_numbers_of_the_lesson():
    logits, pad = torch.tensor([[5.0, 0, 0, 0, 0]]), 4

    def loss(label: int, epsilon: float, form: SmoothingForm = "torch") -> float:
        return smoothed_cross_entropy(logits, torch.tensor([label]), pad, epsilon, form).item()

    assert [round(loss(0, 0.0), 3), round(loss(0, 0.1), 3)] == [0.027, 0.427]
    assert [round(loss(1, 0.0), 2), round(loss(1, 0.1), 2)] == [5.03, 4.93]
    assert round(smoothing_floor(5, 0.1), 3) == 0.390
    assert round(loss(0, 0.1, "paper"), 3) == 0.527
    assert round(loss(1, 0.1, "paper"), 2) == 4.86
    assert round(smoothing_floor(5, 0.1, "paper"), 3) == 0.435


@pytest.mark.parametrize("form", FORMS)
def test_the_floor_is_reached_by_the_smoothed_label_itself_and_by_nothing_else(form):
    label, epsilon = torch.tensor([3]), 0.2
    best = torch.full((1, V), epsilon / V)
    best[0, 3] += 1 - epsilon
    if form == "paper":
        best = smooth_labels(label, V, epsilon, PAD).clamp_min(1e-30)
    floor = smoothing_floor(V, epsilon, form)
    at_best = smoothed_cross_entropy(best.log(), label, PAD, epsilon, form)
    assert at_best.item() == pytest.approx(floor, abs=1e-6)
    for seed in range(20):
        other = best.log() + 0.1 * randn(1, V, seed=seed)
        assert smoothed_cross_entropy(other, label, PAD, epsilon, form) > floor
    assert smoothing_floor(V, 0.0, form) == 0.0


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


@pytest.mark.parametrize("pad_id", [-1, 4])
def test_padding_without_a_word_of_its_own_is_refused(pad_id):
    """As an index, -1 would take a share from the last word."""
    logits, labels = torch.zeros(2, 4), torch.tensor([1, 2])
    for refuses in (
        lambda: sequence_cross_entropy(logits, labels, pad_id),
        lambda: smooth_labels(labels, 4, 0.1, pad_id),
        lambda: smoothed_cross_entropy(logits, labels, pad_id, 0.1),
    ):
        with pytest.raises(ValueError, match="pad_id must be from 0 to 3"):
            refuses()
