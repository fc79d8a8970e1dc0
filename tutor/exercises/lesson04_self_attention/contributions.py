"""contributions: what each word adds to an output, and how much of the output it is."""

from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.say import say

Contributions = tuple[Tensor, Tensor]


def _parts(weights: Tensor, v: Tensor) -> Tensor:
    return weights.unsqueeze(-1) * v.unsqueeze(-3)  # (B, Tq, Tk, 1) * (B, 1, Tk, d_v)


def _along(parts: Tensor) -> Contributions:
    """Give each part's product with its output, (B, Tq, Tk), and the outputs, (B, Tq, d_v)."""
    output = parts.sum(-2)
    return (parts * output.unsqueeze(-2)).sum(-1), output


def _contributions(weights: Tensor, v: Tensor) -> Contributions:
    parts = _parts(weights, v)
    along, output = _along(parts)
    return parts, along / output.square().sum(-1, keepdim=True)


def _contribution_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(batch: int, queries: int, keys: int, d_v: int) -> Arguments:
        while True:
            weights = torch.softmax(2 * rng.normal(batch, queries, keys), dim=-1)
            v = rng.normal(batch, keys, d_v)
            along, output = _along(_parts(weights, v))
            against = along.min() < -0.02 or keys == 1  # somebody pulls against
            if output.norm(dim=-1).min() > 0.3 and against:
                return {"weights": weights, "v": v}

    return {
        "unequal sizes": case(2, 3, 5, 4),
        "square": case(3, 3, 3, 3),
        "one query": case(1, 1, 4, 2),
        "more queries than keys": case(2, 5, 3, 7),
        "one key": case(3, 2, 1, 4),
        "one number a value": case(2, 3, 4, 1),
        EXAMPLE: {
            "weights": torch.tensor([[[0.5, 0.5]]]),
            "v": torch.tensor([[[4.0, 0.0], [-2.0, 2.0]]]),
        },
    }


def _lengths(weights: Tensor, v: Tensor) -> Contributions:
    parts = _parts(weights, v)
    return parts, parts.norm(dim=-1) / parts.norm(dim=-1).sum(-1, keepdim=True)


def _length_by_output(weights: Tensor, v: Tensor) -> Contributions:
    parts = _parts(weights, v)
    return parts, parts.norm(dim=-1) / parts.sum(-2).norm(dim=-1, keepdim=True)


def _not_squared(weights: Tensor, v: Tensor) -> Contributions:
    along, output = _along(parts := _parts(weights, v))
    return parts, along / output.norm(dim=-1, keepdim=True)


def _not_divided(weights: Tensor, v: Tensor) -> Contributions:
    parts = _parts(weights, v)
    return parts, _along(parts)[0]


def _cosines(weights: Tensor, v: Tensor) -> Contributions:
    along, output = _along(parts := _parts(weights, v))
    return parts, along / (parts.norm(dim=-1) * output.norm(dim=-1, keepdim=True))


def _without_signs(weights: Tensor, v: Tensor) -> Contributions:
    along, _ = _along(parts := _parts(weights, v))
    return parts, along.abs() / along.abs().sum(-1, keepdim=True)


def _features_summed(weights: Tensor, v: Tensor) -> Contributions:
    parts = _parts(weights, v)
    return parts, parts.sum(-1) / parts.sum((-2, -1)).unsqueeze(-1)


def _softmaxed(weights: Tensor, v: Tensor) -> Contributions:
    along, _ = _along(parts := _parts(weights, v))
    return parts, torch.softmax(along, dim=-1)


def _unweighted(weights: Tensor, v: Tensor) -> Contributions:
    parts = v.unsqueeze(-3).expand(*weights.shape, v.size(-1))
    along, output = _along(parts)
    return parts, along / output.square().sum(-1, keepdim=True)


def _along_plain_values(weights: Tensor, v: Tensor) -> Contributions:
    """Take each value along the output, but not how much of it is taken."""
    parts = _parts(weights, v)
    output = parts.sum(-2)
    shares = (v.unsqueeze(-3) * output.unsqueeze(-2)).sum(-1)
    return parts, shares / output.square().sum(-1, keepdim=True)


def _averaged(weights: Tensor, v: Tensor) -> Contributions:
    parts, shares = _contributions(weights, v)
    return parts, shares * weights.size(-1)


def _value_of_who_asks(weights: Tensor, v: Tensor) -> Contributions:
    parts = weights.unsqueeze(-1) * v.unsqueeze(-2)  # fits only if Tq = Tk
    along, output = _along(parts)
    return parts, along / output.square().sum(-1, keepdim=True)


def _parts_sum_to_the_output(call: Call) -> str | None:
    weights, v = _small()
    parts, _ = call(weights, v)
    if parts.shape == (1, 2, 3, 2) and torch.allclose(parts.sum(-2), weights @ v, atol=1e-4):
        return None
    return say("The parts of a query should add up to its output, weights @ v, and yours do not.")


