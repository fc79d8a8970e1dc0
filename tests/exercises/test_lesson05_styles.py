"""Right answers to lesson 5's exercises in the styles people write them: all must pass."""

import math

import einops
import torch
import torch.nn.functional as F
from torch import nn

from tests.exercises.passing import passing


def split_view(x, heads):
    return x.view(x.size(0), x.size(1), heads, -1).transpose(1, 2)


def split_einops(x, h):
    return einops.rearrange(x, "b t (h d) -> b h t d", h=h)


def split_stacked(x, heads):
    return torch.stack(x.chunk(heads, dim=-1), dim=1)


def split_loops(x, heads):
    width = x.shape[-1] // heads
    out = torch.empty(x.shape[0], heads, x.shape[1], width)
    for j in range(heads):
        out[:, j] = x[:, :, j * width : (j + 1) * width]
    return out


def merge_view(x):
    batch, heads, time, d_k = x.shape
    return x.transpose(1, 2).contiguous().view(batch, time, heads * d_k)


def merge_einops(x):
    return einops.rearrange(x, "b h t d -> b t (h d)")


def merge_concatenated(x):
    return torch.cat(list(x.unbind(1)), dim=-1)


def mha_views(x_q, x_kv, W_q, W_k, W_v, W_o, heads):
    q, k, v = (split_view(x @ W.T, heads) for x, W in ((x_q, W_q), (x_kv, W_k), (x_kv, W_v)))
    weights = (q @ k.mT / math.sqrt(q.size(-1))).softmax(-1)
    return merge_view(weights @ v) @ W_o.T


def mha_library(x_q, x_kv, W_q, W_k, W_v, W_o, heads):
    q, k, v = F.linear(x_q, W_q), F.linear(x_kv, W_k), F.linear(x_kv, W_v)
    found = F.scaled_dot_product_attention(*(split_einops(x, heads) for x in (q, k, v)))
    return F.linear(merge_einops(found), W_o)


def mha_head_by_head(x_q, x_kv, W_q, W_k, W_v, W_o, heads):
    found = []
    for a, b, c in zip(W_q.chunk(heads), W_k.chunk(heads), W_v.chunk(heads)):
        q, k, v = x_q @ a.T, x_kv @ b.T, x_kv @ c.T
        found.append(torch.softmax(q @ k.transpose(1, 2) / q.shape[-1] ** 0.5, -1) @ v)
    return torch.cat(found, -1) @ W_o.T


def mha_summed_over_heads(x_q, x_kv, W_q, W_k, W_v, W_o, heads):
    total = 0
    for a, b, c, o in zip(
        W_q.chunk(heads), W_k.chunk(heads), W_v.chunk(heads), W_o.chunk(heads, 1)
    ):
        weights = ((x_q @ a.T) @ (x_kv @ b.T).mT / len(a) ** 0.5).softmax(-1)
        total = total + weights @ (x_kv @ c.T) @ o.T
    return total


def mha_einsum(x_q, x_kv, W_q, W_k, W_v, W_o, h):
    q = torch.einsum("bti,hdi->bhtd", x_q, W_q.unflatten(0, (h, -1)))
    k = torch.einsum("bti,hdi->bhtd", x_kv, W_k.unflatten(0, (h, -1)))
    v = torch.einsum("bti,hdi->bhtd", x_kv, W_v.unflatten(0, (h, -1)))
    weights = torch.einsum("bhqd,bhkd->bhqk", q / q.shape[-1] ** 0.5, k).softmax(-1)
    found = torch.einsum("bhqk,bhkd->bqhd", weights, v).flatten(2)
    return torch.einsum("bqf,of->bqo", found, W_o)


def mha_modules(x_q, x_kv, W_q, W_k, W_v, W_o, heads):
    def linear(W):
        layer = nn.Linear(W.shape[1], W.shape[0], bias=False)
        layer.weight.data.copy_(W)
        return layer

    with torch.no_grad():
        q, k, v = linear(W_q)(x_q), linear(W_k)(x_kv), linear(W_v)(x_kv)
        q, k, v = split_stacked(q, heads), split_stacked(k, heads), split_stacked(v, heads)
        weights = torch.softmax(q @ k.mT * q.size(-1) ** -0.5, dim=3)
        return linear(W_o)(merge_concatenated(weights @ v))


def mha_folded(x_q, x_kv, W_q, W_k, W_v, W_o, heads):
    batch = len(x_q)
    q, k, v = (split_view(x @ W.T, heads) for x, W in ((x_q, W_q), (x_kv, W_k), (x_kv, W_v)))
    q, k, v = q.flatten(0, 1), k.flatten(0, 1), v.flatten(0, 1)
    found = torch.bmm(torch.softmax(torch.bmm(q, k.mT) / q.size(-1) ** 0.5, -1), v)
    return merge_view(found.view(batch, heads, x_q.size(1), -1)) @ W_o.T


