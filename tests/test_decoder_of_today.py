"""A decoder as since 2023 (rotary, RMSNorm, SwiGLU, shared keys, no biases) against plain torch.

The reference turns positions as complex numbers, normalises with torch.nn.RMSNorm and attends with
a table of weights: it shares nothing with the course's model but the weights.
"""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from tests.conftest import seeded
from tutor.layers import FeedForward, LayerNorm, Residual, RMSNorm, norm_of_kind
from tutor.multi_head import MultiHeadAttention
from tutor.transformer import Transformer, TransformerConfig

IDS = torch.tensor([[5, 3, 7, 7, 2, 9], [1, 8, 4, 6, 9, 3]])
SIZES = [  # d_model, heads, key_value_heads, d_ff, base
    (24, 3, 1, 40, 10_000.0),
    (32, 4, 2, 20, 100_000.0),
    (16, 2, 2, 48, 50.0),
]


def decoder(
    d_model: int, heads: int, shared: int, d_ff: int, base: float, **changes
) -> Transformer:
    """The course's model with all of these settings, weights away from their start, in float64."""
    settings = {
        "stacks": "decoder",
        "layers": 2,
        "key_value_heads": shared,
        "norm": "pre",
        "norm_kind": "rms",
        "activation": "swiglu",
        "bias": False,
        "positions": "rotary",
        "rotary_base": base,
        "scale_embedding": False,
        "eps": 1e-3,
    } | changes
    sizes = {"vocabulary": 11, "d_model": d_model, "heads": heads, "d_ff": d_ff}
    model = Transformer(TransformerConfig(**sizes, **settings)).double().eval()
    with torch.no_grad():
        for seed, (_, parameter) in enumerate(sorted(model.named_parameters())):
            noise = torch.randn(parameter.shape, generator=seeded(seed), dtype=torch.float64)
            parameter.add_(0.2 * noise)
    return model


def turned(x: Tensor, base: float) -> Tensor:
    """Rotate (B, h, T, d): features 2i and 2i + 1 are one complex number, times e^(i·pos·speed)."""
    d = x.size(-1)
    speeds = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)  # (d / 2,)
    angles = torch.arange(x.size(-2))[:, None] * speeds  # (T, d / 2)
    numbers = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())  # (B, h, T, d / 2)
    return torch.view_as_real(numbers * torch.polar(torch.ones_like(angles), angles)).flatten(-2)


def reference(model: Transformer, ids: Tensor) -> Tensor:
    """The same scores, written with torch alone."""
    c, w = model.config, dict(model.named_parameters())
    d = c.d_model // c.heads
    future = torch.ones(ids.size(1), ids.size(1)).triu(1).bool()

    def norm(x: Tensor, name: str) -> Tensor:
        theirs = nn.RMSNorm(c.d_model, eps=c.eps, dtype=torch.float64)
        return torch.func.functional_call(theirs, {"weight": w[f"{name}.gamma"]}, (x,))

    def heads(x: Tensor, matrix: str, count: int) -> Tensor:
        return (x @ w[matrix].T).view(*x.shape[:2], count, d).permute(0, 2, 1, 3)

    x = w["embedding.table"][ids]
    for number in range(c.layers):
        layer = f"decoder.layers.{number}"
        attention = f"{layer}.self_attention"
        y = norm(x, f"{layer}.norm_self")
        q = turned(heads(y, f"{attention}.W_q.weight", c.heads), c.rotary_base)
        k = turned(heads(y, f"{attention}.W_k.weight", c.key_value_heads), c.rotary_base)
        v = heads(y, f"{attention}.W_v.weight", c.key_value_heads)
        outputs = []
        for head in range(c.heads):
            shared = head * c.key_value_heads // c.heads
            scores = torch.einsum("bqd,bkd->bqk", q[:, head], k[:, shared]) / math.sqrt(d)
            weights = scores.masked_fill(future, -1e30).softmax(-1)
            outputs.append(weights @ v[:, shared])
        x = x + torch.cat(outputs, dim=-1) @ w[f"{attention}.W_o.weight"].T
        y, inner = norm(x, f"{layer}.norm_feed"), f"{layer}.feed_forward"
        gate = F.silu(F.linear(y, w[f"{inner}.W_gate.weight"]))
        x = x + F.linear(gate * F.linear(y, w[f"{inner}.W_1.weight"]), w[f"{inner}.W_2.weight"])
    top = w["embedding.table"] if c.tie else w["output.weight"]
    return norm(x, "decoder.norm") @ top.T


def close(actual: Tensor, expected: Tensor, atol: float = 1e-9) -> None:
    torch.testing.assert_close(actual, expected, rtol=0, atol=atol)


