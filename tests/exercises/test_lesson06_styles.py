"""Right answers to lesson 6's exercises in the styles people write them: all must pass."""

import torch
import torch.nn.functional as F
from torch import nn

from tests.exercises.passing import passing


def norm_by_hand(x, gamma, beta, eps):
    mean = x.mean(-1, keepdim=True)
    variance = ((x - mean) ** 2).mean(-1, keepdim=True)
    return gamma * (x - mean) / torch.sqrt(variance + eps) + beta


def norm_library(x, gamma, beta, eps):
    return F.layer_norm(x, (x.shape[-1],), gamma, beta, eps)


def norm_biased_var(x, g, b, eps):
    return (x - x.mean(-1, True)) * torch.rsqrt(
        x.var(-1, unbiased=False, keepdim=True) + eps
    ) * g + b


def norm_mean_of_squares(x, gamma, beta, eps):
    mean = x.mean(-1, keepdim=True)
    variance = (x * x).mean(-1, keepdim=True) - mean**2
    return (x - mean) / (variance + eps) ** 0.5 * gamma + beta


def norm_corrected(x, gamma, beta, eps):
    d = x.size(-1)
    variance = x.var(-1, keepdim=True) * (d - 1) / d
    return (x - x.mean(-1, keepdim=True)) / (variance + eps).sqrt() * gamma + beta


def norm_loops(x, gamma, beta, eps):
    rows = []
    for row in x.reshape(-1, x.shape[-1]):
        mean = row.sum() / len(row)
        spread = (((row - mean) ** 2).sum() / len(row) + eps) ** 0.5
        rows.append((row - mean) / spread * gamma + beta)
    return torch.stack(rows).view_as(x)


def norm_in_double(x, gamma, beta, eps):
    return norm_by_hand(x.double(), gamma.double(), beta.double(), eps).to(x.dtype)


def norm_in_place_on_a_copy(x, gamma, beta, eps):
    y = x - x.mean(dim=-1, keepdim=True)
    y /= torch.sqrt(y.pow(2).mean(dim=-1, keepdim=True) + eps)
    return y.mul_(gamma).add_(beta)


def norm_module(x, gamma, beta, eps):
    layer = nn.LayerNorm(x.size(-1), eps=eps)
    layer.weight.data, layer.bias.data = gamma.clone(), beta.clone()
    return layer(x)


def plain(x):
    return norm_by_hand(x, torch.ones(x.size(-1)), torch.zeros(x.size(-1)), 1e-5)


def post_by_hand(x, W, drop):
    return plain(x + drop * torch.tanh(x @ W))


def post_library(x, W, drop):
    return F.layer_norm(x.add(torch.mul(torch.tanh(torch.matmul(x, W)), drop)), x.shape[-1:])


def post_module(x, W, drop):
    return nn.LayerNorm(x.size(-1), elementwise_affine=False)(F.linear(x, W.T).tanh() * drop + x)


def pre_by_hand(x, W, drop):
    return x + drop * torch.tanh(plain(x) @ W)


def pre_library(x, W, drop):
    branch = F.layer_norm(x, x.shape[-1:]) @ W
    return branch.tanh_().mul_(drop).add_(x)


def pre_clone(x, W, drop):
    out = x.clone()
    out += drop * torch.tanh(torch.einsum("btd,de->bte", plain(x), W))
    return out


def stack_loop(x, weights):
    for W in weights:
        x = x + torch.tanh(plain(x) @ W)
    return plain(x)


def stack_recursive(x, weights):
    if len(weights) == 0:
        return F.layer_norm(x, x.shape[-1:])
    return stack_recursive(x + torch.tanh(F.layer_norm(x, x.shape[-1:]) @ weights[0]), weights[1:])


def stack_by_index(x, weights):
    stream = x.clone()
    for layer in range(len(weights)):
        stream += (plain(stream) @ weights[layer]).tanh()
    return plain(stream)


def feed_plain(x, W1, b1, W2, b2):
    return torch.relu(x @ W1.T + b1) @ W2.T + b2


def feed_linear(x, W1, b1, W2, b2):
    return F.linear(F.relu(F.linear(x, W1, b1)), W2, b2)


