"""mend_attention: one sentence asks another, with shares along the wrong axis."""

from collections.abc import Mapping
from dataclasses import replace

from tutor.checking.exercise import Arguments
from tutor.exercises.lesson04_self_attention.properties import attention_properties
from tutor.exercises.lesson04_self_attention.scaled_dot_product_attention import (
    scaled_dot_product_attention,
)
from tutor.exercises.lesson04_self_attention.scaled_dot_product_attention_mistakes import (
    MISTAKES,
    NEED_A_BATCH,
)


def _one_sentence_cases(seed: int) -> Mapping[str, Arguments]:
    """Take the first sentence of each batch, and leave the rest out."""
    return {
        name: {argument: x[0] for argument, x in case.items()}
        for name, case in scaled_dot_product_attention.cases(seed).items()
    }


# One sentence asks another, without a batch: what mends it is not yet what exercise 6 asks.
mend_attention = replace(
    scaled_dot_product_attention,
    name="mend_attention",
    points=2,
    cases=_one_sentence_cases,
    shapes={
        "q": "Tq d_k",
        "k": "Tk d_k",
        "v": "Tk d_v",
        "output": "Tq d_v",
        "weights": "Tq Tk",
    },
    properties=attention_properties(batch=False),
    mistakes=[mistake for mistake in MISTAKES if mistake.id not in NEED_A_BATCH],
    given="attn-softmax-over-queries",
    hints=[
        "Run it on one query and three keys and print the weights. Do they look like shares?",
        "Print weights.sum(-1) and weights.sum(-2). Which of the two should be all ones?",
    ],
)
