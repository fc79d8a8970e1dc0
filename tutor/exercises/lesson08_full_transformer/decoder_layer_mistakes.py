"""The ways in which a decoder layer goes wrong."""

from collections.abc import Callable

import torch
from torch import Tensor

from tutor.attention import scaled_dot_product_attention
from tutor.checking.exercise import Mistake
from tutor.exercises.lesson08_full_transformer.other_norms import LAYER_MISTAKES
from tutor.exercises.lesson08_full_transformer.parts import Ffn, Layer, Matrices, attend, feed, norm
from tutor.exercises.lesson08_full_transformer.parts import decoder_layer as reference
from tutor.mask import causal_keep


def _built(
    first: Callable[[Tensor, Matrices], Tensor] = lambda x, W: norm(
        x + attend(x, x, W, causal=True)
    ),
    second: Callable[[Tensor, Tensor, Matrices], Tensor] = lambda x, memory, W: norm(
        x + attend(x, memory, W)
    ),
    third: Callable[[Tensor, Ffn], Tensor] = lambda x, ffn: norm(x + feed(x, ffn)),
) -> Layer:
    """Put a layer together; a mistake replaces one of the three sub-layers."""

    def layer(x: Tensor, memory: Tensor, W_self: Matrices, W_cross: Matrices, ffn: Ffn) -> Tensor:
        return third(second(first(x, W_self), memory, W_cross), ffn)

    return layer


def _crossed(
    asks: Callable[[Tensor, Tensor], Tensor],
    matched: Callable[[Tensor, Tensor], Tensor],
    averaged: Callable[[Tensor, Tensor], Tensor],
) -> Layer:
    """Build the cross-attention from other sources of its queries, keys and values."""

    def second(x: Tensor, memory: Tensor, W: Matrices) -> Tensor:
        q, k, v = asks(x, memory) @ W[0], matched(x, memory) @ W[1], averaged(x, memory) @ W[2]
        return norm(x + scaled_dot_product_attention(q, k, v)[0])

    return _built(second=second)


def _raw_query(x: Tensor, memory: Tensor, W_self: Matrices, W_cross: Matrices, ffn: Ffn) -> Tensor:
    looked = attend(x, x, W_self, causal=True)
    x = norm(x + looked)
    x = norm(x + attend(looked, memory, W_cross))
    return norm(x + feed(x, ffn))


def _query_from_start(
    x: Tensor, memory: Tensor, W_self: Matrices, W_cross: Matrices, ffn: Ffn
) -> Tensor:
    looked = norm(x + attend(x, x, W_self, causal=True))
    looked = norm(looked + attend(x, memory, W_cross))
    return norm(looked + feed(looked, ffn))


def _cross_first(
    x: Tensor, memory: Tensor, W_self: Matrices, W_cross: Matrices, ffn: Ffn
) -> Tensor:
    x = norm(x + attend(x, memory, W_cross))
    x = norm(x + attend(x, x, W_self, causal=True))
    return norm(x + feed(x, ffn))


def _residual_from_start(
    x: Tensor, memory: Tensor, W_self: Matrices, W_cross: Matrices, ffn: Ffn
) -> Tensor:
    looked = norm(x + attend(x, x, W_self, causal=True))
    looked = norm(x + attend(looked, memory, W_cross))
    return norm(looked + feed(looked, ffn))


def _feed_residual_from_start(
    x: Tensor, memory: Tensor, W_self: Matrices, W_cross: Matrices, ffn: Ffn
) -> Tensor:
    looked = norm(x + attend(x, x, W_self, causal=True))
    looked = norm(looked + attend(looked, memory, W_cross))
    return norm(x + feed(looked, ffn))


def _side_by_side(
    x: Tensor, memory: Tensor, W_self: Matrices, W_cross: Matrices, ffn: Ffn
) -> Tensor:
    x = norm(x + attend(x, x, W_self, causal=True) + attend(x, memory, W_cross))
    return norm(x + feed(x, ffn))


