"""causal_self_attention: padding and future hidden at once."""

import math
from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from tutor.attention import scaled_dot_product_attention as attend
from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.extremes import queries_and_keys
from tutor.exercises.lesson07_masking import hiding
from tutor.mask import causal_keep
from tutor.say import say


def keep_both(q: Tensor, real: Tensor) -> Tensor:
    """Let queries look at real keys up to their own place: (B, T, T)."""
    return real[:, None, :] & causal_keep(q.size(1))


def _reference(q: Tensor, k: Tensor, v: Tensor, real: Tensor) -> hiding.Attended:
    return attend(q, k, v, keep_both(q, real))


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(d_k: int, d_v: int, *patterns: str) -> Arguments:
        batch, time = len(patterns), len(patterns[0])
        real = torch.tensor([[mark == "x" for mark in pattern] for pattern in patterns])
        q, k = rng.normal(batch, time, d_k), rng.normal(batch, time, d_k)
        return {"q": q, "k": k, "v": rng.normal(batch, time, d_v), "real": real}

    q, k = queries_and_keys(rng, 2, queries=5, keys=5)
    loud = {"q": q, "k": k, "v": rng.normal(2, 5, 3)}
    equal = {"q": torch.zeros(1, 3, 2), "k": torch.zeros(1, 3, 2), "v": rng.normal(1, 3, 2)}
    return {
        "padding with a hole": case(4, 5, "xx-xx-", "xxxxxx"),
        "no padding": case(4, 2, "xxxxx", "xxxxx", "xxxxx"),
        "square": case(3, 3, "x-x", "xx-", "xxx"),
        "short sentences": case(6, 5, "x---", "xx--"),
        "one sentence": case(3, 2, "xx-x"),
        "one word each": case(2, 3, "x", "x", "x"),
        "one number a key and a value": case(1, 1, "xx-", "xxx"),
        "many sentences": case(2, 4, "xx-", "x--", "xxx", "x-x", "xxx"),
        "scores of ±1000": {
            **loud,
            "real": torch.tensor([[1, 1, 0, 1, 0], [1, 0, 1, 1, 1]]).bool(),
        },
        EXAMPLE: {**equal, "real": torch.tensor([[True, False, True]])},
    }


def _future_is_hidden(call: Call) -> str | None:
    q, k, v = (Rng(seed).normal(1, 3, 2) for seed in (1, 2, 3))
    real = torch.ones(1, 3, dtype=torch.bool)
    later = torch.cat([k[:, :2], k[:, 2:] + 1], dim=1)
    before, after = call(q, k, v, real)[0], call(q, later, v, real)[0]
    if torch.allclose(before[:, :2], after[:, :2], atol=1e-5):
        return None
    return say("The third key was changed, and the output of an earlier query changed with it.")


def _padding_is_hidden(call: Call) -> str | None:
    q, k, v = (Rng(seed).normal(1, 3, 2) for seed in (1, 2, 3))
    real = torch.tensor([[True, False, True]])
    other = torch.cat([v[:, :1], v[:, 1:2] + 10, v[:, 2:]], dim=1)
    before, after = call(q, k, v, real)[0], call(q, k, other, real)[0]
    if torch.allclose(before[:, 2], after[:, 2], atol=1e-5):
        return None
    return say("The value of a padded key was changed, and a real query's output changed with it.")


def _rows_sum_to_one(call: Call) -> str | None:
    q, k, v = (Rng(seed).normal(1, 3, 2) for seed in (1, 2, 3))
    sums = call(q, k, v, torch.tensor([[True, True, False]]))[1].sum(-1)[0]
    if torch.allclose(sums, torch.ones(3), atol=1e-4):
        return None
    shown = ", ".join(f"{total:.3f}" for total in sums.tolist())
    return say(
        "Three words, the last of them padding: your rows of weights sum to {shown}.",
        shown=shown,
    )


def _padded_queries_zeroed(q: Tensor, k: Tensor, v: Tensor, real: Tensor) -> hiding.Attended:
    output, weights = _reference(q, k, v, real)
    return output * real[..., None], weights * real[..., None]


def _keys_zeroed(q: Tensor, k: Tensor, v: Tensor, real: Tensor) -> hiding.Attended:
    return attend(q, k * real[..., None], v, causal_keep(q.size(1))[None])


