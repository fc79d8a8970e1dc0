"""mend_decoder_layer: a pre-norm decoder layer, whose stream is only ever added to."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from tutor.attention import scaled_dot_product_attention
from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.lesson06_residual_and_layer_norm.other_norms import (
    ASK_CENTRE,
    ASK_DIVISOR,
    ASK_EPS,
    OTHER_EPS,
    Norm,
    not_centred,
    unbiased,
)
from tutor.exercises.lesson08_full_transformer.parts import norm
from tutor.mask import causal_keep
from tutor.say import say

_Layer = Callable[[Tensor, Tensor, Tensor], Tensor]


def _look(x: Tensor, at: Tensor, *, causal: bool = False) -> Tensor:
    """Let rows look at rows as they are: matrices are for exercises that ask to write them."""
    keep = causal_keep(x.size(1))[None] if causal else None
    return scaled_dot_product_attention(x, at, at, keep)[0]


def _think(x: Tensor, W: Tensor) -> Tensor:
    return torch.tanh(x @ W)


def _built(
    first: Norm = norm, second: Norm = norm, third: Norm = norm, *, causal: bool = True
) -> _Layer:
    """Put a pre-norm layer together; each norm makes what one sub-layer reads."""

    def layer(x: Tensor, memory: Tensor, W: Tensor) -> Tensor:
        read = first(x)
        x = x + _look(read, read, causal=causal)
        x = x + _look(second(x), memory)
        return x + _think(third(x), W)

    return layer


_reference = _built()


def _raw(x: Tensor) -> Tensor:
    return x


def _stream_normed(x: Tensor, memory: Tensor, W: Tensor) -> Tensor:
    x = norm(x)
    x = norm(x + _look(x, x, causal=True))
    x = norm(x + _look(x, memory))
    return x + _think(x, W)


def _post_norm(x: Tensor, memory: Tensor, W: Tensor) -> Tensor:
    x = norm(x + _look(x, x, causal=True))
    x = norm(x + _look(x, memory))
    return norm(x + _think(x, W))


def _from_start(x: Tensor, memory: Tensor, W: Tensor) -> Tensor:
    looked = x + _look(norm(x), norm(x), causal=True)
    looked = x + _look(norm(looked), memory)
    return looked + _think(norm(looked), W)


def _normed_once(x: Tensor, memory: Tensor, W: Tensor) -> Tensor:
    read = norm(x)
    x = x + _look(read, read, causal=True) + _look(read, memory)
    return x + _think(read, W)


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(batch: int, target: int, source: int, width: int) -> Arguments:
        return {
            "x": rng.normal(batch, target, width) * 1.5 + 0.5,
            "memory": rng.normal(batch, source, width),
            "W": rng.normal(width, width),
        }

    def sized(size: float) -> Arguments:
        given = case(2, 3, 4, width=5)
        return {**given, "x": size * given["x"]}

    steep = case(1, 4, 3, width=5)
    return {
        "unequal sizes": case(2, 3, 5, width=7),
        "as many target as source words": case(2, 4, 4, width=5),
        "more target words": case(1, 5, 2, width=6),
        "one target word": case(2, 1, 3, width=4),
        "one source word": case(3, 2, 1, width=5),
        "two features": case(4, 3, 5, width=2),
        "a loud stream": sized(300.0),
        "a faint stream": sized(0.002),  # here eps decides
        "scores of ±1000": _loud(rng),
        "a feed-forward layer of ±1000": {**steep, "W": 2000 * steep["W"]},
        EXAMPLE: {
            "x": torch.tensor([[[1.0, 3.0]]]),
            "memory": torch.zeros(1, 2, 2),
            "W": torch.zeros(2, 2),
        },
    }


def _loud(rng: Rng) -> Arguments:
    """Draw a layer whose cross-attention scores lie near ±1000, a whole row at one level.

    All rows of the memory begin with the same large number; a query's level is the first feature
    of what it reads, near 2 or -2 after the norm.
    """
    D = 6
    x = rng.normal(1, 4, D) / 4
    x[..., 0] = torch.tensor([3.0, -3.0, 3.0, -3.0])
    memory = rng.normal(1, 3, D)
    memory[..., 0] = 1200.0
    return {"x": x, "memory": memory, "W": rng.normal(D, D)}


def _what_is_added_stays(call: Call) -> str | None:
    rng = Rng(1)
    x, memory = rng.normal(1, 3, 4), rng.normal(1, 2, 4)
    W = rng.normal(4, 4)
    before, after = call(x, memory, W), call(x + 10.0, memory, W)
    if torch.allclose(after, before + 10.0, atol=1e-2):
        return None
    return say("10 was added to all numbers of x, and it did not come out again as 10.")


mend_decoder_layer = Exercise(
    "mend_decoder_layer",
    points=2,
    reference=_reference,
    cases=_cases,
    given="predec-stream-normed",
    returns=("result",),
    shapes={"x": "B T D", "memory": "B S D", "W": "D D", "result": "B T D"},
    smallest={"D": 2},
    properties=[Property("What stands in the stream stays in it.", _what_is_added_stays)],
    mistakes=[
        Mistake(
            "predec-stream-normed",
            _stream_normed,
            "Your stream is normalised itself. Which of the two should a norm change here: the "
            "stream that is added to, or what a sub-layer reads?",
        ),
        Mistake(
            "predec-post-norm",
            _post_norm,
            "That is a post-norm layer, and a right one. Where do the norms stand in this one?",
        ),
        Mistake(
            "predec-residual-from-start",
            _from_start,
            "What self-attention found is lost from your stream. To which x does the second line "
            "add?",
        ),
        Mistake(
            "predec-normed-once",
            _normed_once,
            "All your sub-layers read the same rows. Does the second see what the first found?",
        ),
        Mistake(
            "predec-last-norm",
            lambda *given: norm(_reference(*given)),
            "Your result has mean 0 and variance 1. Does this layer end in a norm?",
        ),
        Mistake(
            "predec-memory-normed",
            lambda x, memory, W: _reference(x, norm(memory), W),
            "You normalise the memory as well. What does the exercise say of it?",
        ),
        Mistake(
            "predec-self-raw",
            _built(first=_raw),
            "With a loud stream your self-attention becomes extreme. What should it read?",
        ),
        Mistake(
            "predec-cross-raw",
            _built(second=_raw),
            "With a loud stream your cross-attention becomes extreme. What should ask there?",
        ),
        Mistake(
            "predec-ffn-raw",
            _built(third=_raw),
            "With a loud stream your third sub-layer becomes too loud. What should it read?",
        ),
        Mistake(
            "predec-not-causal",
            _built(causal=False),
            "Your first place knows the later words. Which attention hides them?",
        ),
        Mistake(
            "predec-other-eps",
            _built(*[OTHER_EPS[0]] * 3),
            ASK_EPS,
            variants=[_built(*[other] * 3) for other in OTHER_EPS[1:]],
        ),
        Mistake("predec-unbiased", _built(*[unbiased] * 3), ASK_DIVISOR),
        Mistake("predec-not-centred", _built(*[not_centred] * 3), ASK_CENTRE),
    ],
    hints=[
        "Follow the names: which line changes the stream itself, and not only what is read?",
        "Imagine that memory and W are all zeros: which two things are then added?",
    ],
)