def _pre_norm(x: Tensor, memory: Tensor, W_self: Matrices, W_cross: Matrices, ffn: Ffn) -> Tensor:
    x = x + attend(norm(x), norm(x), W_self, causal=True)
    x = x + attend(norm(x), memory, W_cross)
    return x + feed(norm(x), ffn)


def _causal_cross(x: Tensor, memory: Tensor, W: Matrices) -> Tensor:
    q, k, v = x @ W[0], memory @ W[1], memory @ W[2]
    keep = torch.ones(1, q.size(1), k.size(1), dtype=torch.bool).tril()
    return norm(x + scaled_dot_product_attention(q, k, v, keep)[0])


def _matrices_as(query: int, key: int, value: int) -> Layer:
    """Take each attention's matrices for other roles than theirs."""

    def taken(W: Matrices) -> Matrices:
        return W[query], W[key], W[value]

    def layer(x: Tensor, memory: Tensor, W_self: Matrices, W_cross: Matrices, ffn: Ffn) -> Tensor:
        return reference(x, memory, taken(W_self), taken(W_cross), ffn)

    return layer


def _with(scale: Callable[[Tensor], float]) -> Layer:
    """Build a layer whose attentions divide their scores by something else."""

    def attention(x_q: Tensor, x_kv: Tensor, W: Matrices, causal: bool) -> Tensor:
        q, k, v = x_q @ W[0], x_kv @ W[1], x_kv @ W[2]
        scores = q @ k.transpose(-2, -1) / scale(x_q)
        if causal:
            scores = scores.masked_fill(~causal_keep(q.size(1)), -torch.inf)
        return torch.softmax(scores, dim=-1) @ v

    return _built(
        first=lambda x, W: norm(x + attention(x, x, W, True)),
        second=lambda x, memory, W: norm(x + attention(x, memory, W, False)),
    )


_ASK_SOURCE = (
    "Your cross-attention reads from the wrong side. Who asks there, and whose words are matched "
    "and averaged?"
)
_ASK_RESIDUAL = (
    "One of your sub-layers adds the wrong x. What stands just before it: the layer's input, or "
    "what the sub-layer before it gave?"
)
_ASK_ADD = "One of your sub-layers loses the x that enters it. What is added around each sub-layer?"
_ASK_NORM = (
    "The numbers in your stream grow. How many norms does a post-norm layer have, and where?"
)
_ASK_SCALE = "The weights of both attentions are too flat or too extreme. What divides the scores?"

