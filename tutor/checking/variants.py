"""Further cases made from an exercise's first one: the same numbers kept in another way.

What answers stumble over there by habit, ``view`` or a tensor made without a dtype, is excused
where the statement promises nothing: it becomes a note and costs no points. That a stretched
argument cannot be written into is no finding either: writing into a plain one is told as what it
is.
"""

import re
from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Exercise
from tutor.checking.failures import Failure
from tutor.checking.leaves import leaves, mapped, replaced
from tutor.say import say

DOUBLE, SCATTERED, EXPANDED = "in float64", "not contiguous", "stretched by expand"
VARIANTS = (DOUBLE, SCATTERED, EXPANDED)
AGAIN = "other numbers of the same sizes"


def variants(exercise: Exercise, first: Arguments) -> dict[str, Arguments]:
    """Give the first case in float64, scattered in memory, and with one sentence stretched to all.

    Example:
        >>> one = Exercise("one", 1, torch.neg, lambda seed: {}, shapes={"x": "B D"})
        >>> found = variants(one, {"x": torch.ones(2, 3)})
        >>> list(found), found["not contiguous"]["x"].is_contiguous()
        (['in float64', 'not contiguous', 'stretched by expand'], False)
    """
    tensors = [leaf.value for leaf in leaves(first) if isinstance(leaf.value, Tensor)]
    if exercise.kind == "predict" or not tensors:
        return {}
    found = {SCATTERED: mapped(first, _scattered)}
    if any(tensor.is_floating_point() for tensor in tensors):
        found = {DOUBLE: mapped(first, _double), **found}
    if changes := _stretched(exercise, first):
        found[EXPANDED] = replaced(first, changes)
    return found


def drawn_again(exercise: Exercise, seed: int) -> dict[str, Arguments]:
    """Give the first case as another seed draws it.

    An answer that keeps what an earlier call of the same sizes left is right on each alone.

    Example:
        >>> one = Exercise("one", 1, torch.neg, lambda seed: {"a number": {"x": seed}})
        >>> drawn_again(one, 3)
        {'other numbers of the same sizes': {'x': 4}}
    """
    if exercise.kind == "predict":
        return {}
    return {AGAIN: next(iter(exercise.cases(seed + 1).values()))}


def _double(tensor: Tensor) -> Tensor:
    return tensor.double() if tensor.is_floating_point() else tensor


def _scattered(tensor: Tensor) -> Tensor:
    """Keep the numbers in memory as if the first and the last axis had just been exchanged."""
    if tensor.ndim < 2:
        return torch.stack([tensor, tensor], dim=-1)[..., 0]
    return tensor.transpose(0, -1).contiguous().transpose(0, -1)


def _stretched(exercise: Exercise, first: Arguments) -> dict[tuple, Tensor]:
    """Let the first sentence of the batch stand for all of them, without a copy."""
    return {
        leaf.path: leaf.value[:1].expand_as(leaf.value)
        for leaf in leaves(first)
        if isinstance(leaf.value, Tensor)
        and str(exercise.shapes.get(leaf.path[0], "")).split()[:1] == ["B"]
    }


_IN_PIECES, _OTHER_DTYPE, _WRITTEN_INTO = (
    re.compile(r"view size is not compatible|contiguous"),
    re.compile(r"dtype|scalar type|data type|\b[Dd]ouble\b"),
    re.compile(r"refers to a single memory location"),
)
# What torch says of how numbers are kept, and of nothing else.
_EXCUSED: Mapping[str, tuple[re.Pattern[str], ...]] = {
    DOUBLE: (_OTHER_DTYPE,),
    SCATTERED: (_IN_PIECES,),
    EXPANDED: (_IN_PIECES, _WRITTEN_INTO),
}


def excused(case: str, failure: Failure | None) -> bool:
    """Say whether a failure costs nothing, as the statement promises nothing about its cause."""
    return failure is not None and _excuse(case, failure) is not None


def _excuse(case: str, failure: Failure) -> re.Pattern[str] | None:
    known = _EXCUSED.get(case, ()) if failure.reason == "error" else ()
    return next((excuse for excuse in known if excuse.search(failure.text)), None)


def excuse_note(exercise: Exercise, case: str, failure: Failure) -> list[str]:
    """Say what is worth knowing of an excused failure."""
    excuse = _excuse(case, failure)
    if excuse is _IN_PIECES:
        return [
            say("It stops where tensors do not lie in one piece in memory: `view` refuses them.")
        ]
    if excuse is _OTHER_DTYPE and exercise.exact_dtype:
        return [say("It stops with float64: a tensor in it is made without the arguments' dtype.")]
    return []
