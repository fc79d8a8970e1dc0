"""Right answers to lesson 4's exercises in the styles people write them: all must pass."""

import math

import einops
import pytest
import torch
import torch.nn.functional as F
from torch import einsum, softmax

from tests.exercises.passing import passing
from tutor.checking.calls import FunctionAnswer, ValueAnswer
from tutor.checking.examine import examine
from tutor.exercises import find


def plain(q, k, v):
    w = softmax(q @ k.transpose(-2, -1) / math.sqrt(q.size(-1)), dim=-1)
    return w @ v, w


def with_einsum(q, k, v):
    w = einsum("bqd,bkd->bqk", q, k).div(q.shape[-1] ** 0.5).softmax(-1)
    return einsum("bqk,bkd->bqd", w, v), w


def with_einops(q, k, v):
    w = softmax(einops.einsum(q, k, "b q d, b k d -> b q k") * q.shape[-1] ** -0.5, dim=2)
    return einops.einsum(w, v, "b q k, b k d -> b q d"), w


def with_loops(query, key, value):
    outputs, tables = [], []
    for b in range(len(query)):
        rows = []
        for one in query[b]:
            scores = [float(one @ other) / math.sqrt(len(one)) for other in key[b]]
            top = max(scores)
            powers = [math.exp(score - top) for score in scores]
            rows.append(torch.tensor([power / sum(powers) for power in powers]))
        tables.append(torch.stack(rows).to(value.dtype))
        outputs.append(tables[-1] @ value[b])
    return torch.stack(outputs), torch.stack(tables)


def with_the_library(q, k, v):
    same = torch.eye(k.size(-2), dtype=q.dtype).expand(k.size(0), -1, -1)
    attend = F.scaled_dot_product_attention
    return attend(q, k, v), attend(q, k, same)


def with_bmm(q, k, v):
    w = torch.bmm(q, k.permute(0, 2, 1)).mul_(1 / math.sqrt(k.shape[2])).softmax(dim=-1)
    return torch.bmm(w, v), w


def query_scaled(q, k, v):
    return plain(q / math.sqrt(q.size(-1)) * math.sqrt(q.size(-1)), k, v)


def query_scaled_first(q, k, v):
    w = ((q / math.sqrt(q.size(-1))) @ k.mT).softmax(-1)
    return [w @ v, w]


def both_scaled(q, k, v):
    fourth_root = q.size(-1) ** 0.25
    w = torch.softmax((q / fourth_root) @ (k / fourth_root).mT, -1)
    return w @ v, w


def in_double(q, k, v):
    out, w = plain(q.double(), k.double(), v.double())
    return out.to(q.dtype), w.to(q.dtype)


def returned_in_double(q, k, v):
    return plain(q.double(), k.double(), v.double())


def in_place_on_a_copy(q, k, v):
    q = q.clone()
    q /= q.size(-1) ** 0.5
    scores = q @ k.mT
    scores -= scores.amax(-1, keepdim=True)
    scores.exp_()
    scores /= scores.sum(-1, keepdim=True)
    return scores @ v, scores


def exponentials_by_hand(q, k, v):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    e = torch.exp(scores - scores.amax(2, keepdim=True))
    w = e / e.sum(2, keepdim=True)
    return w @ v, w


def through_log_softmax(q, k, v):
    w = F.log_softmax(q @ k.mT / math.sqrt(q.size(-1)), dim=-1).exp()
    return w @ v, w


def keys_first_then_turned(q, k, v):
    w = softmax((k @ q.mT / math.sqrt(q.size(-1))).mT, dim=-1)
    return w @ v, w


def with_an_all_true_keep(q, k, v):
    scores = q @ k.mT / math.sqrt(q.size(-1))
    keep = torch.ones_like(scores, dtype=torch.bool)
    w = scores.masked_fill(~keep, -1e9).softmax(-1)
    return w @ v, w


def with_broadcast_products(q, k, v):
    w = ((q[:, :, None] * k[:, None]).sum(-1) / math.sqrt(q.size(-1))).softmax(-1)
    return (w[..., None] * v[:, None]).sum(2), w