@pytest.mark.parametrize("tie", [True, False])
@pytest.mark.parametrize("sizes", SIZES)
def test_scores_and_gradients_are_the_reference_s(sizes, tie):
    model = decoder(*sizes, tie=tie)
    ours, theirs = model(IDS), reference(model, IDS)
    close(ours, theirs)
    upstream = torch.randn(ours.shape, generator=seeded(1), dtype=torch.float64)
    parameters = list(model.parameters())
    for mine, other in zip(
        torch.autograd.grad(ours, parameters, upstream, retain_graph=True),
        torch.autograd.grad(theirs, parameters, upstream),
    ):
        close(mine, other)
        assert mine.abs().max() > 0
    assert not any(name.endswith("bias") for name, _ in model.named_parameters())


def test_each_setting_is_seen():
    """Any of them changed, and the numbers part: the equality above can fail."""
    sizes = (24, 3, 1, 40, 10_000.0)
    expected = decoder(*sizes)(IDS)
    for change in (
        {"rotary_base": 100.0},
        {"positions": "none"},
        {"norm_kind": "layer"},
        {"norm": "post"},
        {"eps": 0.1},
    ):
        other = decoder(*sizes, **change)
        other.load_state_dict(decoder(*sizes).state_dict(), strict=False)
        assert not torch.allclose(other(IDS), expected, atol=1e-3), change


@pytest.mark.parametrize("sizes", SIZES)
def test_word_by_word_with_a_cache_is_one_pass(sizes):
    model = decoder(*sizes)
    cache = model.new_cache()
    spans = (IDS[:, :3], IDS[:, 3:4], IDS[:, 4:])
    states = torch.cat([model.decode(span, cache=cache) for span in spans], dim=1)
    close(model.logits(states), model(IDS))
    stored, _ = cache.layers[0][0].stored
    assert stored.shape[1] == sizes[2]  # shared keys are stored once


def test_rotary_attention_sees_distances_only():
    attention = MultiHeadAttention(8, 2, rotary_base=10_000.0).double()
    x = torch.randn(1, 4, 8, generator=seeded(0), dtype=torch.float64)
    before = torch.randn(1, 3, 8, generator=seeded(1), dtype=torch.float64)
    hidden = torch.cat([torch.zeros(7, 3), torch.ones(7, 4)], dim=1).bool()  # the first three
    later, _ = attention(torch.cat([before, x], dim=1), keep=hidden)
    close(later[:, 3:], attention(x)[0])
    assert not torch.allclose(attention(x.flip(1))[0], attention(x)[0].flip(1))


def test_without_positions_order_does_not_matter():
    settings = {"layers": 2, "d_model": 24, "d_ff": 40, "heads": 3, "positions": "none"}
    model = Transformer(TransformerConfig(vocabulary=11, stacks="encoder", **settings)).eval()
    order = torch.tensor([3, 0, 4, 2, 1])
    ids = IDS[:, 1:]
    close(model(ids[:, order]), model(ids)[:, order], atol=1e-5)


def test_rotary_attention_is_for_one_sentence():
    attention = MultiHeadAttention(8, 2, rotary_base=10_000.0)
    with pytest.raises(ValueError, match="x_kv must be None"):
        attention(torch.zeros(1, 2, 8), torch.zeros(1, 3, 8))


def test_rms_norm_in_a_residual_is_torchs():
    x = torch.randn(2, 3, 6, generator=seeded(0))
    norm, theirs = norm_of_kind("rms", 6, eps=1e-3), nn.RMSNorm(6, eps=1e-3)
    with torch.no_grad():
        for own in (norm.gamma, theirs.weight):
            own.copy_(torch.randn(6, generator=seeded(1)))
    close(Residual("pre")(x, torch.sin, norm), x + torch.sin(theirs(x)), atol=1e-6)
    assert isinstance(norm, RMSNorm)
    assert isinstance(norm_of_kind("layer", 6), LayerNorm)


@pytest.mark.usefixtures("unchecked_shapes")
def test_an_unknown_norm_is_refused():
    with pytest.raises(ValueError, match="kind='batch'; expected 'layer' or 'rms'"):
        norm_of_kind("batch", 6)


@pytest.mark.parametrize("activation", ["relu", "gelu", "swiglu"])
def test_a_feed_forward_without_biases_maps_zero_to_zero(activation):
    module = FeedForward(6, 10, activation, bias=False)
    assert [name for name, _ in module.named_parameters() if "bias" in name] == []
    close(module(torch.zeros(2, 6)), torch.zeros(2, 6))
