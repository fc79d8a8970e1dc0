"""Multi-head attention against torch.nn with copied weights, plain loops, and by property."""

import math
from itertools import product

import pytest
import torch
from torch import Tensor, nn

from tests.test_attention import by_loops, close, randn
from tutor.cache import KeyValueCache
from tutor.mask import (
    causal_keep,
    combine_keeps,
    keep_to_mha_attn_mask,
    keep_to_mha_key_padding_mask,
)
from tutor.multi_head import MultiHeadAttention, merge_heads, split_heads


def test_head_round_trip_and_blocks():
    x = randn(2, 5, 12, seed=0)
    heads = split_heads(x, 3)
    assert heads.shape == (2, 3, 5, 4)
    assert torch.equal(heads[1, 2, 4], x[1, 4, 8:12])
    assert torch.equal(merge_heads(heads), x)
    transposed = x.transpose(0, 1)  # not contiguous
    assert torch.equal(split_heads(transposed, 3), split_heads(transposed.contiguous(), 3))


def copied(
    d_model: int, heads: int, seed: int = 0
) -> tuple[MultiHeadAttention, nn.MultiheadAttention]:
    """The course's module and torch's, with the same random weights and biases."""
    theirs = nn.MultiheadAttention(d_model, heads, batch_first=True)
    ours = MultiHeadAttention(d_model, heads)
    with torch.no_grad():
        for number, parameter in enumerate(theirs.parameters()):
            parameter.copy_(randn(*parameter.shape, seed=seed + number) / math.sqrt(d_model))
        projections = (ours.W_q, ours.W_k, ours.W_v)
        for linear, weight, bias in zip(
            projections, theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3)
        ):
            linear.weight.copy_(weight)
            linear.bias.copy_(bias)
        ours.W_o.load_state_dict(theirs.out_proj.state_dict())
    return ours, theirs


def gradients(module: nn.Module, inputs: list[Tensor], output: Tensor) -> list[Tensor]:
    """Gradients for the inputs, then for q, k, v, o weights and biases in torch's packed layout."""
    upstream = randn(*output.shape, seed=77) / output.numel()
    if isinstance(module, MultiHeadAttention):
        linears = (module.W_q, module.W_k, module.W_v)
        parameters = [p for linear in linears for p in (linear.weight, linear.bias)]
        parameters += [module.W_o.weight, module.W_o.bias]
        grads = torch.autograd.grad(output, [*inputs, *parameters], upstream)
        n = len(inputs)
        packed = [torch.cat(grads[n : n + 6 : 2]), torch.cat(grads[n + 1 : n + 6 : 2])]
        return [*grads[:n], *packed, *grads[n + 6 :]]
    return list(torch.autograd.grad(output, [*inputs, *module.parameters()], upstream))


MASKS = list(product([False, True], [False, True]))  # padding, and a mask over queries × keys


@pytest.mark.parametrize("need_weights", [False, True], ids=["fused", "explicit"])
@pytest.mark.parametrize(("padded", "masked"), MASKS)
@pytest.mark.parametrize("heads", [1, 3])
@pytest.mark.parametrize("crossed", [False, True], ids=["self", "cross"])
def test_multi_head_equals_torch(crossed, heads, padded, masked, need_weights):
    ours, theirs = copied(d_model=24, heads=heads)
    x_q = randn(2, 5, 24, seed=50).requires_grad_()
    x_kv = randn(2, 6, 24, seed=51).requires_grad_() if crossed else None
    inputs = [x_q] if x_kv is None else [x_q, x_kv]
    keys = inputs[-1].size(1)
    padding = torch.ones(2, 1, 1, keys, dtype=torch.bool)
    padding[1, ..., [2, keys - 1]] = False  # a hole too
    over = causal_keep(5, past=keys - 5)

    expected, expected_weights = theirs(
        x_q,
        inputs[-1],
        inputs[-1],
        key_padding_mask=keep_to_mha_key_padding_mask(padding) if padded else None,
        attn_mask=keep_to_mha_attn_mask(over, 2, heads) if masked else None,
        average_attn_weights=False,
    )
    keep = combine_keeps(padding if padded else None, over if masked else None)
    output, weights = ours(x_q, x_kv, keep, need_weights=need_weights)

    close(output, expected)
    if need_weights:
        close(weights, expected_weights)
    else:
        assert weights is None
    for mine, its in zip(
        gradients(ours, inputs, output), gradients(theirs, inputs, expected), strict=True
    ):
        close(mine, its)


def test_free_head_widths_equal_one_head_at_a_time():
    module = MultiHeadAttention(d_model=10, heads=3, d_k=4, d_v=2).double()
    x = randn(2, 5, 10, seed=0, dtype=torch.float64)
    parts = []
    for head in range(3):
        of_qk, of_v = slice(4 * head, 4 * head + 4), slice(2 * head, 2 * head + 2)
        q = x @ module.W_q.weight[of_qk].T + module.W_q.bias[of_qk]
        k = x @ module.W_k.weight[of_qk].T + module.W_k.bias[of_qk]
        v = x @ module.W_v.weight[of_v].T + module.W_v.bias[of_v]
        parts.append(torch.stack([by_loops(q[b], k[b], v[b]) for b in range(2)]))
    expected = module.W_o(torch.cat(parts, dim=-1))
    close(module(x)[0], expected, atol=1e-12)


