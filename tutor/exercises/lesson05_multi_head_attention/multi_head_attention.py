"""multi_head_attention: attention in several small spaces at once."""

from collections.abc import Mapping
from typing import Any

import torch

from tutor.checking.exercise import Arguments, Call, Exercise, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.extremes import D_K, queries_and_keys
from tutor.exercises.lesson05_multi_head_attention.multi_head_attention_mistakes import (
    MISTAKES,
    build,
)
from tutor.multi_head import merge_heads
from tutor.say import say


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(
        batch: int, queries: int, keys: int, d_model: int, heads: int, d_k: int, d_v: int
    ) -> Arguments:
        return {
            "x_q": rng.normal(batch, queries, d_model),
            "x_kv": rng.normal(batch, keys, d_model),
            "W_q": rng.normal(heads * d_k, d_model) / 2,
            "W_k": rng.normal(heads * d_k, d_model) / 2,
            "W_v": rng.normal(heads * d_v, d_model) / 2,
            "W_o": rng.normal(d_model, heads * d_v) / 2,
            "heads": heads,
        }

    return {
        "unequal sizes": case(2, 3, 5, 7, heads=4, d_k=9, d_v=11),
        "square": case(2, 4, 4, 8, heads=2, d_k=4, d_v=4),
        "many narrow heads": case(3, 5, 3, 8, heads=4, d_k=2, d_v=2),
        "one query": case(2, 1, 4, 6, heads=3, d_k=2, d_v=2),
        "one head": case(3, 4, 2, 5, heads=1, d_k=3, d_v=4),
        "one feature a head": case(2, 3, 4, 6, heads=3, d_k=1, d_v=1),
        "one key": case(2, 3, 1, 4, heads=2, d_k=3, d_v=2),
        "one sentence": case(1, 3, 4, 8, heads=2, d_k=4, d_v=3),
        "tokens of one number": case(2, 3, 4, 1, heads=2, d_k=2, d_v=3),
        "scores of ±1000": _loud(rng),
        EXAMPLE: {
            "x_q": torch.tensor([[[1.0, 0.0]]]),
            "x_kv": torch.tensor([[[3.0, 5.0]]]),
            "W_q": torch.eye(2),
            "W_k": torch.eye(2),
            "W_v": torch.eye(2),
            "W_o": torch.tensor([[0.0, 1.0], [1.0, 0.0]]),
            "heads": 2,
        },
    }


def _loud(rng: Rng) -> Arguments:
    """Let both heads score at all levels; all products are exact."""
    heads, batch, queries, keys = 2, 1, 4, 3
    q, k = queries_and_keys(rng, batch, heads, queries=queries, keys=keys)
    D = heads * D_K
    W_q, W_k = torch.eye(D)[rng.permutation(D)], torch.eye(D)[rng.permutation(D)]
    return {
        "x_q": merge_heads(q) @ W_q,  # so that x_q W_qᵀ is q
        "x_kv": merge_heads(k) @ W_k,
        "W_q": W_q,
        "W_k": W_k,
        "W_v": rng.quarters(heads * 3, D, most=1),
        "W_o": rng.quarters(D, heads * 3, most=1),
        "heads": heads,
    }


def _small() -> list[Any]:
    """Draw two words of four features that look at three, with matrices of the same width."""
    x_q, x_kv = Rng(1).normal(1, 2, 4), Rng(2).normal(1, 3, 4)
    return [x_q, x_kv, *(Rng(seed).normal(4, 4) for seed in (3, 4, 5, 6)), 2]


def _order_of_keys_is_free(call: Call) -> str | None:
    x_q, x_kv, *rest = _small()
    if torch.allclose(call(x_q, x_kv, *rest), call(x_q, x_kv.flip(1), *rest), atol=1e-4):
        return None
    return say("The words looked at came in another order, and the output changed.")


def _zero_output_matrix_gives_zero(call: Call) -> str | None:
    x_q, x_kv, W_q, W_k, W_v, _, heads = _small()
    largest = call(x_q, x_kv, W_q, W_k, W_v, torch.zeros(4, 4), heads).abs().max().item()
    return (
        say(
            "W_o was all zeros, and your output reaches {largest:.3f}.",
            largest=largest,
        )
        if largest > 1e-6
        else None
    )


def _equal_words_give_their_value(call: Call) -> str | None:
    """Whatever the weights, an average of equal values is that value."""
    x_q, _, *matrices, heads = _small()
    x_kv = torch.tensor([[1.0, 0.0, 2.0, -1.0]]).expand(1, 3, 4).clone()
    _, _, W_v, W_o = matrices
    expected = x_kv[:, :1] @ W_v.T @ W_o.T
    if torch.allclose(call(x_q, x_kv, *matrices, heads), expected.expand(1, 2, 4), atol=1e-4):
        return None
    return say("All the words looked at were equal, and the output was not W_o W_v of that word.")


_PROPERTIES = [
    Property("An all-zero W_o gives zeros.", _zero_output_matrix_gives_zero),
    Property("An average of equal values is that value.", _equal_words_give_their_value),
    Property("The order of the words looked at does not matter.", _order_of_keys_is_free),
]


multi_head_attention = Exercise(
    "multi_head_attention",
    points=4,
    reference=build(),
    cases=_cases,
    returns=("output",),
    shapes={
        "x_q": "B Tq D",
        "x_kv": "B Tk D",
        "W_q": "h·d_k D",
        "W_k": "h·d_k D",
        "W_v": "h·d_v D",
        "W_o": "D h·d_v",
        "heads": "h",
        "output": "B Tq D",
    },
    promises={
        "heads as wide as the model together": lambda x_q, x_kv, W_q, *_: (
            W_q.shape[0] == W_q.shape[1]
        ),
        "heads not as wide as the model": lambda x_q, x_kv, W_q, *_: W_q.shape[0] != W_q.shape[1],
        "as many queries as keys": lambda x_q, x_kv, *_: x_q.size(1) == x_kv.size(1),
        "values as wide as keys": lambda x_q, x_kv, W_q, W_k, W_v, *_: len(W_k) == len(W_v),
    },
    library=("multi_head_attention_forward",),
    properties=_PROPERTIES,
    mistakes=MISTAKES,
    hints=[
        "Seven lines: three projections, three splits, attention in every head at once, one merge, "
        "one projection. Print the shape after each.",
        "A matrix of shape (features out, features in) acts on row vectors from the right, and has "
        "to be turned for that.",
        "With (B, h, T, d_k) everything that lesson 4 did to the last two axes works unchanged.",
    ],
)
