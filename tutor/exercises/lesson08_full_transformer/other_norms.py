"""Decoder layers and models that are right but for their norms."""

from collections.abc import Callable, Sequence

from torch import Tensor

from tutor.checking.exercise import Mistake
from tutor.exercises.lesson06_residual_and_layer_norm.other_norms import (
    ASK_CENTRE,
    ASK_DIVISOR,
    ASK_EPS,
    OTHER_EPS,
    Norm,
    not_centred,
    unbiased,
)
from tutor.exercises.lesson08_full_transformer.parts import Ffn, Matrices, attend, feed, norm

Built = Callable[..., Tensor]


def _layer(norm: Norm, last: Norm | None = None) -> Built:
    def layer(x: Tensor, memory: Tensor, W_self: Matrices, W_cross: Matrices, ffn: Ffn) -> Tensor:
        x = norm(x + attend(x, x, W_self, causal=True))
        x = norm(x + attend(x, memory, W_cross))
        return (last or norm)(x + feed(x, ffn))

    return layer


def _twice(x: Tensor) -> Tensor:
    return norm(norm(x))


def _model(norm: Norm, memory_norm: Norm = lambda x: x, last: Norm = lambda x: x) -> Built:
    def model(
        source: Tensor,
        target: Tensor,
        encoder_layers: Sequence[tuple[Matrices, Ffn]],
        decoder_layers: Sequence[tuple[Matrices, Matrices, Ffn]],
    ) -> Tensor:
        for W, ffn in encoder_layers:
            source = norm(source + attend(source, source, W))
            source = norm(source + feed(source, ffn))
        for layer in decoder_layers:
            target = _layer(norm)(target, memory_norm(source), *layer)
        return last(target)

    return model


def _mistakes(prefix: str, with_norm: Callable[[Norm], Built]) -> list[Mistake]:
    first, *others = map(with_norm, OTHER_EPS)
    return [
        Mistake(f"{prefix}-other-eps", first, ASK_EPS, variants=others),
        Mistake(f"{prefix}-unbiased", with_norm(unbiased), ASK_DIVISOR),
        Mistake(f"{prefix}-not-centred", with_norm(not_centred), ASK_CENTRE),
    ]


LAYER_MISTAKES = [
    *_mistakes("dec", _layer),
    Mistake(
        "dec-normed-twice",
        _layer(norm, last=_twice),
        "You are right on ordinary numbers, but a faint stream comes out too loud. How many norms "
        "does each sub-layer have?",
    ),
]

MODEL_MISTAKES = [
    *_mistakes("model", _model),
    Mistake(
        "model-final-norm",
        _model(norm, last=norm),
        "You are right on ordinary numbers, but a faint stream comes out too loud. What stands "
        "after the last decoder layer?",
    ),
    Mistake(
        "model-memory-normed",
        _model(norm, memory_norm=norm),
        "You are right on ordinary numbers, but a faint source is read too loud. What stands "
        "between the last encoder layer and the decoder?",
        variants=[_model(norm, memory_norm=norm, last=norm)],
    ),
]
