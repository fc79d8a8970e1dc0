"""The parts that lesson 8's exercises are put together from: one head, no W_o, post-norm."""

from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from tutor.attention import scaled_dot_product_attention
from tutor.checking.seeds import Rng
from tutor.exercises.extremes import tokens_and_matrices
from tutor.mask import causal_keep

Matrices = tuple[Tensor, Tensor, Tensor]  # W_q, W_k, W_v, used as x W
Ffn = tuple[Tensor, Tensor, Tensor, Tensor]  # W1, b1, W2, b2, used as x W1ᵀ + b1
Layer = Callable[[Tensor, Tensor, Matrices, Matrices, Ffn], Tensor]  # of a decoder
EncoderLayers = Sequence[tuple[Matrices, Ffn]]
DecoderLayers = Sequence[tuple[Matrices, Matrices, Ffn]]


def norm(x: Tensor) -> Tensor:
    """Normalise the last axis with gamma 1, beta 0 and eps 1e-5."""
    return F.layer_norm(x, x.shape[-1:], eps=1e-5)


def attend(x_q: Tensor, x_kv: Tensor, W: Matrices, causal: bool = False) -> Tensor:
    """Let the tokens of x_q look at those of x_kv with one head."""
    W_q, W_k, W_v = W
    keep = causal_keep(x_q.size(1))[None] if causal else None
    return scaled_dot_product_attention(x_q @ W_q, x_kv @ W_k, x_kv @ W_v, keep)[0]


def feed(x: Tensor, ffn: Ffn) -> Tensor:
    """Treat each position by two linear maps with a ReLU between."""
    W1, b1, W2, b2 = ffn
    return torch.relu(x @ W1.T + b1) @ W2.T + b2


def encoder_layer(x: Tensor, W: Matrices, ffn: Ffn) -> Tensor:
    """Look at all of the source, then think about each position."""
    x = norm(x + attend(x, x, W))
    return norm(x + feed(x, ffn))


def decoder_layer(
    x: Tensor, memory: Tensor, W_self: Matrices, W_cross: Matrices, ffn: Ffn
) -> Tensor:
    """Look back, look at the source, think."""
    x = norm(x + attend(x, x, W_self, causal=True))
    x = norm(x + attend(x, memory, W_cross))
    return norm(x + feed(x, ffn))


def encode(source: Tensor, layers: EncoderLayers) -> Tensor:
    """Let the source pass all encoder layers."""
    for layer in layers:
        source = encoder_layer(source, *layer)
    return source


def decode(target: Tensor, memory: Tensor, layers: DecoderLayers) -> Tensor:
    """Let the target pass all decoder layers, each of which reads the same memory."""
    for layer in layers:
        target = decoder_layer(target, memory, *layer)
    return target


def encoder_decoder(
    source: Tensor, target: Tensor, encoder_layers: EncoderLayers, decoder_layers: DecoderLayers
) -> Tensor:
    """Read all of the source, then write."""
    return decode(target, encode(source, encoder_layers), decoder_layers)


def random_matrices(rng: Rng, d_model: int, d_k: int) -> Matrices:
    """Draw W_q, W_k (d_model, d_k) and W_v (d_model, d_model)."""
    widths = (d_k, d_k, d_model)
    W_q, W_k, W_v = (rng.normal(d_model, width) / 1.5 for width in widths)
    return W_q, W_k, W_v


def random_ffn(rng: Rng, d_model: int, d_ff: int) -> Ffn:
    """Draw the two maps of a feed-forward layer."""
    return (
        rng.normal(d_ff, d_model),
        rng.normal(d_ff),
        rng.normal(d_model, d_ff) / 2,
        rng.normal(d_model),
    )


def loud_tokens(rng: Rng, batch: int, time: int) -> tuple[Tensor, Matrices]:
    """Draw tokens and matrices whose self-attention scores at all levels, past and future alike."""
    x, W_q, W_k = tokens_and_matrices(rng, batch, time)
    return x, (W_q, W_k, rng.normal(x.size(-1), x.size(-1)) / 4)


def without_biases(ffn: Ffn) -> Ffn:
    """Put zeros in the place of a feed-forward layer's biases."""
    W1, b1, W2, b2 = ffn
    return W1, torch.zeros_like(b1), W2, torch.zeros_like(b2)


MATRICES = ("D d_k", "D d_k", "D D")  # the axes of W_q, W_k, W_v
FFN = ("d_ff D", "d_ff", "D d_ff", "D")  # the axes of W1, b1, W2, b2
LAYER_SHAPES = {
    "x": "B T D",
    "memory": "B S D",
    "W_self": MATRICES,
    "W_cross": MATRICES,
    "ffn": FFN,
    "result": "B T D",
}


def plain_matrices(d_model: int) -> Matrices:
    """Give three unit matrices, for properties that hold whatever the weights are."""
    return torch.eye(d_model), torch.eye(d_model), torch.eye(d_model)


def plain_ffn(d_model: int) -> Ffn:
    """Give a feed-forward layer that adds nothing."""
    zero, none = torch.zeros(d_model, d_model), torch.zeros(d_model)
    return zero, none, zero, none
