"""The ways of hiding keys that go wrong, shared by self- and cross-attention."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from tutor.attention import dot_product_scores
from tutor.attention import scaled_dot_product_attention as attend
from tutor.checking.exercise import Mistake
from tutor.say import later

Attended = tuple[Tensor, Tensor]
Attention = Callable[[Tensor, Tensor, Tensor, Tensor], Attended]


def scaled_scores(q: Tensor, k: Tensor) -> Tensor:
    """Score each key for each query: (B, Tq, Tk)."""
    return dot_product_scores(q, k) / math.sqrt(q.size(-1))


def average(weights: Tensor, v: Tensor) -> Attended:
    """Give the averages with the weights that made them."""
    return weights @ v, weights


def hidden_by(fill: float, keep: Callable[[Tensor, Tensor], Tensor]) -> Attention:
    """Hide keys by writing one number over their scores; ``keep`` makes the mask."""

    def attention(q: Tensor, k: Tensor, v: Tensor, real: Tensor) -> Attended:
        scores = scaled_scores(q, k).masked_fill(~keep(q, real), fill)
        return average(torch.softmax(scores, dim=-1), v)

    return attention


def multiplied(keep: Callable[[Tensor, Tensor], Tensor]) -> Attention:
    """Multiply the scores by 0 and 1, which hides nothing."""

    def attention(q: Tensor, k: Tensor, v: Tensor, real: Tensor) -> Attended:
        return average(torch.softmax(scaled_scores(q, k) * keep(q, real), dim=-1), v)

    return attention


def after_softmax(keep: Callable[[Tensor, Tensor], Tensor]) -> Attention:
    """Strike out weights after they were shared out, so that rows sum to less than 1."""

    def attention(q: Tensor, k: Tensor, v: Tensor, real: Tensor) -> Attended:
        return average(torch.softmax(scaled_scores(q, k), dim=-1) * keep(q, real), v)

    return attention


def along_queries(keep: Callable[[Tensor, Tensor], Tensor]) -> Attention:
    """Take softmax over the queries."""

    def attention(q: Tensor, k: Tensor, v: Tensor, real: Tensor) -> Attended:
        scores = scaled_scores(q, k).masked_fill(~keep(q, real), -1e9)
        return average(torch.softmax(scores, dim=-2), v)

    return attention


def divided_by(
    divisor: Callable[[Tensor, Tensor], float], keep: Callable[[Tensor, Tensor], Tensor]
) -> Attention:
    """Divide the scores by another number, worked out from queries and keys."""

    def attention(q: Tensor, k: Tensor, v: Tensor, real: Tensor) -> Attended:
        rescaled = q * math.sqrt(q.size(-1)) / divisor(q, k)
        return attend(rescaled, k, v, keep(q, real))

    return attention


def wrong_divisors(prefix: str, keep: Callable[[Tensor, Tensor], Tensor]) -> list[Mistake]:
    """List the ways of scaling wrongly as mistakes whose ids begin with a prefix."""
    by_name: dict[str, list[Callable[[Tensor, Tensor], float]]] = {
        "scale-queries": [lambda q, k: math.sqrt(q.size(1))],
        "scale-keys": [lambda q, k: math.sqrt(k.size(1))],
        "scale-squared": [lambda q, k: q.size(2)],
        "scale-halved": [lambda q, k: q.size(2) / 2, lambda q, k: q.size(2) * 2],
        "scale-constant": [lambda q, k: math.sqrt(3), lambda q, k: 2, lambda q, k: 8],
    }
    found = []
    for name, divisors in by_name.items():
        first, *others = (divided_by(divisor, keep) for divisor in divisors)
        found.append(Mistake(f"{prefix}-{name}", first, ASK_DIVISOR, variants=others))
    return found


def logarithms(fill: float, keep: Callable[[Tensor, Tensor], Tensor]) -> Attention:
    """Take the logarithms of the weights."""

    def attention(q: Tensor, k: Tensor, v: Tensor, real: Tensor) -> Attended:
        scores = scaled_scores(q, k).masked_fill(~keep(q, real), fill)
        return average(torch.log_softmax(scores, dim=-1), v)

    return attention


def up_to_length(real: Tensor) -> Tensor:
    """Mistake the number of real tokens for the place where padding begins."""
    return torch.arange(real.size(1)) < real.sum(1, keepdim=True)  # (B, T)


# What the statements promise of `real`, by which keys are hidden.
PROMISES: dict[str, Callable[..., bool]] = {
    "no padding": lambda q, k, v, real: bool(real.all()),
    "padding at the end": lambda q, k, v, real: bool((~real[:, -1]).any()),
    "a hole": lambda q, k, v, real: bool((~real[:, :-1] & real[:, 1:]).any()),
    "a single word": lambda q, k, v, real: bool((real.sum(-1) == 1).any()),
    "equal scores": lambda q, k, v, real: bool((q == 0).all()),
}

ASK_ZERO = (
    "Your hidden keys still get weight. e to the power of 0 is 1: which score becomes the weight 0?"
)
ASK_ROWS = later("Your rows sum to less than 1. Did you hide the keys too late?")
ASK_HOLES = (
    "Where padding stands between real words, yours goes wrong. Did you look at each token, or "
    "count them?"
)
ASK_FIRST = "All your sentences hide what the first one hides. Whose padding is it?"
ASK_SIZE = (
    "Your hidden keys get a little weight. How far below the other scores must a hidden one lie?"
)
ASK_SCALE = (
    "Even without padding yours is wrong: the weights are too extreme. What divides the scores?"
)
ASK_DIVISOR = (
    "Even without padding yours is wrong: the scores are divided by the wrong number. How many "
    "products are summed in a score?"
)
ASK_LOGARITHM = (
    "None of your weights is positive: they are logarithms of shares. Which function gives the "
    "shares themselves?"
)
ASK_SIDE = (
    "Even without padding yours is wrong: its columns sum to 1. Whose attention is shared out?"
)
