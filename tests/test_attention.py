"""Attention against worked numbers, plain loops, torch.nn with copied weights, and by property."""

import math
from itertools import product

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from tests.conftest import seeded
from tutor.attention import (
    MultiHeadAttention,
    additive_attention,
    attend,
    dot_product_scores,
    fused_scaled_dot_product_attention,
    merge_heads,
    scaled_dot_product_attention,
    split_heads,
)
from tutor.cache import KeyValueCache
from tutor.mask import (
    causal_keep,
    combine_keeps,
    keep_to_mha_attn_mask,
    keep_to_mha_key_padding_mask,
)

# The worked example of lesson 4.
X = torch.tensor([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
W_Q = torch.tensor([[1.0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]])
W_K = torch.tensor([[0.0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]])
W_V = torch.tensor([[0.0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]])
OUTPUT = torch.tensor(
    [[1.8639, 6.3194, 1.7042], [1.9991, 7.8141, 0.2735], [1.9926, 7.4796, 0.7359]]
)


def close(actual: Tensor, expected: Tensor, atol: float = 1e-6) -> None:
    torch.testing.assert_close(actual, expected, rtol=0, atol=atol)


def randn(*shape: int, seed: int, dtype: torch.dtype = torch.float32) -> Tensor:
    return torch.randn(*shape, generator=seeded(seed), dtype=torch.float64).to(dtype)


def explicit(q: Tensor, k: Tensor, v: Tensor, keep: Tensor | None = None) -> Tensor:
    return scaled_dot_product_attention(q, k, v, keep)[0]


BOTH_PATHS = pytest.mark.parametrize("path", [explicit, fused_scaled_dot_product_attention])


def by_loops(q: Tensor, k: Tensor, v: Tensor, keep: Tensor | None = None) -> Tensor:
    """Equation 1 for one sentence and head, number by number, with Python's floats."""
    rows = []
    for i in range(len(q)):
        seen = [j for j in range(len(k)) if keep is None or keep[i, j]]
        scores = [sum(a * b for a, b in zip(q[i].tolist(), k[j].tolist())) for j in seen]
        powers = [math.exp(score / math.sqrt(q.size(1))) for score in scores]
        rows.append(
            [
                sum(p * v[j, c].item() for p, j in zip(powers, seen)) / (sum(powers) or 1.0)
                for c in range(v.size(1))
            ]
        )
    return torch.tensor(rows, dtype=torch.float64)


@BOTH_PATHS
def test_worked_example(path):
    q, k, v = X @ W_Q, X @ W_K, X @ W_V
    assert dot_product_scores(q, k).tolist() == [[2, 4, 4], [4, 16, 12], [4, 12, 10]]
    close(path(q, k, v), OUTPUT, atol=5e-5)


def test_worked_example_weights():
    _, weights = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
    expected = [[0.136, 0.432, 0.432], [8.9e-4, 0.909, 0.090], [0.007, 0.755, 0.238]]
    close(weights, torch.tensor(expected), atol=6e-4)


@BOTH_PATHS
@pytest.mark.parametrize("masked", [False, True])
def test_equals_plain_loops(path, masked):
    q, k, v = (
        randn(*shape, seed=number, dtype=torch.float64)
        for number, shape in enumerate([(4, 3), (6, 3), (6, 5)])
    )
    keep = torch.rand(4, 6, generator=seeded(9)) > 0.4 if masked else None
    if keep is not None:
        keep[2] = False  # a query with nothing to see
    close(path(q, k, v, keep), by_loops(q, k, v, keep), atol=1e-12)


LEADING = [(), (3,), (2, 3), (2, 2, 3)]
TOLERANCE = {
    torch.float16: 4e-3,
    torch.bfloat16: 3e-2,
    torch.float32: 1e-6,
    torch.float64: 1e-13,
}


def some_keeps(leading: tuple[int, ...], queries: int, keys: int) -> dict[str, Tensor | None]:
    padding = torch.rand(*leading, 1, keys, generator=seeded(5)) > 0.3
    padding[..., 0] = True
    nothing = torch.ones(queries, keys, dtype=torch.bool)
    nothing[1] = False
    causal = causal_keep(queries, past=keys - queries)
    return {
        "none": None,
        "causal": causal,
        "padding": padding,
        "both": padding & causal,
        "a row sees nothing": nothing & padding,
        "no row sees anything": torch.zeros(queries, keys, dtype=torch.bool),
    }


@pytest.mark.parametrize("kind", some_keeps((), 4, 6))
@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("leading", LEADING)
def test_fused_equals_explicit_forward_and_backward(leading, dtype, kind):
    keep = some_keeps(leading, 4, 6)[kind]
    shapes = [(*leading, 4, 8), (*leading, 6, 8), (*leading, 6, 5)]
    upstream = randn(*leading, 4, 5, seed=3, dtype=dtype)
    results = []
    for path in (explicit, fused_scaled_dot_product_attention):
        inputs = [randn(*s, seed=n, dtype=dtype).requires_grad_() for n, s in enumerate(shapes)]
        output = path(*inputs, keep)
        results.append([output, *torch.autograd.grad(output, inputs, upstream)])
    for ours, fused in zip(*results):
        assert ours.dtype == fused.dtype == dtype
        assert ours.isfinite().all()
        assert fused.isfinite().all()
        close(ours, fused, atol=TOLERANCE[dtype])
    if kind != "no row sees anything":
        assert results[0][1].abs().max() > 0.01


@BOTH_PATHS
def test_a_query_with_nothing_to_see_gets_zeros_and_no_gradient(path):
    q = randn(4, 8, seed=0).requires_grad_()
    k, v = randn(6, 8, seed=1), randn(6, 5, seed=2)
    keep = torch.ones(4, 6, dtype=torch.bool)
    keep[1] = False
    output = path(q, k, v, keep)
    output.square().sum().backward()
    assert output[1].tolist() == [0.0] * 5
    assert q.grad[1].tolist() == [0.0] * 8
    assert output[0].abs().min() > 0
    assert q.grad[0].abs().max() > 0


def test_no_kernel_is_given_a_row_with_nothing_to_see(monkeypatch):
    """Some of torch's kernels and versions give NaN there, whatever this machine's does."""
    given = []
    kernel = F.scaled_dot_product_attention
    monkeypatch.setattr(
        F,
        "scaled_dot_product_attention",
        lambda *qkv, attn_mask, **more: given.append(attn_mask) or kernel(*qkv, attn_mask, **more),
    )
    keep = some_keeps((2, 3), 4, 6)["a row sees nothing"]
    q, k, v = randn(2, 3, 4, 8, seed=0), randn(2, 3, 6, 8, seed=1), randn(2, 3, 6, 5, seed=2)
    fused_scaled_dot_product_attention(q, k, v, keep)
    assert given[0].any(-1).all()
    sees = keep.any(-1, keepdim=True)
    assert torch.equal(given[0] & sees, keep)


@pytest.mark.parametrize("kind", some_keeps((), 4, 6))
def test_rows_of_weights_sum_to_one_or_zero(kind):
    keep = some_keeps((2, 3), 4, 6)[kind]
    _, weights = scaled_dot_product_attention(
        randn(2, 3, 4, 8, seed=0), randn(2, 3, 6, 8, seed=1), randn(2, 3, 6, 5, seed=2), keep
    )
    sees = torch.ones(2, 3, 4) if keep is None else keep.any(-1).expand(2, 3, 4).float()
    close(weights.sum(-1), sees)
    if keep is not None:
        assert (weights.masked_select(~keep.expand_as(weights)) == 0).all()


@BOTH_PATHS
def test_future_never_changes_the_past(path):
    x = randn(2, 7, 16, seed=0)
    changed = x.clone()
    changed[:, 5:] = randn(2, 2, 16, seed=1)
    before, after = (path(a, a, a, causal_keep(7)) for a in (x, changed))
    close(before[:, :5], after[:, :5])
    assert not torch.allclose(before[:, 5:], after[:, 5:])


@BOTH_PATHS
def test_order_of_keys_does_not_matter_and_order_of_queries_carries_over(path):
    q, k, v = randn(4, 8, seed=0), randn(6, 8, seed=1), randn(6, 5, seed=2)
    keys, queries = torch.tensor([5, 2, 0, 1, 4, 3]), torch.tensor([3, 1, 0, 2])
    close(path(q, k[keys], v[keys]), path(q, k, v))
    close(path(q[queries], k, v), path(q, k, v)[queries])
    assert not torch.allclose(path(q, k[keys], v), path(q, k, v))


def test_additive_attention_equals_plain_loops():
    q, k, v = randn(3, 2, seed=0), randn(5, 4, seed=1), randn(5, 6, seed=2)
    w_q, w_k, w = randn(7, 2, seed=3), randn(7, 4, seed=4), randn(7, seed=5)
    scores = torch.stack(
        [torch.stack([w @ torch.tanh(w_q @ q[i] + w_k @ k[j]) for j in range(5)]) for i in range(3)]
    )
    expected = torch.softmax(scores, -1)
    output, weights = additive_attention(q, k, v, w_q, w_k, w)
    close(weights, expected)
    close(output, expected @ v)


def test_additive_attention_of_a_batch_hides_padding():
    q, k, v = randn(2, 3, 4, seed=0), randn(2, 5, 4, seed=1), randn(2, 5, 6, seed=2)
    weights = randn(7, 4, seed=3), randn(7, 4, seed=4), randn(7, seed=5)
    keep = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])[:, None]  # (B, 1, Tk)
    output, shares = additive_attention(q, k, v, *weights, keep)
    short, _ = additive_attention(q[1], k[1, :3], v[1, :3], *weights)
    close(output[1], short)
    assert shares[1, :, 3:].abs().max() == 0
    assert shares[0, :, 3:].abs().min() > 0


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
        (lambda: dot_product_scores(torch.ones(2, 3), torch.ones(4, 5)), r"q \(2, 3\), k \(4, 5\)"),
        (lambda: attend(torch.ones(2, 3), torch.ones(4, 5)), r"scores \(2, 3\), v \(4, 5\)"),
        (lambda: attend(torch.ones(2, 3), torch.ones(3, 5), torch.ones(2, 3)), "float32"),
        (
            lambda: attend(torch.ones(2, 3), torch.ones(3, 5), torch.ones(3, 2).bool()),
            r"scores \(2, 3\), .* keep \(3, 2\)",
        ),
        (
            lambda: fused_scaled_dot_product_attention(
                torch.ones(2, 4), torch.ones(3, 4), torch.ones(3, 4), torch.ones(2, 2).bool()
            ),
            r"k \(3, 4\), .* keep \(2, 2\)",
        ),
        (lambda: split_heads(torch.ones(1, 2, 7), 3), "7 features .* 3 equal heads"),
        (lambda: MultiHeadAttention(10, 3), "d_model=10 .* heads=3"),
        (lambda: MultiHeadAttention(12, 3, key_value_heads=2), "heads=3 .* key_value_heads=2"),
    ],
)
def test_errors_name_shapes_and_what_was_expected(call, says):
    with pytest.raises(ValueError, match=says):
        call()


@pytest.mark.parametrize(
    "attention", [scaled_dot_product_attention, fused_scaled_dot_product_attention]
)
def test_a_table_of_padding_is_never_taken_for_one_of_queries(attention):
    """With as many sentences as queries, (B, T) looks like (Tq, Tk): it would hide other keys."""
    x = torch.randn(3, 3, 4)
    real = torch.tensor([[True, True, True], [True, False, False], [True, True, False]])
    with pytest.raises(ValueError, match=r"keep\[:, None\]"):
        attention(x, x, x, real)
    for keep in (real[None], real[:, None]):
        attention(x, x, x, keep)
    attention(x[:2], x[:2], x[:2], real)  # (queries, keys) and nothing else
    attention(x[0], x[0], x[0], real)
