"""post_norm_block and pre_norm_block: where the norm stands around a residual."""

from collections.abc import Callable, Mapping

import torch
import torch.nn.functional as F
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


_TOKEN = torch.tensor([[[1.0, 2.0, 3.0, 6.0]]])


def _cases(seed: int) -> Mapping[str, Arguments]:
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
        "unequal sizes": case(2, 3, 6),
        "square": case(4, 4, 4),
        "one token": case(1, 1, 8),
        "two features": case(5, 4, 2),
        "wide": case(3, 2, 7),
        "a faint stream": faint,
        "a loud stream": {**(loud := case(2, 3, 4)), "x": _far(loud["x"])},
        "large weights": saturated(rng, case(2, 3, 4)),
        "nothing is dropped": {**(kept := case(3, 2, 5)), "drop": torch.ones_like(kept["drop"])},
        EXAMPLE: {"x": _TOKEN, "W": torch.zeros(4, 4), "drop": torch.ones_like(_TOKEN)},
    }


def saturated(rng: Rng, given: Arguments) -> Arguments:
    """Draw large weights until tanh(LN(x) W) is ±1 everywhere, whatever rounds how."""
    while True:
        W = 2000 * rng.normal(*given["W"].shape)
        sums = plain_norm(given["x"]) @ W
        if sums.abs().min() > 40 and sums.min() < -1010 and sums.max() > 1010:
            return {**given, "W": W}


def _far(x: Tensor) -> Tensor:
    """Bring a stream to where tanh is ±1, whichever way it is looked at."""
    return 2000.0 * (x.sign() + x.round())


def _all_dropped(call: Call) -> Tensor:
    """Run the block where nothing of the branch is left."""
    return call(_TOKEN, torch.eye(4), torch.zeros_like(_TOKEN))


def _shown(row: Tensor) -> str:
    return ", ".join(f"{value:.3f}" for value in row.flatten().tolist())


def _norm_is_left(call: Call) -> str | None:
    result = _all_dropped(call)
    if torch.allclose(result, plain_norm(_TOKEN), atol=1e-4):
        return None
    return say(
        "With x = [1, 2, 3, 6] and drop all zeros the result should be LN(x); yours gives [{row}].",
        row=_shown(result),
    )


def _x_is_left(call: Call) -> str | None:
    result = _all_dropped(call)
    if torch.allclose(result, _TOKEN, atol=1e-4):
        return None
    return say(
        "With x = [1, 2, 3, 6] and drop all zeros x should come back untouched; "
        "yours gives [{row}].",
        row=_shown(result),
    )


_ASK_PLACE = "Dropout touches what it should not. Which tensor does drop multiply in the formula?"
_ASK_TURNED = "Your matrix acts the wrong way round. Rows times W: which of W's axes meets them?"


def _post_with(norm: Norm) -> Block:
    return lambda x, W, drop: norm(x + drop * branch(x, W))


def _pre_with(norm: Norm) -> Block:
    return lambda x, W, drop: x + drop * branch(norm(x), W)


def _norm_mistakes(prefix: str, block_with: Callable[[Norm], Block]) -> list[Mistake]:
    """Build the mistakes that lie in the norm alone."""
    first, *others = map(block_with, OTHER_EPS)
    return [
        Mistake(f"{prefix}-other-eps", first, ASK_EPS, variants=others),
        Mistake(f"{prefix}-unbiased", block_with(unbiased), ASK_DIVISOR),
        Mistake(f"{prefix}-not-centred", block_with(not_centred), ASK_CENTRE),
    ]


_SHAPES = {"x": "B T D", "W": "D D", "drop": "B T D", "result": "B T D"}
_PROMISES = {
    "a number is dropped": lambda x, W, drop: bool((drop == 0).any()),
    "a number that stays is enlarged": lambda x, W, drop: bool((drop > 1).any()),
    "nothing is dropped": lambda x, W, drop: bool((drop == 1).all()),
    "eps decides": lambda x, W, drop: bool(x.abs().max() < 0.1),
}
_ASK_NO_ACTIVATION = "Numbers above 1 reach your sum. What bends x W before it is dropped?"
_ASK_NO_DROP = "Change drop and your result stays the same. What does it multiply?"