def through_a_module(q, k, v):
    class Attention(torch.nn.Module):
        def forward(self, q, k, v):
            return plain(q, k, v)

    return Attention()(q, k, v)


def values_first_as_query_blocks(q, k, v):
    blocks = [plain(one, k, v) for one in q.split(1, dim=1)]
    return torch.cat([out for out, _ in blocks], 1), torch.cat([w for _, w in blocks], 1)


ATTENTIONS = [
    plain, with_einsum, with_einops, with_loops, with_the_library, with_bmm, query_scaled,
    query_scaled_first, both_scaled, in_double, returned_in_double, in_place_on_a_copy,
    exponentials_by_hand, through_log_softmax, keys_first_then_turned, with_an_all_true_keep,
    with_broadcast_products, through_a_module, values_first_as_query_blocks,
]  # fmt: skip


def mended_stream(scores, v):
    largest, total, summed = scores[:, 0], torch.ones(len(scores)), v[0].repeat(len(scores), 1)
    for score, value in zip(scores.T[1:], v[1:]):
        now = largest.maximum(score)
        old, new = (largest - now).exp(), (score - now).exp()
        total, summed = total * old + new, summed * old[:, None] + new[:, None] * value
        largest = now
    return summed / total[:, None]


def mended_in_two_passes(scores, v):
    powers = (scores - scores.amax(1, keepdim=True)).exp()
    return powers @ v / powers.sum(1, keepdim=True)


def mended_by_softmax(scores, v):
    return einsum("qk,kd->qd", softmax(scores, dim=1), v)


def mended_average_so_far(scores, v):
    """Keep the average itself, and the logarithm of the total."""
    total, average = scores[:, :1], v[:1].expand(len(scores), -1)
    for key in range(1, len(v)):
        share = torch.sigmoid(scores[:, key : key + 1] - total)
        average = average + share * (v[key] - average)
        total = torch.logaddexp(total, scores[:, key : key + 1])
    return average


def contributions_plain(weights, v):
    parts = weights[..., None] * v[:, None]
    output = weights @ v
    shares = (parts * output[:, :, None]).sum(-1) / (output**2).sum(-1)[..., None]
    return parts, shares


def contributions_einsum(weights, v):
    parts = einsum("bqk,bkd->bqkd", weights, v)
    output = parts.sum(dim=2)
    along = einsum("bqkd,bqd->bqk", parts, output)
    return [parts, along / einsum("bqd,bqd->bq", output, output).unsqueeze(-1)]


def contributions_normalised(weights, v):
    parts = einops.rearrange(weights, "b q k -> b q k 1") * einops.rearrange(v, "b k d -> b 1 k d")
    along = (parts @ parts.sum(2).unsqueeze(-1)).squeeze(-1)
    return parts, along / along.sum(-1, keepdim=True)


def contributions_loops(weights, v):
    parts, shares = torch.zeros(*weights.shape, v.shape[-1]), torch.zeros_like(weights)
    for b in range(len(v)):
        for i in range(weights.shape[1]):
            for j in range(weights.shape[2]):
                parts[b, i, j] = weights[b, i, j] * v[b, j]
            output = parts[b, i].sum(0)
            for j in range(weights.shape[2]):
                shares[b, i, j] = torch.dot(parts[b, i, j], output) / output.norm() ** 2
    return parts, shares


def additive_plain(q, k, v, W_q, W_k, w):
    hidden = torch.tanh((q @ W_q.T)[:, :, None] + (k @ W_k.T)[:, None])
    weights = softmax(hidden @ w, dim=-1)
    return weights @ v, weights


def additive_einsum(q, k, v, a, b, w):
    left, right = einsum("bqi,ai->bqa", q, a), einsum("bki,ai->bka", k, b)
    hidden = torch.tanh(left.unsqueeze(2) + right.unsqueeze(1))
    weights = einsum("bqka,a->bqk", hidden, w).softmax(-1)
    return einsum("bqk,bkv->bqv", weights, v), weights


