"""cross_attention and safe_attention: the source's padding, even where it is all there is."""

import math
from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.attention import scaled_dot_product_attention as attend
from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.extremes import queries_and_keys
from tutor.exercises.lesson07_masking import hiding
from tutor.say import say

_HIDE = -math.inf


def _keep(q: Tensor, real: Tensor) -> Tensor:
    return real[:, None, :].expand(-1, q.size(1), -1)  # (B, Tq, Tk)


def _reference(q: Tensor, k: Tensor, v: Tensor, real: Tensor) -> hiding.Attended:
    return attend(q, k, v, _keep(q, real))


def _case(rng: Rng, queries: int, d_k: int, d_v: int, *patterns: str) -> Arguments:
    batch, keys = len(patterns), len(patterns[0])
    real = torch.tensor([[mark == "x" for mark in pattern] for pattern in patterns])
    q, k = rng.normal(batch, queries, d_k), rng.normal(batch, keys, d_k)
    return {"q": q, "k": k, "v": rng.normal(batch, keys, d_v), "real": real}


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    return {
        "padding with a hole": _case(rng, 3, 4, 2, "x-xx-", "xxxxx"),
        "no padding": _case(rng, 4, 5, 3, "xxx", "xxx"),
        "square": _case(rng, 4, 4, 4, "xx--", "xxx-", "-xxx"),
        "more queries than keys": _case(rng, 6, 3, 4, "xx-", "x--"),
        "wide values": _case(rng, 3, 2, 7, "xx-x", "-x--", "xxxx", "x---", "--xx"),
        **_small_cases(rng),
        EXAMPLE: {**_equal_scores(rng, 2, 3), "real": torch.tensor([[True, True, False]])},
    }


def _small_cases(rng: Rng) -> dict[str, Arguments]:
    q, k = queries_and_keys(rng, 2, queries=4, keys=5)
    real = torch.tensor([[True, True, False, True, False], [False, True, True, True, True]])
    return {
        "one sentence": _case(rng, 2, 3, 4, "xx-x"),
        "one query": _case(rng, 1, 4, 2, "x-x", "xx-"),
        "one key": _case(rng, 3, 2, 4, "x", "x"),
        "one number a key and a value": _case(rng, 3, 1, 1, "xx-", "-xx"),
        "scores of ±1000": {"q": q, "k": k, "v": rng.normal(2, 5, 3), "real": real},
    }


def _equal_scores(rng: Rng, queries: int, keys: int) -> Arguments:
    return {
        "q": torch.zeros(1, queries, 2),
        "k": rng.normal(1, keys, 2),
        "v": rng.normal(1, keys, 2),
    }


_SHAPES = {
    "q": "B Tq d_k",
    "k": "B Tk d_k",
    "v": "B Tk d_v",
    "real": "B Tk",
    "output": "B Tq d_v",
    "weights": "B Tq Tk",
}


def _padding_is_hidden(call: Call) -> str | None:
    q, k, v = (Rng(seed).normal(1, 2, 2) for seed in (1, 2, 3))
    real = torch.tensor([[True, False]])
    other = torch.cat([v[:, :1], v[:, 1:] + 10], dim=1)
    if torch.allclose(call(q, k, v, real)[0], call(q, k, other, real)[0], atol=1e-5):
        return None
    return say("The value of a padded key was changed, and the output changed with it.")


def _order_of_queries_is_free(call: Call) -> str | None:
    q, k, v = (Rng(seed).normal(1, 3, 2) for seed in (1, 2, 3))
    real = torch.tensor([[True, True, True]])
    straight, turned = call(q, k, v, real)[0], call(q.flip(1), k, v, real)[0]
    if torch.allclose(straight, turned.flip(1), atol=1e-5):
        return None
    return say("The queries came in another order, and their outputs were not simply reordered.")


def _keys_zeroed(q: Tensor, k: Tensor, v: Tensor, real: Tensor) -> hiding.Attended:
    return attend(q, k * real[..., None], v)


def _values_zeroed(q: Tensor, k: Tensor, v: Tensor, real: Tensor) -> hiding.Attended:
    return attend(q, k, v * real[..., None])


def _causal(q: Tensor, real: Tensor) -> Tensor:
    return _keep(q, real) & torch.ones(q.size(1), real.size(1), dtype=torch.bool).tril()


def _inverted(prefix: str) -> Mistake:
    return Mistake(
        f"{prefix}-inverted",
        hiding.hidden_by(_HIDE, lambda q, real: ~_keep(q, real)),
        "Your real words are hidden and padding is seen. What does True mean in `real`?",
        variants=[hiding.hidden_by(-1e9, lambda q, real: ~_keep(q, real))],
    )