def mha_double(*given):
    *tensors, heads = given
    return mha_views(*(x.double() for x in tensors), heads)


def folded_interleaved(q, k, v, keep):
    batch, heads = q.shape[:2]
    q, k, v = (x.reshape(batch * heads, *x.shape[2:]) for x in (q, k, v))
    mask = keep.repeat_interleave(heads, 0).unsqueeze(1)
    scores = (q @ k.mT / math.sqrt(q.size(-1))).masked_fill(~mask, -1e9)
    return (scores.softmax(-1) @ v).view(batch, heads, q.size(1), -1)


def folded_expanded(q, k, v, keep):
    batch, heads = q.shape[:2]
    mask = keep[:, None].expand(-1, heads, -1).reshape(batch * heads, 1, -1)
    found = F.scaled_dot_product_attention(
        q.flatten(0, 1), k.flatten(0, 1), v.flatten(0, 1), attn_mask=mask
    )
    return found.unflatten(0, (batch, heads))


def folded_einops(q, k, v, keep):
    b = q.size(0)
    q, k, v = (einops.rearrange(x, "b h t d -> (b h) t d") for x in (q, k, v))
    mask = einops.repeat(keep, "b k -> (b h) 1 k", h=len(q) // b)
    weights = (q @ k.mT / q.size(-1) ** 0.5).masked_fill(~mask, -math.inf).softmax(-1)
    return einops.rearrange(weights @ v, "(b h) t d -> b h t d", b=b)


def grouped_folded(q, k, v):
    batch, heads, groups = *q.shape[:2], k.size(1)
    q = q.view(batch, groups, heads // groups, q.size(2), q.size(3))
    scores = torch.einsum("bgsqd,bgkd->bgsqk", q, k) / math.sqrt(q.size(-1))
    return torch.einsum("bgsqk,bgkd->bgsqd", scores.softmax(-1), v).flatten(1, 2)


def grouped_loop(q, k, v):
    size = q.size(1) // k.size(1)
    found = [
        F.scaled_dot_product_attention(q[:, head], k[:, head // size], v[:, head // size])
        for head in range(q.size(1))
    ]
    return torch.stack(found, dim=1)


def grouped_expanded(q, k, v):
    size = q.size(1) // k.size(1)
    k, v = (x[:, :, None].expand(-1, -1, size, -1, -1).flatten(1, 2) for x in (k, v))
    return (q @ k.mT * q.size(-1) ** -0.5).softmax(-1) @ v


def rules_loops(weights, ids):
    named, time = [], len(ids)
    for w in weights.tolist():
        kept = {1: [], 2: [], 3: [], 4: []}
        for t in range(time):
            others = [w[t][s] for s in range(time) if s != t and ids[s] == ids[t]]
            if others:
                kept[3].append(sum(others))
            if t > 0:
                kept[1].append(w[t][t - 1])
                kept[4].append(w[t][0])
            if t < time - 1:
                kept[2].append(w[t][t + 1])
        rules = [rule for rule, shares in kept.items() if sum(shares) / len(shares) > 0.5]
        named.append(rules[0] if rules else 0)
    return torch.tensor(named)


def shares_chunked(found, W_o):
    heads = found.size(1)
    parts = zip(found.unbind(1), W_o.chunk(heads, dim=1))
    return torch.stack([one @ block.T for one, block in parts], dim=1)


def shares_einsum(found, W_o):
    return torch.einsum("bhtv,dhv->bhtd", found, W_o.unflatten(1, (found.size(1), -1)))


def shares_zeroed(found, W_o):
    alone = []
    for head in range(found.size(1)):
        others_off = torch.zeros_like(found)
        others_off[:, head] = found[:, head]
        alone.append(merge_view(others_off) @ W_o.T)
    return torch.stack(alone, dim=1)


STYLES = {
    "grouped_query_attention": [grouped_folded, grouped_loop, grouped_expanded],
    "name_the_rules": [rules_loops],
    "split_heads": [split_view, split_einops, split_stacked, split_loops],
    "merge_heads": [merge_view, merge_einops, merge_concatenated],
    "multi_head_attention": [
        mha_views, mha_library, mha_head_by_head, mha_summed_over_heads, mha_einsum, mha_modules,
        mha_folded, mha_double,
    ],
    "mend_head_shares": [shares_chunked, shares_einsum, shares_zeroed],
    "folded_attention": [folded_interleaved, folded_expanded, folded_einops],
}  # fmt: skip

test_right_answer_passes = passing(STYLES)
