"""Right answers to lesson 8's exercises in the styles people write them: all must pass."""

import math

import torch
import torch.nn.functional as F

from tests.exercises.passing import passing
from tutor.exercises import find


def plain(x):
    mean = x.mean(-1, keepdim=True)
    return (x - mean) / torch.sqrt(x.var(-1, unbiased=False, keepdim=True) + 1e-5)


def look(x_q, x_kv, W, mask=None):
    q, k, v = x_q @ W[0], x_kv @ W[1], x_kv @ W[2]
    scores = q @ k.transpose(1, 2) / math.sqrt(k.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    return torch.softmax(scores, dim=-1) @ v


def think(x, ffn):
    W1, b1, W2, b2 = ffn
    return F.linear(F.relu(F.linear(x, W1, b1)), W2, b2)


def layer_by_hand(x, memory, W_self, W_cross, ffn):
    x = plain(x + look(x, x, W_self, torch.ones(x.size(1), x.size(1)).tril()))
    x = plain(x + look(x, memory, W_cross))
    return plain(x + think(x, ffn))


def layer_library(x, memory, W_self, W_cross, ffn):
    def norm(y):
        return F.layer_norm(y, y.shape[-1:])

    attend = F.scaled_dot_product_attention
    a, b, c = W_self
    x = norm(x + attend(x @ a, x @ b, x @ c, is_causal=True))
    a, b, c = W_cross
    x = norm(x + attend(x @ a, memory @ b, memory @ c))
    return norm(think(x, ffn) + x)


def layer_other_names(target, encoded, self_weights, cross_weights, feed_forward):
    looked = look(target, target, self_weights, torch.ones(target.size(1), target.size(1)).tril())
    after_self = plain(target + looked)
    after_cross = plain(after_self + look(after_self, encoded, cross_weights))
    return plain(after_cross + think(after_cross, feed_forward))


def pre_norm_by_hand(x, memory, W):
    def bare(y, at, mask=None):
        return look(y, at, (torch.eye(y.size(-1)),) * 3, mask)

    x = x + bare(plain(x), plain(x), torch.ones(x.size(1), x.size(1)).tril())
    x = x + bare(plain(x), memory)
    return x + (plain(x) @ W).tanh()


def pre_norm_library(x, memory, W):
    width = x.size(-1)
    attend = F.scaled_dot_product_attention
    read = F.layer_norm(x, (width,))
    stream = x + attend(read, read, read, is_causal=True)
    stream = stream + attend(F.layer_norm(stream, (width,)), memory, memory)
    return stream + torch.tanh(F.layer_norm(stream, (width,)) @ W)


def model_loops(source, target, encoder_layers, decoder_layers):
    memory = source
    for W, ffn in encoder_layers:
        memory = plain(memory + look(memory, memory, W))
        memory = plain(memory + think(memory, ffn))
    for W_self, W_cross, ffn in decoder_layers:
        target = layer_by_hand(target, memory, W_self, W_cross, ffn)
    return target


def model_recursive(source, target, encoder_layers, decoder_layers):
    if encoder_layers:
        (W, ffn), *rest = encoder_layers
        looked = plain(source + look(source, source, W))
        return model_recursive(plain(looked + think(looked, ffn)), target, rest, decoder_layers)
    for layer in decoder_layers:
        target = layer_library(target, source, *layer)
    return target


def model_without_grad(source, target, encoder_layers, decoder_layers):
    with torch.no_grad():
        return model_loops(source, target, encoder_layers, decoder_layers)


def count_by_parts(layers, d_model, d_ff, heads, d_k, d_v, vocabulary):
    def linear(n, m):
        return n * m + m

    attention = 2 * linear(d_model, heads * d_k) + linear(d_model, heads * d_v)
    attention += linear(heads * d_v, d_model)
    feed = linear(d_model, d_ff) + linear(d_ff, d_model)
    return layers * (3 * attention + 2 * feed + 5 * 2 * d_model) + vocabulary * d_model


def count_modules(layers, d_model, d_ff, heads, d_k, d_v, vocabulary):
    from torch import nn

    widths = [heads * d_k, heads * d_k, heads * d_v]
    with torch.device("meta"):
        attention = [*(nn.Linear(d_model, w) for w in widths), nn.Linear(heads * d_v, d_model)]
        feed, norm = [nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)], [nn.LayerNorm(d_model)]

    def size(modules):
        return sum(p.numel() for module in modules for p in module.parameters())

    one = 3 * size(attention) + 2 * size(feed) + 5 * size(norm)
    return layers * one + vocabulary * d_model