_COMMON = [
    ("multiply-zero", hiding.multiplied(_keep), hiding.ASK_ZERO),
    ("fill-zero", hiding.hidden_by(0.0, _keep), hiding.ASK_ZERO),
    (
        "padding-missing",
        hiding.hidden_by(_HIDE, lambda q, real: torch.ones_like(_keep(q, real))),
        "Padding gets weight in yours. Does `real` reach the scores?",
    ),
    ("after-softmax", hiding.after_softmax(_keep), hiding.ASK_ROWS),
    ("too-weak", hiding.hidden_by(-1.0, _keep), hiding.ASK_SIZE),
    (
        "of-first-sentence",
        hiding.hidden_by(_HIDE, lambda q, real: _keep(q, real[:1]).expand(len(real), -1, -1)),
        hiding.ASK_FIRST,
    ),
    (
        "from-length",
        hiding.hidden_by(_HIDE, lambda q, real: _keep(q, hiding.up_to_length(real))),
        hiding.ASK_HOLES,
    ),
    (
        "keys-zeroed",
        _keys_zeroed,
        hiding.ASK_ZERO,  # a zero key scores 0: the same numbers as multiplying the scores
    ),
    (
        "values-zeroed",
        _values_zeroed,
        "Padded values count as zero, but their keys still take weight from real words. Before "
        "which step must a key be hidden?",
    ),
    (
        "causal",
        hiding.hidden_by(_HIDE, _causal),
        "Your first query sees one source word only. Does the source lie in the decoder's future?",
    ),
    (
        "plus-inf",
        hiding.hidden_by(math.inf, _keep),
        "Your results are NaN. Softmax gives the largest score the most: at which end must a "
        "hidden score lie?",
    ),
    ("no-scale", hiding.divided_by(lambda q, k: 1, _keep), hiding.ASK_SCALE),
    ("log-softmax", hiding.logarithms(-1e9, _keep), hiding.ASK_LOGARITHM),
    ("log-softmax-infinite", hiding.logarithms(_HIDE, _keep), hiding.ASK_LOGARITHM),
    ("softmax-over-queries", hiding.along_queries(_keep), hiding.ASK_SIDE),
]

cross_attention = Exercise(
    "cross_attention",
    points=2,
    reference=_reference,
    cases=_cases,
    returns=("output", "weights"),
    shapes=_SHAPES,
    computed=("weights", "output"),
    promises={
        **hiding.PROMISES,
        "padding at the beginning": lambda q, k, v, real: bool((~real[:, 0]).any()),
    },
    library=("scaled_dot_product_attention",),
    properties=[
        Property("Padding never changes an output.", _padding_is_hidden),
        Property("Queries do not depend on their order.", _order_of_queries_is_free),
    ],
    mistakes=[
        Mistake(
            "cross-mask-on-queries",
            hiding.hidden_by(_HIDE, lambda q, real: real[:, :, None].expand_as(_keep(q, real))),
            "It works only where there are as many queries as keys, and then whole rows are NaN, "
            "or the same for every key. Along which axis of the scores do source words lie?",
            variants=[
                hiding.hidden_by(-1e9, lambda q, real: real[:, :, None].expand_as(_keep(q, real)))
            ],
        ),
        _inverted("cross"),
        *(Mistake(f"cross-{name}", function, hint) for name, function, hint in _COMMON),
        *hiding.wrong_divisors("cross", _keep),
        Mistake(
            "cross-order-exchanged",
            lambda q, k, v, real: _reference(q, k, v, real)[::-1],
            "Both results are right. In which order are they asked for?",
        ),
    ],
    hints=[
        "The scores have a row for each target word and a column for each source word. `real` "
        "speaks of source words.",
        "`real` is (B, Tk), the scores are (B, Tq, Tk). Which axis is missing?",
    ],
)


def _safe_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    return {
        "one empty source": _case(rng, 3, 4, 2, "x-xx-", "-----", "xxxxx"),
        "no padding": _case(rng, 4, 5, 3, "xxx", "xxx"),
        "square": _case(rng, 4, 4, 4, "xx--", "----", "-xxx"),
        "all empty": _case(rng, 2, 3, 4, "---", "---"),
        "more queries than keys": _case(rng, 6, 3, 5, "xx-", "---"),
        "wide values": _case(rng, 3, 2, 7, "xx-x", "----", "xxxx", "x---", "--xx"),
        "one empty sentence": _case(rng, 2, 3, 4, "---"),
        **_small_cases(rng),
        EXAMPLE: {**_equal_scores(rng, 1, 2), "real": torch.tensor([[False, False]])},
    }


def _empty_source_gives_zeros(call: Call) -> str | None:
    q, k, v = (Rng(seed).normal(1, 2, 2) for seed in (1, 2, 3))
    output, weights = call(q, k, v, torch.tensor([[False, False]]))
    worst = max(output.abs().max().item(), weights.abs().max().item())
    if output.isnan().any() or weights.isnan().any():
        return say("A source that is all padding gives NaN.")
    return (
        None
        if worst <= 1e-6
        else say(
            "A source that is all padding gives numbers up to {worst:.3f}.",
            worst=worst,
        )
    )


