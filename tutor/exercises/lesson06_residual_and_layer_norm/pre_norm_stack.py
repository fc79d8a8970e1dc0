"""pre_norm_stack: many pre-norm layers on one stream, and the norm at its end."""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.lesson06_residual_and_layer_norm.blocks import (
    TOKEN,
    branch,
    gradient_comes_back,
    plain_norm,
    pre,
    saturated,
)
from tutor.exercises.lesson06_residual_and_layer_norm.other_norms import (
    ASK_CENTRE,
    ASK_DIVISOR,
    ASK_EPS,
    OTHER_EPS,
    Norm,
    not_centred,
    unbiased,
)
from tutor.say import say

Weights = Sequence[Tensor]


def _stack(x: Tensor, weights: Weights) -> Tensor:
    for W in weights:
        x = x + branch(plain_norm(x), W)
    return plain_norm(x)


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(layers: int, batch: int, time: int, d_model: int) -> Arguments:
        return {
            "x": rng.normal(batch, time, d_model) * 2 + 1,
            "weights": [rng.normal(d_model, d_model) for _ in range(layers)],
        }

    return {
        "three layers": case(3, 2, 3, 5),
        "one layer": case(1, 3, 2, 4),
        "four square layers": case(4, 4, 4, 4),
        "one sentence": case(2, 1, 3, 4),
        "one word": case(2, 3, 1, 6),
        "two features": case(3, 2, 4, 2),
        "narrow and deep": case(7, 4, 3, 2),
        EXAMPLE: {
            "x": torch.tensor([[[1.0, 2.0, 3.0, 6.0]]]),
            "weights": [torch.zeros(4, 4)] * 5,
        },
        "large weights": _saturated(rng, case(1, 2, 3, 4)["x"]),
        "a faint stream": {  # here eps decides
            "x": 3e-3 * rng.normal(2, 4, 5),
            "weights": [1e-3 * rng.normal(5, 5) for _ in range(2)],
        },
    }


def _saturated(rng: Rng, x: Tensor) -> Arguments:
    """Draw two layers whose tanh is ±1 everywhere."""
    drop, weights, stream = torch.ones_like(x), [], x
    for _ in range(2):
        W = saturated(rng, {"x": stream, "W": torch.zeros(x.size(-1), x.size(-1))})["W"]
        weights.append(W)
        stream = pre(stream, W, drop)
    return {"x": x, "weights": weights}


def _zero_layers_leave_the_norm(call: Call) -> str | None:
    x = torch.tensor([[[1.0, 2.0, 3.0, 6.0]]])
    result = call(x, [torch.zeros(4, 4)] * 3)
    if torch.allclose(result, plain_norm(x), atol=1e-4):
        return None
    shown = ", ".join(f"{value:.3f}" for value in result.flatten().tolist())
    return say(
        "Three all-zero layers on [1, 2, 3, 6] should give LN(x); yours gives [{shown}].",
        shown=shown,
    )


def _gradient_goes_past(call: Call) -> str | None:
    if gradient_comes_back(call, TOKEN, [torch.zeros(4, 4)] * 3):
        return None
    return say(
        "Three all-zero layers add nothing, and x goes past them. No gradient comes back to x that "
        "way, so what lies below would not learn through them."
    )


def _stepping(step: Callable[[Tensor, Tensor], Tensor]) -> Callable[[Tensor, Weights], Tensor]:
    """Build a stack from one step of the stream, with the final norm."""

    def stack(x: Tensor, weights: Weights) -> Tensor:
        for W in weights:
            x = step(x, W)
        return plain_norm(x)

    return stack


def _no_final_norm(x: Tensor, weights: Weights) -> Tensor:
    for W in weights:
        x = x + branch(plain_norm(x), W)
    return x


def _residual_from_embedding(x: Tensor, weights: Weights) -> Tensor:
    stream = x
    for W in weights:
        stream = x + branch(plain_norm(stream), W)
    return plain_norm(stream)


def _branches_from_embedding(x: Tensor, weights: Weights) -> Tensor:
    return plain_norm(x + torch.stack([branch(plain_norm(x), W) for W in weights]).sum(0))


def _norm_once(x: Tensor, weights: Weights) -> Tensor:
    for layer, W in enumerate(weights):
        x = x + branch(plain_norm(x) if layer == 0 else x, W)
    return plain_norm(x)


def _plain_step(x: Tensor, W: Tensor) -> Tensor:
    return x + branch(x, W)


def _no_norm(x: Tensor, weights: Weights) -> Tensor:
    for W in weights:
        x = _plain_step(x, W)
    return x


def _normalised(x: Tensor, W: Tensor) -> Tensor:
    return plain_norm(x) + branch(plain_norm(x), W)


def _both(x: Tensor, W: Tensor) -> Tensor:
    return plain_norm(x + branch(plain_norm(x), W))


def _all_steps(x: Tensor, weights: Weights) -> list[Tensor]:
    return [_stack(x, weights[: layer + 1]) for layer in range(len(weights))]


