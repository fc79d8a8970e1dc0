"""encoder_decoder: the stacks put together."""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import Rng
from tutor.exercises.lesson08_full_transformer.other_norms import MODEL_MISTAKES
from tutor.exercises.lesson08_full_transformer.parts import (
    FFN,
    MATRICES,
    Ffn,
    Matrices,
    attend,
    decoder_layer,
    encoder_layer,
    feed,
    loud_tokens,
    norm,
    plain_ffn,
    plain_matrices,
    random_ffn,
    random_matrices,
    without_biases,
)
from tutor.say import say

EncoderLayers = Sequence[tuple[Matrices, Ffn]]
DecoderLayers = Sequence[tuple[Matrices, Matrices, Ffn]]


def _encode(source: Tensor, layers: EncoderLayers) -> Tensor:
    for layer in layers:
        source = encoder_layer(source, *layer)
    return source


def _decode(target: Tensor, memory: Tensor, layers: DecoderLayers) -> Tensor:
    for layer in layers:
        target = decoder_layer(target, memory, *layer)
    return target


def _reference(
    source: Tensor, target: Tensor, encoder_layers: EncoderLayers, decoder_layers: DecoderLayers
) -> Tensor:
    return _decode(target, _encode(source, encoder_layers), decoder_layers)


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
        "unequal sizes": case((2, 5, 3), 6, encoders=3, decoders=2),
        "as many layers": case((2, 4, 4), 5, encoders=2, decoders=2),
        "one layer each": case((1, 3, 4), 4, encoders=1, decoders=1),
        "more decoder layers": case((2, 2, 3), 5, encoders=2, decoders=3),
        "one target word": case((3, 2, 1), 4, encoders=2, decoders=1),
        "one source word": case((2, 1, 3), 6, encoders=1, decoders=2),
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


def _built(
    encode: Callable[[Tensor, EncoderLayers], Tensor] = _encode,
    decode: Callable[[Tensor, Tensor, DecoderLayers], Tensor] = _decode,
) -> Callable[..., Tensor]:
    """Put a model together; a mistake replaces one of its stacks."""

    def model(
        source: Tensor, target: Tensor, encoders: EncoderLayers, decoders: DecoderLayers
    ) -> Tensor:
        return decode(target, encode(source, encoders), decoders)

    return model


def _causal_encoder(source: Tensor, layers: EncoderLayers) -> Tensor:
    for W, ffn in layers:
        source = norm(source + attend(source, source, W, causal=True))
        source = norm(source + feed(source, ffn))
    return source


def _layer_by_layer(
    source: Tensor, target: Tensor, encoders: EncoderLayers, decoders: DecoderLayers
) -> Tensor:
    """Let decoder layer i read encoder layer i (the last one, where there are fewer)."""
    memories = [_encode(source, encoders[: n + 1]) for n in range(len(encoders))]
    for n, layer in enumerate(decoders):
        target = decoder_layer(target, memories[min(n, len(memories) - 1)], *layer)
    return target


def _decoder_not_causal(target: Tensor, memory: Tensor, layers: DecoderLayers) -> Tensor:
    for W_self, W_cross, ffn in layers:
        target = norm(target + attend(target, target, W_self))
        target = norm(target + attend(target, memory, W_cross))
        target = norm(target + feed(target, ffn))
    return target


def _memory_replaced(target: Tensor, memory: Tensor, layers: DecoderLayers) -> Tensor:
    for layer in layers:
        target = memory = decoder_layer(target, memory, *layer)
    return target


def _no_cross(target: Tensor, memory: Tensor, layers: DecoderLayers) -> Tensor:
    for W_self, _, ffn in layers:
        target = norm(target + attend(target, target, W_self, causal=True))
        target = norm(target + feed(target, ffn))
    return target


def _no_ffn(source: Tensor, layers: EncoderLayers) -> Tensor:
    for W, _ in layers:
        source = norm(source + attend(source, source, W))
    return source


def _restarted(target: Tensor, memory: Tensor, layers: DecoderLayers) -> Tensor:
    return [decoder_layer(target, memory, *layer) for layer in layers][-1]


