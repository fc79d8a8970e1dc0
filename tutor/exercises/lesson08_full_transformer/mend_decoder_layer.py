"""mend_decoder_layer: a pre-norm decoder layer, whose stream is only ever added to."""

from collections.abc import Mapping

import torch
from torch import Tensor

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
from tutor.exercises.lesson08_full_transformer.parts import (
    LAYER_SHAPES,
    Ffn,
    Layer,
    Matrices,
    attend,
    decoder_layer,
    feed,
    norm,
    random_ffn,
    random_matrices,
)
from tutor.say import say


def _built(
    first: Norm = norm, second: Norm = norm, third: Norm = norm, *, causal: bool = True
) -> Layer:
    """Put a pre-norm layer together; each norm makes what one sub-layer reads."""

    def layer(x: Tensor, memory: Tensor, W_self: Matrices, W_cross: Matrices, ffn: Ffn) -> Tensor:
        read = first(x)
        x = x + attend(read, read, W_self, causal=causal)
        x = x + attend(second(x), memory, W_cross)
        return x + feed(third(x), ffn)

    return layer


_reference = _built()


def _raw(x: Tensor) -> Tensor:
    return x


def _stream_normed(
    x: Tensor, memory: Tensor, W_self: Matrices, W_cross: Matrices, ffn: Ffn
) -> Tensor:
    x = norm(x)
    x = norm(x + attend(x, x, W_self, causal=True))
    x = norm(x + attend(x, memory, W_cross))
    return x + feed(x, ffn)


def _from_start(x: Tensor, memory: Tensor, W_self: Matrices, W_cross: Matrices, ffn: Ffn) -> Tensor:
    looked = x + attend(norm(x), norm(x), W_self, causal=True)
    looked = x + attend(norm(looked), memory, W_cross)
    return looked + feed(norm(looked), ffn)


def _normed_once(
    x: Tensor, memory: Tensor, W_self: Matrices, W_cross: Matrices, ffn: Ffn
) -> Tensor:
    read = norm(x)
    x = x + attend(read, read, W_self, causal=True) + attend(read, memory, W_cross)
    return x + feed(read, ffn)


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(sizes: tuple[int, int, int], width: int, d_k: int, d_ff: int) -> Arguments:
        batch, target, source = sizes
        return {
            "x": rng.normal(batch, target, width) * 1.5 + 0.5,
            "memory": rng.normal(batch, source, width),
            "W_self": random_matrices(rng, width, d_k),
            "W_cross": random_matrices(rng, width, d_k),
            "ffn": random_ffn(rng, width, d_ff),
        }

    def sized(size: float) -> Arguments:
        given = case((2, 3, 4), width=5, d_k=3, d_ff=6)
        return {**given, "x": size * given["x"]}

    return {
        "unequal sizes": case((2, 3, 5), width=7, d_k=4, d_ff=9),
        "as many target as source words": case((2, 4, 4), width=5, d_k=3, d_ff=7),
        "more target words": case((1, 5, 2), width=6, d_k=2, d_ff=8),
        "one target word": case((2, 1, 3), width=4, d_k=3, d_ff=6),
        "one source word": case((3, 2, 1), width=5, d_k=7, d_ff=4),
        "two features": case((4, 3, 5), width=2, d_k=1, d_ff=1),
        "a loud stream": sized(300.0),
        "a faint stream": sized(0.002),  # here eps decides
        "scores of ±1000": _loud(rng),
        EXAMPLE: {
            "x": torch.tensor([[[1.0, 3.0]]]),
            "memory": torch.ones(1, 2, 2),
            "W_self": (torch.zeros(2, 1), torch.zeros(2, 1), torch.zeros(2, 2)),
            "W_cross": (torch.zeros(2, 1), torch.zeros(2, 1), torch.zeros(2, 2)),
            "ffn": (torch.zeros(3, 2), torch.zeros(3), torch.zeros(2, 3), torch.zeros(2)),
        },
    }


def _loud(rng: Rng) -> Arguments:
    """Draw a layer whose cross-attention scores lie near ±1000, a whole row at one level.

    All rows of the memory begin with 1, which W_k makes large; a query's level is the first
    feature of what it reads, near 2 or -2 after the norm.
    """
    D, d_k = 6, 4
    x = rng.normal(1, 4, D) / 4
    x[..., 0] = torch.tensor([3.0, -3.0, 3.0, -3.0])
    memory = rng.normal(1, 3, D)
    memory[..., 0] = 1.0
    W_q, W_k, W_v = random_matrices(rng, D, d_k)
    W_q[:, 0], W_k[:, 0] = 0.0, 0.0
    W_q[0], W_k[0] = 0.0, 0.0
    W_q[0, 0], W_k[0, 0] = 1.0, 1200.0
    weak = tuple(W / 4 for W in random_matrices(rng, D, d_k))
    return {
        "x": x,
        "memory": memory,
        "W_self": weak,
        "W_cross": (W_q, W_k, W_v),
        "ffn": random_ffn(rng, D, 6),
    }


def _what_is_added_stays(call: Call) -> str | None:
    rng = Rng(1)
    x, memory = rng.normal(1, 3, 4), rng.normal(1, 2, 4)
    weights = random_matrices(rng, 4, 3), random_matrices(rng, 4, 3), random_ffn(rng, 4, 6)
    before, after = call(x, memory, *weights), call(x + 10.0, memory, *weights)
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
    shapes=LAYER_SHAPES,
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
            decoder_layer,
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
            lambda x, memory, *weights: _reference(x, norm(memory), *weights),
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
        "Make all matrices zeros in thought: x should come out as it went in.",
    ],
)
