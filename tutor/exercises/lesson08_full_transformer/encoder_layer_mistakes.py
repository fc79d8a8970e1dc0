"""Mistakes people make in encoder_layer."""

from collections.abc import Callable

import torch
from torch import Tensor

from tutor.checking.exercise import Mistake
from tutor.exercises.lesson08_full_transformer.encoder_layer_parts import (
    Attention,
    Norms,
    heads_of,
    layer,
    look,
    norm,
    think,
    weights_of,
)
from tutor.exercises.lesson08_full_transformer.parts import Ffn

Layer = Callable[..., Tensor]


def _looking(look_otherwise: Callable[..., Tensor]) -> Layer:
    """Build the layer with another attention."""

    def wrong(
        x: Tensor, real: Tensor, attention: Attention, ffn: Ffn, norms: Norms, heads: int
    ) -> Tensor:
        x = norm(x + look_otherwise(x, real, attention, heads), norms[0])
        return norm(x + think(x, ffn), norms[1])

    return wrong


def _projected(x: Tensor, attention: Attention, heads: int) -> list[Tensor]:
    W_q, b_q, W_k, b_k, W_v, b_v, *_ = attention
    parts = (x @ W.T + b for W, b in ((W_q, b_q), (W_k, b_k), (W_v, b_v)))
    return [heads_of(each, heads) for each in parts]


def _joined(found: Tensor, attention: Attention) -> Tensor:
    return found.transpose(1, 2).flatten(2) @ attention[6].T + attention[7]


def _queries_hidden(x: Tensor, real: Tensor, attention: Attention, heads: int) -> Tensor:
    q, k, v = _projected(x, attention, heads)
    scores = (q @ k.mT / q.size(-1) ** 0.5).masked_fill(~real[:, None, :, None], -1e9)
    return _joined(scores.softmax(-1) @ v, attention)


def _scaled(x: Tensor, real: Tensor, attention: Attention, heads: int, by: float) -> Tensor:
    q, k, v = _projected(x, attention, heads)
    return _joined(weights_of(q * by, k, real) @ v, attention)


def _not_transposed(x: Tensor, real: Tensor, attention: Attention, heads: int) -> Tensor:
    q, k, v = _projected(x, attention, heads)
    found = weights_of(q, k, real) @ v  # (B, h, T, d_k), laid out as if it were (B, T, D)
    return found.reshape(x.shape) @ attention[6].T + attention[7]


