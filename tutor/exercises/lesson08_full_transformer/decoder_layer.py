"""decoder_layer: three sub-layers and who asks whom in each."""

from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.lesson08_full_transformer.decoder_layer_mistakes import MISTAKES
from tutor.exercises.lesson08_full_transformer.parts import (
    LAYER_SHAPES,
    Ffn,
    loud_tokens,
    plain_ffn,
    plain_matrices,
    random_ffn,
    random_matrices,
    without_biases,
)
from tutor.exercises.lesson08_full_transformer.parts import decoder_layer as reference
from tutor.say import say


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(batch: int, target: int, source: int, d_model: int, d_k: int, d_ff: int) -> Arguments:
        return {
            "x": rng.normal(batch, target, d_model) * 1.5 + 0.5,
            "memory": rng.normal(batch, source, d_model),
            "W_self": random_matrices(rng, d_model, d_k),
            "W_cross": random_matrices(rng, d_model, d_k),
            "ffn": random_ffn(rng, d_model, d_ff),
        }

    return {
        "unequal sizes": case(2, 3, 5, d_model=7, d_k=4, d_ff=9),
        "as many target as source words": case(2, 4, 4, d_model=5, d_k=3, d_ff=7),
        "square": case(4, 4, 4, d_model=4, d_k=4, d_ff=4),
        "more target words": case(1, 5, 2, d_model=6, d_k=2, d_ff=8),
        "one target word": case(2, 1, 3, d_model=4, d_k=3, d_ff=6),
        "one source word": case(3, 2, 1, d_model=5, d_k=7, d_ff=4),
        "two features": case(4, 3, 5, d_model=2, d_k=1, d_ff=1),
        "scores of ±1000": _loud(rng),
        EXAMPLE: {
            "x": torch.tensor([[[1.0, 3.0]]]),
            "memory": torch.ones(1, 2, 2),
            "W_self": (torch.zeros(2, 1), torch.zeros(2, 1), torch.zeros(2, 2)),
            "W_cross": (torch.zeros(2, 1), torch.zeros(2, 1), torch.zeros(2, 2)),
            "ffn": (torch.zeros(3, 2), torch.zeros(3), torch.zeros(2, 3), torch.zeros(2)),
        },
        "a faint stream": {  # each norm makes it some 300 times louder: here eps decides
            "x": 1e-8 * rng.normal(2, 3, 5),
            "memory": 1e-6 * rng.normal(2, 4, 5),
            "W_self": random_matrices(rng, 5, 3),
            "W_cross": random_matrices(rng, 5, 3),
            "ffn": without_biases(random_ffn(rng, 5, 7)),
        },
    }


def _loud(rng: Rng) -> Arguments:
    x, W_self = loud_tokens(rng, 1, 5)
    D = x.size(-1)
    return {
        "x": x,
        "memory": rng.normal(1, 3, D),
        "W_self": W_self,
        "W_cross": tuple(W / 3 for W in random_matrices(rng, D, 4)),
        "ffn": random_ffn(rng, D, 6),
    }


def _run(call: Call, x: Tensor, memory: Tensor, ffn: Ffn | None = None) -> Tensor:
    W = plain_matrices(4)
    return call(x, memory, W, W, ffn or plain_ffn(4))


def _future_is_hidden(call: Call) -> str | None:
    x, memory = Rng(1).normal(1, 3, 4), Rng(2).normal(1, 2, 4)
    changed = torch.cat([x[:, :2], x[:, 2:] + torch.tensor([1.0, 0.0, -2.0, 0.5])], dim=1)
    if torch.allclose(_run(call, x, memory)[:, :2], _run(call, changed, memory)[:, :2], atol=1e-4):
        return None
    return say(
        "The third target word was changed, and the result at an earlier place changed with it."
    )


def _source_is_seen(call: Call) -> str | None:
    x, memory = Rng(1).normal(1, 3, 4), Rng(2).normal(1, 2, 4)
    changed = torch.cat([memory[:, :1], Rng(3).normal(1, 1, 4)], dim=1)
    ffn = random_ffn(Rng(4), 4, 6)  # hands the source on where its residual does not
    before, after = _run(call, x, memory, ffn), _run(call, x, changed, ffn)
    if not torch.allclose(before[:, 0], after[:, 0], atol=1e-4):
        return None
    return say(
        "The last source word was changed, and the result at the first place stayed the same."
    )


def _rows_are_normalised(call: Call) -> str | None:
    result = _run(call, Rng(1).normal(1, 3, 4), Rng(2).normal(1, 2, 4))
    mean = result.mean(-1).abs().max().item()
    return (
        say(
            "A row of your result has the mean {mean:.3f}.",
            mean=mean,
        )
        if mean > 1e-3
        else None
    )


_PROPERTIES = [
    Property("A later word never changes an earlier result.", _future_is_hidden),
    Property("Every place sees the whole source.", _source_is_seen),
    Property("The last thing is a norm.", _rows_are_normalised),
]

decoder_layer = Exercise(
    "decoder_layer",
    points=4,
    reference=reference,
    cases=_cases,
    returns=("result",),
    shapes=LAYER_SHAPES,
    smallest={"D": 2},
    promises={"eps decides": lambda x, *_: bool(x.abs().max() < 1e-3)},
    properties=_PROPERTIES,
    mistakes=MISTAKES,
    hints=[
        "Three lines of one form: x = norm(x + sub-layer of x). What changes is the sub-layer.",
        "In cross-attention the decoder asks; the source answers with keys and values.",
        "Only one of the three sub-layers needs a mask.",
    ],
)