def additive_concatenated(q, k, v, W_q, W_k, w):
    rows, columns = q.size(1), k.size(1)
    pairs = torch.cat(
        [q[:, :, None].expand(-1, -1, columns, -1), k[:, None].expand(-1, rows, -1, -1)], dim=-1
    )
    scores = torch.tanh(F.linear(pairs, torch.cat([W_q, W_k], dim=1))) @ w
    weights = scores.softmax(-1)
    return weights @ v, weights


def additive_loops(q, k, v, W_q, W_k, w):
    scores = torch.zeros(q.size(0), q.size(1), k.size(1))
    for b in range(q.size(0)):
        for i in range(q.size(1)):
            for j in range(k.size(1)):
                scores[b, i, j] = w @ torch.tanh(W_q @ q[b, i] + W_k @ k[b, j])
    weights = scores.softmax(2)
    return weights @ v, weights


def additive_linear(q, k, v, W_q, W_k, w):
    hidden = (F.linear(q, W_q).unsqueeze(2) + F.linear(k, W_k).unsqueeze(1)).tanh_()
    weights = F.linear(hidden, w[None]).squeeze(-1).softmax(-1)
    return torch.bmm(weights, v), weights


def additive_double(*given):
    return additive_plain(*(tensor.double() for tensor in given))


ADDITIVES = [
    additive_plain, additive_einsum, additive_concatenated, additive_loops, additive_linear,
    additive_double,
]  # fmt: skip


def _fits(x, W):
    if x.shape[-1] != W.shape[0]:
        raise ValueError(f"x has shape {list(x.shape)} but W has {list(W.shape)}")


def project_plain(x, W):
    _fits(x, W)
    return x @ W


def project_matmul(x, weight):
    if x.size(-1) != weight.size(0):
        raise ValueError("cannot multiply " + str(x.shape) + " by " + str(weight.shape))
    return torch.matmul(x, weight)


def project_sums(x, W):
    _fits(x, W)
    return (x.unsqueeze(-1) * W).sum(-2)


def project_loops(x, W):
    _fits(x, W)
    columns = [sum(x[..., i] * W[i, j] for i in range(len(W))) for j in range(W.shape[1])]
    return torch.stack(columns, dim=-1)


def project_linear(x, W):
    _fits(x, W)
    return F.linear(x, W.T)


def project_torchs_error(x, W):
    try:
        return x @ W
    except RuntimeError as error:
        raise ValueError(f"{tuple(x.shape)} x {tuple(W.shape)}") from error


PROJECTIONS = [
    project_plain, project_matmul, project_sums, project_loops, project_linear,
    project_torchs_error,
]  # fmt: skip

MENDED = [mended_stream, mended_in_two_passes, mended_by_softmax, mended_average_so_far]
CONTRIBUTIONS = [
    contributions_plain, contributions_einsum, contributions_normalised, contributions_loops,
]  # fmt: skip

STYLES = {
    "scaled_dot_product_attention": ATTENTIONS,
    "mend_attention": MENDED,
    "contributions": CONTRIBUTIONS,
    "additive_attention": ADDITIVES,
    "project_by_hand": PROJECTIONS,
}

test_right_answer_passes = passing(STYLES)


def test_projection_must_refuse_in_the_asked_way():
    verdict = examine(find("project_by_hand"), FunctionAnswer(lambda x, W: x @ W))
    assert not verdict.passed
    assert "ValueError" in verdict.headline


@pytest.mark.parametrize("seed", range(20))
def test_a_table_is_read_from_its_question(seed):
    """As a learner would: fill the row up to 1, compare the two CATs, look at the number."""
    exercise = find("predict_table")
    (case,) = exercise.cases(seed).values()
    *table, asked = exercise.question(**case).split("\n", 7)
    rows = [line.split()[1:] for line in table[1:]]
    (row,) = (row for row in rows if "?" in row)
    missing = 1 - sum(float(cell) for cell in row if cell != "?")
    cats = list(zip(rows[1], rows[5]))
    apart = any(one != other for one, other in cats if "?" not in (one, other))
    printed = float(asked.partition("prints ")[2].split()[0])
    answer = [round(missing, 2), int(apart), int(0 <= printed <= 1)]
    assert examine(exercise, ValueAnswer(answer), seed).passed, (answer, exercise.question(**case))
