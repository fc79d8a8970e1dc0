"""Norms, feed-forward, residuals against torch.nn and hand-worked numbers, and by property."""

import math

import pytest
import torch
from torch import nn

from tests.conftest import seeded
from tutor.layers import FeedForward, LayerNorm, Residual, RMSNorm, layer_norm, rms_norm


def randn(*shape: int, seed: int) -> torch.Tensor:
    return torch.randn(*shape, generator=seeded(seed))


def close(actual: torch.Tensor, expected: torch.Tensor, atol: float = 1e-6) -> None:
    torch.testing.assert_close(actual, expected, rtol=0, atol=atol)


def test_layer_norm_by_hand():
    # mean 2.5, variance 1.25 (divided by 4), eps .75 inside the root: divided by √2
    x = torch.tensor([1.0, 2.0, 3.0, 4.0])
    gamma, beta = torch.tensor([1.0, 2.0, 1.0, 2.0]), torch.tensor([0.0, 0.0, 1.0, 1.0])
    expected = torch.tensor([-1.5, -1.0, 0.5, 3.0]) / math.sqrt(2) + beta
    close(layer_norm(x, gamma, beta, eps=0.75), expected)


@pytest.mark.parametrize(
    ("ours", "theirs"), [(LayerNorm, nn.LayerNorm), (RMSNorm, nn.RMSNorm)], ids=["layer", "rms"]
)
@pytest.mark.parametrize("eps", [1e-5, 0.3])
def test_norms_equal_torch_forward_and_backward(ours, theirs, eps):
    mine, its = ours(12, eps), theirs(12, eps)
    with torch.no_grad():
        for seed, (a, b) in enumerate(zip(mine.parameters(), its.parameters(), strict=True)):
            a.copy_(randn(12, seed=seed))
            b.copy_(a)
    x = randn(3, 5, 12, seed=9) * 2 + 1
    x[0, 0] = 0.5 + 1e-4 * x[0, 0]  # nearly constant: the eps matters
    results = []
    for module in (mine, its):
        inputs = [x.clone().requires_grad_(), *module.parameters()]
        output = module(inputs[0])
        upstream = randn(3, 5, 12, seed=10) / 12
        results.append([output, *torch.autograd.grad(output, inputs, upstream)])
    for a, b in zip(*results):  # relative too: the constant row's gradients are in the tens
        torch.testing.assert_close(a, b, rtol=1e-6, atol=1e-6)


def test_rms_norm_leaves_the_mean_where_layer_norm_takes_it():
    x = randn(4, 12, seed=0) + 3
    ones, zeros = torch.ones(12), torch.zeros(12)
    close(layer_norm(x, ones, zeros).mean(-1), torch.zeros(4))
    assert rms_norm(x, ones).mean(-1).min() > 0.5


@pytest.mark.parametrize("norm", [LayerNorm, RMSNorm])
def test_tokens_are_normalised_alone(norm):
    module = norm(12)
    x = randn(2, 5, 12, seed=0)
    close(module(x)[1, 3], module(x[1, 3]))
    changed = x.clone()
    changed[1, 3] = randn(12, seed=1)
    different = (module(x) != module(changed)).any(-1)
    assert different.nonzero().tolist() == [[1, 3]]


def test_a_fresh_layer_norm_changes_nothing_but_mean_and_spread():
    module = LayerNorm(64)
    x = module(randn(3, 64, seed=0) * 5 + 2).detach()
    close(x.mean(-1), torch.zeros(3))
    close(x.var(-1, correction=0), torch.ones(3), atol=1e-4)


def test_feed_forward_by_hand():
    module = FeedForward(2, 3, "relu")
    with torch.no_grad():
        module.W_1.weight.copy_(torch.tensor([[1.0, 0], [0, 1], [-1, -1]]))
        module.W_1.bias.copy_(torch.tensor([0.0, 1, 0]))
        module.W_2.weight.copy_(torch.tensor([[1.0, 2, 3], [0, 1, 0]]))
        module.W_2.bias.copy_(torch.tensor([0.5, 0]))
    # (2, -3) → (2, -2, 1) → relu (2, 0, 1) → (2 + 3 + .5, 0)
    close(module(torch.tensor([2.0, -3.0])).detach(), torch.tensor([5.5, 0.0]))


