"""Listed mistakes as people write them, in other words than the catalogue's: all recognised."""

import math

import pytest
import torch
import torch.nn.functional as F

from tutor.checking.calls import FunctionAnswer
from tutor.checking.examine import examine
from tutor.exercises import find


def norm(x):
    return F.layer_norm(x, x.shape[-1:], eps=1e-5)


def always_to_the_limit(gradients, max_norm):
    total = torch.sqrt(sum((g**2).sum() for g in gradients))
    return [g * max_norm / total for g in gradients]


def a_limit_with_epsilon(gradients, max_norm):
    total = torch.cat([g.flatten() for g in gradients]).norm()
    return [g * (max_norm / (total + 1e-6)) for g in gradients]


def along_axis_1(x, gamma, beta, eps):
    mean, variance = x.mean(1, keepdim=True), x.var(1, keepdim=True, unbiased=False)
    return (x - mean) / torch.sqrt(variance + eps) * gamma + beta


def branch_of_the_sum(x, W, drop):
    h = x + drop * torch.tanh(x @ W)
    return norm(x + drop * torch.tanh(h @ W))


def branch_of_the_branch(x, W, drop):
    h = drop * torch.tanh(x @ W)
    return norm(x + drop * torch.tanh(h @ W))


def branch_after_the_norm(x, W, drop):
    branch = drop * torch.tanh(x @ W)
    return norm(norm(x + branch) + branch)


def normalised_before_the_loop(x, weights):
    x = norm(x)
    for W in weights:
        x = x + torch.tanh(x @ W)
    return norm(x)


def normalised_before_the_loop_only(x, weights):
    x = norm(x)
    for W in weights:
        x = x + torch.tanh(x @ W)
    return x


def normalised_in_the_first_layer(x, weights):
    for layer, W in enumerate(weights):
        h = norm(x) if layer == 0 else x
        x = x + torch.tanh(h @ W)
    return norm(x)


def as_many_cosines_as_sines(length, d_model):
    table = torch.zeros(length, d_model)
    positions = torch.arange(length).float()[:, None]
    rates = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    table[:, 0::2] = torch.sin(positions * rates)
    table[:, 1::2] = torch.cos(positions * rates)
    return table


def pairs_in_a_row(length, d_model):
    rates = 10000 ** (torch.arange(0, d_model, 2) / d_model)
    angles = torch.arange(length)[:, None] / rates
    return torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(length, d_model)


def each_by_itself(probabilities, threshold):
    kept = probabilities * (probabilities >= 1 - threshold)
    return kept / kept.sum(-1, keepdim=True)


SPELT = [
    ("clip_gradients", "clip-always-rescales", always_to_the_limit),
    ("clip_gradients", "clip-always-rescales", a_limit_with_epsilon),
    ("layer_norm", "ln-over-time", along_axis_1),
    ("post_norm_block", "post-branch-doubled", branch_of_the_sum),
    ("post_norm_block", "post-branch-doubled", branch_of_the_branch),
    ("post_norm_block", "post-branch-doubled", branch_after_the_norm),
    ("pre_norm_stack", "pre-norm-once", normalised_before_the_loop),
    ("pre_norm_stack", "pre-norm-once", normalised_before_the_loop_only),
    ("pre_norm_stack", "pre-norm-once", normalised_in_the_first_layer),
    ("sinusoidal_encoding", "odd-d-model-crash", as_many_cosines_as_sines),
    ("sinusoidal_encoding", "odd-d-model-crash", pairs_in_a_row),
    ("top_p_probabilities", "topp-threshold-each", each_by_itself),
]


@pytest.mark.parametrize(
    ("exercise", "mistake", "answer"), [pytest.param(*one, id=one[2].__name__) for one in SPELT]
)
def test_it_is_recognised(exercise: str, mistake: str, answer):
    for seed in range(4):
        assert examine(find(exercise), FunctionAnswer(answer), seed).mistake == mistake
