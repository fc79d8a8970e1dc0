"""The ways in which scaled dot-product attention goes wrong."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from tutor.attention import dot_product_scores
from tutor.attention import scaled_dot_product_attention as attend
from tutor.checking.exercise import Mistake

Attended = tuple[Tensor, Tensor]


def _weighing(
    scores: Callable[[Tensor, Tensor], Tensor], dim: int = -1
) -> Callable[[Tensor, Tensor, Tensor], Attended]:
    """Build an attention from its scores, for mistakes that lie in the scores alone."""

    def attention(q: Tensor, k: Tensor, v: Tensor) -> Attended:
        weights = torch.softmax(scores(q, k), dim)
        return weights @ v, weights

    return attention


def _scaled(q: Tensor, k: Tensor) -> Tensor:
    return dot_product_scores(q, k) / math.sqrt(q.size(-1))


def _scaled_by_values(q: Tensor, k: Tensor, v: Tensor) -> Attended:
    weights = torch.softmax(dot_product_scores(q, k) / math.sqrt(v.size(-1)), dim=-1)
    return weights @ v, weights


def _divided_by(divisor: float) -> Callable[[Tensor, Tensor, Tensor], Attended]:
    return _weighing(lambda q, k: dot_product_scores(q, k) / divisor)


def _log_softmax(q: Tensor, k: Tensor, v: Tensor) -> Attended:
    weights = torch.log_softmax(_scaled(q, k), dim=-1)
    return weights @ v, weights


def _scale_on_output(q: Tensor, k: Tensor, v: Tensor) -> Attended:
    weights = torch.softmax(dot_product_scores(q, k), dim=-1)
    return weights @ v / math.sqrt(q.size(-1)), weights


def _scale_on_weights(q: Tensor, k: Tensor, v: Tensor) -> Attended:
    weights = torch.softmax(dot_product_scores(q, k), dim=-1) / math.sqrt(q.size(-1))
    return weights @ v, weights


def _no_softmax(q: Tensor, k: Tensor, v: Tensor) -> Attended:
    return _scaled(q, k) @ v, _scaled(q, k)


def _divided_by_their_sum(q: Tensor, k: Tensor, v: Tensor) -> Attended:
    weights = _scaled(q, k) / _scaled(q, k).sum(-1, keepdim=True)
    return weights @ v, weights


def _softmax_then_transposed(q: Tensor, k: Tensor, v: Tensor) -> Attended:
    weights = torch.softmax(_scaled(k, q), dim=-1).transpose(-2, -1)  # (B, Tk, Tq) -> (B, Tq, Tk)
    return weights @ v, weights


def _returns_scores(q: Tensor, k: Tensor, v: Tensor) -> Attended:
    return torch.softmax(_scaled(q, k), dim=-1) @ v, _scaled(q, k)


def _softmax_over_all(q: Tensor, k: Tensor, v: Tensor) -> Attended:
    weights = torch.softmax(_scaled(q, k).flatten(1), dim=-1).view_as(_scaled(q, k))
    return weights @ v, weights


def _softmax_over_batch_and_all(q: Tensor, k: Tensor, v: Tensor) -> Attended:
    exponentials = _scaled(q, k).exp()
    weights = exponentials / exponentials.sum()
    return weights @ v, weights


def _sigmoid(q: Tensor, k: Tensor, v: Tensor) -> Attended:
    weights = torch.sigmoid(_scaled(q, k))
    return weights @ v, weights


def _winner_takes_all(q: Tensor, k: Tensor, v: Tensor) -> Attended:
    scores = _scaled(q, k)
    weights = torch.nn.functional.one_hot(scores.argmax(-1), scores.size(-1)).to(q.dtype)
    return weights @ v, weights


def _overflowing(q: Tensor, k: Tensor, v: Tensor) -> Attended:
    powers = _scaled(q, k).exp()
    weights = powers / powers.sum(-1, keepdim=True)
    return weights @ v, weights


def _causal(q: Tensor, k: Tensor, v: Tensor) -> Attended:
    return attend(q, k, v, torch.ones(q.size(-2), k.size(-2), dtype=torch.bool).tril())


def _softmax_twice(q: Tensor, k: Tensor, v: Tensor) -> Attended:
    weights = torch.softmax(torch.softmax(_scaled(q, k), dim=-1), dim=-1)
    return weights @ v, weights


_ASK_SPREAD = (
    "Your weights are more extreme, or flatter, than asked. By what must a sum of d_k products be "
    "divided so that its spread does not depend on d_k?"
)

_ASK_WHOSE = (  # both ways to get there give the same numbers
    "Your columns sum to 1, your rows do not. Whose attention is shared out: a query's among the "
    "keys, or a key's among the queries?"
)

MISTAKES = [
    Mistake(
        "attn-softmax-over-queries",
        _weighing(_scaled, dim=-2),
        _ASK_WHOSE,
    ),
    Mistake(
        "attn-no-scale",
        _weighing(dot_product_scores),
        "Your weights come out too extreme, and more so the wider the keys are. What does lesson 4 "
        "do to a sum of d_k products before softmax?",
    ),
    Mistake(
        "attn-scale-seq-len",
        _weighing(lambda q, k: dot_product_scores(q, k) / math.sqrt(k.size(-2))),
        "The size of your scores depends on how many keys there are. Over what does a dot "
        "product sum: over keys, or over features?",
        label="divided by the root of the length",
    ),
    Mistake(
        "attn-scale-queries",
        _weighing(lambda q, k: dot_product_scores(q, k) / math.sqrt(q.size(-2))),
        "The size of your scores depends on how many queries there are. Over what does a dot "
        "product sum: over queries, or over features?",
    ),
    Mistake(
        "attn-scale-value-dim",
        _scaled_by_values,
        "The sharpness of your weights depends on the width of the values. Do the values take part "
        "in making the scores?",
        label="divided by the root of d_v",
    ),
    Mistake(
        "attn-scale-on-output",
        _scale_on_output,
        "Your output is small, and your weights are too extreme. Where does the scale have to be "
        "to change what softmax sees?",
    ),
    Mistake(
        "attn-no-softmax",
        _no_softmax,
        "Some of your weights are negative, and no row sums to 1. Which step turns scores into "
        "shares?",
    ),
    Mistake(
        "attn-query-key-swapped",
        _weighing(lambda q, k: _scaled(k, q)),
        "Row i of your scores belongs to key i. Whose row should it be: who asks here, and who is "
        "looked at?",
    ),
    Mistake(
        "attn-softmax-then-transposed",
        _softmax_then_transposed,
        _ASK_WHOSE,
    ),
    Mistake(
        "attn-returns-weights",
        lambda q, k, v: (attend(q, k, v)[1], attend(q, k, v)[1]),
        "Your output is the table of weights itself. What are the weights for?",
    ),
    Mistake(
        "attn-order-exchanged",
        lambda q, k, v: attend(q, k, v)[::-1],
        "Both results are right. In which order are they asked for?",
    ),
    Mistake(
        "attn-returns-scores",
        _returns_scores,
        "Your output is right, but the rows of what you return beside it do not sum to 1. Which "
        "of your tensors did you average the values with?",
    ),
    Mistake(
        "attn-scale-squared",
        _weighing(lambda q, k: dot_product_scores(q, k) / q.size(-1)),
        _ASK_SPREAD,
    ),
    Mistake(
        "attn-scale-halved",
        _weighing(lambda q, k: dot_product_scores(q, k) / (q.size(-1) / 2)),
        "Your divisor grows with d_k itself, not with its root. Which does Python work out first "
        "in `d_k ** 1 / 2`: the power, or the quotient?",
        # written behind the scores, as in q @ k.mT / d_k ** 1 / 2, it divides by twice d_k
        variants=[_weighing(lambda q, k: dot_product_scores(q, k) / q.size(-1) / 2)],
    ),
    Mistake(
        "attn-scale-constant",
        _divided_by(math.sqrt(3)),  # what the lesson's examples and the paper divide by
        "Your scores are divided by the same number however wide the keys are. Where does the "
        "number come from, and does it hold for these keys?",
        variants=[_divided_by(divisor) for divisor in (math.sqrt(2), 2.0, 3.0, 4.0, 8.0, 64.0)],
    ),
    Mistake(
        "attn-scale-multiplied",
        _weighing(lambda q, k: dot_product_scores(q, k) * math.sqrt(q.size(-1))),
        "With wide keys one weight takes everything. Should the scale make large scores larger?",
    ),
    Mistake(
        "attn-scale-batch",
        _weighing(lambda q, k: dot_product_scores(q, k) / math.sqrt(q.size(0))),
        "The sharpness of your weights depends on how many sentences are in the batch. Which axis "
        "of q holds the features?",
    ),
    Mistake(
        "attn-scale-fourth-root",
        _weighing(lambda q, k: dot_product_scores(q, k) / q.size(-1) ** 0.25),
        _ASK_SPREAD,
    ),
    Mistake(
        "attn-scale-on-weights",
        _scale_on_weights,
        "Your rows sum to less than 1. Was the scale in time to change what softmax sees?",
    ),
    Mistake(
        "attn-softmax-over-batch",
        _weighing(_scaled, dim=0),
        "Your weights add up to 1 across the sentences of the batch. Which axis holds the keys?",
    ),
    Mistake(
        "attn-softmax-over-all",
        _softmax_over_all,
        "The weights of a whole sentence sum to 1, so each query has only a part to give. How "
        "much attention should one query have?",
        variants=[_softmax_over_batch_and_all],
    ),
    Mistake(
        "attn-softmax-twice",
        _softmax_twice,
        "Your rows sum to 1 but are nearly flat. How often does the formula take softmax?",
    ),
    Mistake(
        "attn-log-softmax",
        _log_softmax,
        "All your weights are negative: they are the logarithms of shares. Which function gives "
        "the shares themselves?",
    ),
    Mistake(
        "attn-divided-by-sum",
        _divided_by_their_sum,
        "Your rows sum to 1, yet some weights are negative. What does softmax do to a score before "
        "it divides by the sum?",
    ),
    Mistake(
        "attn-sigmoid",
        _sigmoid,
        "Each of your weights is judged by itself, so a row can sum to more than 1. Which function "
        "makes the keys compete?",
    ),
    Mistake(
        "attn-winner-takes-all",
        _winner_takes_all,
        "Each query takes one value whole. What makes attention a soft look-up?",
    ),
    Mistake(
        "attn-powers-overflow",
        _overflowing,
        "With scores in the hundreds your weights become NaN. What can be taken off all scores of "
        "a row without changing its weights?",
    ),
    Mistake(
        "attn-causal",
        _causal,
        "Your first query sees one key only. Does this exercise ask you to hide anything?",
    ),
    Mistake(
        "attn-query-as-key",
        _weighing(lambda q, k: _scaled(q, q)),
        "Your scores do not depend on k at all. Whom does each query have to be compared with?",
    ),
    Mistake(
        "attn-key-as-query",
        _weighing(lambda q, k: _scaled(k, k)),
        "Your scores do not depend on q at all. Who is asking?",
    ),
    Mistake(
        "attn-key-as-value",
        lambda q, k, v: (attend(q, k, k)[0], attend(q, k, v)[1]),
        "Your weights are right, but v does not appear in your output. What is averaged?",
    ),
    Mistake(
        "attn-cosine",
        _weighing(lambda q, k: torch.cosine_similarity(q.unsqueeze(-2), k.unsqueeze(-3), dim=-1)),
        "Doubling a key changes nothing in your weights. Does the dot product forget lengths?",
    ),
    Mistake(
        "attn-distance",
        _weighing(lambda q, k: torch.cdist(q, k) / math.sqrt(q.size(-1))),
        "Your weights are largest where query and key lie far apart. Is a distance large or small "
        "for things that are alike?",
    ),
    Mistake(
        "attn-sign",
        _weighing(lambda q, k: -_scaled(q, k)),
        "The key that fits best gets the least. What is the sign of your scores?",
    ),
    Mistake(
        "attn-averaged-evenly",
        _weighing(lambda q, k: torch.zeros_like(dot_product_scores(q, k))),
        "Every key gets the same weight, whatever the query. Do your scores reach softmax?",
    ),
]
