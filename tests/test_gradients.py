"""Gradients through time: by hand against autograd, and the numbers of lesson 1."""

import math

import pytest
import torch
from torch import Tensor

from tests.conftest import seeded
from tutor.gradients import (
    cell_gradients,
    clip_gradients,
    global_norm,
    jacobian_norms,
    rnn_backward,
    rnn_forward_truncated,
    with_spectral_radius,
)
from tutor.rnn import LSTM, rnn_forward

B, T, I, H = 3, 8, 4, 5  # noqa: E741


def randn(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=seeded(seed), dtype=torch.float64)


def weights() -> list[Tensor]:
    drawn = [randn(H, I, seed=1), randn(H, H, seed=2) / 2, randn(H, seed=3), randn(H, seed=4)]
    return [each.requires_grad_() for each in drawn]


@pytest.mark.parametrize("window", [None, 1, 3, 4, 8])
def test_back_propagation_by_hand_equals_autograd(window):
    x, h0, pull = randn(B, T, I), randn(B, H, seed=5).requires_grad_(), randn(B, T, H, seed=6)
    W_ih, W_hh, b_ih, b_hh = weights()
    if window is None:
        outputs, _ = rnn_forward(x, h0, W_ih, W_hh, b_ih, b_hh)
    else:
        outputs, _ = rnn_forward_truncated(x, h0, W_ih, W_hh, b_ih, b_hh, window)
    by_hand = rnn_backward(x, h0.detach(), outputs.detach(), W_hh.detach(), pull, window)
    (outputs * pull).sum().backward()
    torch.testing.assert_close(by_hand["W_ih"], W_ih.grad, rtol=0, atol=1e-12)
    torch.testing.assert_close(by_hand["W_hh"], W_hh.grad, rtol=0, atol=1e-12)
    torch.testing.assert_close(by_hand["b"], b_ih.grad, rtol=0, atol=1e-12)
    torch.testing.assert_close(by_hand["b"], b_hh.grad, rtol=0, atol=1e-12)
    expected_h0 = torch.zeros(B, H, dtype=torch.float64) if h0.grad is None else h0.grad
    torch.testing.assert_close(by_hand["h0"], expected_h0, rtol=0, atol=1e-12)


def test_truncation_changes_gradients_and_not_outputs():
    x, h0, pull = randn(B, T, I), randn(B, H, seed=5), randn(B, T, H, seed=6)
    drawn = [each.detach() for each in weights()]
    whole, last = rnn_forward(x, h0, *drawn)
    parts, last_of_parts = rnn_forward_truncated(x, h0, *drawn, window=3)
    assert torch.equal(whole, parts)
    assert torch.equal(last, last_of_parts)
    full = rnn_backward(x, h0, whole, drawn[1], pull)["W_ih"]
    cut = rnn_backward(x, h0, whole, drawn[1], pull, window=3)["W_ih"]
    assert (full - cut).abs().max() > 0.01


def test_jacobian_norms_equal_autograd():
    x, h0 = randn(1, T, I), randn(1, H, seed=5)
    W_ih, W_hh, b_ih, b_hh = [each.detach() for each in weights()]
    outputs, _ = rnn_forward(x, h0, W_ih, W_hh, b_ih, b_hh)
    norms = jacobian_norms(outputs[0], W_hh)
    for t in range(T - 1):

        def last_from(state: Tensor, t: int = t) -> Tensor:
            rest = x[:, t + 1 :]
            return rnn_forward(rest, state.unsqueeze(0), W_ih, W_hh, b_ih, b_hh)[1].squeeze(0)

        jacobian = torch.autograd.functional.jacobian(last_from, outputs[0, t])
        expected = torch.linalg.svdvals(jacobian).max()
        torch.testing.assert_close(norms[t], expected, rtol=1e-10, atol=0)
    assert norms[-1] == 1


def test_a_largest_singular_value_below_one_guarantees_vanishing():
    W_hh = randn(H, H)
    W_hh = 0.9 * W_hh / torch.linalg.matrix_norm(W_hh, ord=2)
    norms = jacobian_norms(torch.tanh(randn(30, H, seed=1)), W_hh)
    steps_back = torch.arange(29, -1, -1)
    assert (norms <= 0.9**steps_back + 1e-15).all()
    assert norms[0] < 0.05


def test_a_spectral_radius_above_one_explodes_unless_tanh_saturates():
    W_hh = with_spectral_radius(randn(32, 32), 1.5)
    at_rest = jacobian_norms(torch.zeros(51, 32, dtype=torch.float64), W_hh)
    assert at_rest[0] > 1e8  # at least 1.5^50
    driven, _ = rnn_forward(
        randn(1, 51, 32, seed=1), torch.zeros(1, 32).double(), randn(32, 32, seed=2), W_hh,
        *torch.zeros(2, 32).double(),
    )  # fmt: skip
    assert jacobian_norms(driven[0], W_hh)[0] < 1e-3