post_norm_block = Exercise(
    "post_norm_block",
    points=2,
    reference=post,
    cases=_cases,
    returns=("result",),
    shapes=_SHAPES,
    smallest={"D": 2},
    promises=_PROMISES,
    properties=[
        Property(
            "With everything dropped, the block is LN(x).",
            _norm_is_left,
        ),
    ],
    mistakes=[
        *_norm_mistakes("post", _post_with),
        Mistake(
            "post-no-residual",
            lambda x, W, drop: plain_norm(drop * branch(x, W)),
            "With everything dropped nothing of x is left in yours. What is added to the branch?",
        ),
        Mistake(
            "post-dropout-last",
            lambda x, W, drop: drop * plain_norm(x + branch(x, W)),
            "Your result has zeros in it, so its rows are not normalised. Does dropout come before "
            "or after the sum?",
        ),
        Mistake(
            "post-branch-doubled",
            lambda x, W, drop: plain_norm(x + 2 * drop * branch(x, W)),
            "The branch counts twice in yours. How often is the sub-layer applied?",
            variants=[
                lambda x, W, drop: plain_norm(x + drop * branch(branch(x, W), W)),
                lambda x, W, drop: plain_norm(
                    x + drop * branch(x, W) + drop * branch(x + drop * branch(x, W), W)
                ),
                lambda x, W, drop: post(post(x, W, drop), W, drop),
            ],
        ),
        Mistake(
            "post-is-pre",
            pre,
            "Your rows do not have mean 0. Where does the paper put the norm: before the branch, "
            "or after the sum?",
            label="pre-norm",
        ),
        Mistake(
            "post-norm-on-branch",
            lambda x, W, drop: x + plain_norm(drop * branch(x, W)),
            "You normalise the branch alone. What goes through the norm in post-norm?",
        ),
        Mistake(
            "post-no-norm",
            lambda x, W, drop: x + drop * branch(x, W),
            "Your rows do not have mean 0. Which step is missing at the end?",
        ),
        Mistake(
            "post-norm-twice",
            lambda x, W, drop: plain_norm(x + drop * branch(plain_norm(x), W)),
            "You normalise before the sum as well. How many norms does post-norm have?",
            variants=[lambda x, W, drop: plain_norm(plain_norm(x) + drop * branch(x, W))],
        ),
        Mistake(
            "post-dropout-on-sum",
            lambda x, W, drop: plain_norm(drop * (x + branch(x, W))),
            _ASK_PLACE,
        ),
        Mistake(
            "post-dropout-on-residual",
            lambda x, W, drop: plain_norm(drop * x + branch(x, W)),
            _ASK_PLACE,
        ),
        Mistake(
            "post-dropout-inside",
            lambda x, W, drop: plain_norm(x + torch.tanh(drop * (x @ W))),
            _ASK_PLACE,
            variants=[lambda x, W, drop: plain_norm(x + branch(drop * x, W))],
        ),
        Mistake("post-no-dropout", lambda x, W, drop: plain_norm(x + branch(x, W)), _ASK_NO_DROP),
        Mistake("post-matrix-transposed", lambda x, W, drop: post(x, W.T, drop), _ASK_TURNED),
        Mistake(
            "post-no-tanh", lambda x, W, drop: plain_norm(x + drop * (x @ W)), _ASK_NO_ACTIVATION
        ),
        Mistake(
            "post-subtracted",
            lambda x, W, drop: plain_norm(x - drop * branch(x, W)),
            "The branch counts with the wrong sign. How do stream and branch meet?",
        ),
        Mistake(
            "post-multiplied",
            lambda x, W, drop: plain_norm(x * drop * branch(x, W)),
            "Where the branch is dropped, x is gone too. How do stream and branch meet?",
        ),
        Mistake(
            "post-halved",
            lambda x, W, drop: x / 2 + plain_norm(drop * branch(x, W)) / 2,
            "You average two things. What is added, and what is normalised?",
        ),
        Mistake(
            "post-over-time",
            lambda x, W, drop: F.layer_norm(x + drop * branch(x, W), x.shape[-2:], eps=1e-5),
            "Your rows depend on their neighbours. Over which axis does the norm run?",
        ),
    ],
    hints=[
        "Three things happen in this order: the branch, the sum, the norm.",
        "drop belongs to the branch alone: what is dropped must leave x as it was.",
    ],
)