_HALF_EMPTY = torch.tensor([[True, True], [False, False]])


def _gradients_are_finite(call: Call) -> str | None:
    q, k, v = (Rng(seed).normal(2, 2, 2) for seed in (1, 2, 3))
    gradients = call.gradients(q, k, v, _HALF_EMPTY)
    if all(gradient.isfinite().all() for gradient in gradients):
        return None
    return say(
        "The results are finite, but the gradients are NaN where a source is all padding: one such "
        "sentence in a batch, and every parameter of the model is NaN after a step."
    )


def _gradients_arrive(call: Call) -> str | None:
    q, k, v = (Rng(seed).normal(2, 2, 2) for seed in (1, 2, 3))
    gradients = call.gradients(q, k, v, _HALF_EMPTY)
    for name, gradient in zip("qkv", gradients):
        if not (gradient[0].abs() > 1e-6).any():
            return say(
                "The first of two sentences is all words, and the gradient of {name} is 0 there: "
                "nothing could be learnt through it.",
                name=name,
            )
    return None


def _nan_replaced(q: Tensor, k: Tensor, v: Tensor, real: Tensor) -> hiding.Attended:
    added = torch.zeros(_keep(q, real).shape).masked_fill(~_keep(q, real), _HIDE)
    weights = torch.softmax(hiding.scaled_scores(q, k) + added, dim=-1).nan_to_num(0.0)
    return hiding.average(weights, v)


def _only_output_cleared(q: Tensor, k: Tensor, v: Tensor, real: Tensor) -> hiding.Attended:
    output, weights = hiding.hidden_by(-1e9, _keep)(q, k, v, real)
    return output * real.any(1)[:, None, None], weights


def _nan_only_in_output_replaced(q: Tensor, k: Tensor, v: Tensor, real: Tensor) -> hiding.Attended:
    output, weights = hiding.hidden_by(_HIDE, _keep)(q, k, v, real)
    return output.nan_to_num(0.0), weights


def _all_or_nothing(q: Tensor, k: Tensor, v: Tensor, real: Tensor) -> hiding.Attended:
    output, weights = hiding.hidden_by(-1e9, _keep)(q, k, v, real)
    return (output, weights) if real.any(1).all() else (output * 0, weights * 0)


safe_attention = Exercise(
    "safe_attention",
    points=2,
    reference=_reference,
    cases=_safe_cases,
    returns=("output", "weights"),
    shapes=_SHAPES,
    computed=("weights", "output"),
    promises={
        **hiding.PROMISES,
        "padding at the beginning": lambda q, k, v, real: bool((~real[:, 0]).any()),
        "a source that is all padding": lambda q, k, v, real: bool((~real.any(-1)).any()),
        "no source that is all padding": lambda q, k, v, real: bool(real.any(-1).all()),
        "every source is all padding": lambda q, k, v, real: not real.any(),
    },
    library=("scaled_dot_product_attention",),
    properties=[
        Property("A source that is all padding gives zeros.", _empty_source_gives_zeros),
        Property("Padding never changes an output.", _padding_is_hidden),
        Property("Gradients are finite.", _gradients_are_finite),
        Property("Gradients reach q, k and v.", _gradients_arrive),
    ],
    mistakes=[
        Mistake(
            "safe-nan",
            hiding.hidden_by(_HIDE, _keep),
            "Where a source is all padding, yours is NaN. What is 0 divided by 0, and which rows "
            "need care of their own?",
        ),
        Mistake(
            "safe-even-weights",
            hiding.hidden_by(-1e9, _keep),
            "Where a source is all padding, your weights are even: padding is averaged. What "
            "should a query get that may look nowhere?",
        ),
        Mistake(
            "safe-nan-replaced",
            _nan_replaced,
            "Your results are right, but the gradients are NaN. The NaN was replaced after "
            "softmax: does the way back still lead through it?",
        ),
        Mistake(
            "safe-only-output-cleared",
            _only_output_cleared,
            "Your output is right. What do your weights say about a source that is all padding?",
        ),
        Mistake(
            "safe-weights-still-nan",
            _nan_only_in_output_replaced,
            "Your output is right. What do your weights hold where a source is all padding?",
        ),
        Mistake(
            "safe-all-or-nothing",
            _all_or_nothing,
            "One empty source in the batch empties all of yours. Which rows may become zero?",
        ),
        _inverted("safe"),
        *(Mistake(f"safe-{name}", function, hint) for name, function, hint in _COMMON),
        *hiding.wrong_divisors("safe", _keep),
    ],
    hints=[
        "Print what your cross_attention gives for a source that is all padding.",
        "Which rows have nothing to see? `real.any` over one of its axes says it.",
        "A row can be given some harmless scores before softmax, and its weights be struck out "
        "after it. Then no NaN is ever made, forwards or backwards.",
    ],
)

EXERCISES = (cross_attention, safe_attention)
