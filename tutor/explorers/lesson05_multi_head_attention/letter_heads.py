"""What the heads of the letter model do, in numbers, and what is lost without them (lesson 5)."""

from functools import cache

from torch import Tensor

from tutor.training.letters import (
    Head,
    load_letters,
    looks_of,
    mean_outputs,
    scores_of,
    share_right,
    switched_off,
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
    """Give the share of letters foretold, from the second round on, with some heads off.

    Example:
        >>> right_without(()) > 0.95
        True
    """
    model = load_letters()
    with switched_off(model, heads, means()):
        return share_right(lambda ids: scores_of(model, ids), stretch)


@cache
def behind_without(heads: tuple[Head, ...]) -> list[float]:
    """Give what each head of layer 1 puts on what followed the same letter, with some heads off."""
    model = load_letters()
    with switched_off(model, heads, means()):
        behind: list[float] = looks_of(model).behind[1].tolist()
    return [round(share, 2) for share in behind]


@cache
def means() -> dict[str, Tensor]:
    """Give the mean output of each head, which stands in where it is switched off."""
    return mean_outputs(load_letters())
