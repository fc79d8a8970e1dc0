"""What holds of every attention, whatever scores it uses."""

from collections.abc import Callable

import torch
from torch import Tensor

from tutor.checking.exercise import Property
from tutor.checking.seeds import Rng
from tutor.say import say

Attention = Callable[..., tuple[Tensor, Tensor]]


def attention_properties(*more: Tensor) -> list[Property]:
    """List them for an attention that takes q, k, v and the given further arguments.

    Queries and keys are four numbers wide.

    Example:
        >>> [rule.name for rule in attention_properties()][0]
        "Each query's weights sum to 1."
    """

    def rule(name: str, broken: Callable[[Attention], str | None]) -> Property:
        return Property(name, lambda call: broken(lambda *qkv: call(*qkv, *more)))

    return [
        rule("Each query's weights sum to 1.", _rows_sum_to_one),
        rule("No weight is negative.", _weights_are_not_negative),
        rule("Equal keys get equal weights.", _equal_keys_share),
        rule("A query's output does not depend on other queries.", _queries_are_alone),
    ]


def _small() -> tuple[Tensor, Tensor, Tensor]:
    """Draw two queries and three keys and values."""
    return Rng(1).normal(1, 2, 4), Rng(2).normal(1, 3, 4), Rng(3).normal(1, 3, 2)


def _rows_sum_to_one(attention: Attention) -> str | None:
    q, k, v = _small()
    sums = attention(q, k, v)[1].sum(-1)  # (1, 2)
    if torch.allclose(sums, torch.ones_like(sums), atol=1e-4):
        return None
    shown = ", ".join(f"{total:.3f}" for total in sums[0].tolist())
    return say(
        "With 2 queries and 3 keys, your rows of weights sum to {shown}.",
        shown=shown,
    )


def _weights_are_not_negative(attention: Attention) -> str | None:
    q, k, v = _small()
    least = attention(q, k, v)[1].min().item()
    return (
        None
        if least >= 0
        else say(
            "Your smallest weight is {least:.3f}.",
            least=least,
        )
    )


def _equal_keys_share(attention: Attention) -> str | None:
    q, k = Rng(1).normal(1, 2, 4), Rng(2).normal(1, 1, 4).expand(1, 2, 4).clone()
    output, _ = attention(q, k, torch.tensor([[[0.0], [2.0]]]))
    if torch.allclose(output, torch.ones_like(output), atol=1e-4):
        return None
    return say(
        "Two equal keys with the values 0 and 2: every query should get 1, and yours "
        "gets {number:.3f}.",
        number=output[0, 0, 0],
    )


def _queries_are_alone(attention: Attention) -> str | None:
    q, k, v = _small()
    changed = torch.cat([q[:, :1], Rng(4).normal(1, 1, 4)], dim=1)
    if torch.allclose(attention(q, k, v)[0][:, 0], attention(changed, k, v)[0][:, 0], atol=1e-4):
        return None
    return say("The second query was changed, and the first query's output changed with it.")
