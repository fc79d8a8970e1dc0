"""Recurrent networks, held against torch.nn with the same weights."""

import pytest
import torch
from torch import Tensor, nn

from tests.conftest import seeded
from tutor.rnn import GRU, LSTM, RNN, gru_step, last_real_state, lstm_gates, lstm_step, rnn_forward

B, T, I, H = 3, 7, 4, 5  # noqa: E741


def randn(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=seeded(seed))


def pair(ours: type[nn.Module], theirs: type[nn.Module]) -> tuple[nn.Module, nn.Module]:
    """Give our network and torch's with one set of weights."""
    torch.manual_seed(0)
    mine, reference = ours(I, H), theirs(I, H, batch_first=True)
    with torch.no_grad():
        for name in ("W_ih", "W_hh", "b_ih", "b_hh"):
            torch_name = {"W": "weight", "b": "bias"}[name[0]] + name[1:] + "_l0"
            getattr(mine, name).copy_(getattr(reference, torch_name))
    return mine, reference


def gradients(loss: Tensor, network: nn.Module, inputs: list[Tensor]) -> list[Tensor]:
    return list(torch.autograd.grad(loss, [*network.parameters(), *inputs]))


def assert_equal(ours: list[Tensor], theirs: list[Tensor]) -> None:
    assert len(ours) == len(theirs) > 0
    for mine, reference in zip(ours, theirs):
        assert mine.abs().max() > 1e-3  # something flows: an all-zero pair would prove nothing
        torch.testing.assert_close(mine, reference, rtol=0, atol=1e-6)


@pytest.mark.parametrize(("ours", "theirs"), [(RNN, nn.RNN), (GRU, nn.GRU)])
def test_rnn_and_gru_equal_torch_forward_and_backward(ours, theirs):
    mine, reference = pair(ours, theirs)
    x, h0 = randn(B, T, I).requires_grad_(), randn(B, H, seed=1).requires_grad_()
    pull = randn(B, T, H, seed=2) / 10  # a loss that asks every output for something else
    outputs, h_n = mine(x, h0)
    expected, expected_h = reference(x, h0.unsqueeze(0))
    assert_equal([outputs, h_n], [expected, expected_h.squeeze(0)])
    assert_equal(
        gradients((outputs * pull).sum() + h_n.square().sum() / 10, mine, [x, h0]),
        gradients((expected * pull).sum() + expected_h.square().sum() / 10, reference, [x, h0]),
    )


def test_lstm_equals_torch_forward_and_backward():
    mine, reference = pair(LSTM, nn.LSTM)
    x, h0 = randn(B, T, I).requires_grad_(), randn(B, H, seed=1).requires_grad_()
    c0, pull = randn(B, H, seed=3).requires_grad_(), randn(B, T, H, seed=2) / 10
    outputs, cells = mine(x, h0, c0)
    expected, (expected_h, expected_c) = reference(x, (h0.unsqueeze(0), c0.unsqueeze(0)))
    assert_equal(
        [outputs, outputs[:, -1], cells[:, -1]],
        [expected, expected_h.squeeze(0), expected_c.squeeze(0)],
    )
    assert_equal(
        gradients((outputs * pull).sum() + cells[:, -1].square().sum() / 10, mine, [x, h0, c0]),
        gradients((expected * pull).sum() + expected_c.square().sum() / 10, reference, [x, h0, c0]),
    )


@pytest.mark.parametrize("network", [RNN, LSTM, GRU])
def test_no_state_given_means_zeros(network):
    torch.manual_seed(0)
    model, x, zeros = network(I, H), randn(B, T, I), torch.zeros(B, H)
    states = (zeros, zeros) if network is LSTM else (zeros,)
    torch.testing.assert_close(model(x)[0], model(x, *states)[0], rtol=0, atol=0)
    assert not torch.allclose(model(x)[0], model(x, zeros + 1)[0])