def count_tensor(*given):
    return torch.tensor(count_by_parts(*given))


def rate_tensor(steps, d_model, warmup):
    steps = torch.as_tensor(steps, dtype=torch.float)
    return d_model**-0.5 * torch.minimum(steps**-0.5, steps * warmup**-1.5)


def rate_list(steps, d_model, warmup):
    steps = [int(step) for step in steps]
    return [d_model**-0.5 * min(step**-0.5, step * warmup**-1.5) for step in steps]


def rate_where(steps, d_model, warmup):
    steps = torch.as_tensor(steps).double()
    return torch.where(steps < warmup, steps / warmup**1.5, 1 / steps.sqrt()) / math.sqrt(d_model)


def vocabulary_by_division(rest, printed, d_model):
    limits = [(printed + half) * 1e6 - rest for half in (-0.5, 0.5)]
    return math.ceil(limits[0] / d_model), math.floor(limits[1] / d_model)


def vocabulary_by_search(rest, printed, d_model):
    def fits(words):
        return abs((rest + words * d_model) / 1e6 - printed) <= 0.5

    fewest = round((printed * 1e6 - rest) / d_model)
    most = fewest
    while fits(fewest - 1):
        fewest -= 1
    while fits(most + 1):
        most += 1
    return [fewest, most]


def vocabulary_tensor(rest, printed, d_model):
    limits = (torch.tensor([printed - 0.5, printed + 0.5]).double() * 1e6 - rest) / d_model
    return limits[0].ceil().long(), limits[1].floor().long()


def lookups_by_parts(questions, keys, values, twice, scale):
    def once(x):
        return torch.softmax(scale * (x @ keys.T), dim=1) @ values

    first = once(questions)
    return torch.where(twice.unsqueeze(1), once(first), first)


def lookups_library(questions, keys, values, twice, scale):
    attend = F.scaled_dot_product_attention
    found = attend(questions[None], keys[None], values[None], scale=scale)
    further = attend(found, keys[None], values[None], scale=scale)
    return (further * twice[:, None] + found * ~twice[:, None])[0]


def lookups_one_by_one(questions, keys, values, twice, scale):
    answers = []
    for question, again in zip(questions, twice):
        for _ in range(2 if again else 1):
            question = torch.softmax(scale * keys @ question, dim=0) @ values
        answers.append(question)
    return torch.stack(answers)


STYLES = {
    "decoder_layer": [layer_by_hand, layer_library, layer_other_names],
    "mend_decoder_layer": [pre_norm_by_hand, pre_norm_library],
    "encoder_decoder": [model_loops, model_recursive, model_without_grad],
    "count_parameters": [count_by_parts, count_modules, count_tensor],
    "noam_rate": [rate_tensor, rate_list, rate_where],
    "hidden_vocabulary": [vocabulary_by_division, vocabulary_by_search, vocabulary_tensor],
    "two_lookups": [lookups_by_parts, lookups_library, lookups_one_by_one],
}

test_right_answer_passes = passing(STYLES)


def test_base_model_has_the_promised_count():
    assert find("count_parameters").reference(6, 512, 2048, 8, 64, 64, 37000) == 63_082_496


def test_six_rows_leave_one_strip_of_vocabularies():
    """The paper's Table 3, by the course's own counts; rows named in the lesson."""
    find_range, count = find("hidden_vocabulary").reference, find("count_parameters").reference
    rows = {
        65: (6, 512, 2048, 8, 64, 64),
        36: (2, 512, 2048, 8, 64, 64),
        90: (6, 512, 4096, 8, 64, 64),
    }
    ranges = [find_range(count(*row, 0), printed, row[1]) for printed, row in rows.items()]
    assert max(low for low, _ in ranges) <= 41_100 <= min(high for _, high in ranges)
    assert max(low for low, _ in ranges) > 37_000
