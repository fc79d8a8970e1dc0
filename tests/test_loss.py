"""The loss and its smoothing, against torch.nn, worked numbers, and by property."""

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from tests.conftest import seeded
from tutor.loss import (
    SmoothingForm,
    perplexity,
    sequence_cross_entropy,
    smooth_labels,
    smoothed_cross_entropy,
    smoothing_floor,
)

B, T, V, PAD = 3, 5, 11, 2
FORMS: tuple[SmoothingForm, ...] = ("torch", "paper")


def randn(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=seeded(seed), dtype=torch.float64)


def batch() -> tuple[Tensor, Tensor]:
    """Give logits and labels of sentences that are 5, 3 and 1 words long; word 0 is real."""
    labels = torch.tensor([[4, 0, 7, 10, 1], [3, 0, 9, PAD, PAD], [8, PAD, PAD, PAD, PAD]])
    return 2 * randn(B, T, V), labels


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