def _blocks_viewed(x: Tensor, real: Tensor, attention: Attention, heads: int) -> Tensor:
    B, T, D = x.shape
    W_q, b_q, W_k, b_k, W_v, b_v, *_ = attention
    parts = (x @ W.T + b for W, b in ((W_q, b_q), (W_k, b_k), (W_v, b_v)))
    q, k, v = (each.reshape(B, heads, T, D // heads) for each in parts)
    return _joined(weights_of(q, k, real) @ v, attention)


def _no_biases(attention: Attention) -> Attention:
    return [part if part.dim() == 2 else torch.zeros_like(part) for part in attention]


def _plain(norms: Norms) -> Norms:
    (first, _), (second, _) = norms
    zero = torch.zeros_like(first)
    return (torch.ones_like(first), zero), (torch.ones_like(second), zero)


def _pre_norm(
    x: Tensor, real: Tensor, attention: Attention, ffn: Ffn, norms: Norms, heads: int
) -> Tensor:
    x = x + look(norm(x, norms[0]), real, attention, heads)
    return x + think(norm(x, norms[1]), ffn)


def _from_the_input(
    x: Tensor, real: Tensor, attention: Attention, ffn: Ffn, norms: Norms, heads: int
) -> Tensor:
    looked = norm(x + look(x, real, attention, heads), norms[0])
    return norm(x + think(looked, ffn), norms[1])


def _no_residuals(
    x: Tensor, real: Tensor, attention: Attention, ffn: Ffn, norms: Norms, heads: int
) -> Tensor:
    x = norm(look(x, real, attention, heads), norms[0])
    return norm(think(x, ffn), norms[1])


def _no_ffn(
    x: Tensor, real: Tensor, attention: Attention, ffn: Ffn, norms: Norms, heads: int
) -> Tensor:
    return norm(x + look(x, real, attention, heads), norms[0])


def _no_last_norm(
    x: Tensor, real: Tensor, attention: Attention, ffn: Ffn, norms: Norms, heads: int
) -> Tensor:
    x = norm(x + look(x, real, attention, heads), norms[0])
    return x + think(x, ffn)


def _no_first_norm(
    x: Tensor, real: Tensor, attention: Attention, ffn: Ffn, norms: Norms, heads: int
) -> Tensor:
    x = x + look(x, real, attention, heads)
    return norm(x + think(x, ffn), norms[1])


MISTAKES = [
    Mistake(
        "encoder-layer-padding-seen",
        lambda x, real, *rest: layer(x, torch.ones_like(real), *rest),
        "In the sentence with padding your real tokens are wrong. What do they look at?",
    ),
    Mistake(
        "encoder-layer-padding-inverted",
        lambda x, real, *rest: layer(x, ~real | real.all(-1, keepdim=True), *rest),
        "Your tokens look at padding and at nothing else. What does True say in `real`?",
    ),
    Mistake(
        "encoder-layer-queries-hidden",
        _looking(_queries_hidden),
        "Your real tokens still see padding, and padding sees all alike. Which axis of the scores "
        "are the keys?",
    ),
    Mistake(
        "encoder-layer-one-head",
        lambda x, real, attention, ffn, norms, heads: layer(x, real, attention, ffn, norms, 1),
        "One head is right, several are not. Into how many blocks do you cut each token?",
    ),
    Mistake(
        "encoder-layer-scale-of-one-head",
        _looking(lambda x, real, W, h: _scaled(x, real, W, h, h**-0.5)),
        "One head is right; with more your weights are too even. How many features has a head?",
    ),
    Mistake(
        "encoder-layer-no-scale",
        _looking(lambda x, real, W, h: _scaled(x, real, W, h, (x.size(-1) / h) ** 0.5)),
        "Your weights are too uneven, the more so the wider a head is. What are scores divided by?",
    ),
    Mistake(
        "encoder-layer-heads-not-transposed",
        _looking(_not_transposed),
        "The numbers are right but for their places: heads stand where tokens should. Which axis "
        "comes back to its place before the heads are joined?",
    ),
    Mistake(
        "encoder-layer-blocks-viewed",
        _looking(_blocks_viewed),
        "One head is right, several are not: a block of yours holds numbers of several tokens. "
        "Which axis is cut in two?",
    ),
    Mistake(
        "encoder-layer-no-output-projection",
        _looking(
            lambda x, real, W, h: look(
                x, real, [*W[:6], torch.eye(x.size(-1)), torch.zeros(x.size(-1))], h
            )
        ),
        "Change W_o and your result stays the same. What mixes the heads?",
    ),
    Mistake(
        "encoder-layer-no-biases",
        lambda x, real, attention, *rest: layer(x, real, _no_biases(attention), *rest),
        "Change the biases of the attention and your result stays the same. Where do they stand?",
    ),
    Mistake(
        "encoder-layer-no-output-bias",
        lambda x, real, attention, *rest: layer(
            x, real, [*attention[:7], torch.zeros_like(attention[7])], *rest
        ),
        "Change b_o and your result stays the same. Where does it stand?",
    ),
    Mistake(
        "encoder-layer-not-transposed",
        lambda x, real, W, *rest: layer(
            x, real, [part.mT if part.dim() == 2 else part for part in W], *rest
        ),
        "Your attention uses the matrices the other way round. Which axis of a matrix (out, in) "
        "does a row meet?",
    ),
    Mistake(
        "encoder-layer-norm-before",
        _pre_norm,
        "The rows of your result are not normalised. On which side of the sum does the paper's "
        "norm stand?",
    ),
    Mistake(
        "encoder-layer-one-norm-for-both",
        lambda x, real, attention, ffn, norms, heads: layer(
            x, real, attention, ffn, (norms[0], norms[0]), heads
        ),
        "Change the second γ and your result stays the same. Which norm follows which sub-layer?",
    ),
    Mistake(
        "encoder-layer-norms-exchanged",
        lambda x, real, attention, ffn, norms, heads: layer(
            x, real, attention, ffn, (norms[1], norms[0]), heads
        ),
        "With equal norms your result is right. Which of the two follows the attention?",
    ),
    Mistake(
        "encoder-layer-norms-plain",
        lambda x, real, attention, ffn, norms, heads: layer(
            x,
            real,
            attention,
            ffn,
            _plain(norms),
            heads,
        ),
        "Change γ or β and your result stays the same. What are they for?",
    ),
    Mistake(
        "encoder-layer-second-residual-from-input",
        _from_the_input,
        "Your second sum adds the tokens as they came in. Which stream does the feed-forward "
        "layer's result join?",
    ),
    Mistake(
        "encoder-layer-no-residuals",
        _no_residuals,
        "Nothing is left of what came in. What is each sub-layer's result added to?",
    ),
    Mistake(
        "encoder-layer-no-ffn",
        _no_ffn,
        "Change the feed-forward weights and your result stays the same. Which sub-layer follows "
        "the attention?",
    ),
    Mistake(
        "encoder-layer-no-last-norm",
        _no_last_norm,
        "The rows of your result are not normalised. What comes after the second sum?",
    ),
    Mistake(
        "encoder-layer-no-first-norm",
        _no_first_norm,
        "Change the first γ and your result stays the same. What comes after the first sum?",
    ),
]