encoder_decoder = Exercise(
    "encoder_decoder",
    points=4,
    reference=_reference,
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
    mistakes=[
        *MODEL_MISTAKES,
        Mistake(
            "model-one-encoder-layer",
            _built(encode=lambda source, layers: _encode(source, layers[:1])),
            "One encoder layer is right, more are not. How many of them do you use?",
        ),
        Mistake(
            "model-last-encoder-layer",
            _built(encode=lambda source, layers: _encode(source, layers[-1:])),
            "One encoder layer is right, more are not. Does each layer read what the one before "
            "it gave, or the source again?",
        ),
        Mistake(
            "model-encoder-causal",
            _built(encode=_causal_encoder),
            "Your source words see only what stands before them. Is the source ever unknown?",
        ),
        Mistake(
            "model-no-encoder",
            _built(encode=lambda source, layers: source),
            "Your decoder reads the bare source. What is the encoder for?",
        ),
        Mistake(
            "model-one-decoder-layer",
            _built(decode=lambda target, memory, layers: _decode(target, memory, layers[:1])),
            "One decoder layer is right, more are not. How many of them do you use?",
        ),
        Mistake(
            "model-decoder-restarted",
            _built(decode=_restarted),
            "Only your last decoder layer counts. What does each layer read?",
        ),
        Mistake(
            "model-layer-by-layer",
            _layer_by_layer,
            "Each of your decoder layers reads a different encoder layer. Which one do all of "
            "them read?",
        ),
        Mistake(
            "model-decoder-not-causal",
            _built(decode=_decoder_not_causal),
            "Your first target place knows the later words. What does a decoder hide?",
        ),
        Mistake(
            "model-memory-replaced",
            _built(decode=_memory_replaced),
            "From the second decoder layer on the source is gone. What does every layer look at?",
        ),
        Mistake(
            "model-no-cross",
            _built(decode=_no_cross),
            "Change the source and your result stays the same. Where does it come in?",
        ),
        Mistake(
            "model-encoder-no-ffn",
            _built(encode=_no_ffn),
            "Your encoder layers only look. Which sub-layer follows?",
        ),
        Mistake(
            "model-roles-exchanged",
            lambda source, target, encoders, decoders: _reference(
                target, source, encoders, decoders
            ),
            "You have one row for each source word. Which sentence is encoded, and which is "
            "written?",
        ),
        Mistake(
            "model-layers-reversed",
            lambda source, target, encoders, decoders: _reference(
                source, target, encoders[::-1], decoders[::-1]
            ),
            "One layer is right, more are not. In which order do layers act?",
        ),
        Mistake(
            "model-one-stack-reversed",
            _built(encode=lambda source, layers: _encode(source, layers[::-1])),
            "One layer is right, more are not, in one of your stacks. In which order do its layers "
            "act?",
            variants=[
                _built(decode=lambda target, memory, layers: _decode(target, memory, layers[::-1]))
            ],
        ),
        Mistake(
            "model-first-weights-for-all",
            lambda source, target, encoders, decoders: _reference(
                source, target, [encoders[0]] * len(encoders), [decoders[0]] * len(decoders)
            ),
            "One layer is right, more are not. Does each layer have weights of its own?",
        ),
        Mistake(
            "model-encoder-residual",
            _built(encode=lambda source, layers: source + _encode(source, layers)),
            "You add the source to what was encoded. Is there a residual around the whole encoder?",
        ),
        Mistake(
            "model-as-many-decoders-as-encoders",
            lambda source, target, encoders, decoders: _reference(
                source, target, encoders[: len(decoders)], decoders[: len(encoders)]
            ),
            "Where the stacks differ in height, yours drops layers. Must they be equally high?",
        ),
        Mistake(
            "model-target-returned-with-memory",
            lambda source, target, encoders, decoders: (
                _reference(source, target, encoders, decoders),
                _encode(source, encoders),
            ),
            "The result is there, with the memory beside it. What is asked for?",
        ),
    ],
    hints=[
        "Two loops, one after the other: first the whole encoder, then the decoder.",
        "The encoder's layer is the decoder's without mask and without cross-attention.",
        "The memory is made once and read by every decoder layer.",
    ],
)

EXERCISES = (encoder_decoder,)