pre_norm_block = Exercise(
    "pre_norm_block",
    points=2,
    reference=pre,
    cases=_cases,
    returns=("result",),
    shapes=_SHAPES,
    smallest={"D": 2},
    promises=_PROMISES,
    properties=[
        Property(
            "With everything dropped, x passes untouched.",
            _x_is_left,
        ),
    ],
    mistakes=[
        *_norm_mistakes("pre", _pre_with),
        Mistake(
            "pre-is-post",
            post,
            "With everything dropped you return a normalised x. What does pre-norm promise the "
            "stream?",
            label="post-norm",
        ),
        Mistake(
            "pre-residual-normalised",
            lambda x, W, drop: plain_norm(x) + drop * branch(plain_norm(x), W),
            "With everything dropped you return a normalised x. Which x goes past the branch?",
        ),
        Mistake(
            "pre-no-residual",
            lambda x, W, drop: drop * branch(plain_norm(x), W),
            "With everything dropped you return zeros. What goes past the branch?",
        ),
        Mistake(
            "pre-no-norm",
            lambda x, W, drop: x + drop * branch(x, W),
            "Make x ten times as large and your branch changes. What should the branch see?",
        ),
        Mistake(
            "pre-norm-on-branch",
            lambda x, W, drop: x + plain_norm(drop * branch(x, W)),
            'You normalise what leaves the branch. What does "pre" mean in pre-norm?',
            variants=[lambda x, W, drop: x + drop * plain_norm(branch(x, W))],
        ),
        Mistake(
            "pre-norm-inside",
            lambda x, W, drop: x + drop * torch.tanh(plain_norm(x @ W)),
            "You normalise x W. What should be normalised: before or after the matrix?",
        ),
        Mistake(
            "pre-and-post",
            lambda x, W, drop: plain_norm(pre(x, W, drop)),
            "With everything dropped you return a normalised x. How many norms does this block "
            "have?",
            label="pre-norm and post-norm at once",
        ),
        Mistake(
            "pre-dropout-last",
            lambda x, W, drop: drop * (x + branch(plain_norm(x), W)),
            _ASK_PLACE,
        ),
        Mistake(
            "pre-dropout-on-residual",
            lambda x, W, drop: drop * x + branch(plain_norm(x), W),
            _ASK_PLACE,
        ),
        Mistake(
            "pre-dropout-inside",
            lambda x, W, drop: x + branch(drop * plain_norm(x), W),
            _ASK_PLACE,
            variants=[lambda x, W, drop: x + torch.tanh(drop * (plain_norm(x) @ W))],
        ),
        Mistake("pre-no-dropout", lambda x, W, drop: x + branch(plain_norm(x), W), _ASK_NO_DROP),
        Mistake("pre-matrix-transposed", lambda x, W, drop: pre(x, W.T, drop), _ASK_TURNED),
        Mistake(
            "pre-no-tanh", lambda x, W, drop: x + drop * (plain_norm(x) @ W), _ASK_NO_ACTIVATION
        ),
        Mistake(
            "pre-branch-doubled",
            lambda x, W, drop: x + 2 * drop * branch(plain_norm(x), W),
            "The branch counts twice in yours. How often is the sub-layer applied?",
            variants=[lambda x, W, drop: pre(pre(x, W, drop), W, drop)],
        ),
        Mistake(
            "pre-subtracted",
            lambda x, W, drop: x - drop * branch(plain_norm(x), W),
            "The branch counts with the wrong sign. How do stream and branch meet?",
        ),
        Mistake(
            "pre-over-time",
            lambda x, W, drop: x + drop * branch(F.layer_norm(x, x.shape[-2:], eps=1e-5), W),
            "Your rows depend on their neighbours. Over which axis does the norm run?",
        ),
    ],
    hints=[
        "The stream x runs straight through; only a copy of it is normalised.",
        "Write the branch on a line of its own, then add it to x.",
    ],
)

EXERCISES = (post_norm_block, pre_norm_block)
