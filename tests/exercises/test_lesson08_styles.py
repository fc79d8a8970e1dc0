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


STYLES = {
    "decoder_layer": [layer_by_hand, layer_library, layer_other_names],
    "mend_decoder_layer": [layer_by_hand],
    "encoder_decoder": [model_loops, model_recursive, model_without_grad],
    "count_parameters": [count_by_parts, count_modules, count_tensor],
    "noam_rate": [rate_tensor, rate_list, rate_where],
}

test_right_answer_passes = passing(STYLES)


def test_base_model_has_the_promised_count():
    assert find("count_parameters").reference(6, 512, 2048, 8, 64, 64, 37000) == 63_082_496
