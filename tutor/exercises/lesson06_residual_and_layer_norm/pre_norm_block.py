"""pre_norm_block: a residual with the norm inside its branch."""

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


def _x_is_left(call: Call) -> str | None:
    result = all_dropped(call)
    if torch.allclose(result, TOKEN, atol=1e-4):
        return None
    return say(
        "With x = [1, 2, 3, 6] and drop all zeros x should come back untouched; "
        "yours gives [{row}].",
        row=in_words(result),
    )


def _pre_with(norm: Norm) -> Block:
    return lambda x, W, drop: x + drop * branch(norm(x), W)


pre_norm_block = Exercise(
    "pre_norm_block",
    points=2,
    reference=pre,
    cases=block_cases,
    returns=("result",),
    shapes=SHAPES,
    smallest={"D": 2},
    promises=PROMISES,
    properties=[
        Property(
            "With everything dropped, x passes untouched.",
            _x_is_left,
        ),
        Property("A gradient comes back past the branch.", gradient_goes_past),
    ],
    mistakes=[
        *norm_mistakes("pre", _pre_with),
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
            ASK_PLACE,
        ),
        Mistake(
            "pre-dropout-on-residual",
            lambda x, W, drop: drop * x + branch(plain_norm(x), W),
            ASK_PLACE,
        ),
        Mistake(
            "pre-dropout-inside",
            lambda x, W, drop: x + branch(drop * plain_norm(x), W),
            ASK_PLACE,
            variants=[lambda x, W, drop: x + torch.tanh(drop * (plain_norm(x) @ W))],
        ),
        Mistake("pre-no-dropout", lambda x, W, drop: x + branch(plain_norm(x), W), ASK_NO_DROP),
        Mistake("pre-matrix-transposed", lambda x, W, drop: pre(x, W.T, drop), ASK_TURNED),
        Mistake(
            "pre-no-tanh", lambda x, W, drop: x + drop * (plain_norm(x) @ W), ASK_NO_ACTIVATION
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