@pytest.mark.parametrize("shared", [1, 2])
def test_grouped_queries_equal_full_heads_with_repeated_matrices(shared):
    grouped = MultiHeadAttention(d_model=24, heads=4, key_value_heads=shared)
    full = MultiHeadAttention(d_model=24, heads=4)
    full.W_q.load_state_dict(grouped.W_q.state_dict())
    full.W_o.load_state_dict(grouped.W_o.state_dict())
    with torch.no_grad():
        for few, many in ((grouped.W_k, full.W_k), (grouped.W_v, full.W_v)):
            rows = torch.cat([few.weight, few.bias[:, None]], 1).view(shared, 6, 25)
            repeated = torch.stack([rows[head * shared // 4] for head in range(4)]).flatten(0, 1)
            many.weight.copy_(repeated[:, :24])
            many.bias.copy_(repeated[:, 24])
    x = randn(2, 5, 24, seed=0).requires_grad_()
    for keep in (None, causal_keep(5), causal_keep(5) & causal_keep(5).T.roll(1, 0)):
        expected, _ = full(x, keep=keep)
        for need_weights in (False, True):
            output, _ = grouped(x, keep=keep, need_weights=need_weights)
            close(output, expected)
            close(
                *(torch.autograd.grad(o.sum(), x, retain_graph=True)[0] for o in (output, expected))
            )


@pytest.mark.parametrize("shared", [None, 2])
def test_cached_self_attention_equals_one_causal_pass(shared):
    module = MultiHeadAttention(d_model=24, heads=4, key_value_heads=shared)
    x = randn(2, 7, 24, seed=0)
    expected, _ = module(x, keep=causal_keep(7))
    cache = KeyValueCache()
    steps = [module(x[:, :3], keep=causal_keep(3), cache=cache)[0]]
    for t in range(3, 7):
        steps.append(module(x[:, t : t + 1], keep=causal_keep(1, past=t), cache=cache)[0])
    close(torch.cat(steps, dim=1), expected)
    assert cache.length == 7
    assert cache.stored[0].size(1) == (shared or 4)


def test_cached_cross_attention_projects_the_source_once():
    module = MultiHeadAttention(d_model=24, heads=4)
    x, memory = randn(2, 3, 24, seed=0), randn(2, 5, 24, seed=1)
    expected, _ = module(x, memory)
    cache = KeyValueCache()
    calls = []
    module.W_k.register_forward_hook(lambda *_: calls.append(1))
    steps = [module(x[:, t : t + 1], memory, cache=cache)[0] for t in range(3)]
    close(torch.cat(steps, dim=1), expected)
    assert len(calls) == 1
    assert cache.length == 5


def test_reordered_cache_follows_its_sentences():
    module = MultiHeadAttention(d_model=24, heads=4)
    x, last = randn(3, 4, 24, seed=0), randn(2, 1, 24, seed=1)
    rows = torch.tensor([2, 0])
    cache = KeyValueCache()
    module(x, cache=cache)
    cache.reorder(rows)
    expected, _ = module(torch.cat([x[rows], last], dim=1), keep=causal_keep(5))
    close(module(last, cache=cache)[0], expected[:, -1:])


@pytest.mark.parametrize("need_weights", [False, True])
def test_what_padding_holds_never_matters(need_weights):
    module = MultiHeadAttention(d_model=24, heads=4)
    keep = torch.tensor([True, True, True, False, False]).view(1, 1, 1, 5)
    x = randn(1, 5, 24, seed=0)
    other = x.clone()
    other[:, 3:] = randn(1, 2, 24, seed=1) * 100
    full, changed = (module(a, keep=keep, need_weights=need_weights)[0] for a in (x, other))
    close(full[:, :3], changed[:, :3])
    close(full[:, :3], module(x[:, :3])[0])
    assert not torch.allclose(module(x)[0][:, :3], module(other)[0][:, :3])


def test_gradient_reaches_every_parameter_with_a_row_that_sees_nothing():
    module = MultiHeadAttention(d_model=24, heads=4, key_value_heads=2)
    keep = causal_keep(5) & torch.tensor([False, True, True, True, True])
    for need_weights in (False, True):
        module.zero_grad()
        output, _ = module(randn(2, 5, 24, seed=0), keep=keep, need_weights=need_weights)
        close(output[:, 0], module.W_o.bias.expand(2, 24))
        output.square().sum().backward()
        for name, parameter in module.named_parameters():
            assert parameter.grad.isfinite().all(), name
            if name != "W_k.bias":  # it adds the same to all scores of a row: softmax ignores it
                assert parameter.grad.abs().max() > 1e-3, name


@pytest.mark.usefixtures("unchecked_shapes")
@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: split_heads(torch.ones(1, 2, 7), 3), "7 features .* 3 equal heads"),
        (lambda: MultiHeadAttention(10, 3), "d_model=10 .* heads=3"),
        (lambda: MultiHeadAttention(12, 3, key_value_heads=2), "heads=3 .* key_value_heads=2"),
    ],
)
def test_errors_name_sizes_and_what_was_expected(call, says):
    with pytest.raises(ValueError, match=says):
        call()