def feed_convolution(x, W1, b1, W2, b2):
    hidden = F.conv1d(x.transpose(1, 2), W1.unsqueeze(-1), b1).clamp(min=0)
    return F.conv1d(hidden, W2.unsqueeze(-1), b2).transpose(1, 2)


def feed_maximum(x, W1, b1, W2, b2):
    hidden = torch.einsum("bti,hi->bth", x, W1) + b1
    return torch.einsum("bth,oh->bto", torch.maximum(hidden, torch.zeros_like(hidden)), W2) + b2


def feed_where(x, W1, b1, W2, b2):
    hidden = x.matmul(W1.t()).add(b1)
    return torch.where(hidden > 0, hidden, 0.0).matmul(W2.t()).add(b2)


def feed_position_by_position(x, *rest):
    return torch.stack([feed_plain(x[:, t], *rest) for t in range(x.size(1))], dim=1)


def channels_by_hand(x, gamma, beta, eps):
    centred = x - x.mean(dim=1, keepdim=True)
    spread = (centred.pow(2).mean(dim=1, keepdim=True) + eps).sqrt()
    return centred / spread * gamma.view(1, -1, 1) + beta.view(1, -1, 1)


def channels_turned(x, gamma, beta, eps):
    return F.layer_norm(x.transpose(1, 2), gamma.shape, gamma, beta, eps).transpose(1, 2)


def channels_mended(x, gamma, beta, eps):
    mean, variance = x.mean(1, keepdim=True), x.var(1, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(variance + eps) * gamma[:, None] + beta[:, None]


def rms_by_hand(x, gamma, eps):
    return x / torch.sqrt((x**2).mean(-1, keepdim=True) + eps) * gamma


def rms_library(x, gamma, eps):
    return F.rms_norm(x, gamma.shape, gamma, eps)


def rms_by_length(x, gamma, eps):
    squares = torch.linalg.vector_norm(x, dim=-1, keepdim=True) ** 2
    return gamma * x * torch.rsqrt(squares / x.size(-1) + eps)


def batch_indexed(x, keep, eps):
    real = x[keep]
    out = torch.zeros_like(x)
    out[keep] = (real - real.mean(0)) / torch.sqrt(real.var(0, correction=0) + eps)
    return out


def batch_summed(x, keep, eps):
    real = keep.unsqueeze(-1)
    count = keep.sum()
    mean = (x * real).sum(dim=(0, 1)) / count
    variance = (((x - mean) * real) ** 2).sum(dim=(0, 1)) / count
    return (x - mean) / (variance + eps).sqrt() * real


def batch_library(x, keep, eps):
    out = torch.zeros_like(x)
    out[keep] = F.batch_norm(x[keep], None, None, training=True, eps=eps)
    return out


def batch_loops(x, keep, eps):
    out = torch.zeros_like(x)
    for d in range(x.size(2)):
        real = [float(x[b, t, d]) for b, t in keep.nonzero().tolist()]
        mean = sum(real) / len(real)
        spread = (sum((number - mean) ** 2 for number in real) / len(real) + eps) ** 0.5
        for b, t in keep.nonzero().tolist():
            out[b, t, d] = (x[b, t, d] - mean) / spread
    return out


NORMS = [
    norm_by_hand, norm_library, norm_biased_var, norm_mean_of_squares, norm_corrected, norm_loops,
    norm_in_double, norm_in_place_on_a_copy, norm_module,
]  # fmt: skip
STYLES = {
    "layer_norm": NORMS,
    "mend_channel_norm": [channels_by_hand, channels_turned, channels_mended],
    "rms_norm": [rms_by_hand, rms_library, rms_by_length],
    "masked_batch_norm": [batch_indexed, batch_summed, batch_library, batch_loops],
    "post_norm_block": [post_by_hand, post_library, post_module],
    "pre_norm_block": [pre_by_hand, pre_library, pre_clone],
    "pre_norm_stack": [stack_loop, stack_recursive, stack_by_index],
    "feed_forward": [
        feed_plain, feed_linear, feed_convolution, feed_maximum, feed_where,
        feed_position_by_position,
    ],
}  # fmt: skip

test_right_answer_passes = passing(STYLES)
