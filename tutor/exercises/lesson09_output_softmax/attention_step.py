"""attention_step: one new word looks at what is stored of the words before, and at itself."""

from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.attention import scaled_dot_product_attention
from tutor.checking.exercise import Arguments, Call, Exercise, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.decode import attention_step as step
from tutor.exercises.extremes import LEVELS, tokens_and_matrices
from tutor.exercises.lesson09_output_softmax.attention_step_mistakes import MISTAKES
from tutor.mask import causal_keep
from tutor.say import say


def _matrices(rng: Rng, D: int, d_k: int, d_v: int) -> tuple[Tensor, Tensor, Tensor]:
    return (
        rng.normal(D, d_k) / D**0.5,
        rng.normal(D, d_k) / D**0.5,
        rng.normal(D, d_v) / D**0.5,
    )


def _step_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(stored: int, D: int, d_k: int, d_v: int) -> Arguments:
        return {
            "x_new": 2 * rng.normal(D),
            "keys": 1.5 * rng.normal(stored, d_k),
            "values": rng.normal(stored, d_v),
            "W": _matrices(rng, D, d_k, d_v),
        }

    return {
        "five stored": case(5, 6, 4, 3),
        "one stored": case(1, 3, 2, 5),
        "the first word": case(0, 4, 3, 2),
        "square": case(4, 4, 4, 4),
        "one number each": case(3, 1, 1, 1),
        **_loud(rng),
        EXAMPLE: {
            "x_new": torch.tensor([1.0, 0.0]),
            "keys": torch.empty(0, 2),
            "values": torch.empty(0, 2),
            "W": (torch.eye(2), torch.eye(2), torch.eye(2)),
        },
    }


# The names of the levels of `extremes`, in their order.
_LOUD = ("scores above 1000", "scores below −1000", "scores above 30", "scores below −30")


def _loud(rng: Rng) -> Mapping[str, Arguments]:
    """Give four cases: the scores of the new word lie about each of the levels."""
    tokens, W_q, W_k = tokens_and_matrices(rng, 1, 2 * len(LEVELS))  # tokens (1, 8, D)
    stored, new = tokens[0].split(len(LEVELS))
    W_v = rng.normal(tokens.size(-1), 3)
    return {
        name: {
            "x_new": word,
            "keys": stored @ W_k,
            "values": stored @ W_v,
            "W": (W_q, W_k, W_v),
        }
        for name, word in zip(_LOUD, new, strict=True)
    }


def _word_by_word(call: Call) -> str | None:
    """Call it as decoding does, each time with what it returned to be stored."""
    rng = Rng(3)
    x, W = 2 * rng.normal(4, 5), _matrices(rng, 5, 3, 2)
    W_q, W_k, W_v = W
    whole, _ = scaled_dot_product_attention(x @ W_q, x @ W_k, x @ W_v, causal_keep(4))
    keys, values = torch.empty(0, 3), torch.empty(0, 2)
    for place, word in enumerate(x):
        output, keys, values = call(word, keys, values, W)
        if not torch.allclose(output, whole[place], atol=1e-3):
            return say(
                "Four words were given one by one, each with the keys and values your function "
                "returned before. At word {place} its output is not that of one causal pass.",
                place=place + 1,
            )
    return None


def _store_grows(call: Call) -> str | None:
    given = _step_cases(1)["five stored"]
    _, keys, values = call(*given.values())
    for name, after, before in (
        ("keys", keys, given["keys"]),
        ("values", values, given["values"]),
    ):
        if after.shape != (6, before.size(1)) or not torch.allclose(after[:5], before, atol=1e-5):
            return say(
                "Five rows of {name} were stored. Afterwards there should be six, the first five "
                "as they were.",
                name=name,
            )
    return None


attention_step = Exercise(
    "attention_step",
    points=4,
    reference=step,
    cases=_step_cases,
    returns=("output", "all_keys", "all_values"),
    shapes={
        "x_new": "D",
        "keys": "T d_k",
        "values": "T d_v",
        "W": ("D d_k", "D d_k", "D d_v"),
        "output": "d_v",
        "all_keys": "words d_k",
        "all_values": "words d_v",
    },
    promises={"nothing is stored yet": lambda x_new, keys, values, W: len(keys) == 0},
    computed=("all_keys", "all_values", "output"),
    properties=[
        Property("What is stored grows by one row and keeps the others.", _store_grows),
        Property("Word by word it gives what one causal pass gives.", _word_by_word),
    ],
    mistakes=MISTAKES,
    hints=[
        "Only the new word is projected: it makes one query, one key and one value.",
        "A word sees itself. What must be in the store before its query looks into it?",
        "Shapes: a query (1, d_k), keys (T + 1, d_k), scores (1, T + 1), output (1, d_v) and at "
        "last (d_v,). A mask is not needed: nothing that lies ahead is stored.",
    ],
)