def test_scalar_chains_of_the_lesson():
    linear = torch.zeros(21, 1, dtype=torch.float64)  # states at 0, where tanh has slope 1
    assert jacobian_norms(linear, torch.tensor([[0.9]]).double())[0] == pytest.approx(
        0.12, abs=5e-3
    )
    assert jacobian_norms(linear, torch.tensor([[1.5]]).double())[0] == pytest.approx(3325, abs=1)


def test_with_spectral_radius():
    scaled = with_spectral_radius(randn(H, H), 1.5)
    assert torch.linalg.eigvals(scaled).abs().max().item() == pytest.approx(1.5)
    torch.testing.assert_close(scaled / scaled[0, 0], randn(H, H) / randn(H, H)[0, 0])
    with pytest.raises(ValueError, match="every eigenvalue of W is 0"):
        with_spectral_radius(torch.tensor([[0.0, 1.0], [0.0, 0.0]]), 1.0)


def test_the_cell_path_and_the_whole_derivative_differ_by_what_the_gates_carry():
    torch.manual_seed(0)
    model = LSTM(I, H).double()
    W_ih, W_hh, b = model.W_ih.detach(), model.W_hh.detach(), (model.b_ih + model.b_hh).detach()
    x = randn(T, I)
    path, whole = cell_gradients(x, W_ih, W_hh, b)

    def last_cell(c0: Tensor) -> Tensor:
        return model(x.unsqueeze(0), None, c0.unsqueeze(0))[1][0, -1]

    c0 = torch.zeros(H, dtype=torch.float64)
    expected = torch.autograd.functional.jacobian(last_cell, c0)
    torch.testing.assert_close(whole, expected, rtol=0, atol=1e-12)
    assert (whole - torch.diag(path)).abs().max() > 1e-4
    path_alone, whole_alone = cell_gradients(x, W_ih, torch.zeros_like(W_hh), b)
    torch.testing.assert_close(whole_alone, torch.diag(path_alone), rtol=0, atol=1e-12)


def test_the_cell_path_is_the_product_of_forget_gates():
    no_weights = torch.zeros(4, 1, dtype=torch.float64)
    path, _ = cell_gradients(torch.zeros(50, 1).double(), no_weights, no_weights, no_weights[:, 0])
    assert path.item() == pytest.approx(0.5**50)


def some_gradients(scale: float) -> list[Tensor]:
    return [scale * randn(4, 3), scale * 10 * randn(2, seed=1), scale * randn(1, 2, 2, seed=2)]


@pytest.mark.parametrize("scale", [1e-9, 0.01, 1.0, 1e6])
def test_clipping_equals_torch(scale):
    ours = clip_gradients(some_gradients(scale), max_norm=1.0)
    parameters = [torch.nn.Parameter(torch.zeros_like(each)) for each in ours]
    for parameter, gradient in zip(parameters, some_gradients(scale)):
        parameter.grad = gradient
    torch.nn.utils.clip_grad_norm_(parameters, 1.0)  # torch adds 1e-6 to the norm
    for mine, parameter in zip(ours, parameters):
        torch.testing.assert_close(mine, parameter.grad, rtol=1e-5, atol=0)


def test_clipping_shortens_all_by_one_factor_and_never_lengthens():
    long, short, zero = some_gradients(1.0), some_gradients(1e-3), some_gradients(0.0)
    clipped = clip_gradients(long, max_norm=2.0)
    assert global_norm(clipped).item() == pytest.approx(2.0, rel=1e-12)
    factor = 2.0 / global_norm(long)
    for before, after in zip(long, clipped):
        torch.testing.assert_close(after, before * factor)
    for untouched in (short, zero):
        for before, after in zip(untouched, clip_gradients(untouched, max_norm=2.0)):
            assert torch.equal(before, after)
            assert before.data_ptr() != after.data_ptr()  # a copy: the caller may change either


def test_global_norm_is_that_of_one_long_vector():
    joined = torch.cat([each.flatten() for each in some_gradients(1.0)])
    assert global_norm(some_gradients(1.0)).item() == pytest.approx(math.sqrt(joined.dot(joined)))


def test_clipping_refuses_a_limit_that_is_not_positive():
    with pytest.raises(ValueError, match="max_norm must be above 0, got 0"):
        clip_gradients(some_gradients(1.0), 0.0)
