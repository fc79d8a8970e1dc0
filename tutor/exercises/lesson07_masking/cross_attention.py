"""cross_attention: the source's padding is hidden from every query."""

from collections.abc import Mapping

import torch

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


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    return {
        "padding with a hole": source_case(rng, 3, 4, 7, "x-xx-", "xxxxx"),
        "no padding": source_case(rng, 4, 5, 3, "xxx", "xxx"),
        "square": source_case(rng, 4, 4, 4, "xx--", "xxx-", "-xxx"),
        "more queries than keys": source_case(rng, 6, 3, 4, "xx-", "x--"),
        "wide values": source_case(rng, 3, 2, 7, "xx-x", "-x--", "xxxx", "x---", "--xx"),
        **small_cases(rng),
        EXAMPLE: {**equal_scores(rng, 2, 3), "real": torch.tensor([[True, True, False]])},
    }


def _order_of_queries_is_free(call: Call) -> str | None:
    q, k, v = (Rng(seed).normal(1, 3, 2) for seed in (1, 2, 3))
    real = torch.tensor([[True, True, True]])
    straight, turned = call(q, k, v, real)[0], call(q.flip(1), k, v, real)[0]
    if torch.allclose(straight, turned.flip(1), atol=1e-5):
        return None
    return say("The queries came in another order, and their outputs were not simply reordered.")


cross_attention = Exercise(
    "cross_attention",
    points=2,
    reference=attend_source,
    cases=_cases,
    returns=("output", "weights"),
    shapes=SHAPES,
    computed=("weights", "output"),
    promises={
        **hiding.PROMISES,
        "padding at the beginning": lambda q, k, v, real: bool((~real[:, 0]).any()),
    },
    library=("scaled_dot_product_attention",),
    properties=[
        Property("Padding never changes an output.", padding_is_hidden),
        Property("Queries do not depend on their order.", _order_of_queries_is_free),
    ],
    mistakes=[
        Mistake(
            "cross-mask-on-queries",
            hiding.hidden_by(
                HIDE, lambda q, real: real[:, :, None].expand_as(keep_source(q, real))
            ),
            "It works only where there are as many queries as keys, and then whole rows are NaN, "
            "or the same for every key. Along which axis of the scores do source words lie?",
            variants=[
                hiding.hidden_by(
                    -1e9, lambda q, real: real[:, :, None].expand_as(keep_source(q, real))
                )
            ],
        ),
        inverted("cross"),
        *(Mistake(f"cross-{name}", function, hint) for name, function, hint in COMMON),
        *hiding.wrong_divisors("cross", keep_source),
        Mistake(
            "cross-order-exchanged",
            lambda q, k, v, real: attend_source(q, k, v, real)[::-1],
            "Both results are right. In which order are they asked for?",
        ),
    ],
    hints=[
        "The scores have a row for each target word and a column for each source word. `real` "
        "speaks of source words.",
        "`real` is (B, Tk), the scores are (B, Tq, Tk). Which axis is missing?",
    ],
)