MISTAKES = [
    Mistake(
        "dec-value-from-decoder",
        _crossed(lambda x, m: x, lambda x, m: m, lambda x, m: x),
        _ASK_SOURCE,
    ),
    Mistake(
        "dec-query-from-memory",
        _crossed(lambda x, m: m, lambda x, m: x, lambda x, m: x),
        _ASK_SOURCE,
    ),
    Mistake(
        "dec-key-from-decoder",
        _crossed(lambda x, m: x, lambda x, m: x, lambda x, m: m),
        _ASK_SOURCE,
    ),
    Mistake(
        "dec-raw-query",
        _raw_query,
        "In your cross-attention it is the bare output of self-attention that asks. What should "
        "be done to it first?",
    ),
    Mistake(
        "dec-query-from-start",
        _query_from_start,
        "In your cross-attention it is the layer's input that asks. Has it looked back yet?",
    ),
    Mistake(
        "dec-no-cross",
        _built(second=lambda x, memory, W: x),
        "Change the source and your result stays the same. Which sub-layer reads it?",
        variants=[_built(second=lambda x, memory, W: norm(x))],
    ),
    Mistake(
        "dec-cross-is-self",
        _built(second=lambda x, memory, W: norm(x + attend(x, x, W))),
        "Your second attention looks at the target again. Where does the source come in?",
    ),
    Mistake(
        "dec-no-self",
        _built(first=lambda x, W: x),
        "Your places do not hear from each other. Which sub-layer looks back?",
        variants=[_built(first=lambda x, W: norm(x))],
    ),
    Mistake(
        "dec-no-ffn",
        _built(third=lambda x, ffn: x),
        "Change the feed-forward weights and your result stays the same. Which sub-layer is third?",
    ),
    Mistake(
        "dec-cross-first",
        _cross_first,
        "You ask the source before looking back. In which order do the two attentions come?",
    ),
    Mistake(
        "dec-side-by-side",
        _side_by_side,
        "Both your attentions read the same x. Does the second see what the first found?",
    ),
    Mistake(
        "dec-same-weights",
        lambda x, memory, W_self, W_cross, ffn: reference(x, memory, W_self, W_self, ffn),
        "Both your attentions use the same matrices. Which belong to which?",
        variants=[
            lambda x, memory, W_self, W_cross, ffn: reference(x, memory, W_cross, W_cross, ffn)
        ],
    ),
    Mistake(
        "dec-weights-exchanged",
        lambda x, memory, W_self, W_cross, ffn: reference(x, memory, W_cross, W_self, ffn),
        "Your two attentions have each other's matrices. Which belong to which?",
    ),
    Mistake(
        "dec-query-key-matrices-exchanged",
        _matrices_as(1, 0, 2),
        "In your attentions the words that ask go through the matrix of the words that are asked. "
        "In which order do the three matrices come?",
    ),
    Mistake(
        "dec-key-value-matrices-exchanged",
        _matrices_as(0, 2, 1),
        "In your attentions the matrix meant for averaging is used for matching. In which order "
        "do the three matrices come?",
    ),
    Mistake("dec-residual-from-start", _residual_from_start, _ASK_RESIDUAL),
    Mistake("dec-ffn-residual-from-start", _feed_residual_from_start, _ASK_RESIDUAL),
    Mistake(
        "dec-self-not-causal",
        _built(first=lambda x, W: norm(x + attend(x, x, W))),
        "Your first place knows the later words. What does the decoder's self-attention hide?",
    ),
    Mistake(
        "dec-cross-causal",
        _built(second=_causal_cross),
        "Your first place sees one source word only. Does the source lie in the future?",
    ),
    Mistake(
        "dec-no-self-residual", _built(first=lambda x, W: norm(attend(x, x, W, True))), _ASK_ADD
    ),
    Mistake(
        "dec-no-cross-residual", _built(second=lambda x, m, W: norm(attend(x, m, W))), _ASK_ADD
    ),
    Mistake("dec-no-ffn-residual", _built(third=lambda x, ffn: norm(feed(x, ffn))), _ASK_ADD),
    Mistake("dec-no-self-norm", _built(first=lambda x, W: x + attend(x, x, W, True)), _ASK_NORM),
    Mistake("dec-no-cross-norm", _built(second=lambda x, m, W: x + attend(x, m, W)), _ASK_NORM),
    Mistake("dec-no-ffn-norm", _built(third=lambda x, ffn: x + feed(x, ffn)), _ASK_NORM),
    Mistake("dec-pre-norm", _pre_norm, _ASK_NORM),
    Mistake("dec-no-scale", _with(lambda x: 1.0), _ASK_SCALE),
    Mistake(
        "dec-scale-d-model",
        _with(lambda x: x.size(-1) ** 0.5),
        _ASK_SCALE,
        label="divided by the root of d_model",
    ),
    Mistake("dec-scale-length", _with(lambda x: x.size(1) ** 0.5), _ASK_SCALE),
    Mistake(
        "dec-memory-normalised",
        lambda x, memory, *weights: reference(x, norm(memory), *weights),
        "You normalise the source once more. Who did that already?",
    ),
    Mistake(
        "dec-ffn-gelu",
        lambda x, memory, W_self, W_cross, ffn: _built(
            third=lambda x, ffn: norm(
                x + torch.nn.functional.gelu(x @ ffn[0].T + ffn[1]) @ ffn[2].T + ffn[3]
            )
        )(x, memory, W_self, W_cross, ffn),
        "The third sub-layer bends its numbers in another way. Which bend does lesson 6 take?",
    ),
    *LAYER_MISTAKES,
]
