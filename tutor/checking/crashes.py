"""What torch means by its frequent errors, in the course's words and with both shapes."""

import re
from collections.abc import Callable, Mapping, Sequence

from tutor.checking.sizes import named_shape, named_size
from tutor.checking.watching import WatchedCall
from tutor.say import say

Sizes = Mapping[str, int]
Shape = Sequence[int]
Sentence = Callable[[WatchedCall, Sizes, re.Match[str]], str]


def explained(text: str, seen: WatchedCall, sizes: Sizes) -> list[str]:
    """Say what torch means by an error or a warning, where it is known.

    Args:
        text: what torch says.
        seen: the function that was called last, and the shapes of what it was given.
        sizes: the sizes of the case by name.

    Example:
        >>> text = "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)"
        >>> seen = WatchedCall(last="matmul", operands=((2, 3), (4, 5)))
        >>> print(*explained(text, seen, {"B": 2, "D": 3, "H": 4}))
        A row of (B=2, D=3) has D=3 numbers, and a column of (H=4, 5) has H=4: ...
    """
    for pattern, sentence in _KNOWN:
        if found := re.search(pattern, text):
            said = sentence(seen, sizes, found)
            return [said] if said else []
    return []


_PRODUCTS = {"matmul", "rmatmul", "mm", "bmm", "mv", "dot", "linear", "inner"}
_SUMMED = {"addmm", "addmv", "baddbmm"}  # what is added comes first
_AXES = {"mm": 2, "addmm": 2, "bmm": 3, "baddbmm": 3}  # that both must have


def _product(seen: WatchedCall, sizes: Sizes, _: re.Match[str]) -> str:
    operands = seen.operands[1:] if seen.last in _SUMMED else seen.operands
    if seen.last not in _PRODUCTS | _SUMMED or len(operands) < 2:
        return ""
    left, right = operands[:2] if seen.last != "rmatmul" else operands[1::-1]
    names = {"left": named_shape(left, sizes), "right": named_shape(right, sizes)}
    if not left or not right:
        return say(
            "You asked for the product of {left} and {right}, and one of them is a single number. "
            "Which tensor did you mean there?",
            **names,
        )
    axes = _AXES.get(seen.last)
    if axes and not len(left) == len(right) == axes:
        return say(
            "torch.{function} multiplies tensors of exactly {axes} axes, and yours are {left} and "
            "{right}. Which product takes tensors with more or fewer axes?",
            function=seen.last,
            axes=axes,
            **names,
        )
    return _unpaired(left, right[::-1] if seen.last == "linear" else right, names, sizes)


def _unpaired(left: Shape, right: Shape, names: Mapping[str, str], sizes: Sizes) -> str:
    """Say which axes of a matrix product do not fit."""
    across, down = left[-1], right[-2] if len(right) > 1 else right[0]
    if across != down:
        return say(
            "A row of {left} has {across} numbers, and a column of {right} has {down}: a matrix "
            "product pairs them one by one. Which two axes must change places, or which of the "
            "two is the wrong tensor?",
            left=names["left"],
            right=named_shape(right, sizes),
            across=named_size(across, sizes),
            down=named_size(down, sizes),
        )
    if len(left) < 3 or len(right) < 3:
        return ""
    return say(
        "{left} and {right} hold different numbers of matrices: the axes before the last two must "
        "agree or have length 1. Which axis is not where you think it is?",
        **names,
    )


def _einsum(seen: WatchedCall, sizes: Sizes, found: re.Match[str]) -> str:
    return say(
        "In your einsum the letter {letter} stands for an axis of {second} in one tensor and of "
        "{first} in another. Which letter does that axis share with the others?",
        letter=found[1],
        first=named_size(int(found[2]), sizes),
        second=named_size(int(found[3]), sizes),
    )


def _broadcast(seen: WatchedCall, sizes: Sizes, found: re.Match[str]) -> str:
    if len(seen.operands) < 2:
        return ""
    one, other = seen.operands[:2]
    if len(one) == len(other):
        return say(
            "{one} and {other} cannot be combined number by number: at one place {first} stands "
            "over {second}. Sizes must agree there, or one of them be 1. Which axis is the "
            "wrong one?",
            one=named_shape(one, sizes),
            other=named_shape(other, sizes),
            first=named_size(int(found[1]), sizes),
            second=named_size(int(found[2]), sizes),
        )
    return say(
        "{one} and {other} cannot be combined number by number. Axes are matched from the right, "
        "and so {first} stands over {second}. Where does the one with fewer axes need one of "
        "length 1?",
        one=named_shape(one, sizes),
        other=named_shape(other, sizes),
        first=named_size(int(found[1]), sizes),
        second=named_size(int(found[2]), sizes),
    )


def _view(seen: WatchedCall, sizes: Sizes, _: re.Match[str]) -> str:
    return say(
        "`view` moves no number, and after transpose or expand the numbers no longer lie in one "
        "row in memory. Which function lays them out anew where it has to?"
    )


def _layout(seen: WatchedCall, sizes: Sizes, found: re.Match[str]) -> str:
    asked = [int(size) for size in re.findall(r"-?\d+", found[1])]
    given = named_shape(seen.operands[0], sizes) if seen.operands else found[2]
    return say(
        "The {count} numbers of {given} cannot be laid out as {asked}. Which sizes multiply to "
        "{count}?",
        count=found[2],
        given=given,
        asked=named_shape(asked, sizes),
    )


