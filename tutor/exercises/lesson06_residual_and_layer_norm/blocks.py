"""What post_norm_block, pre_norm_block and pre_norm_stack share: parts, cases, other norms."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, CallError, Mistake
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
from tutor.say import say

Block = Callable[[Tensor, Tensor, Tensor], Tensor]


def plain_norm(x: Tensor) -> Tensor:
    """Normalise the last axis with gamma 1, beta 0 and eps 1e-5."""
    return F.layer_norm(x, x.shape[-1:], eps=1e-5)


def branch(x: Tensor, W: Tensor) -> Tensor:
    """Compute the sub-layer of these exercises, tanh(x W)."""
    return torch.tanh(x @ W)


def post(x: Tensor, W: Tensor, drop: Tensor) -> Tensor:
    """Add, then normalise (the paper's order)."""
    return plain_norm(x + drop * branch(x, W))


def pre(x: Tensor, W: Tensor, drop: Tensor) -> Tensor:
    """Normalise what enters the branch, and keep the stream itself untouched."""
    return x + drop * branch(plain_norm(x), W)


TOKEN = torch.tensor([[[1.0, 2.0, 3.0, 6.0]]])


def block_cases(seed: int) -> Mapping[str, Arguments]:
    """Draw the cases of a block."""
    rng = Rng(seed)

    def case(batch: int, time: int, d_model: int) -> Arguments:
        kept = rng.uniform(0, 1, batch, time, d_model) > 0.3
        return {
            "x": rng.normal(batch, time, d_model) * 2 + 1,
            "W": rng.normal(d_model, d_model),
            "drop": kept.float() / 0.7,
        }

    faint = {**case(2, 4, 5), "x": 3e-3 * rng.normal(2, 4, 5)}  # here eps decides
    return {
        "unequal sizes": case(2, 3, 7),
        "square": case(4, 4, 4),
        "one token": case(1, 1, 8),
        "two features": case(5, 4, 2),
        "wide": case(3, 2, 7),
        "a faint stream": faint,
        "a loud stream": {**(loud := case(2, 3, 4)), "x": far(loud["x"])},
        "large weights": saturated(rng, case(2, 3, 4)),
        "nothing is dropped": {**(kept := case(3, 2, 5)), "drop": torch.ones_like(kept["drop"])},
        EXAMPLE: {"x": TOKEN, "W": torch.zeros(4, 4), "drop": torch.ones_like(TOKEN)},
    }


def saturated(rng: Rng, given: Arguments) -> Arguments:
    """Draw large weights until tanh(LN(x) W) is ±1 everywhere, whatever rounds how."""
    while True:
        W = 2000 * rng.normal(*given["W"].shape)
        sums = plain_norm(given["x"]) @ W
        if sums.abs().min() > 40 and sums.min() < -1010 and sums.max() > 1010:
            return {**given, "W": W}


def far(x: Tensor) -> Tensor:
    """Bring a stream to where tanh is ±1, whichever way it is looked at."""
    return 2000.0 * (x.sign() + x.round())


def all_dropped(call: Call) -> Tensor:
    """Run the block where nothing of the branch is left."""
    return call(TOKEN, torch.eye(4), torch.zeros_like(TOKEN))


def gradient_comes_back(call: Call, *arguments: Any) -> bool:
    """Say whether x, the first argument, gets a gradient, or autograd has none to give."""
    try:
        gradient, *_ = call.gradients(*arguments)
    except CallError:  # an own number was changed in place, and results are judged
        return True
    return bool((gradient.abs() > 1e-6).any())


def gradient_goes_past(call: Call) -> str | None:
    """Ask for the gradient of x where the branch is 0 and has none."""
    if gradient_comes_back(call, TOKEN, torch.zeros(4, 4), torch.ones_like(TOKEN)):
        return None
    return say(
        "With W all zeros the branch is 0, and x goes past it. No gradient comes back to x that "
        "way, so the layers below would not learn through it."
    )


def in_words(row: Tensor) -> str:
    """Write a row as a learner prints it."""
    return ", ".join(f"{value:.3f}" for value in row.flatten().tolist())


ASK_PLACE = "Dropout touches what it should not. Which tensor does drop multiply in the formula?"
ASK_TURNED = "Your matrix acts the wrong way round. Rows times W: which of W's axes meets them?"


def norm_mistakes(prefix: str, block_with: Callable[[Norm], Block]) -> list[Mistake]:
    """Build the mistakes that lie in the norm alone."""
    first, *others = map(block_with, OTHER_EPS)
    return [
        Mistake(f"{prefix}-other-eps", first, ASK_EPS, variants=others),
        Mistake(f"{prefix}-unbiased", block_with(unbiased), ASK_DIVISOR),
        Mistake(f"{prefix}-not-centred", block_with(not_centred), ASK_CENTRE),
    ]


SHAPES = {"x": "B T D", "W": "D D", "drop": "B T D", "result": "B T D"}
PROMISES = {
    "a number is dropped": lambda x, W, drop: bool((drop == 0).any()),
    "a number that stays is enlarged": lambda x, W, drop: bool((drop > 1).any()),
    "nothing is dropped": lambda x, W, drop: bool((drop == 1).all()),
    "eps decides": lambda x, W, drop: bool(x.abs().max() < 0.1),
}
ASK_NO_ACTIVATION = "Numbers above 1 reach your sum. What bends x W before it is dropped?"
ASK_NO_DROP = "Change drop and your result stays the same. What does it multiply?"