@pytest.mark.parametrize(("activation", "function"), [("relu", nn.ReLU()), ("gelu", nn.GELU())])
def test_feed_forward_equals_torch(activation, function):
    module = FeedForward(6, 10, activation)
    theirs = nn.Sequential(nn.Linear(6, 10), function, nn.Linear(10, 6))
    theirs[0].load_state_dict(module.W_1.state_dict())
    theirs[2].load_state_dict(module.W_2.state_dict())
    x = randn(2, 5, 6, seed=0)
    close(module(x), theirs(x))


def test_swiglu_equals_its_formula_and_has_no_biases():
    module = FeedForward(6, 10, "swiglu")
    assert sorted(dict(module.named_parameters())) == ["W_1.weight", "W_2.weight", "W_gate.weight"]
    x = randn(2, 5, 6, seed=0)
    gate, up = x @ module.W_gate.weight.T, x @ module.W_1.weight.T
    close(module(x), (gate / (1 + torch.exp(-gate)) * up) @ module.W_2.weight.T)


def test_feed_forward_equals_a_convolution_of_width_one():
    module = FeedForward(6, 10)
    wide, narrow = nn.Conv1d(6, 10, 1), nn.Conv1d(10, 6, 1)
    for convolution, linear in ((wide, module.W_1), (narrow, module.W_2)):
        convolution.weight.data = linear.weight.data[:, :, None]
        convolution.bias.data = linear.bias.data
    x = randn(2, 5, 6, seed=0)
    close(module(x), narrow(torch.relu(wide(x.transpose(1, 2)))).transpose(1, 2))


def test_post_norm_is_the_papers_formula_and_pre_norm_its_successors():
    x, w = randn(2, 5, 6, seed=0), randn(6, 6, seed=1)
    norm = nn.LayerNorm(6)
    close(Residual("post")(x, lambda x: x @ w, LayerNorm(6)), norm(x + x @ w))
    close(Residual("pre")(x, lambda x: x @ w, LayerNorm(6)), x + norm(x) @ w)
    assert not torch.allclose(norm(x + x @ w), x + norm(x) @ w)


@pytest.mark.parametrize("place", ["post", "pre"])
def test_dropout_stands_before_the_sum(place):
    residual = Residual(place, dropout=0.5)
    x = randn(50, 6, seed=0)
    seen = []
    residual.dropout.register_forward_hook(lambda module, args, result: seen.append(result))
    torch.manual_seed(0)
    output = residual(x, torch.sin, LayerNorm(6))
    dropped = seen[0]
    norm = nn.LayerNorm(6)
    branch = torch.sin(x) if place == "post" else torch.sin(norm(x))
    kept = dropped != 0
    assert 0.3 < kept.float().mean() < 0.7
    close(dropped, branch * kept * 2)
    close(output, norm(x + dropped) if place == "post" else x + dropped)


def test_evaluation_drops_nothing():
    residual = Residual("pre", dropout=0.5).eval()
    x = randn(5, 6, seed=0)
    close(residual(x, torch.ones_like, LayerNorm(6)), x + 1)


def test_the_residual_path_keeps_a_gradient_of_one():
    stack = [LayerNorm(6) for _ in range(30)]
    x = randn(4, 6, seed=0).requires_grad_()
    y = x
    for norm in stack:
        y = Residual("pre")(y, torch.zeros_like, norm)
    (gradient,) = torch.autograd.grad(y.sum(), x)
    assert torch.equal(gradient, torch.ones(4, 6))


@pytest.mark.parametrize("activation", ["relu", "gelu", "swiglu"])
def test_gradient_reaches_every_parameter(activation):
    module, norm = FeedForward(6, 10, activation), LayerNorm(6)
    Residual("pre")(randn(8, 6, seed=0), module, norm).square().sum().backward()
    for name, parameter in [*module.named_parameters(), *norm.named_parameters()]:
        assert parameter.grad.abs().max() > 1e-4, name


@pytest.mark.usefixtures("unchecked_shapes")
def test_unknown_settings_are_refused_by_name():
    with pytest.raises(ValueError, match="activation='tanh'"):
        FeedForward(6, 10, "tanh")
    with pytest.raises(ValueError, match="place='both'"):
        Residual("both")


@pytest.mark.parametrize("place", ["post", "pre"])
def test_residual_refuses_a_width_that_would_be_stretched(place):
    residual, layer_norm_of_4 = Residual(place), LayerNorm(4)
    with pytest.raises(ValueError, match="4"):
        residual(torch.ones(2, 1), lambda x: torch.ones(2, 4), layer_norm_of_4)
    with pytest.raises(ValueError, match=r"the sub-layer gives \(2, 1\)"):
        residual(torch.ones(2, 4), lambda x: torch.ones(2, 1), layer_norm_of_4)