def _axis(seen: WatchedCall, sizes: Sizes, found: re.Match[str]) -> str:
    tensor = seen.operands[0] if seen.operands else ()
    return say(
        "There is no axis {axis}: {tensor} has {count} axes, counted from 0. Which one do you "
        "mean, or which one is missing?",
        axis=found[3],
        tensor=named_shape(tensor, sizes),
        count=len(tensor) if seen.operands else int(found[2]) + 1,
    )


def _joined(seen: WatchedCall, sizes: Sizes, found: re.Match[str]) -> str:
    return say(
        "torch.cat joins along axis {axis}; everywhere else the tensors must have equal sizes, and "
        "{first} meets {second}. Along which axis do they belong together?",
        axis=found[1],
        first=named_size(int(found[2]), sizes),
        second=named_size(int(found[3]), sizes),
    )


def _stacked(seen: WatchedCall, sizes: Sizes, _: re.Match[str]) -> str:
    shapes = list(dict.fromkeys(seen.operands))
    if len(shapes) < 2:
        return ""
    return say(
        "torch.stack wants tensors of one shape, and yours have {first} and {second}. Which of "
        "them is not what you think?",
        first=named_shape(shapes[0], sizes),
        second=named_shape(shapes[1], sizes),
    )


def _index(seen: WatchedCall, sizes: Sizes, found: re.Match[str]) -> str:
    return say(
        "Place {index} does not exist: the axis has {size} places, counted from 0. By how much do "
        "you reach too far?",
        index=found[1],
        size=named_size(int(found[2]), sizes),
    )


def _stretched(seen: WatchedCall, sizes: Sizes, found: re.Match[str]) -> str:
    target = [int(size) for size in re.findall(r"\d+", found[1])]
    tensor = [int(size) for size in re.findall(r"\d+", found[2])]
    return say(
        "{tensor} cannot be stretched to {target}: an axis is stretched only from length 1, and "
        "axes are matched from the right. Which axis is in the wrong place?",
        tensor=named_shape(tensor, sizes),
        target=named_shape(target, sizes),
    )


def _plain(sentence: str) -> Sentence:
    return lambda seen, sizes, found: say(sentence)


# What torch says -> how the course says it.
_KNOWN: Sequence[tuple[str, Sentence]] = (
    (r"shapes cannot be multiplied", _product),
    (r"size mismatch, got", _product),
    (r"[Ee]xpected size for first two dimensions of batch2", _product),
    (r"inconsistent tensor size, expected tensor", _product),
    (r"batch[12] must be a 3D tensor|must be a matrix|both arguments to matmul need", _product),
    (
        r"size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\)",
        lambda seen, sizes, found: _product(seen, sizes, found) or _broadcast(seen, sizes, found),
    ),
    (
        r"subscript (\w) has size (\d+) for operand \d+ which does not broadcast with previously "
        r"seen size (\d+)",
        _einsum,
    ),
    (r"view size is not compatible", _view),
    (r"shape '(.*)' is invalid for input of size (\d+)", _layout),
    (
        r"Dimension out of range .* in range of \[(-?\d+), (\d+)\], but got (-?\d+)\)",
        _axis,
    ),
    (r"must match except in dimension (\d+)\. Expected size (\d+) but got size (\d+)", _joined),
    (r"stack expects each tensor to be equal size", _stacked),
    (r"index (-?\d+) is out of bounds for dimension \d+ with size (\d+)", _index),
    (
        r"expanded size of the tensor .* Target sizes: (\[.*\])\.\s+Tensor sizes: (\[.*\])",
        _stretched,
    ),
    (
        r"Boolean value of Tensor with more than one value is ambiguous",
        _plain(
            "`and`, `or`, `not` and `if` ask a whole tensor for one yes or no. Which of & | ~ "
            "does here what you mean, cell by cell?"
        ),
    ),
    (
        r"The use of `x.T` on tensors of dimension other than 2",
        _plain(
            "`.T` turns all axes of a tensor round, the sentences too. Which two should change "
            "places? transpose takes their numbers."
        ),
    ),
    (
        r"only supports boolean masks|expected a bool tensor|mask dtype|expects a bool",
        _plain(
            "A mask says yes or no for each cell, and yours holds numbers. Which comparison makes "
            "booleans of them?"
        ),
    ),
    (
        r"operator.invert\) is only implemented on integer and Boolean-type",
        _plain(
            "`~` turns True and False round, and your tensor holds floats. Which comparison makes "
            "booleans of them?"
        ),
    ),
    (
        r"tensors used as indices must be",
        _plain(
            "A tensor that picks places must hold whole numbers or booleans; yours holds floats. "
            "Where did they become floats?"
        ),
    ),
    (
        r"one element tensors can be converted|scalar.*from a tensor with|a Tensor with \d+ "
        r"elements cannot be converted to Scalar",
        _plain(
            "A tensor of several numbers stands where Python wants a single one. Which cell of it "
            "do you mean, or should the step act on all at once?"
        ),
    ),
    (
        r"expected (m1 and m2|scalar type|both)|have the same dtype",
        _plain(
            "Numbers of two kinds meet, whole numbers and floats or float32 and float64. Where is "
            "the one made that should be like the other?"
        ),
    ),
    (
        r"^name '\w+' is not defined",
        _plain("Python does not know this name. Is it imported, and is it spelt as elsewhere?"),
    ),
)
