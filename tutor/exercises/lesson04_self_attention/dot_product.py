"""scaled_dot_product_attention, to write and to mend."""

from collections.abc import Mapping
from dataclasses import replace

from tutor.attention import scaled_dot_product_attention as attend
from tutor.checking.exercise import Arguments, Exercise
from tutor.checking.seeds import Rng
from tutor.exercises.lesson04_self_attention.dot_product_mistakes import MISTAKES, NEED_A_BATCH
from tutor.exercises.lesson04_self_attention.properties import attention_properties


def _attention_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(batch: int, queries: int, keys: int, d_k: int, d_v: int) -> Arguments:
        return {
            "q": rng.normal(batch, queries, d_k),
            "k": rng.normal(batch, keys, d_k),
            "v": rng.normal(batch, keys, d_v),
        }

    return {
        "unequal sizes": case(2, 3, 5, 4, 6),
        "square": case(3, 4, 4, 4, 4),
        "wide keys": case(2, 5, 3, 64, 2),
        "one query": case(2, 1, 4, 3, 5),
        "scores up to a thousand": {
            "q": 25 * rng.normal(2, 3, 4),
            "k": 25 * rng.normal(2, 5, 4),
            "v": rng.normal(2, 5, 3),
        },
    }


def _one_sentence_cases(seed: int) -> Mapping[str, Arguments]:
    """Take the first sentence of each batch, and leave the rest out."""
    return {
        name: {argument: x[0] for argument, x in case.items()}
        for name, case in _attention_cases(seed).items()
    }


scaled_dot_product_attention = Exercise(
    "scaled_dot_product_attention",
    points=3,
    reference=attend,
    cases=_attention_cases,
    returns=("output", "weights"),
    properties=attention_properties(),
    mistakes=MISTAKES,
    hints=[
        "Four steps: a table of scores, a scale, shares, an average. Write one line for each and "
        "print its shape.",
        "The table of scores has a row for each query and a column for each key. Which axes of k "
        "must change places before the two can be multiplied?",
        "A row of weights says how one query shares its attention. Along which axis of the table "
        "must the numbers add up to 1?",
    ],
)

# One sentence asks another, without a batch: what mends it is not yet what exercise 6 asks.
mend_attention = replace(
    scaled_dot_product_attention,
    name="mend_attention",
    points=2,
    cases=_one_sentence_cases,
    properties=attention_properties(batch=False),
    mistakes=[mistake for mistake in MISTAKES if mistake.id not in NEED_A_BATCH],
    given="attn-softmax-over-queries",
    hints=[
        "Run it on one query and three keys and print the weights. Do they look like shares?",
        "Print weights.sum(-1) and weights.sum(-2). Which of the two should be all ones?",
    ],
)

EXERCISES = (mend_attention, scaled_dot_product_attention)
