"""The ways in which a whole model goes wrong."""

from collections.abc import Callable

from torch import Tensor

from tutor.checking.exercise import Mistake
from tutor.exercises.lesson08_full_transformer.other_norms import MODEL_MISTAKES
from tutor.exercises.lesson08_full_transformer.parts import (
    DecoderLayers,
    EncoderLayers,
    attend,
    decode,
    decoder_layer,
    encode,
    feed,
    norm,
)
from tutor.exercises.lesson08_full_transformer.parts import encoder_decoder as reference


def _built(
    encode: Callable[[Tensor, EncoderLayers], Tensor] = encode,
    decode: Callable[[Tensor, Tensor, DecoderLayers], Tensor] = decode,
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
    memories = [encode(source, encoders[: n + 1]) for n in range(len(encoders))]
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


MISTAKES = [
    *MODEL_MISTAKES,
    Mistake(
        "model-one-encoder-layer",
        _built(encode=lambda source, layers: encode(source, layers[:1])),
        "One encoder layer is right, more are not. How many of them do you use?",
    ),
    Mistake(
        "model-last-encoder-layer",
        _built(encode=lambda source, layers: encode(source, layers[-1:])),
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
        _built(decode=lambda target, memory, layers: decode(target, memory, layers[:1])),
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
        lambda source, target, encoders, decoders: reference(target, source, encoders, decoders),
        "You have one row for each source word. Which sentence is encoded, and which is written?",
    ),
    Mistake(
        "model-layers-reversed",
        lambda source, target, encoders, decoders: reference(
            source, target, encoders[::-1], decoders[::-1]
        ),
        "One layer is right, more are not. In which order do layers act?",
    ),
    Mistake(
        "model-one-stack-reversed",
        _built(encode=lambda source, layers: encode(source, layers[::-1])),
        "One layer is right, more are not, in one of your stacks. In which order do its layers "
        "act?",
        variants=[
            _built(decode=lambda target, memory, layers: decode(target, memory, layers[::-1]))
        ],
    ),
    Mistake(
        "model-first-weights-for-all",
        lambda source, target, encoders, decoders: reference(
            source, target, [encoders[0]] * len(encoders), [decoders[0]] * len(decoders)
        ),
        "One layer is right, more are not. Does each layer have weights of its own?",
    ),
    Mistake(
        "model-encoder-residual",
        _built(encode=lambda source, layers: source + encode(source, layers)),
        "You add the source to what was encoded. Is there a residual around the whole encoder?",
    ),
    Mistake(
        "model-as-many-decoders-as-encoders",
        lambda source, target, encoders, decoders: reference(
            source, target, encoders[: len(decoders)], decoders[: len(encoders)]
        ),
        "Where the stacks differ in height, yours drops layers. Must they be equally high?",
    ),
    Mistake(
        "model-target-returned-with-memory",
        lambda source, target, encoders, decoders: (
            reference(source, target, encoders, decoders),
            encode(source, encoders),
        ),
        "The result is there, with the memory beside it. What is asked for?",
    ),
]