def _with(norm: Norm, last: Norm | None = None) -> Callable[[Tensor, Weights], Tensor]:
    """Build a stack with other norms, at the end too unless a last one is given."""

    def stack(x: Tensor, weights: Weights) -> Tensor:
        for W in weights:
            x = x + branch(norm(x), W)
        return (last or norm)(x)

    return stack


pre_norm_stack = Exercise(
    "pre_norm_stack",
    points=2,
    reference=_stack,
    cases=_cases,
    returns=("result",),
    shapes={"x": "B T D", "weights": "D D", "result": "B T D"},
    smallest={"D": 2},
    promises={
        "one layer": lambda x, weights: len(weights) == 1,
        "many layers": lambda x, weights: len(weights) > 4,
        "eps decides": lambda x, weights: bool(x.abs().max() < 0.1),
    },
    properties=[
        Property("Layers that add nothing leave LN(x).", _zero_layers_leave_the_norm),
        Property("A gradient comes back past the branches.", _gradient_goes_past),
    ],
    mistakes=[
        Mistake(
            "pre-other-eps",
            _with(OTHER_EPS[0]),
            ASK_EPS,
            variants=[_with(norm) for norm in OTHER_EPS[1:]],
        ),
        Mistake("pre-unbiased", _with(unbiased), ASK_DIVISOR),
        Mistake("pre-not-centred", _with(not_centred), ASK_CENTRE),
        Mistake(
            "pre-final-norm-twice",
            _with(plain_norm, lambda x: plain_norm(plain_norm(x))),
            "You are right on ordinary numbers, but a faint stream comes out too loud. How many "
            "norms stand after the last layer?",
        ),
        Mistake(
            "pre-no-final-norm",
            _no_final_norm,
            "Your rows do not have mean 0. The stream only ever grows: what brings it back to size "
            "at the end?",
        ),
        Mistake(
            "pre-residual-from-embedding",
            _residual_from_embedding,
            "The first layer's branch is lost in the third. To which x does each layer add?",
        ),
        Mistake(
            "pre-branches-from-embedding",
            _branches_from_embedding,
            "All your branches read the first x. What does the second layer read?",
        ),
        Mistake(
            "pre-stream-normalised",
            _stepping(_normalised),
            "Your stream itself is normalised in each layer. What does pre-norm promise the "
            "stream?",
        ),
        Mistake(
            "pre-norm-once",
            _norm_once,
            "Only your first branch reads a normalised stream. What does each of the others read?",
            variants=[
                lambda x, weights: _stepping(_plain_step)(plain_norm(x), weights),
                lambda x, weights: _no_norm(plain_norm(x), weights),
            ],
        ),
        Mistake(
            "pre-stack-both",
            _stepping(_both),
            "One layer is right, three are not. How many norms act on the stream itself, and "
            "where?",
            label="pre-norm and post-norm at once",
        ),
        Mistake(
            "pre-stack-post",
            _stepping(lambda x, W: plain_norm(x + branch(x, W))),
            'Your norm follows each sum. What does "pre" mean in pre-norm?',
            label="post-norm",
        ),
        Mistake(
            "pre-no-norm",
            _stepping(_plain_step),
            "Your branches read the stream as it is. What should a branch read?",
        ),
        Mistake(
            "pre-no-residual",
            _stepping(lambda x, W: branch(plain_norm(x), W)),
            "All-zero layers leave nothing of x. What goes past each branch?",
        ),
        Mistake(
            "pre-first-only",
            lambda x, weights: _stack(x, weights[:1]),
            "One layer is right, three are not. How many of the weights do you use?",
        ),
        Mistake(
            "pre-last-only",
            lambda x, weights: _stack(x, weights[-1:]),
            "One layer is right, three are not. Which layers came before the last?",
        ),
        Mistake(
            "pre-reversed",
            lambda x, weights: _stack(x, weights[::-1]),
            "One layer is right, three are not. In which order do the layers act?",
        ),
        Mistake(
            "pre-weights-shared",
            lambda x, weights: _stack(x, [weights[0]] * len(weights)),
            "One layer is right, three are not. Does each layer have weights of its own?",
        ),
        Mistake(
            "pre-transposed",
            lambda x, weights: _stack(x, [W.T for W in weights]),
            "Your matrices act the wrong way round. Rows times W: which of W's axes meets them?",
        ),
        Mistake(
            "pre-no-tanh",
            _stepping(lambda x, W: x + plain_norm(x) @ W),
            "Numbers above 1 are added to your stream. What bends each branch?",
        ),
        Mistake(
            "pre-norm-on-branch",
            _stepping(lambda x, W: x + plain_norm(branch(x, W))),
            "You normalise what leaves a branch. What should be normalised?",
        ),
        Mistake(
            "pre-all-steps",
            _all_steps,
            "You return what stands after each layer. Which of these is asked for?",
        ),
    ],
    hints=[
        "Write one layer as in pre_norm_block without dropout, and put it into a loop.",
        "After the loop the stream is a sum of x and all branches. What happens to it once?",
    ],
)