def _shares_sum_to_one(call: Call) -> str | None:
    sums = call(*_small())[1].sum(-1)
    if torch.allclose(sums, torch.ones_like(sums), atol=1e-4):
        return None
    shown = ", ".join(f"{total:.3f}" for total in sums.flatten().tolist())
    return say("With 2 queries and 3 keys, the shares of your queries sum to {sums}.", sums=shown)


def _nothing_brings_nothing(call: Call) -> str | None:
    weights, v = torch.tensor([[[0.9, 0.1]]]), torch.tensor([[[0.0, 0.0], [1.0, 2.0]]])
    share = call(weights, v)[1].flatten()[0].item()
    if abs(share) < 1e-4:
        return None
    return say(
        "A value of zeros with the weight .9 brings nothing, and has the share {share:.3f}.",
        share=share,
    )


def _small() -> tuple[Tensor, Tensor]:
    return torch.softmax(Rng(1).normal(1, 2, 3), dim=-1), Rng(2).normal(1, 3, 2)


contributions = Exercise(
    "contributions",
    points=3,
    reference=_contributions,
    cases=_contribution_cases,
    returns=("parts", "shares"),
    shapes={
        "weights": "B Tq Tk",
        "v": "B Tk d_v",
        "parts": "B Tq Tk d_v",
        "shares": "B Tq Tk",
    },
    computed=("parts", "shares"),
    promises={
        "a word pulls against": lambda weights, v: bool((_along(_parts(weights, v))[0] < 0).any())
    },
    properties=[
        Property("The parts of a query add up to its output.", _parts_sum_to_the_output),
        Property("The shares of a query sum to 1.", _shares_sum_to_one),
        Property("A value of zeros has no share.", _nothing_brings_nothing),
    ],
    mistakes=[
        Mistake(
            "contrib-weights-as-shares",
            lambda weights, v: (_parts(weights, v), weights),
            "Your shares are the weights. If a value is all zeros, what does its word bring?",
        ),
        Mistake(
            "contrib-lengths",
            _lengths,
            "Your shares compare the lengths of the parts, so none is below 0. What if a part "
            "points against the output?",
        ),
        Mistake(
            "contrib-length-by-output",
            _length_by_output,
            "Your shares are lengths divided by the output's length, and sum to more than 1. "
            "Which piece of a part lies along the output?",
        ),
        Mistake(
            "contrib-not-squared",
            _not_squared,
            "Your shares sum to the length of the output. How often must it be divided by that?",
        ),
        Mistake(
            "contrib-not-divided",
            _not_divided,
            "Your shares sum to the output's product with itself. What should they sum to?",
        ),
        Mistake(
            "contrib-cosines",
            _cosines,
            "You measure directions only: a tiny part along the output gets 1. Does its length "
            "count?",
        ),
        Mistake(
            "contrib-signs-lost",
            _without_signs,
            "A word that pulls against the output has a positive share. Which sign should it have?",
        ),
        Mistake(
            "contrib-features-summed",
            _features_summed,
            "You added up the features of each part. What if one feature is 5 and another −5?",
        ),
        Mistake(
            "contrib-softmax",
            _softmaxed,
            "Your shares went through softmax. Can a share be negative here, and can softmax give "
            "one that is?",
        ),
        Mistake(
            "contrib-unweighted",
            _unweighted,
            "Your parts are whole values. How much of each does a query take?",
        ),
        Mistake(
            "contrib-weights-forgotten",
            _along_plain_values,
            "Your parts are right; your shares are those of whole values. Which of your tensors "
            "holds what was really taken?",
        ),
        Mistake(
            "contrib-mean-of-parts",
            _averaged,
            "Your shares sum to the number of keys. Is the output the sum of its parts, or their "
            "mean?",
        ),
        Mistake(
            "contrib-value-of-who-asks",
            _value_of_who_asks,
            "Each weight met the value of the word that asks. Whose value is it meant for?",
        ),
        Mistake(
            "contrib-parts-added",
            lambda weights, v: (weights @ v, _contributions(weights, v)[1]),
            "You returned the outputs. What stands in them before it is added up over the keys?",
        ),
        Mistake(
            "contrib-order-exchanged",
            lambda weights, v: _contributions(weights, v)[::-1],
            "Both results are right. In which order are they asked for?",
        ),
    ],
    hints=[
        "A part is a weight times a whole row of v. Which axes must the weights and v get, so that "
        "every query meets every value?",
        "The output is the sum of its parts over the keys. Put it beside them on an axis of "
        "length 1.",
        "(part · output) / (output · output): both dot products are sums over the features.",
    ],
)
