"""What the heads of the letter model do, in numbers, and what is lost without them (lesson 5)."""

from functools import cache

from torch import Tensor

from tutor.training.letters import (
    Head,
    handed_map,
    load_letters,
    looks_of,
    mean_outputs,
    scores_of,
    share_right,
    switched_off,
    unseen_texts,
    weights_of,
)

A_LOT = 0.3  # of a head's weight


@cache
def looking_back() -> tuple[Head, ...]:
    """Give the heads of the first layer that look at the letter before."""
    back = looks_of(load_letters()).back[0].tolist()
    return tuple((0, head) for head, share in enumerate(back) if share > A_LOT)


@cache
def copying() -> tuple[Head, ...]:
    """Give the heads of the second layer that look behind the same letter's last appearance."""
    behind = looks_of(load_letters()).behind[1].tolist()
    return tuple((1, head) for head, share in enumerate(behind) if share > A_LOT)


@cache
def right_without(heads: tuple[Head, ...], stretch: int = 12) -> float:
    """Give the share of letters predicted, from the second round on, with some heads off.

    Example:
        >>> right_without(()) > 0.95
        True
    """
    model = load_letters()
    with switched_off(model, heads, means()):
        return share_right(lambda ids: scores_of(model, ids), stretch)


@cache
def right_with_map(heads: tuple[Head, ...], stretch: int = 12) -> float:
    """Give the share with some heads off, but layer 1's weights as they are with all heads on.

    Example:
        >>> right_with_map(looking_back()) > 0.95 > 0.5 > right_without(looking_back())
        True
    """
    model = load_letters()
    maps = weights_of(model, unseen_texts(stretch)[:, :-1])[1]
    with switched_off(model, heads, means()), handed_map(model, 1, maps):
        return share_right(lambda ids: scores_of(model, ids), stretch)


@cache
def means() -> dict[str, Tensor]:
    """Give the mean output of each head, which stands in where it is switched off."""
    return mean_outputs(load_letters())
