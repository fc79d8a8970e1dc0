"""The ways in which multi-head attention goes wrong: most of them lie in two reshapes."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from tutor.attention import scaled_dot_product_attention
from tutor.checking.exercise import Mistake
from tutor.multi_head import merge_heads, split_heads

MultiHead = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, int], Tensor]
Split = Callable[[Tensor, int], Tensor]
Inner = Callable[[Tensor, Tensor, Tensor], Tensor]


def _attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return scaled_dot_product_attention(q, k, v)[0]


def _project_out(x: Tensor, W_o: Tensor, _: Tensor) -> Tensor:
    return x @ W_o.T


def build(
    split: Split = split_heads,
    attend: Inner = _attend,
    merge: Callable[[Tensor], Tensor] = merge_heads,
    out: Callable[[Tensor, Tensor, Tensor], Tensor] = _project_out,
) -> MultiHead:
    """Put multi-head attention together; each mistake replaces one of the parts."""

    def multi_head(
        x_q: Tensor,
        x_kv: Tensor,
        W_q: Tensor,
        W_k: Tensor,
        W_v: Tensor,
        W_o: Tensor,
        heads: int,
    ) -> Tensor:
        q, k, v = x_q @ W_q.T, x_kv @ W_k.T, x_kv @ W_v.T  # (B, T, h·d)
        found = attend(split(q, heads), split(k, heads), split(v, heads))  # (B, h, Tq, d_v)
        return out(merge(found), W_o, x_q)  # (B, Tq, D)

    return multi_head


def rewired(wire: Callable[..., tuple[Any, ...]]) -> MultiHead:
    """Feed the right machine with the wrong tensors."""

    def multi_head(
        x_q: Tensor,
        x_kv: Tensor,
        W_q: Tensor,
        W_k: Tensor,
        W_v: Tensor,
        W_o: Tensor,
        heads: int,
    ) -> Tensor:
        return build()(*[*wire(x_q, x_kv, W_q, W_k, W_v, W_o), heads])

    return multi_head


def weighing(scale: Callable[[Tensor], float], dim: int = -1) -> Inner:
    """Attend with another divisor, worked out from the queries, or along another axis."""

    def attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        scores = q @ k.transpose(-2, -1) / scale(q)  # (B, h, Tq, Tk)
        return torch.softmax(scores, dim) @ v

    return attend


def _divided_by(divisor: float) -> Inner:
    return weighing(lambda _: divisor)


def _log_softmax(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (B, h, Tq, Tk)
    return torch.log_softmax(scores, dim=-1) @ v


def _scaled_by_keys(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return weighing(lambda _: math.sqrt(k.size(2)))(q, k, v)


def _scaled_by_values(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return weighing(lambda _: math.sqrt(v.size(3)))(q, k, v)


def _viewed(x: Tensor, heads: int) -> Tensor:
    return x.reshape(len(x), heads, x.size(1), -1)


def _merged_by_view(x: Tensor) -> Tensor:
    return x.reshape(len(x), x.size(2), -1)


def _interleaved(x: Tensor, heads: int) -> Tensor:
    return x.unflatten(-1, (-1, heads)).permute(0, 3, 1, 2)


def _merged_interleaved(x: Tensor) -> Tensor:
    return x.permute(0, 2, 3, 1).flatten(2)


def _root(q: Tensor) -> float:
    return math.sqrt(q.size(-1))


def _scaled_by_model(x_q: Tensor, x_kv: Tensor, *rest: Any) -> Tensor:
    attend = weighing(lambda q: math.sqrt(x_q.size(-1)))
    return build(attend=attend)(x_q, x_kv, *rest)


def _scaled_by_all_heads(q: Tensor) -> float:
    return math.sqrt(q.size(1) * q.size(-1))


def _not_transposed(*given: Any) -> Tensor:
    x_q, x_kv, W_q, W_k, W_v, W_o, heads = given
    return build()(x_q, x_kv, W_q.T, W_k.T, W_v.T, W_o.T, heads)


def _shared_projection(*given: Any) -> Tensor:
    """Cut the words first, then use the first small matrix for every head."""
    x_q, x_kv, W_q, W_k, W_v, W_o, heads = given
    into = x_q.size(-1) // heads

    def project(x: Tensor, W: Tensor) -> Tensor:
        small = W[: len(W) // heads, :into]
        return split_heads(x[..., : into * heads], heads) @ small.T

    found = _attend(project(x_q, W_q), project(x_kv, W_k), project(x_kv, W_v))
    return merge_heads(found) @ W_o.T


def _first_block(x: Tensor, heads: int) -> Tensor:
    return split_heads(x, heads)[:, :1].expand(-1, heads, -1, -1)


def _no_out(x: Tensor, _: Tensor, __: Tensor) -> Tensor:
    return x


def _averaged(x: Tensor) -> Tensor:
    return x.mean(1).repeat(1, 1, x.size(1))


def _averaged_cut(*given: Any) -> Tensor:
    *_, W_o, heads = given
    d_v = W_o.size(1) // heads
    return build(merge=lambda x: x.mean(1), out=lambda x, W, _: x @ W[:, :d_v].T)(*given)


_ASK_RESHAPE = (
    "The shape is right, but heads hold rows that mix several words. `view` counts numbers anew "
    "and moves none: which axes must change places around it?"
)
_ASK_BLOCKS = (
    "Your heads take every h-th feature. Which features does head 0 get: neighbours, or every h-th?"
)
_ASK_SCALE = (
    "Without the right scale your weights are too flat or too extreme. Over how many features does "
    "a dot product run inside one head?"
)

MISTAKES = [
    Mistake("mh-split-without-transpose", build(split=_viewed), _ASK_RESHAPE),
    Mistake("mh-both-views", build(split=_viewed, merge=_merged_by_view), _ASK_RESHAPE),
    Mistake(
        "mh-merge-without-transpose",
        build(merge=_merged_by_view),
        "Your heads are right up to the merge: there a word's row takes numbers of other words. "
        "What must stand beside the features before two axes become one?",
    ),
    Mistake("mh-heads-interleaved", build(split=_interleaved), _ASK_BLOCKS),
    Mistake(
        "mh-interleaved-both",
        build(split=_interleaved, merge=_merged_interleaved),
        "You split and merge alike, so nothing crashes, but your heads are made of every h-th "
        "feature. Would weights of another program mean the same to yours?",
    ),
    Mistake(
        "mh-merge-interleaved",
        build(merge=_merged_interleaved),
        "After your merge the heads' features alternate. Does a head's block stay together?",
    ),
    Mistake(
        "mh-heads-averaged",
        build(merge=_averaged),
        "All heads come out alike in your result. Are heads averaged or put side by side?",
        variants=[_averaged_cut],
    ),
    Mistake(
        "mh-heads-summed",
        build(merge=lambda x: x.sum(1).repeat(1, 1, x.size(1))),
        "All heads come out alike in your result. Are heads added or put side by side?",
    ),
    Mistake(
        "mh-scale-d-model",
        _scaled_by_model,
        _ASK_SCALE,
        variants=[build(attend=weighing(_scaled_by_all_heads))],
        label="divided by the root of d_model",
    ),
    Mistake("mh-no-scale", build(attend=weighing(lambda q: 1.0)), _ASK_SCALE),
    Mistake("mh-scale-heads", build(attend=weighing(lambda q: math.sqrt(q.size(1)))), _ASK_SCALE),
    Mistake("mh-scale-keys", build(attend=_scaled_by_keys), _ASK_SCALE),
    Mistake(
        "mh-scale-d-v",
        build(attend=_scaled_by_values),
        _ASK_SCALE,
        label="divided by the root of d_v",
    ),
    Mistake("mh-scale-queries", build(attend=weighing(lambda q: math.sqrt(q.size(2)))), _ASK_SCALE),
    Mistake(
        "mh-scale-halved",
        build(attend=weighing(lambda q: q.size(-1) / 2)),
        _ASK_SCALE,
        variants=[build(attend=weighing(lambda q: q.size(-1) * 2))],
    ),
    Mistake(
        "mh-scale-constant",
        build(attend=weighing(lambda q: math.sqrt(3))),
        _ASK_SCALE,
        variants=[build(attend=_divided_by(divisor)) for divisor in (math.sqrt(2), 2.0, 4.0, 8.0)],
    ),
    Mistake(
        "mh-log-softmax",
        build(attend=_log_softmax),
        "Your values are multiplied by negative numbers: logarithms of shares. Which function "
        "gives the shares themselves?",
    ),
    Mistake("mh-scale-squared", build(attend=weighing(lambda q: float(q.size(-1)))), _ASK_SCALE),
    Mistake(
        "mh-no-output-projection",
        build(out=_no_out),
        "Change W_o and your output stays the same. What is it for?",
    ),
    Mistake(
        "mh-output-not-transposed",
        build(out=lambda x, W_o, _: x @ W_o),
        "It runs only where W_o is square, and then its rows and columns are exchanged. Which "
        "axis of W_o meets the heads' features?",
    ),
    Mistake(
        "mh-weights-not-transposed",
        _not_transposed,
        "It runs only where the matrices are square. Which axis of a matrix (out, in) does a row "
        "meet?",
    ),
    Mistake(
        "mh-value-uses-key-matrix",
        rewired(lambda a, b, W_q, W_k, W_v, W_o: (a, b, W_q, W_k, W_k, W_o)),
        "Change W_v and your output stays the same. Which matrix makes the values?",
    ),
    Mistake(
        "mh-key-uses-query-matrix",
        rewired(lambda a, b, W_q, W_k, W_v, W_o: (a, b, W_q, W_q, W_v, W_o)),
        "Change W_k and your output stays the same. Which matrix makes the keys?",
    ),
    Mistake(
        "mh-query-key-matrices-exchanged",
        rewired(lambda a, b, W_q, W_k, W_v, W_o: (a, b, W_k, W_q, W_v, W_o)),
        "Two of your matrices act on the wrong words. Which one belongs to those who ask?",
    ),
    Mistake(
        "mh-projection-shared-by-heads",
        _shared_projection,
        "Every head of yours uses the same small matrix. What is the rest of W_q for?",
    ),
    Mistake(
        "mh-same-block-for-all",
        build(split=_first_block),
        "All your heads read the first block. Which block belongs to head j?",
    ),
    Mistake(
        "mh-softmax-over-heads",
        build(attend=weighing(_root, dim=1)),
        "Your weights add up to 1 across the heads. In four axes, which one holds the keys?",
    ),
    Mistake(
        "mh-softmax-over-queries",
        build(attend=weighing(_root, dim=2)),
        "Your weights add up to 1 across the queries. Whose attention is shared out?",
    ),
    Mistake(
        "mh-softmax-over-batch",
        build(attend=weighing(_root, dim=0)),
        "Your weights add up to 1 across the sentences. Which axis holds the keys?",
    ),
    Mistake(
        "mh-no-softmax",
        build(attend=lambda q, k, v: q @ k.transpose(-2, -1) / _root(q) @ v),
        "Scores, not shares, average your values. Which step is missing?",
    ),
    Mistake(
        "mh-heads-reversed",
        build(merge=lambda x: merge_heads(x.flip(1))),
        "Your last head comes first. Which block of the result belongs to head 0?",
    ),
    Mistake(
        "mh-residual-inside",
        build(out=lambda x, W_o, x_q: x @ W_o.T + x_q),
        "With an all-zero W_o you still return x_q. Does that sum belong to this function?",
    ),
    Mistake(
        "mh-single-head",
        build(split=lambda x, heads: x.unsqueeze(1)),
        "Your result does not depend on `heads`. Where are the features cut?",
    ),
    Mistake(
        "mh-looks-at-itself",
        rewired(lambda x_q, x_kv, *rest: (x_q, x_q, *rest)),
        "Your output does not depend on x_kv. Which words do keys and values come from?",
    ),
    Mistake(
        "mh-others-ask",
        rewired(lambda x_q, x_kv, *rest: (x_kv, x_kv, *rest)),
        "Your output does not depend on x_q. Which words do the queries come from?",
    ),
    Mistake(
        "mh-roles-exchanged",
        rewired(lambda x_q, x_kv, *rest: (x_kv, x_q, *rest)),
        "You have one row for each word looked at. Who asks, x_q or x_kv?",
    ),
    Mistake(
        "mh-value-from-queries",
        lambda x_q, x_kv, W_q, W_k, W_v, W_o, heads: (
            merge_heads(
                _attend(
                    split_heads(x_q @ W_q.T, heads),
                    split_heads(x_kv @ W_k.T, heads),
                    split_heads(x_q @ W_v.T, heads),
                )
            )
            @ W_o.T
        ),
        "It runs only where there are as many queries as keys. Which words are averaged?",
    ),
    Mistake(
        "mh-returns-weights-too",
        lambda *given: (build()(*given), torch.zeros(1)),
        "The output is there, with something beside it. What is asked for?",
    ),
]
