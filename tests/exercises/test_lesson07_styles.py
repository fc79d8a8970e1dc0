"""Right answers to lesson 7's exercises in the styles people write them: all must pass."""

import math

import torch
import torch.nn.functional as F

from tests.exercises.passing import passing


def mask_tril(length):
    return torch.ones(length, length).tril().bool()


def mask_triu(length):
    return ~torch.ones(length, length, dtype=torch.bool).triu(1)


def mask_compared(length):
    place = torch.arange(length)
    return place[None, :] <= place[:, None]


def mask_loops(length):
    keep = torch.zeros(length, length, dtype=torch.bool)
    for query in range(length):
        keep[query, : query + 1] = True
    return keep


def mask_from_torch(length):
    return torch.nn.Transformer.generate_square_subsequent_mask(length) == 0


def decoder_plain(ids, pad_id):
    return (ids != pad_id)[:, None, None, :] & mask_tril(ids.size(1))


def decoder_multiplied(ids, pad):
    causal = torch.tril(torch.ones(ids.shape[1], ids.shape[1]))
    return (ids.ne(pad).float()[:, None, None] * causal[None, None]) > 0


def decoder_loops(ids, pad_id):
    keep = torch.zeros(len(ids), 1, ids.size(1), ids.size(1), dtype=torch.bool)
    for b, row in enumerate(ids.tolist()):
        for query in range(len(row)):
            for key in range(query + 1):
                keep[b, 0, query, key] = row[key] != pad_id
    return keep


def decoder_logical(ids, pad_id):
    padding = torch.logical_not(torch.eq(ids, pad_id)).unsqueeze(1).unsqueeze(2)
    return torch.logical_and(padding, mask_compared(ids.size(1)).unsqueeze(0).unsqueeze(0))


def scores_of(q, k):
    return q @ k.mT / math.sqrt(q.size(-1))


def causal_minus_infinity(q, k, v, real):
    keep = real[:, None] & mask_tril(q.size(1))
    weights = scores_of(q, k).masked_fill(~keep, float("-inf")).softmax(-1)
    return weights @ v, weights


def causal_large_number(q, k, v, real):
    scores = scores_of(q, k)
    scores[~(real[:, None] & mask_tril(q.size(1)))] = -1e9
    weights = F.softmax(scores, -1)
    return torch.bmm(weights, v), weights


def causal_added(q, k, v, real):
    bias = torch.zeros(len(q), q.size(1), k.size(1))
    bias.masked_fill_(~real[:, None], -1e30)
    bias += torch.full((q.size(1), k.size(1)), -1e30).triu(1)
    weights = (scores_of(q, k) + bias).softmax(-1)
    return weights @ v, weights


def causal_two_steps(q, k, v, real):
    scores = scores_of(q, k).masked_fill(mask_tril(q.size(1)).logical_not(), -math.inf)
    weights = scores.masked_fill(~real.unsqueeze(1), -math.inf).softmax(-1)
    return weights @ v, weights


def causal_renormalised(q, k, v, real):
    weights = scores_of(q, k).softmax(-1) * (real[:, None] & mask_tril(q.size(1)))
    weights = weights / weights.sum(-1, keepdim=True)
    return weights @ v, weights


def causal_exponentials(q, k, v, real):
    scores = scores_of(q, k)
    powers = (scores - scores.amax(-1, keepdim=True)).exp() * real[:, None] * mask_tril(q.size(1))
    weights = powers / powers.sum(-1, keepdim=True)
    return weights @ v, weights


def causal_library(q, k, v, real):
    keep = real[:, None] & mask_tril(q.size(1))
    same = torch.eye(k.size(1)).expand(len(k), -1, -1)
    attend = F.scaled_dot_product_attention
    return attend(q, k, v, attn_mask=keep), attend(q, k, same, attn_mask=keep)


def causal_loops(q, k, v, real):
    weights = torch.zeros(len(q), q.size(1), k.size(1))
    for b in range(len(q)):
        for i in range(q.size(1)):
            seen = [j for j in range(i + 1) if real[b, j]]
            weights[b, i, seen] = scores_of(q[b, i : i + 1], k[b, seen])[0].softmax(0)
    return weights @ v, weights


def cross_minus_infinity(q, k, v, real):
    weights = scores_of(q, k).masked_fill(~real.unsqueeze(1), -math.inf).softmax(-1)
    return weights @ v, weights


def cross_where(q, k, v, real):
    scores = torch.where(real[:, None, :], scores_of(q, k), torch.tensor(-1e10))
    weights = torch.softmax(scores, dim=2)
    return weights @ v, weights


