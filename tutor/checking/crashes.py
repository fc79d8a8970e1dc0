"""What torch means by its frequent errors, in the course's words and with both shapes."""

import re
from collections.abc import Callable, Mapping, Sequence

from tutor.checking.plain_crashes import PLAIN
from tutor.checking.sizes import named_shape, named_size
from tutor.checking.watching import WatchedCall
from tutor.say import say, say_count

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
    return [say(sentence) for pattern, sentence in PLAIN if re.search(pattern, text)][:1]


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
    return say_count(
        "There is no axis {axis}: {tensor} has a single one, axis 0. Which one do you mean, or "
        "which one is missing?",
        "There is no axis {axis}: {tensor} has {count} axes, counted from 0. Which one do you "
        "mean, or which one is missing?",
        len(tensor) if seen.operands else int(found[2]) + 1,
        axis=found[3],
        tensor=named_shape(tensor, sizes),
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


def _unequal_axes(seen: WatchedCall, sizes: Sizes, _: re.Match[str]) -> str:
    shapes = [shape for shape in seen.operands if len(shape) != len(seen.operands[0])]
    if not shapes:
        return say("torch.cat joins no single numbers. What makes a tensor of several of them?")
    return say(
        "torch.cat joins tensors that have equally many axes, and yours are {one} and {other}. "
        "Which of them lacks an axis of length 1, and where?",
        one=named_shape(seen.operands[0], sizes),
        other=named_shape(shapes[0], sizes),
    )


def _ragged(seen: WatchedCall, sizes: Sizes, found: re.Match[str]) -> str:
    return say(
        "torch.tensor makes a table of rows that are equally long, and one of yours has {first} "
        "entries and another {second}. What could make them equally long?",
        first=found[1],
        second=found[2],
    )


def _classes(seen: WatchedCall, sizes: Sizes, found: re.Match[str]) -> str:
    if len(seen.operands) < 2:
        return ""
    return say(
        "F.cross_entropy looks for the scores of one word along axis 1; your scores are {scores} "
        "and your labels {labels}. Along which axis do yours lie?",
        scores=named_shape(seen.operands[0], sizes),
        labels=named_shape(seen.operands[1], sizes),
    )


def _asked_apart(seen: WatchedCall, sizes: Sizes, found: re.Match[str]) -> str:
    return say(
        "F.cross_entropy got {scores} rows of scores and {labels} labels. Which of the two has "
        "more axes than it takes?",
        scores=found[1],
        labels=found[2],
    )


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
        r"Tensors must have same number of dimensions|zero-dimensional tensor .* concat",
        _unequal_axes,
    ),
    (r"expected sequence of length (\d+) at dim \d+ \(got (\d+)\)", _ragged),
    (r"Expected target size \[(.*)\], got \[(.*)\]", _classes),
    (r"Expected input batch_size \((\d+)\) to match target batch_size \((\d+)\)", _asked_apart),
)
