"""post_norm_block: a residual with the norm behind it."""

import torch
import torch.nn.functional as F

from tutor.checking.exercise import Call, Exercise, Mistake, Property
from tutor.exercises.lesson06_residual_and_layer_norm.blocks import (
    ASK_NO_ACTIVATION,
    ASK_NO_DROP,
    ASK_PLACE,
    ASK_TURNED,
    PROMISES,
    SHAPES,
    TOKEN,
    Block,
    all_dropped,
    block_cases,
    branch,
    gradient_goes_past,
    in_words,
    norm_mistakes,
    plain_norm,
    post,
    pre,
)
from tutor.exercises.lesson06_residual_and_layer_norm.other_norms import (
    Norm,
)
from tutor.say import say


def _norm_is_left(call: Call) -> str | None:
    result = all_dropped(call)
    if torch.allclose(result, plain_norm(TOKEN), atol=1e-4):
        return None
    return say(
        "With x = [1, 2, 3, 6] and drop all zeros the result should be LN(x); yours gives [{row}].",
        row=in_words(result),
    )


def _post_with(norm: Norm) -> Block:
    return lambda x, W, drop: norm(x + drop * branch(x, W))


post_norm_block = Exercise(
    "post_norm_block",
    points=2,
    reference=post,
    cases=block_cases,
    returns=("result",),
    shapes=SHAPES,
    smallest={"D": 2},
    promises=PROMISES,
    properties=[
        Property(
            "With everything dropped, the block is LN(x).",
            _norm_is_left,
        ),
        Property("A gradient comes back past the branch.", gradient_goes_past),
    ],
    mistakes=[
        *norm_mistakes("post", _post_with),
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
                lambda x, W, drop: plain_norm(x + drop * branch(drop * branch(x, W), W)),
                lambda x, W, drop: plain_norm(x + drop * branch(x + drop * branch(x, W), W)),
                lambda x, W, drop: plain_norm(post(x, W, drop) + drop * branch(x, W)),
                lambda x, W, drop: post(x, W @ W, drop),
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
            ASK_PLACE,
        ),
        Mistake(
            "post-dropout-on-residual",
            lambda x, W, drop: plain_norm(drop * x + branch(x, W)),
            ASK_PLACE,
        ),
        Mistake(
            "post-dropout-inside",
            lambda x, W, drop: plain_norm(x + torch.tanh(drop * (x @ W))),
            ASK_PLACE,
            variants=[lambda x, W, drop: plain_norm(x + branch(drop * x, W))],
        ),
        Mistake("post-no-dropout", lambda x, W, drop: plain_norm(x + branch(x, W)), ASK_NO_DROP),
        Mistake("post-matrix-transposed", lambda x, W, drop: post(x, W.T, drop), ASK_TURNED),
        Mistake(
            "post-no-tanh", lambda x, W, drop: plain_norm(x + drop * (x @ W)), ASK_NO_ACTIVATION
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