def _returning_scores(fill: float) -> Callable[..., hiding.Attended]:
    def answer(q: Tensor, k: Tensor, v: Tensor, real: Tensor) -> hiding.Attended:
        hidden = hiding.scaled_scores(q, k).masked_fill(~keep_both(q, real), fill)
        return _reference(q, k, v, real)[0], hidden

    return answer


_HIDE = -math.inf


_ASK_EMPTY = (
    "Some of your rows are NaN: softmax of a row in which everything is hidden is 0 / 0. Which "
    "did you empty, a key's column or a query's row?"
)


_MISTAKES = [
    Mistake("mask-multiply-zero", hiding.multiplied(keep_both), hiding.ASK_ZERO),
    Mistake("mask-fill-zero", hiding.hidden_by(0.0, keep_both), hiding.ASK_ZERO),
    Mistake(
        "mask-plus-inf",
        hiding.hidden_by(math.inf, keep_both),
        "Your results are NaN. Softmax gives the largest score the most: at which end must a "
        "hidden score lie?",
    ),
    Mistake(
        "causal-missing",
        hiding.hidden_by(_HIDE, lambda q, real: real[:, None, :].expand(-1, q.size(1), -1)),
        "Padding is hidden, but your first query sees the whole sentence. Which of the two masks "
        "is missing?",
        label="no causal mask",
    ),
    Mistake(
        "padding-missing",
        hiding.hidden_by(_HIDE, lambda q, real: causal_keep(q.size(1))),
        "The future is hidden, but padding still gets weight. Which of the two masks is missing?",
        label="no padding mask",
    ),
    Mistake(
        "masks-combined-with-or",
        hiding.hidden_by(_HIDE, lambda q, real: real[:, None, :] | causal_keep(q.size(1))),
        "A key is visible in yours as soon as one reason allows it. How many of the two reasons "
        "must allow it?",
    ),
    Mistake(
        "mask-queries-not-keys",
        hiding.hidden_by(_HIDE, lambda q, real: real[:, :, None] & causal_keep(q.size(1))),
        _ASK_EMPTY,
    ),
    Mistake(
        "mask-queries-and-keys",
        hiding.hidden_by(_HIDE, lambda q, real: keep_both(q, real) & real[:, :, None]),
        "Padding is hidden as it should be, but rows of padded queries are NaN. Must a word that "
        "is hidden also be forbidden to look?",
    ),
    Mistake(
        "mask-queries-not-keys-finite",
        hiding.hidden_by(-1e9, lambda q, real: real[:, :, None] & causal_keep(q.size(1))),
        "Padded keys still get weight, and your padded queries look at all keys alike. Which axis "
        "of the scores belongs to the words that are looked at?",
    ),
    Mistake(
        "mask-queries-and-keys-finite",
        hiding.hidden_by(-1e9, lambda q, real: keep_both(q, real) & real[:, :, None]),
        "Padding is hidden as it should be, but your padded queries look at all keys alike, "
        "hidden ones too. Must a word that is hidden also be forbidden to look?",
    ),
    Mistake(
        "mask-of-first-sentence",
        hiding.hidden_by(_HIDE, lambda q, real: keep_both(q, real[:1])),
        hiding.ASK_FIRST,
    ),
    Mistake("mask-after-softmax", hiding.after_softmax(keep_both), hiding.ASK_ROWS),
    Mistake(
        "mask-inverted",
        hiding.hidden_by(_HIDE, lambda q, real: ~keep_both(q, real)),
        "Your queries see exactly what they should not. `masked_fill` writes where it reads True: "
        "where should it write?",
        variants=[hiding.hidden_by(-1e9, lambda q, real: ~keep_both(q, real))],
    ),
    Mistake(
        "mask-padding-inverted",
        hiding.hidden_by(_HIDE, lambda q, real: keep_both(q, ~real)),
        "Your real words are hidden and padding is seen. What does True mean in `real`?",
        variants=[hiding.hidden_by(-1e9, lambda q, real: keep_both(q, ~real))],
    ),
    Mistake(
        "mask-causal-inverted",
        hiding.hidden_by(_HIDE, lambda q, real: real[:, None, :] & ~causal_keep(q.size(1))),
        "Your last query has nothing to see, and the first sees the future. Which part of the "
        "triangle may be looked at?",
        variants=[
            hiding.hidden_by(-1e9, lambda q, real: real[:, None, :] & ~causal_keep(q.size(1)))
        ],
    ),
    Mistake(
        "mask-upper",
        hiding.hidden_by(_HIDE, lambda q, real: real[:, None, :] & causal_keep(q.size(1)).T),
        "Your queries look ahead and never back. Which triangle is the past?",
    ),
    Mistake(
        "mask-without-itself",
        hiding.hidden_by(_HIDE, lambda q, real: keep_both(q, real).tril(-1)),
        "Your first row is NaN. May a position look at itself?",
    ),
    Mistake(
        "mask-without-itself-finite",
        hiding.hidden_by(-1e9, lambda q, real: keep_both(q, real).tril(-1)),
        "Your first query looks at all keys alike. May a position look at itself?",
    ),
    Mistake(
        "mask-one-ahead",
        hiding.hidden_by(
            _HIDE,
            lambda q, real: (
                real[:, None, :] & torch.ones(2 * [q.size(1)], dtype=torch.bool).tril(1)
            ),
        ),
        "Each of your queries sees one word too many. On which diagonal does looking end?",
    ),
    Mistake(
        "mask-missing",
        hiding.hidden_by(_HIDE, lambda q, real: torch.ones_like(keep_both(q, real))),
        "Every query sees every key. What does the exercise ask you to hide?",
        label="no mask",
    ),
    Mistake("mask-too-weak", hiding.hidden_by(-1.0, keep_both), hiding.ASK_SIZE),
    Mistake("mask-tiny-number", hiding.hidden_by(-1e-9, keep_both), hiding.ASK_ZERO),
    Mistake(
        "mask-from-length",
        hiding.hidden_by(_HIDE, lambda q, real: keep_both(q, hiding.up_to_length(real))),
        hiding.ASK_HOLES,
    ),
    Mistake(
        "mask-padded-queries-zeroed",
        _padded_queries_zeroed,
        "Rows of padded queries are zero in yours. The exercise says what a padded query looks at: "
        "what is it?",
    ),
    Mistake(
        "mask-keys-zeroed",
        _keys_zeroed,
        "You set padded keys to zero, and they still get weight. What score does a zero key have?",
    ),
    Mistake("mask-no-scale", hiding.divided_by(lambda q, k: 1, keep_both), hiding.ASK_SCALE),
    *hiding.wrong_divisors("mask", keep_both),
    Mistake(
        "mask-log-softmax",
        hiding.logarithms(_HIDE, keep_both),
        hiding.ASK_LOGARITHM,
        variants=[hiding.logarithms(-1e9, keep_both)],
    ),
    Mistake("mask-softmax-over-queries", hiding.along_queries(keep_both), hiding.ASK_SIDE),
    Mistake(
        "mask-returns-scores",
        _returning_scores(_HIDE),
        "Your output is right, but you return scores beside it. With what did you average the "
        "values?",
        variants=[_returning_scores(-1e9)],
    ),
    Mistake(
        "mask-order-exchanged",
        lambda q, k, v, real: _reference(q, k, v, real)[::-1],
        "Both results are right. In which order are they asked for?",
    ),
]


_PROPERTIES = [
    Property("A later key never changes an earlier output.", _future_is_hidden),
    Property("Padding never changes a real query's output.", _padding_is_hidden),
    Property("Each query's weights sum to 1.", _rows_sum_to_one),
]


causal_self_attention = Exercise(
    "causal_self_attention",
    points=3,
    reference=_reference,
    cases=_cases,
    returns=("output", "weights"),
    shapes={
        "q": "B T d_k",
        "k": "B T d_k",
        "v": "B T d_v",
        "real": "B T",
        "output": "B T d_v",
        "weights": "B T T",
    },
    computed=("weights", "output"),
    promises=hiding.PROMISES,
    library=("scaled_dot_product_attention",),
    properties=_PROPERTIES,
    mistakes=_MISTAKES,
    hints=[
        "Build the table of who may look where first, and print it for a sentence of three words.",
        "Hidden scores must be so low that softmax gives them nothing. What is e to the power of "
        "that number?",
        "`real` has an axis for the sentence and one for the keys. Where must an axis for the "
        "queries go, so that all queries see the same padding hidden?",
    ],
)
