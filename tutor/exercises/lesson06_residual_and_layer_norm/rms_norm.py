"""rms_norm: the norm of most models since 2023."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.layers import layer_norm
from tutor.layers import rms_norm as reference
from tutor.say import say

Norm = Callable[[Tensor, Tensor, float], Tensor]


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(eps: float, *shape: int) -> Arguments:
        return {
            "x": rng.normal(*shape) * 2 + 1,
            "gamma": rng.uniform(0.5, 2.0, shape[-1]),
            "eps": eps,
        }

    faint = case(0.1, 2, 3, 5)
    faint["x"][0, 1] *= 0.01  # here eps decides
    return {
        "unequal sizes": case(1e-3, 2, 3, 6),
        "a faint row, a large eps": faint,
        "square": case(1e-5, 4, 4, 4),
        "one token": case(0.5, 1, 8),
        "a single row": case(1e-2, 7),
        "a table": case(1e-5, 5, 3),
        "batches of batches": case(1e-3, 2, 1, 3, 4),
        "one feature": case(1e-5, 2, 3, 1),
        "all zeros": {**case(1e-3, 2, 4), "x": torch.zeros(2, 4)},
        "large numbers": {**(given := case(1e-5, 2, 3, 5)), "x": 1e3 * given["x"]},
        EXAMPLE: {"x": torch.tensor([3.0, 4.0]), "gamma": torch.ones(2), "eps": 0.00001},
    }


_SMALL = torch.tensor([[1.0, 2.0, 3.0, 6.0], [2.0, -1.0, 0.0, 5.0]])


def _mean_square_is_one(call: Call) -> str | None:
    squares = call(_SMALL, torch.ones(4), 1e-5).square().mean(-1)
    if torch.allclose(squares, torch.ones(2), atol=1e-3):
        return None
    return say(
        "With gamma 1 the mean square of a row should be 1; yours are {shown}.",
        shown=", ".join(f"{square:.3f}" for square in squares.tolist()),
    )


def _direction_is_kept(call: Call) -> str | None:
    found = call(_SMALL, torch.ones(4), 1e-5)
    ratios = found[0] / _SMALL[0]
    if torch.allclose(ratios, ratios[0].expand(4), atol=1e-3):
        return None
    return say(
        "With gamma 1 all numbers of [1, 2, 3, 6] should shrink by one factor; yours shrink by "
        "{shown}.",
        shown=", ".join(f"{ratio:.3f}" for ratio in ratios.tolist()),
    )


def _divided(size: Callable[[Tensor, float], Tensor]) -> Norm:
    return lambda x, gamma, eps: x / size(x, eps) * gamma


def _mean_square(x: Tensor) -> Tensor:
    return x.square().mean(-1, keepdim=True)


def _over(*axes: int) -> Norm:
    def norm(x: Tensor, gamma: Tensor, eps: float) -> Tensor:
        there = [axis for axis in axes if -x.ndim <= axis]
        return x / (x.square().mean(there, keepdim=True) + eps).sqrt() * gamma

    return norm


_ASK_EPS = (
    "Ordinary rows are right, but a faint row with a large eps is not. Where exactly does eps "
    "stand in the formula?"
)
_ASK_AXIS = "Your rows depend on each other. Over what is a token normalised?"

rms_norm = Exercise(
    "rms_norm",
    points=1,
    reference=reference,
    cases=_cases,
    returns=("normalised",),
    shapes={"x": "… D", "gamma": "D", "normalised": "… D"},
    exact_dtype=True,
    promises={
        "eps decides in a row": lambda x, gamma, eps: bool((x.square().mean(-1) < eps).any()),
        "a row of zeros": lambda x, gamma, eps: bool((x == 0).all(-1).any()),
        "gamma differs from feature to feature": lambda x, gamma, eps: (
            gamma.unique().numel() == x.size(-1) > 1
        ),
    },
    library=("rms_norm",),
    properties=[
        Property("With gamma 1, every row has mean square 1.", _mean_square_is_one),
        Property("With gamma 1, a row keeps its direction.", _direction_is_kept),
    ],
    mistakes=[
        Mistake(
            "rms-centred",
            lambda x, gamma, eps: layer_norm(x, gamma, torch.zeros_like(gamma), eps),
            "Your rows have mean 0: that is layer norm. What does RMSNorm leave alone?",
        ),
        Mistake(
            "rms-divided-by-spread",
            _divided(lambda x, eps: (x.var(-1, correction=0, keepdim=True) + eps).sqrt()),
            "You divide by the standard deviation, which is measured from the mean. From where "
            "does a mean square measure?",
            variants=[_divided(lambda x, eps: x.std(-1, keepdim=True) + eps)],
        ),
        Mistake(
            "rms-centred-only",
            lambda x, gamma, eps: (
                (x - x.mean(-1, keepdim=True)) / (_mean_square(x) + eps).sqrt() * gamma
            ),
            "You take the mean off. Does RMSNorm?",
        ),
        Mistake(
            "rms-length",
            _divided(lambda x, eps: (x.square().sum(-1, keepdim=True) + eps).sqrt()),
            "Your rows have length 1, and are smaller the wider the token. Is it the sum of the "
            "squares, or their mean?",
        ),
        Mistake(
            "rms-no-root",
            _divided(lambda x, eps: _mean_square(x) + eps),
            "Large rows come out too small, small rows too large. What brings a mean of squares "
            "back to the size of the numbers?",
        ),
        Mistake("rms-eps-outside", _divided(lambda x, eps: _mean_square(x).sqrt() + eps), _ASK_EPS),
        Mistake("rms-no-eps", _divided(lambda x, eps: _mean_square(x).sqrt()), _ASK_EPS),
        Mistake(
            "rms-eps-squared", _divided(lambda x, eps: (_mean_square(x) + eps**2).sqrt()), _ASK_EPS
        ),
        Mistake(
            "rms-eps-fixed", _divided(lambda x, eps: (_mean_square(x) + 1e-5).sqrt()), _ASK_EPS
        ),
        Mistake(
            "rms-mean-of-sizes",
            _divided(lambda x, eps: x.abs().mean(-1, keepdim=True) + eps),
            "You divide by the mean of the numbers' sizes. Which mean is asked for, and of what?",
        ),
        Mistake(
            "rms-over-all",
            lambda x, gamma, eps: x / (x.square().mean() + eps).sqrt() * gamma,
            _ASK_AXIS,
            variants=[lambda x, gamma, eps: x / (x.square().mean(0, True) + eps).sqrt() * gamma],
            reason="A mean without an axis is torch's default, and axis 0 the first that is tried.",
        ),
        Mistake(
            "rms-square-of-mean",
            _divided(lambda x, eps: (x.mean(-1, keepdim=True).square() + eps).sqrt()),
            "Your rows are divided by the size of their mean. Which comes first, squaring or "
            "averaging?",
            reason="RMS is read from left to right: root, mean, square.",
        ),
        Mistake(
            "rms-multiplied",
            lambda x, gamma, eps: x * (_mean_square(x) + eps).sqrt() * gamma,
            "Your large rows come out larger still. What is done with a row's size?",
            reason="rsqrt in models' code is easily taken for sqrt.",
        ),
        Mistake(
            "rms-divided-by-gamma",
            lambda x, gamma, eps: reference(x, 1 / gamma, eps),
            "Where gamma is large, your numbers are small. What is done with gamma?",
            reason="Gamma lands in the denominator when the formula is one line.",
        ),
        Mistake("rms-over-time", _over(-2), _ASK_AXIS),
        Mistake("rms-over-time-and-features", _over(-2, -1), _ASK_AXIS),
        Mistake(
            "rms-no-gamma",
            lambda x, gamma, eps: reference(x, torch.ones_like(gamma), eps),
            "Change gamma and your result stays the same. What is it for?",
        ),
        Mistake(
            "rms-gamma-first",
            lambda x, gamma, eps: reference(x * gamma, torch.ones_like(gamma), eps),
            "Your rows have mean square 1 whatever gamma is. When does gamma act?",
        ),
        Mistake(
            "rms-gamma-plus-one",
            lambda x, gamma, eps: reference(x, 1 + gamma, eps),
            "With gamma = 1 your rows come out twice as large. What does gamma = 1 mean here?",
        ),
    ],
    hints=[
        "Work [3, 4] by hand: squares 9 and 16, their mean, its root.",
        "It is shorter than layer norm: no mean is taken off, nothing is added at the end.",
    ],
)
