"""predict_stream_size: three laws of depth, with a calculator."""

import math
from collections.abc import Mapping

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import say

# Size at the bottom, factor of a layer, layers: such that all four answers are whole numbers.
_DRAWN = ((3, 2, 4), (2, 2, 8), (5, 2, 6), (2, 4, 2), (6, 4, 4))


def _cases(seed: int) -> Mapping[str, Arguments]:
    size, factor, layers = Rng(seed).choice(_DRAWN)
    return {"yours": {"size": size, "factor": factor, "layers": layers}}


def _laws(
    size: float,
    factor: float,
    layers: int,
    plain: float | None = None,
    residual: float | None = None,
    pre: float | None = None,
    post: float = 1.0,
) -> list[float]:
    """Give the four sizes, with some of them wrong."""
    return [
        size * factor**layers if plain is None else plain,
        size * (1 + factor**2) ** (layers / 2) if residual is None else residual,
        math.sqrt(size**2 + layers * factor**2) if pre is None else pre,
        post,
    ]


predict_stream_size = Exercise(
    "predict_stream_size",
    points=1,
    reference=_laws,
    cases=_cases,
    absolute=0.02,
    question=lambda size, factor, layers: say(
        "A stream of size {size} goes through {layers} layers. Each layer gives back {factor} "
        "times the size of what it is given, in a new direction: at a right angle to the stream. "
        "How large is the stream at the top of a plain stack, with a residual alone, with "
        "pre-norm (before its last norm), and with post-norm? A norm makes a size of 1. Answer "
        "with a list of four numbers.",
        size=size,
        factor=factor,
        layers=layers,
    ),
    mistakes=[
        Mistake(
            "size-along-the-stream",
            lambda s, f, n: _laws(s, f, n, residual=s * (1 + f) ** n),
            "Your residual adds along the stream. How long is the diagonal where two arrows meet "
            "at a right angle?",
        ),
        Mistake(
            "size-residual-without-root",
            lambda s, f, n: _laws(s, f, n, residual=s * (1 + f**2) ** n),
            "That is the square of what the residual's layers multiply by. What is one layer's "
            "factor itself?",
        ),
        Mistake(
            "size-residual-added-once",
            lambda s, f, n: _laws(s, f, n, residual=s * math.sqrt(1 + n * f**2)),
            "With the residual alone each layer reads the stream as it is. Does a larger stream "
            "get larger additions?",
        ),
        Mistake(
            "size-plain-added",
            lambda s, f, n: _laws(s, f, n, plain=s * f * n),
            "Your plain stack grows by the same amount in each layer. Does a layer add, or "
            "multiply?",
        ),
        Mistake(
            "size-pre-without-root",
            lambda s, f, n: _laws(s, f, n, pre=s**2 + n * f**2),
            "That is the square of pre-norm's size. What is the size?",
        ),
        Mistake(
            "size-pre-along-the-stream",
            lambda s, f, n: _laws(s, f, n, pre=s + n * f),
            "Your pre-norm adds along the stream. What is added at a right angle?",
        ),
        Mistake(
            "size-pre-like-residual",
            lambda s, f, n: _laws(s, f, n, pre=s * (1 + f**2) ** (n / 2)),
            "Your pre-norm grows as fast as the residual alone. How large is what its layers read?",
        ),
        Mistake(
            "size-pre-starts-at-one",
            lambda s, f, n: _laws(s, f, n, pre=math.sqrt(1 + n * f**2)),
            "Pre-norm normalises what a layer reads. What becomes of the stream at the bottom?",
        ),
        Mistake(
            "size-pre-like-post",
            lambda s, f, n: _laws(s, f, n, pre=1.0),
            "No norm stands on pre-norm's stream. Does it stay at 1?",
        ),
        Mistake(
            "size-post-keeps-the-start",
            lambda s, f, n: _laws(s, f, n, post=s),
            "What does a norm after the sum leave of the size at the bottom?",
        ),
    ],
    hints=[
        "Two arrows at a right angle, of lengths a and b: their sum has the length √(a² + b²).",
        "Write down the square of the size, layer by layer: it is multiplied or added to.",
    ],
)
