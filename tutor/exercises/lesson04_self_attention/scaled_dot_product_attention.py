"""scaled_dot_product_attention: scores, a scale, shares, an average."""

from collections.abc import Mapping

import torch

from tutor.attention import scaled_dot_product_attention as attend
from tutor.checking.exercise import Arguments, Exercise
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.extremes import queries_and_keys
from tutor.exercises.lesson04_self_attention.properties import attention_properties
from tutor.exercises.lesson04_self_attention.scaled_dot_product_attention_mistakes import (
    MISTAKES,
)


def _attention_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(batch: int, queries: int, keys: int, d_k: int, d_v: int) -> Arguments:
        return {
            "q": rng.normal(batch, queries, d_k),
            "k": rng.normal(batch, keys, d_k),
            "v": rng.normal(batch, keys, d_v),
        }

    return {
        "unequal sizes": case(2, 3, 5, 4, 7),
        "square": case(3, 4, 4, 4, 4),
        "wide keys": case(2, 5, 3, 64, 2),
        "one query": case(2, 1, 4, 3, 5),
        "more queries than keys": case(3, 7, 2, 5, 4),
        "one sentence": case(1, 3, 2, 4, 3),
        "one key": case(2, 3, 1, 5, 4),
        "one number a key and a value": case(3, 2, 4, 1, 1),
        "scores of ±1000": _loud(rng),
        EXAMPLE: {
            "q": torch.tensor([[[3.0, 1.0]]]),
            "k": torch.tensor([[[1.0, 2.0], [1.0, 2.0]]]),
            "v": torch.tensor([[[2.0, 0.0], [4.0, 6.0]]]),
        },
    }


def _loud(rng: Rng) -> Arguments:
    q, k = queries_and_keys(rng, 2, queries=4, keys=3)
    return {"q": q, "k": k, "v": rng.normal(2, 3, 5)}


scaled_dot_product_attention = Exercise(
    "scaled_dot_product_attention",
    points=3,
    reference=attend,
    cases=_attention_cases,
    returns=("output", "weights"),
    shapes={
        "q": "B Tq d_k",
        "k": "B Tk d_k",
        "v": "B Tk d_v",
        "output": "B Tq d_v",
        "weights": "B Tq Tk",
    },
    computed=("weights", "output"),
    library=("scaled_dot_product_attention",),
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
