"""What encoder_layer and its mistakes are put together from."""

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from tutor.exercises.lesson08_full_transformer.parts import Ffn

Attention = Sequence[Tensor]  # W_q, b_q, W_k, b_k, W_v, b_v, W_o, b_o; used as x Wᵀ + b
Norms = tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor]]  # γ and β after each sub-layer
EPS = 1e-5


def norm(x: Tensor, gamma_and_beta: tuple[Tensor, Tensor], eps: float = EPS) -> Tensor:
    """Normalise the last axis."""
    return F.layer_norm(x, x.shape[-1:], *gamma_and_beta, eps=eps)


def heads_of(x: Tensor, heads: int) -> Tensor:
    """Cut each token into heads: (B, T, D) -> (B, h, T, d_k)."""
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


def weights_of(q: Tensor, k: Tensor, real: Tensor) -> Tensor:
    """Give each query's weights over the real keys: (B, h, T, T)."""
    scores = q @ k.mT / q.size(-1) ** 0.5
    return scores.masked_fill(~real[:, None, None], float("-inf")).softmax(-1)


def look(x: Tensor, real: Tensor, attention: Attention, heads: int) -> Tensor:
    """Let all tokens look at the real ones."""
    W_q, b_q, W_k, b_k, W_v, b_v, W_o, b_o = attention
    projected = (x @ W.T + b for W, b in ((W_q, b_q), (W_k, b_k), (W_v, b_v)))
    q, k, v = (heads_of(each, heads) for each in projected)
    found = weights_of(q, k, real) @ v  # (B, h, T, d_k)
    return found.transpose(1, 2).flatten(2) @ W_o.T + b_o  # (B, T, D)


def think(x: Tensor, ffn: Ffn) -> Tensor:
    """Treat each token alone."""
    W1, b1, W2, b2 = ffn
    return torch.relu(x @ W1.T + b1) @ W2.T + b2


def layer(
    x: Tensor, real: Tensor, attention: Attention, ffn: Ffn, norms: Norms, heads: int
) -> Tensor:
    """Look, then think; each time add and normalise."""
    x = norm(x + look(x, real, attention, heads), norms[0])
    return norm(x + think(x, ffn), norms[1])
