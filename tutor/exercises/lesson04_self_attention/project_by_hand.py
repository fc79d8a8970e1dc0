"""project_by_hand: one row of numbers times a matrix, again and again."""

import re
from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, CallError, Exercise, Mistake, Property
from tutor.checking.failure_sentences import told
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.say import say


def _project(x: Tensor, W: Tensor) -> Tensor:
    if x.shape[-1] != W.shape[0]:
        shapes = {"x": tuple(x.shape), "W": tuple(W.shape)}
        raise ValueError(say("x {x} does not fit W {W}.", **shapes))
    return x @ W  # (…, n) @ (n, m) -> (…, m)


def _stretched(x: Tensor, W: Tensor) -> Tensor:
    if x.shape[-1] not in (1, W.shape[0]):
        return _project(x, W)  # refuses
    return (x[..., None] * W).sum(-2)  # broadcasting stretches a single number


def _project_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    return {
        "many rows": {"x": rng.normal(2, 5, 4), "W": rng.normal(4, 3)},
        "one row": {"x": rng.normal(3), "W": rng.normal(3, 2)},
        "square": {"x": rng.normal(3, 3), "W": rng.normal(3, 3)},
        "a square matrix": {"x": rng.normal(2, 3, 5), "W": rng.normal(5, 5)},
        "a table of one row": {"x": rng.normal(1, 3), "W": rng.normal(3, 2)},
        "a table": {"x": rng.normal(4, 2), "W": rng.normal(2, 5)},
        "batches of batches": {"x": rng.normal(2, 3, 1, 4), "W": rng.normal(4, 2)},
        "one number in, one out": {"x": rng.normal(3, 1), "W": rng.normal(1, 1)},
        "large numbers": {"x": 1e4 * rng.normal(3, 4), "W": 1e3 * rng.normal(4, 2)},
        EXAMPLE: {
            "x": torch.tensor([1.0, 0.0, 1.0]),
            "W": torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]),
        },
    }


def _misfit_is_refused(call: Call) -> str | None:
    for x, W in (((2, 3), (4, 5)), ((2, 1), (4, 5)), ((3,), (4, 4)), ((2, 6, 3), (4, 5))):
        if found := _not_refused(call, x, W):
            return found
    return None


def _not_refused(call: Call, x: tuple[int, ...], W: tuple[int, ...]) -> str | None:
    try:
        call(torch.ones(x), torch.ones(W))
    except CallError as refused:
        error, text = refused.failure.error, refused.failure.text
        if not error:
            return say("x {x} does not fit W {W}. {told}", x=x, W=W, told=told(refused.failure))
        if error != "ValueError":
            return say("x {x} does not fit W {W}, and it raised {error}.", x=x, W=W, error=error)
        if all(re.search(r"\D+".join(map(str, shape)), text) for shape in (x, W)):
            return None
        return say(
            "The message does not name both shapes, {x} and {W}. It reads: {text}",
            x=x,
            W=W,
            text=text,
        )
    return say("x {x} does not fit W {W}, but it returned a result.", x=x, W=W)


project_by_hand = Exercise(
    "project_by_hand",
    points=1,
    reference=_project,
    cases=_project_cases,
    returns=("x W",),
    shapes={"x": "… n", "W": "n m", "x W": "… m"},
    properties=[
        Property("A wrong inner size raises ValueError and names both shapes.", _misfit_is_refused),
    ],
    mistakes=[
        Mistake(
            "project-misfit-not-refused",
            lambda x, W: x @ W,
            "Your numbers are right. What should someone read who hands you matrices that do not "
            "fit, and which kind of error is asked for?",
            variants=[_stretched],
        ),
        Mistake(
            "project-row-unwrapped",
            lambda x, W: _project(x, W).squeeze(0),
            "You are right, but a table with a single row comes out as a bare row. How many axes "
            "should the result have there?",
            variants=[lambda x, W: _project(x, W).squeeze()],
        ),
        Mistake(
            "project-matrix-transposed",
            lambda x, W: x @ W.T,
            "With a square W the shape hides it. Take x = [1, 0, 0]: which row or column of W "
            "should come out, and which one does?",
        ),
        Mistake(
            "project-matrix-first",
            lambda x, W: W @ x,
            "Rows of x are tokens. In your product, what does one row of the result mix: "
            "one token's features, or the same feature of all tokens?",
        ),
        Mistake(
            "project-summed-over-outputs",
            lambda x, W: (x.unsqueeze(-1) * W).sum(-1),
            "You get one number for each feature that goes in. Over which axis of the products "
            "does x W add up?",
        ),
        Mistake(
            "project-not-summed",
            lambda x, W: x.unsqueeze(-1) * W,
            "All the products are there. How many of them go into one number of the result?",
        ),
        Mistake(
            "project-one-number",
            lambda x, W: (x.unsqueeze(-1) * W).sum((-2, -1)),
            "Each token has shrunk to a single number. How many features should a projected "
            "token have?",
        ),
        Mistake(
            "project-averaged",
            lambda x, W: x @ W / W.shape[0],
            "Everything is too small by the same factor. Is a matrix product a sum or a mean?",
        ),
        Mistake(
            "project-normalised",
            lambda x, W: torch.softmax(x @ W, dim=-1),
            "Your rows sum to 1. Does a projection say anything about what its results sum to?",
        ),
        Mistake(
            "project-residual",
            lambda x, W: x @ W + x,
            "In the square case there is something in your result besides the product. What "
            "remains of x when W is all zeros?",
        ),
        Mistake(
            "project-rectified",
            lambda x, W: torch.relu(x @ W),
            "None of your numbers is negative. Can a sum of products be, if some factors are?",
        ),
        Mistake(
            "project-first-row-only",
            lambda x, W: x.reshape(-1, x.shape[-1])[0] @ W,
            "You return the projection of one row. Where did the other tokens go?",
        ),
    ],
    hints=[
        "Take the lesson's example: q = [1, 0, 1] and W = [[1, 0], [0, 1], [1, 1]]. Which rows of "
        "W does q pick, and what is done with them?",
        "The result has one number for each column of W. Which of x's axes must be as long as "
        "which of W's?",
        "Compare the two sizes before you multiply, and put both shapes into the message.",
    ],
)