def cross_in_double(q, k, v, real):
    return cross_minus_infinity(q.double(), k.double(), v.double(), real)


def cross_one_by_one(q, k, v, real):
    weights = torch.zeros(len(q), q.size(1), k.size(1))
    for b, seen in enumerate(real):
        weights[b][:, seen] = scores_of(q[b], k[b][seen]).softmax(-1)
    return weights @ v, weights


def safe_struck_out(q, k, v, real):
    weights = scores_of(q, k).masked_fill(~real[:, None], -1e9).softmax(-1)
    weights = weights * real[:, None]
    return weights @ v, weights


def safe_nan_replaced_after_fill(q, k, v, real):
    """Filling stops the gradient at the hidden scores, so that this NaN does no harm."""
    weights = scores_of(q, k).masked_fill(~real[:, None], -math.inf).softmax(-1)
    weights = torch.nan_to_num(weights)
    return weights @ v, weights


def safe_rows_chosen(q, k, v, real):
    some = real.any(1)[:, None, None]
    scores = scores_of(q, k).masked_fill(~real[:, None] & some, -math.inf)
    weights = torch.where(some, scores.softmax(-1), 0.0)
    return weights @ v, weights


def safe_divided(q, k, v, real):
    scores = scores_of(q, k)
    powers = (scores - scores.amax(-1, keepdim=True).detach()).exp() * real[:, None]
    weights = powers / powers.sum(-1, keepdim=True).clamp(min=1e-9)
    return weights @ v, weights


def shift_slices(y):
    return y[:, :-1], y[:, 1:]


def shift_list(y):
    return [y[:, :-1].clone(), y[:, 1:].clone()]


def shift_narrow(y):
    return y.narrow(1, 0, y.size(1) - 1), y.narrow(1, 1, y.size(1) - 1)


def shift_rolled_and_cut(y):
    return y[..., : y.shape[1] - 1], y.roll(-1, 1)[:, :-1]


def window_compared(length, width):
    place = torch.arange(length)
    ago = place[:, None] - place[None, :]
    return (ago >= 0) & (ago < width)


def window_loops(length, width):
    keep = torch.zeros(length, length, dtype=torch.bool)
    for query in range(length):
        keep[query, max(0, query - width + 1) : query + 1] = True
    return keep


def window_band(length, width):
    return torch.ones(length, length).tril().triu(1 - width).bool()


def padding_filled(scores, real):
    return scores.masked_fill(~real.unsqueeze(1), float("-inf")).softmax(dim=2)


def padding_where(scores, real):
    hidden = torch.where(real[:, None], scores, torch.tensor(-1e30))
    return F.softmax(hidden, -1)


def padding_added(scores, real):
    return torch.softmax(scores + torch.log(real[:, None].float()), -1)


def packed_differences(sentence):
    apart = sentence.unsqueeze(2) - sentence.unsqueeze(1)
    return torch.tril(apart == 0)


def packed_loops(sentence):
    B, T = sentence.shape
    keep = torch.zeros(B, T, T, dtype=torch.bool)
    for b in range(B):
        for query in range(T):
            for key in range(query + 1):
                keep[b, query, key] = sentence[b, query] == sentence[b, key]
    return keep


def packed_blocks(sentence):
    rows = []
    for row in sentence:
        _, lengths = row.unique_consecutive(return_counts=True)
        triangles = [mask_tril(int(length)).float() for length in lengths]
        rows.append(torch.block_diag(*triangles).bool())
    return torch.stack(rows)


CAUSAL = [
    causal_minus_infinity, causal_large_number, causal_added, causal_two_steps,
    causal_renormalised, causal_exponentials, causal_library, causal_loops,
]  # fmt: skip
STYLES = {
    "causal_mask": [mask_tril, mask_triu, mask_compared, mask_loops, mask_from_torch],
    "mend_padding_mask": [padding_filled, padding_where, padding_added],
    "window_mask": [window_compared, window_loops, window_band],
    "decoder_mask": [decoder_plain, decoder_multiplied, decoder_loops, decoder_logical],
    "causal_self_attention": CAUSAL,
    "mend_packed_mask": [packed_differences, packed_loops, packed_blocks],
    "cross_attention": [cross_minus_infinity, cross_where, cross_in_double, cross_one_by_one],
    "safe_attention": [
        safe_struck_out, safe_nan_replaced_after_fill, safe_rows_chosen, safe_divided,
    ],
    "shift_targets": [shift_slices, shift_list, shift_narrow, shift_rolled_and_cut],
}  # fmt: skip

test_right_answer_passes = passing(STYLES)
