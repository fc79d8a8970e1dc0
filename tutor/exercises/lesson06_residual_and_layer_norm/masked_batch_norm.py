"""masked_batch_norm: one mean for each feature, over the real tokens of all sentences."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.lesson06_residual_and_layer_norm.digits import FAR_FROM_ZERO, lost_digits
from tutor.say import say

Norm = Callable[[Tensor, Tensor, float], Tensor]
Statistic = Callable[[Tensor, Tensor], Tensor]  # of x and keep, to broadcast with x


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(eps: float, lengths: list[int], time: int, d_model: int) -> Arguments:
        keep = torch.arange(time) < torch.tensor(lengths)[:, None]  # (B, T)
        x = rng.normal(len(lengths), time, d_model) * 2 + 1
        return {"x": x, "keep": keep, "eps": eps}

    in_front = case(1e-3, [2, 4, 1], 4, 3)
    loud = case(1e-5, [3, 1], 4, 5)
    words = loud["keep"][..., None]
    return {
        "unequal sizes": case(1e-3, [3, 5, 1], 5, 4),
        "square": case(1e-5, [4, 2, 3, 1], 4, 4),
        "one sentence": case(1e-2, [4], 6, 3),
        "nothing padded": case(1e-5, [4, 4], 4, 6),
        "one feature": case(1e-4, [2, 5], 5, 1),
        "padding in front": {**in_front, "keep": in_front["keep"].flip(1)},
        "padding of large numbers": {**loud, "x": torch.where(words, loud["x"], 1e3 * loud["x"])},
        "a sentence of padding alone": case(0.1, [3, 0], 3, 4),
        "one word each": case(1e-2, [1, 1, 1], 1, 4),
        "faint, a large eps": {**(given := case(0.1, [3, 2], 3, 4)), "x": 0.1 * given["x"]},
        EXAMPLE: {
            "x": torch.tensor([[[1.0], [100.0]], [[3.0], [100.0]]]),
            "keep": torch.tensor([[True, False], [True, False]]),
            "eps": 0.00001,
        },
    }


def _real_mean(x: Tensor, keep: Tensor) -> Tensor:
    return x[keep].mean(0)  # (B, T, D) -> (tokens, D) -> (D,)


def _real_variance(x: Tensor, keep: Tensor) -> Tensor:
    return x[keep].var(0, correction=0)


def _digits_are_kept(call: Call) -> str | None:
    x = FAR_FROM_ZERO
    given = call(x[None, :, None], torch.ones(1, len(x)).bool(), 1e-5).flatten()
    return lost_digits(given, (x.double() - x.double().mean()) / x.double().std(correction=0))


def _with(
    mean: Statistic = _real_mean, variance: Statistic = _real_variance, zeros: bool = True
) -> Norm:
    def norm(x: Tensor, keep: Tensor, eps: float) -> Tensor:
        normed = (x - mean(x, keep)) / torch.sqrt(variance(x, keep) + eps)
        return torch.where(keep[..., None], normed, 0.0) if zeros else normed

    return norm


def _divided_by(spread: Callable[[Tensor, float], Tensor]) -> Norm:
    def norm(x: Tensor, keep: Tensor, eps: float) -> Tensor:
        normed = (x - _real_mean(x, keep)) / spread(_real_variance(x, keep), eps)
        return torch.where(keep[..., None], normed, 0.0)

    return norm


def _over(*axes: int) -> Norm:
    """Build a norm whose statistics run over other axes, of real tokens where it can."""

    def mean(x: Tensor, keep: Tensor) -> Tensor:
        real = keep[..., None].expand_as(x)
        return (x * real).sum(axes, keepdim=True) / real.sum(axes, keepdim=True).clamp(min=1)

    def variance(x: Tensor, keep: Tensor) -> Tensor:
        return mean((x - mean(x, keep)).square(), keep)

    return _with(mean, variance)


def _means_are_zero(call: Call) -> str | None:
    x, keep = Rng(1).normal(2, 3, 2) + 1, torch.tensor([[True, True, False], [True, False, False]])
    means = call(x, keep, 1e-5)[keep].mean(0)
    if torch.allclose(means, torch.zeros(2), atol=1e-4):
        return None
    return say(
        "Over the real tokens each feature should have mean 0; yours have {shown}.",
        shown=", ".join(f"{mean:.3f}" for mean in means.tolist()),
    )


def _padding_does_not_count(call: Call) -> str | None:
    x, keep = Rng(2).normal(2, 3, 2), torch.tensor([[True, True, False], [True, True, True]])
    changed = torch.where(keep[..., None], x, 7.0)
    if torch.allclose(call(x, keep, 1e-5)[keep], call(changed, keep, 1e-5)[keep], atol=1e-4):
        return None
    return say("The padding was changed, and what comes out at the real tokens changed with it.")


_ASK_AXES = "Your numbers depend on fewer tokens than they should. Which tokens share a mean?"
_ASK_EPS = "Ordinary features are right, faint ones are not. Where does eps stand in the formula?"

masked_batch_norm = Exercise(
    "masked_batch_norm",
    points=3,
    reference=_with(),
    cases=_cases,
    returns=("normalised",),
    shapes={"x": "B T D", "keep": "B T", "normalised": "B T D"},
    promises={
        "some padding": lambda x, keep, eps: not bool(keep.all()),
        "no padding": lambda x, keep, eps: bool(keep.all()),
        "padding in front": lambda x, keep, eps: not bool(keep[:, 0].all()),
        "a sentence of padding alone": lambda x, keep, eps: bool((~keep).all(1).any()),
        "eps decides": lambda x, keep, eps: bool((_real_variance(x, keep) < eps).any()),
    },
    library=("batch_norm", "native_batch_norm", "instance_norm"),
    properties=[
        Property("Over the real tokens, every feature has mean 0.", _means_are_zero),
        Property("What stands in the padding does not count.", _padding_does_not_count),
    ],
    remarks=[_digits_are_kept],
    mistakes=[
        Mistake(
            "bn-padding-counted",
            _with(lambda x, keep: x.mean((0, 1)), lambda x, keep: x.var((0, 1), correction=0)),
            "Change the padding and your real tokens change. Which tokens does keep name?",
        ),
        Mistake(
            "bn-padding-as-zeros",
            _with(
                lambda x, keep: (x * keep[..., None]).mean((0, 1)),
                lambda x, keep: (x * keep[..., None]).var((0, 1), correction=0),
            ),
            "Padding counts as zeros in your means. By how many tokens should the sum be divided?",
        ),
        Mistake(
            "bn-variance-of-padding",
            _with(
                variance=lambda x, keep: (
                    (x * keep[..., None] - _real_mean(x, keep)).square().sum((0, 1)) / keep.sum()
                )
            ),
            "Your means are right, your variances too large where there is padding. Whose "
            "distances do you square?",
        ),
        Mistake(
            "bn-variance-over-all-places",
            _with(variance=lambda x, keep: _real_variance(x, keep) * keep.sum() / keep.numel()),
            "Your means are right, your variances too small where there is padding. By how many "
            "tokens is their sum divided?",
        ),
        Mistake(
            "bn-unbiased",
            _with(variance=lambda x, keep: x[keep].var(0)),
            "Your numbers are a little too small, by the same factor everywhere. By how many "
            "values does the variance divide?",
        ),
        Mistake("bn-per-sentence", _over(1), _ASK_AXES),
        Mistake("bn-per-position", _over(0), _ASK_AXES),
        Mistake(
            "bn-per-token",
            _over(2),
            "Every token of yours has mean 0: that is layer norm. What has mean 0 in batch norm?",
        ),
        Mistake(
            "bn-one-mean",
            _over(0, 1, 2),
            "All your features share one mean. How many means does batch norm take?",
        ),
        Mistake(
            "bn-padding-not-zero",
            _with(zeros=False),
            "The real tokens are right. What should stand where there is padding?",
        ),
        Mistake(
            "bn-keep-inverted",
            lambda x, keep, eps: _with()(x, ~keep, eps),
            "You normalise the padding. Which way does keep point?",
        ),
        Mistake(
            "bn-no-root",
            _divided_by(lambda variance, eps: variance + eps),
            "Wide features come out too small. How is the variance related to the spread?",
        ),
        Mistake(
            "bn-eps-outside",
            _divided_by(lambda variance, eps: variance.sqrt() + eps),
            _ASK_EPS,
        ),
        Mistake("bn-no-eps", _divided_by(lambda variance, eps: variance.sqrt()), _ASK_EPS),
        Mistake(
            "bn-not-centred",
            _with(mean=lambda x, keep: torch.zeros(x.size(-1))),
            "Your features keep their means. What comes before the division?",
        ),
        Mistake(
            "bn-not-divided",
            _divided_by(lambda variance, eps: torch.ones_like(variance)),
            "Your features have mean 0 but keep their spread. Which step is missing?",
        ),
        Mistake(
            "bn-masked-first",
            lambda x, keep, eps: _with(zeros=False)(x * keep[..., None], keep, eps),
            "The real tokens are right. When must the padding become 0: before or after the norm?",
        ),
    ],
    hints=[
        "`x[keep]` is a table of the real tokens alone, (tokens, D). Which axis disappears in the "
        "mean?",
        "`x[keep]` can also stand on the left of an equals sign, in a tensor of zeros.",
    ],
)