@pytest.mark.parametrize("network", [RNN, LSTM, GRU])
def test_a_later_word_never_changes_an_earlier_state(network):
    torch.manual_seed(0)
    model, x = network(I, H), randn(B, T, I)
    changed = x.clone()
    changed[:, 4:] = randn(B, T - 4, I, seed=1)
    before, after = model(x)[0], model(changed)[0]
    torch.testing.assert_close(before[:, :4], after[:, :4], rtol=0, atol=0)
    assert not torch.allclose(before[:, 4:], after[:, 4:])


def test_one_matrix_for_state_and_word_is_the_same_map():
    x, h0 = randn(B, 1, I), randn(B, H, seed=1)
    W_ih, W_hh, b_ih, b_hh = (
        randn(H, I, seed=2),
        randn(H, H, seed=3),
        randn(H, seed=4),
        randn(H, seed=5),
    )
    joined = torch.cat([W_hh, W_ih], dim=1) @ torch.cat([h0, x[:, 0]], dim=1).T  # (H, B)
    _, h = rnn_forward(x, h0, W_ih, W_hh, b_ih, b_hh)
    torch.testing.assert_close(h, torch.tanh(joined.T + b_ih + b_hh), rtol=0, atol=1e-6)


def test_lstm_gates_by_hand():
    b = torch.tensor([0.0, 1.0, 2.0, 3.0])
    i, f, g, o = lstm_gates(
        torch.ones(1, 1), torch.ones(1, 1), torch.ones(4, 1), torch.ones(4, 1), b
    )
    by_hand = [1 / (1 + 2.718281828**-2), 1 / (1 + 2.718281828**-3), 0.99932930, 0.99330715]
    torch.testing.assert_close(torch.cat([i, f, g, o]).flatten(), torch.tensor(by_hand))


def test_a_forget_gate_of_one_half_leaves_almost_nothing_after_fifty_steps():
    h, c, no_weights = torch.zeros(1, 1), torch.ones(1, 1), torch.zeros(4, 1)
    b = torch.tensor([-99.0, 0.0, 0.0, 0.0])  # nothing written, half kept
    for _ in range(50):
        h, c = lstm_step(torch.ones(1, 1), h, c, no_weights, no_weights, b)
    assert c.item() == pytest.approx(0.5**50)
    assert f"{c.item():.1e}" == "8.9e-16"


def test_last_real_state_reads_no_padding():
    outputs, lengths = randn(B, T, H), torch.tensor([2, 7, 5])
    last = last_real_state(outputs, lengths)
    for sentence, length in enumerate(lengths.tolist()):
        assert torch.equal(last[sentence], outputs[sentence, length - 1])
    outputs[0, 2:] = 99.0
    assert torch.equal(last_real_state(outputs, lengths), last)


@pytest.mark.parametrize("lengths", [[0, 1, 2], [1, 2, 8]])
def test_last_real_state_names_a_length_out_of_range(lengths):
    with pytest.raises(ValueError, match=r"from 1 to the 7 steps.*\[\d, \d, \d\]"):
        last_real_state(randn(B, T, H), torch.tensor(lengths))


@pytest.mark.usefixtures("unchecked_shapes")
def test_weights_that_do_not_fit_are_named():
    x, h, square = randn(B, I), randn(B, H), randn(H, H)
    with pytest.raises(ValueError, match=r"W_ih \(hidden, input\), .* W_ih \(5, 5\)"):
        rnn_forward(x.unsqueeze(1), h, square, square, h[0], h[0])
    with pytest.raises(ValueError, match=r"W_ih \(20, 4\) and W_hh \(20, 5\): got"):
        lstm_step(x, h, h, randn(15, I), randn(15, H), randn(15))
    with pytest.raises(ValueError, match=r"W_ih \(15, 4\), W_hh \(20, 5\)"):
        gru_step(x, h, randn(15, I), randn(20, H), randn(15), randn(15))
