"""Looks at where wrong numbers stand: at which places all is right, and what the others share."""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from tutor.checking.wrong import FEW, Wrong
from tutor.say import say


def constant(wrong: Wrong) -> str:
    """See that one number stands everywhere."""
    if len(wrong.yours.unique()) > 1 or len(wrong.right.unique()) < FEW:
        return ""
    return say(
        "All your numbers are {number:.4g}; the right ones differ.",
        number=wrong.yours.flatten()[0].item(),
    )


def zeros(wrong: Wrong) -> str:
    """See at which places along an axis all numbers are 0 and should not be."""
    for axis, name in enumerate(wrong.axes):
        empty = _slices(wrong.yours, axis).abs().amax(-1) == 0
        places = (empty & (_slices(wrong.right, axis).abs().amax(-1) > 0)).nonzero().flatten()
        if len(places):
            return say(
                "Along {axis}, your numbers at {places} are all 0.",
                axis=name,
                places=_listed(places),
            )
    return ""


def zeros_alike(wrong: Wrong) -> str:
    """See whether there are as many zeros as there should be, where some are asked for."""
    right, yours = wrong.right == 0, wrong.yours == 0
    if not right.any() or right.all():
        return ""
    if torch.equal(right, yours):
        return say("Your zeros stand where they should; it is the other numbers that differ.")
    if right.sum() == yours.sum():
        return ""
    return say(
        "Yours is 0 in {yours} of {count} cells, the right one in {right}.",
        yours=yours.sum().item(),
        count=yours.numel(),
        right=right.sum().item(),
    )


def split_by_mask(wrong: Wrong) -> str:
    """See that numbers are wrong exactly where a boolean argument is False, or where it is True."""
    for name, mask in wrong.arguments.items():
        if mask.dtype != torch.bool or not mask.any() or mask.all():
            continue
        if mask.shape != wrong.right.shape[: mask.ndim]:
            continue
        gaps = (wrong.right - wrong.yours).abs().reshape(*mask.shape, -1).amax(-1)
        right = gaps <= wrong.near
        if _goes_without_saying(wrong, partial(_where, right)):
            continue
        if torch.equal(right, mask):
            return say("Your numbers are right where {mask} is True, and only there.", mask=name)
        if torch.equal(right, ~mask):
            return say("Your numbers are right where {mask} is False, and only there.", mask=name)
    return ""


def partly_right(wrong: Wrong) -> str:
    """See at which places along an axis all is right, unless that goes without saying."""
    for axis, name in enumerate(wrong.axes):
        gaps = (_slices(wrong.right, axis) - _slices(wrong.yours, axis)).abs().amax(-1)
        right = gaps <= wrong.near
        if not right.any() or right.all():
            continue
        if not _goes_without_saying(wrong, partial(_along, axis, right)):
            return say(
                "Along {axis}, your numbers at {right} are right and those at {wrong} are not.",
                axis=name,
                right=_listed(right.nonzero().flatten()),
                wrong=_listed((~right).nonzero().flatten()),
            )
    return ""


def _goes_without_saying(wrong: Wrong, kept: Callable[[Tensor], Tensor]) -> bool:
    """Say whether what is right is an argument handed on, or nothing but zeros and ones."""
    right = kept(wrong.right)
    if bool(((right == 0) | (right == 1)).all()):
        return True
    return any(
        given.shape == wrong.right.shape and wrong.same(kept(given.double()), right)
        for given in wrong.arguments.values()
    )


def _where(mask: Tensor, tensor: Tensor) -> Tensor:
    return tensor[mask]


def _along(axis: int, places: Tensor, tensor: Tensor) -> Tensor:
    return tensor.movedim(axis, 0)[places]


def _slices(tensor: Tensor, axis: int) -> Tensor:
    """Give a row for each place along an axis."""
    return tensor.movedim(axis, 0).reshape(tensor.size(axis), -1)


def _listed(places: Tensor) -> str:
    few = places.tolist()
    return ", ".join(map(str, few[:6])) + (", …" if len(few) > 6 else "")
