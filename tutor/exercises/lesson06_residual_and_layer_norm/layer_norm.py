"""layer_norm, to write."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.lesson06_residual_and_layer_norm.digits import FAR_FROM_ZERO, lost_digits
from tutor.layers import layer_norm as normalise
from tutor.layers import rms_norm
from tutor.say import say

Norm = Callable[[Tensor, Tensor, Tensor, float], Tensor]


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(eps: float, *shape: int) -> Arguments:
        return {
            "x": rng.normal(*shape) * 2 + 1,
            "gamma": rng.uniform(0.5, 2.0, shape[-1]),
            "beta": rng.normal(shape[-1]),
            "eps": eps,
        }

    flat = case(0.1, 2, 3, 5)
    flat["x"][0, 1] = 1.5 + 0.01 * rng.normal(5)  # nearly constant: here eps decides
    return {
        "unequal sizes": case(1e-3, 2, 3, 6),
        "a nearly constant row, a large eps": flat,
        "square": case(1e-5, 4, 4, 4),
        "one token": case(0.5, 1, 8),
        "a single row": case(1e-2, 7),
        "a table": case(1e-5, 5, 3),
        "batches of batches": case(1e-3, 2, 1, 3, 4),
        "two features": case(1e-5, 2, 3, 2),
        "equal features": {**case(1e-3, 2, 2, 4), "x": torch.full((2, 2, 4), 1.5)},
        "large numbers": {**(given := case(1e-5, 2, 3, 5)), "x": 1e3 * given["x"]},
        EXAMPLE: {
            "x": torch.tensor([1.0, 2.0, 3.0, 6.0]),
            "gamma": torch.ones(4),
            "beta": torch.zeros(4),
            "eps": 0.00001,
        },
    }


_SMALL = torch.tensor([[1.0, 2.0, 3.0, 6.0], [2.0, -1.0, 0.0, 5.0]])


def _rows_have_mean_beta(call: Call) -> str | None:
    means = call(_SMALL, torch.ones(4), torch.full((4,), 0.5), 1e-5).mean(-1)
    if torch.allclose(means, torch.full((2,), 0.5), atol=1e-4):
        return None
    shown = ", ".join(f"{mean:.3f}" for mean in means.tolist())
    return say(
        "With gamma 1 and beta 0.5 every row should have mean 0.5; yours have {shown}.",
        shown=shown,
    )


def _rows_have_spread_one(call: Call) -> str | None:
    spreads = call(_SMALL, torch.ones(4), torch.zeros(4), 1e-5).square().mean(-1)
    if torch.allclose(spreads, torch.ones(2), atol=1e-3):
        return None
    shown = ", ".join(f"{spread:.3f}" for spread in spreads.tolist())
    return say(
        "With gamma 1 and beta 0 the mean square of a row should be 1; yours are {shown}.",
        shown=shown,
    )


def _rows_ignore_each_other(call: Call) -> str | None:
    changed = torch.stack([_SMALL[0], _SMALL[1] + torch.tensor([0.0, 3.0, 0.0, -2.0])])
    plain = torch.ones(4), torch.zeros(4), 1e-5
    if torch.allclose(call(_SMALL, *plain)[0], call(changed, *plain)[0], atol=1e-4):
        return None
    return say("The second row was changed, and the first row's result changed with it.")


def _digits_are_kept(call: Call) -> str | None:
    x = FAR_FROM_ZERO
    given = call(x, torch.ones(len(x)), torch.zeros(len(x)), 1e-5)
    return lost_digits(given, (x.double() - x.double().mean()) / x.double().std(correction=0))


def _scaled(
    spread: Callable[[Tensor, float], Tensor], centre: Callable[[Tensor], Tensor] | None = None
) -> Norm:
    """Build a norm from what it divides by, and from what it takes off first."""

    def norm(x: Tensor, gamma: Tensor, beta: Tensor, eps: float) -> Tensor:
        middle = x.mean(-1, keepdim=True) if centre is None else centre(x)
        return (x - middle) / spread(x, eps) * gamma + beta

    return norm


def _over(*axes: int) -> Norm:
    """Build a norm whose mean and variance run over other axes."""

    def norm(x: Tensor, gamma: Tensor, beta: Tensor, eps: float) -> Tensor:
        there = [axis for axis in axes if -x.ndim <= axis < x.ndim]
        mean, variance = x.mean(there, True), x.var(there, correction=0, keepdim=True)
        return (x - mean) / torch.sqrt(variance + eps) * gamma + beta

    return norm


def _over_axis_one(x: Tensor, gamma: Tensor, beta: Tensor, eps: float) -> Tensor:
    """Count axes from the front, where a row has none of that number."""
    mean, variance = x.mean(1, True), x.var(1, correction=0, keepdim=True)
    return (x - mean) / torch.sqrt(variance + eps) * gamma + beta


def _variance(x: Tensor) -> Tensor:
    return x.var(-1, correction=0, keepdim=True)


def _affine_first(x: Tensor, gamma: Tensor, beta: Tensor, eps: float) -> Tensor:
    return normalise(x * gamma + beta, torch.ones_like(gamma), torch.zeros_like(beta), eps)


_ASK_AXIS = (
    "Your rows do not have mean beta: their numbers depend on other rows. Over what is a token "
    "normalised?"
)
_ASK_UNBIASED = (
    "Your rows are a little too small, by the same factor everywhere. By how many values does the "
    "variance divide?"
)
_ASK_EPS = (
    "Ordinary rows are right, but a nearly constant row with a large eps is not. Where exactly "
    "does eps stand in the formula?"
)

MISTAKES = [
    Mistake(
        "ln-unbiased-std",
        _scaled(lambda x, eps: torch.sqrt(x.var(-1, keepdim=True) + eps)),
        _ASK_UNBIASED,
        variants=[_scaled(lambda x, eps: x.std(-1, keepdim=True) + eps)],
    ),
    Mistake(
        "ln-no-root",
        _scaled(lambda x, eps: _variance(x) + eps),
        "Rows with a wide spread come out too small, rows with a narrow one too large. How is the "
        "variance related to the spread?",
    ),
    Mistake(
        "ln-root-of-std",
        _scaled(lambda x, eps: (_variance(x).sqrt() + eps).sqrt()),
        "Rows with a wide spread come out too large, rows with a narrow one too small. How many "
        "roots lead from the variance to the spread?",
    ),
    Mistake("ln-eps-outside", _scaled(lambda x, eps: _variance(x).sqrt() + eps), _ASK_EPS),
    Mistake("ln-no-eps", _scaled(lambda x, eps: _variance(x).sqrt()), _ASK_EPS),
    Mistake("ln-eps-squared", _scaled(lambda x, eps: (_variance(x) + eps**2).sqrt()), _ASK_EPS),
    Mistake(
        "ln-eps-fixed",
        _scaled(lambda x, eps: (_variance(x) + 1e-5).sqrt()),
        _ASK_EPS,
    ),
    Mistake("ln-over-time", _over(-2), _ASK_AXIS, variants=[_over_axis_one]),
    Mistake("ln-over-batch", _over(0), _ASK_AXIS),
    Mistake("ln-over-time-and-features", _over(-2, -1), _ASK_AXIS),
    Mistake("ln-over-all", _over(-3, -2, -1), _ASK_AXIS),
    Mistake("ln-like-batch-norm", _over(-3, -2), _ASK_AXIS),
    Mistake(
        "ln-not-centred",
        lambda x, gamma, beta, eps: rms_norm(x, gamma, eps) + beta,
        "Your rows keep their mean. What is taken off before anything is divided?",
    ),
    Mistake(
        "ln-variance-not-centred",
        _scaled(lambda x, eps: torch.sqrt(x.square().mean(-1, keepdim=True) + eps)),
        "Your rows have the right mean but too little spread. From where does the variance measure "
        "the distances it squares?",
    ),
    Mistake(
        "ln-not-divided",
        _scaled(lambda x, eps: torch.ones(1)),
        "Your rows have mean beta but keep their spread. Which step is missing?",
    ),
    Mistake(
        "ln-no-affine",
        lambda x, gamma, beta, eps: normalise(
            x, torch.ones_like(gamma), torch.zeros_like(beta), eps
        ),
        "Change gamma and beta and your result stays the same. What are they for?",
    ),
    Mistake(
        "ln-no-beta",
        lambda x, gamma, beta, eps: normalise(x, gamma, torch.zeros_like(beta), eps),
        "Change beta and your result stays the same. What is it for?",
    ),
    Mistake(
        "ln-no-gamma",
        lambda x, gamma, beta, eps: normalise(x, torch.ones_like(gamma), beta, eps),
        "Change gamma and your result stays the same. What is it for?",
    ),
    Mistake(
        "ln-affine-first",
        _affine_first,
        "Whatever gamma and beta are, your rows have mean 0 and spread 1. When do the two act?",
    ),
    Mistake(
        "ln-scalar-affine",
        lambda x, gamma, beta, eps: normalise(
            x, gamma[0].expand(len(gamma)), beta[0].expand(len(beta)), eps
        ),
        "All your features have the same scale and shift. How many numbers do gamma and beta hold?",
        variants=[
            lambda x, gamma, beta, eps: normalise(
                x, gamma.mean().expand(len(gamma)), beta.mean().expand(len(beta)), eps
            )
        ],
    ),
    Mistake(
        "ln-affine-exchanged",
        lambda x, gamma, beta, eps: normalise(x, beta, gamma, eps),
        "Your rows are stretched by what should shift them. Which of the two multiplies?",
    ),
    Mistake(
        "ln-beta-subtracted",
        lambda x, gamma, beta, eps: normalise(x, gamma, -beta, eps),
        "Your rows are shifted the wrong way. What is done with beta?",
    ),
    Mistake(
        "ln-beta-scaled",
        lambda x, gamma, beta, eps: normalise(x, gamma, gamma * beta, eps),
        "Your shift is stretched too. Which of the two acts first?",
    ),
    Mistake(
        "ln-gamma-plus-one",
        lambda x, gamma, beta, eps: normalise(x, 1 + gamma, beta, eps),
        "With gamma = 1 your rows come out twice as wide. What does gamma = 1 mean here?",
    ),
    Mistake(
        "ln-sum-of-squares",
        _scaled(lambda x, eps: (_variance(x) * x.size(-1) + eps).sqrt()),
        "Your rows are too small, and smaller the wider the token. Is the variance a sum or a "
        "mean?",
    ),
    Mistake(
        "ln-absolute-deviation",
        _scaled(lambda x, eps: (x - x.mean(-1, True)).abs().mean(-1, True) + eps),
        "Your spread is the mean distance from the mean. Which spread does the formula take?",
    ),
    Mistake(
        "ln-range",
        _scaled(lambda x, eps: x.amax(-1, True) - x.amin(-1, True) + eps),
        "You divide by the distance from the smallest number to the largest. Which spread is "
        "asked for?",
    ),
]

_PROPERTIES = [
    Property("With gamma 1, every row has mean beta.", _rows_have_mean_beta),
    Property("With gamma 1 and beta 0, every row has mean square 1.", _rows_have_spread_one),
    Property("Rows are normalised one by one.", _rows_ignore_each_other),
]

layer_norm = Exercise(
    "layer_norm",
    points=2,
    reference=normalise,
    cases=_cases,
    returns=("normalised",),
    shapes={"x": "… D", "gamma": "D", "beta": "D", "normalised": "… D"},
    smallest={"D": 2},
    exact_dtype=True,
    promises={
        "eps decides in a row": lambda x, gamma, beta, eps: bool(
            (x.var(-1, correction=0) < eps).any()
        ),
        "eps hardly counts": lambda x, gamma, beta, eps: bool(
            (x.var(-1, correction=0) > 1e4 * eps).any()
        ),
        "a constant row": lambda x, gamma, beta, eps: bool((x == x[..., :1]).all(-1).any()),
        "gamma is 1 and beta 0": lambda x, gamma, beta, eps: bool(
            (gamma == 1).all() and (beta == 0).all()
        ),
        "gamma and beta differ from feature to feature": lambda x, gamma, beta, eps: (
            gamma.unique().numel() == beta.unique().numel() == x.size(-1) > 1
        ),
    },
    library=("layer_norm", "native_layer_norm", "batch_norm", "group_norm", "instance_norm"),
    properties=_PROPERTIES,
    mistakes=MISTAKES,
    remarks=[_digits_are_kept],
    hints=[
        "Work [1, 2, 3, 6] by hand first: mean, distances from it, mean of their squares.",
        "Statistics need `keepdim=True`, so that (B, T, 1) can meet (B, T, D).",
        "Look up what your function for the variance divides by: the number of values, or one "
        "less.",
    ],
)
