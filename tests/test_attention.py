"""Attention against worked numbers, plain loops, PyTorch's kernel, and by property."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from tests.conftest import seeded
from tutor.attention import (
    additive_attention,
    attend,
    dot_product_scores,
    fused_scaled_dot_product_attention,
    scaled_dot_product_attention,
)
from tutor.mask import (
    causal_keep,
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
