"""Looks at wrong numbers beside the right ones: each sees one thing, or nothing.

What a look says is true of all the numbers of the case.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from torch import Tensor

from tutor.checking.placing import constant, partly_right, split_by_mask, zeros, zeros_alike
from tutor.checking.sizes import named_size
from tutor.checking.wrong import FEW, Wrong
from tutor.say import say

ALIKE = 1e-3  # by how much factors may differ and still be one
FAR = 2  # times as wide, or as narrow, is another range


def first_seen(looks: Sequence[Callable[[Wrong], str]], wrong: Wrong) -> list[str]:
    """Give what the first look sees that sees anything."""
    if not wrong.right.isfinite().all():
        return []
    if not wrong.yours.isfinite().all():
        return [*_endless(wrong)]
    sentences = (seen for look in looks if (seen := look(wrong)))
    return list(islice(sentences, 1))


def _endless(wrong: Wrong) -> Iterator[str]:
    """See numbers that are infinite where none should be; of NaN another layer speaks."""
    if not wrong.yours.isnan().any():
        yield say(
            "Some of your numbers are infinite, and no right one is. What was divided by 0, or "
            "grew too large?"
        )


def factor_of(wrong: Wrong) -> str:
    """See that all numbers are off by one factor, and which one that is."""
    factor = _one_factor(wrong.right, wrong.yours, wrong.near)
    if factor is None:
        return ""
    if abs(factor + 1) < ALIKE:
        return say("All your numbers have the opposite sign.")
    name = _factor_name(factor, wrong.sizes)
    if name:
        return say(
            "Every number of yours is {factor:.4g} times the right one, that is {name}.",
            factor=factor,
            name=name,
        )
    return say("Every number of yours is {factor:.4g} times the right one.", factor=factor)


def _one_factor(right: Tensor, yours: Tensor, near: float) -> float | None:
    """Give the number by which all of the right ones are multiplied."""
    large = right.abs() > 0.01 * right.abs().max()
    if large.sum() < FEW or len(right[large].unique()) < FEW:
        return None
    factors = yours[large] / right[large]
    factor = factors.mean().item()
    if abs(factor) < ALIKE or (factors - factor).abs().max() > ALIKE * abs(factor):
        return None
    return factor if ((yours - factor * right).abs() <= near * max(1, abs(factor))).all() else None


def _factor_name(factor: float, sizes: Mapping[str, int]) -> str:
    named = {1 / math.log(2): "1 / ln 2", math.log(2): "ln 2", math.pi / 180: "π / 180"}
    for axis, size in sizes.items():
        alone = named_size(size, sizes)
        if size > 1 and alone.startswith(f"{axis}="):
            named |= {size**0.5: f"√({alone})", size**-0.5: f"1 / √({alone})"}
            named |= {float(size): alone, 1 / size: f"1 / ({alone})"}
    names = [name for value, name in named.items() if abs(factor / value - 1) < ALIKE]
    return names[0] if len(names) == 1 else ""


def summand_of(wrong: Wrong) -> str:
    """See that all numbers are off by one amount."""
    gaps = wrong.yours - wrong.right
    gap = gaps.mean().item()
    if (gaps - gap).abs().max() > wrong.near or len(wrong.right.unique()) < FEW:
        return ""
    return say("Every number of yours is the right one plus {gap:.4g}.", gap=gap)


def _in_rows(wrong: Wrong) -> str:
    """See that each row is wrong by a factor, or by a summand, of its own."""
    if wrong.right.ndim < 2 or wrong.right.size(-1) < FEW:
        return ""
    rows = list(zip(wrong.right.flatten(0, -2), wrong.yours.flatten(0, -2)))
    factors = [_one_factor(right, yours, wrong.near) for right, yours in rows]
    if all(factor is not None for factor in factors):
        return say(
            "In each row all your numbers are off by the same factor: {first:.4g} in the first "
            "row, {last:.4g} in the last.",
            first=factors[0],
            last=factors[-1],
        )
    gaps = [yours - right for right, yours in rows]
    if all((gap - gap[0]).abs().max() <= wrong.near for gap in gaps):
        return say(
            "In each row all your numbers are off by the same amount: {first:.4g} in the first "
            "row, {last:.4g} in the last.",
            first=gaps[0][0].item(),
            last=gaps[-1][0].item(),
        )
    return ""


def _moved(wrong: Wrong) -> str:
    """See that the right numbers stand at other places."""
    right, yours = wrong.right, wrong.yours
    if right.ndim > 1 and wrong.same(right, yours.mT):
        return say("Your last two axes are exchanged.")
    for axis, name in enumerate(wrong.axes):
        size = right.size(axis)
        if size > 1 and wrong.same(right, yours.flip(axis)):
            return say("Along {axis}, your numbers stand in reverse order.", axis=name)
        for step in (1, -1) if size >= FEW else ():
            if wrong.same(right, yours.roll(-step, axis)):
                return _shifted(name, step)
            kept = size - 1
            earlier, later = (right, yours) if step > 0 else (yours, right)
            if wrong.same(earlier.narrow(axis, 0, kept), later.narrow(axis, 1, kept)):
                return _shifted(name, step)
    if wrong.same(right.flatten().sort().values, yours.flatten().sort().values):
        return say("Your numbers are the right ones, in the wrong places.")
    return ""


def _shifted(axis: str, step: int) -> str:
    if step > 0:
        return say("Along {axis}, your numbers stand one place too late.", axis=axis)
    return say("Along {axis}, your numbers stand one place too early.", axis=axis)


def _nearly_right(wrong: Wrong) -> str:
    """See what is off by rounding, or for want of a small number."""
    gap = (wrong.right - wrong.yours).abs().max().item()
    if gap > 0.005 * wrong.right.abs().max().item():
        return ""
    return say(
        "Your numbers are nearly right, off by {gap:.1g} at most. Is something rounded on the way, "
        "or a small number such as eps not where it belongs?",
        gap=gap,
    )


def _range(wrong: Wrong) -> str:
    """See that the numbers lie in quite another range, or that only some of them differ."""
    gaps = {
        "low": wrong.yours.min().item(),
        "high": wrong.yours.max().item(),
        "least": wrong.right.min().item(),
        "most": wrong.right.max().item(),
    }
    width, asked = gaps["high"] - gaps["low"], gaps["most"] - gaps["least"]
    apart = gaps["low"] > gaps["most"] or gaps["high"] < gaps["least"]
    if apart or not 1 / FAR < width / max(asked, 1e-9) < FAR:
        return say(
            "Yours lie between {low:.4g} and {high:.4g}, the right ones between {least:.4g} and "
            "{most:.4g}.",
            **gaps,
        )
    differ = ((wrong.right - wrong.yours).abs() > wrong.near).sum().item()
    if differ > wrong.right.numel() / 2:
        return ""
    return say(
        "Of {count} numbers {differ} differ, the others are right.",
        count=wrong.right.numel(),
        differ=differ,
    )


LOOKS: tuple[Callable[[Wrong], str], ...] = (
    *(constant, factor_of, summand_of, _moved, zeros, _nearly_right),
    *(split_by_mask, partly_right, _in_rows, zeros_alike, _range),
)
