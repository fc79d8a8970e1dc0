"""safe_attention: the source's padding is hidden, even where it is all there is."""

from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.lesson07_masking import hiding
from tutor.exercises.lesson07_masking.source_padding import (
    COMMON,
    HIDE,
    SHAPES,
    attend_source,
    equal_scores,
    inverted,
    keep_source,
    padding_is_hidden,
    small_cases,
    source_case,
)
from tutor.say import say


def _safe_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    return {
        "one empty source": source_case(rng, 4, 7, 2, "x-xx-", "-----", "xxxxx"),
        "no padding": source_case(rng, 4, 5, 3, "xxx", "xxx"),
        "square": source_case(rng, 4, 4, 4, "xx--", "----", "-xxx"),
        "all empty": source_case(rng, 2, 3, 4, "---", "---"),
        "more queries than keys": source_case(rng, 6, 3, 5, "xx-", "---"),
        "wide values": source_case(rng, 3, 2, 7, "xx-x", "----", "xxxx", "x---", "--xx"),
        "one empty sentence": source_case(rng, 2, 3, 4, "---"),
        **small_cases(rng),
        EXAMPLE: {**equal_scores(rng, 1, 2), "real": torch.tensor([[False, False]])},
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
    added = torch.zeros(keep_source(q, real).shape).masked_fill(~keep_source(q, real), HIDE)
    weights = torch.softmax(hiding.scaled_scores(q, k) + added, dim=-1).nan_to_num(0.0)
    return hiding.average(weights, v)


def _only_output_cleared(q: Tensor, k: Tensor, v: Tensor, real: Tensor) -> hiding.Attended:
    output, weights = hiding.hidden_by(-1e9, keep_source)(q, k, v, real)
    return output * real.any(1)[:, None, None], weights


def _nan_only_in_output_replaced(q: Tensor, k: Tensor, v: Tensor, real: Tensor) -> hiding.Attended:
    output, weights = hiding.hidden_by(HIDE, keep_source)(q, k, v, real)
    return output.nan_to_num(0.0), weights


def _all_or_nothing(q: Tensor, k: Tensor, v: Tensor, real: Tensor) -> hiding.Attended:
    output, weights = hiding.hidden_by(-1e9, keep_source)(q, k, v, real)
    return (output, weights) if real.any(1).all() else (output * 0, weights * 0)


safe_attention = Exercise(
    "safe_attention",
    points=2,
    reference=attend_source,
    cases=_safe_cases,
    returns=("output", "weights"),
    shapes=SHAPES,
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
        Property("Padding never changes an output.", padding_is_hidden),
        Property("Gradients are finite.", _gradients_are_finite),
        Property("Gradients reach q, k and v.", _gradients_arrive),
    ],
    mistakes=[
        Mistake(
            "safe-nan",
            hiding.hidden_by(HIDE, keep_source),
            "Where a source is all padding, yours is NaN. What is 0 divided by 0, and which rows "
            "need care of their own?",
        ),
        Mistake(
            "safe-even-weights",
            hiding.hidden_by(-1e9, keep_source),
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
        inverted("safe"),
        *(Mistake(f"safe-{name}", function, hint) for name, function, hint in COMMON),
        *hiding.wrong_divisors("safe", keep_source),
    ],
    hints=[
        "Print softmax of a row whose keys are all hidden. What is 0 divided by 0?",
        "Which rows have nothing to see? `real.any` over one of its axes says it.",
        "A row can be given some harmless scores before softmax, and its weights be struck out "
        "after it. Then no NaN is ever made, forwards or backwards.",
    ],
)
