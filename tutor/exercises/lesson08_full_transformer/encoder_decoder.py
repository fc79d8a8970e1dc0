"""encoder_decoder: the stacks put together."""

from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Property
from tutor.checking.seeds import Rng
from tutor.exercises.lesson08_full_transformer.encoder_decoder_mistakes import MISTAKES
from tutor.exercises.lesson08_full_transformer.parts import (
    FFN,
    MATRICES,
    loud_tokens,
    plain_ffn,
    plain_matrices,
    random_ffn,
    random_matrices,
    without_biases,
)
from tutor.exercises.lesson08_full_transformer.parts import encoder_decoder as reference
from tutor.say import say


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(sizes: tuple[int, int, int], d_model: int, encoders: int, decoders: int) -> Arguments:
        batch, source, target = sizes
        d_k, d_ff = d_model - 2, d_model + 3
        return {
            "source": rng.normal(batch, source, d_model),
            "target": rng.normal(batch, target, d_model),
            "encoder_layers": [
                (random_matrices(rng, d_model, d_k), random_ffn(rng, d_model, d_ff))
                for _ in range(encoders)
            ],
            "decoder_layers": [
                (
                    random_matrices(rng, d_model, d_k),
                    random_matrices(rng, d_model, d_k),
                    random_ffn(rng, d_model, d_ff),
                )
                for _ in range(decoders)
            ],
        }

    return {
        "unequal sizes": case((2, 5, 3), 9, encoders=3, decoders=2),
        "as many layers": case((2, 4, 4), 5, encoders=2, decoders=2),
        "one layer each": case((1, 3, 4), 4, encoders=1, decoders=1),
        "more decoder layers": case((2, 2, 3), 5, encoders=2, decoders=3),
        "one target word": case((3, 2, 1), 4, encoders=2, decoders=1),
        "one source word": case((2, 1, 3), 9, encoders=1, decoders=2),
        "one key feature": case((2, 3, 2), 3, encoders=1, decoders=1),
        "two features": _narrow(rng),
        "scores of ±1000": _loud(rng),
        "a faint stream": _faint(case((2, 4, 3), 5, encoders=1, decoders=1)),
    }


def _narrow(rng: Rng) -> Arguments:
    encoder = (random_matrices(rng, 2, 3), random_ffn(rng, 2, 1))
    decoder = (random_matrices(rng, 2, 3), random_matrices(rng, 2, 3), random_ffn(rng, 2, 1))
    return {
        "source": rng.normal(4, 3, 2),
        "target": rng.normal(4, 5, 2),
        "encoder_layers": [encoder],
        "decoder_layers": [decoder],
    }


def _loud(rng: Rng) -> Arguments:
    source, W_source = loud_tokens(rng, 1, 4)
    target, W_target = loud_tokens(rng, 1, 5)
    D = source.size(-1)
    W_cross = tuple(W / 3 for W in random_matrices(rng, D, 4))
    return {
        "source": source,
        "target": target,
        "encoder_layers": [(W_source, random_ffn(rng, D, 5))],
        "decoder_layers": [(W_target, W_cross, random_ffn(rng, D, 6))],
    }


def _faint(given: Arguments) -> Arguments:
    """Shrink the streams so far that eps decides in each norm, which makes one 300 times louder."""
    return {
        "source": 1e-11 * given["source"],
        "target": 1e-8 * given["target"],
        "encoder_layers": [(W, without_biases(ffn)) for W, ffn in given["encoder_layers"]],
        "decoder_layers": [(*W, without_biases(ffn)) for *W, ffn in given["decoder_layers"]],
    }


def _small(source: Tensor, target: Tensor) -> tuple[Tensor, Tensor, list, list]:
    W, ffn = plain_matrices(4), plain_ffn(4)
    return source, target, [(W, ffn)] * 2, [(W, W, ffn)] * 2


def _future_is_hidden(call: Call) -> str | None:
    source, target = Rng(1).normal(1, 2, 4), Rng(2).normal(1, 3, 4)
    changed = torch.cat([target[:, :2], Rng(3).normal(1, 1, 4)], dim=1)
    before, after = call(*_small(source, target)), call(*_small(source, changed))
    if torch.allclose(before[:, :2], after[:, :2], atol=1e-4):
        return None
    return say(
        "The third target word was changed, and the result at an earlier place changed with it."
    )


def _source_is_read(call: Call) -> str | None:
    """Another source makes another result."""
    source, target = Rng(1).normal(1, 3, 4), Rng(2).normal(1, 2, 4)
    before, after = call(*_small(source, target)), call(*_small(Rng(3).normal(1, 3, 4), target))
    if not torch.allclose(before, after, atol=1e-4):
        return None
    return say("The source was exchanged for another one, and the result stayed the same.")


def _order_of_source_is_free(call: Call) -> str | None:
    """Without positions, a source in another order is the same set of keys and values."""
    source, target = Rng(1).normal(1, 3, 4), Rng(2).normal(1, 2, 4)
    before, after = call(*_small(source, target)), call(*_small(source.flip(1), target))
    if torch.allclose(before, after, atol=1e-4):
        return None
    return say(
        "No positions were added, the source words came in another order, and the result changed."
    )


encoder_decoder = Exercise(
    "encoder_decoder",
    points=4,
    reference=reference,
    cases=_cases,
    returns=("result",),
    shapes={
        "source": "B S D",
        "target": "B T D",
        "encoder_layers": ((MATRICES, FFN),),
        "decoder_layers": ((MATRICES, MATRICES, FFN),),
        "result": "B T D",
    },
    smallest={"D": 2},
    promises={
        "as many layers": lambda s, t, encoders, decoders: len(encoders) == len(decoders),
        "more encoder layers": lambda s, t, encoders, decoders: len(encoders) > len(decoders),
        "more decoder layers": lambda s, t, encoders, decoders: len(encoders) < len(decoders),
        "one layer each": lambda s, t, encoders, decoders: len(encoders) == len(decoders) == 1,
        "eps decides": lambda source, *_: bool(source.abs().max() < 1e-3),
    },
    properties=[
        Property("What is written depends on the source.", _source_is_read),
        Property("A later target word never changes an earlier result.", _future_is_hidden),
        Property(
            "Without positions the order of the source does not matter.", _order_of_source_is_free
        ),
    ],
    mistakes=MISTAKES,
    hints=[
        "Two loops, one after the other: first the whole encoder, then the decoder.",
        "The encoder's layer is the decoder's without mask and without cross-attention.",
        "The memory is made once and read by every decoder layer.",
    ],
)
