"""What torch and Python mean by errors that need no shapes to be told, in the course's words."""

from collections.abc import Sequence

from tutor.say import later

# What is said -> how the course says it.
PLAIN: Sequence[tuple[str, str]] = (
    (
        r"tuple of ints, ?(but got|not) float|'float' object cannot be interpreted|got \(float|"
        r"must be int, not float|slice indices must be integers",
        later(
            "A size or a place must be a whole number, and `/` always gives a float. Which "
            "division gives whole numbers?"
        ),
    ),
    (
        r"'torch.Size' object is not callable",
        later("`shape` is a tuple and cannot be called. Which brackets take one size out of it?"),
    ),
    (
        r"(too many|not enough) values to unpack",
        later(
            "You take something apart into more or fewer names than it has parts. How many axes, "
            "or results, does it have?"
        ),
    ),
    (
        r"can't be cast to the desired output type",
        later(
            "Floats are written into a tensor of whole numbers. Of which kind should that tensor "
            "have been made?"
        ),
    ),
    (
        r"Expected tensor for argument #1 'indices'|one_hot is only applicable|"
        r"expected scalar type (Long|Int)|got \(float\)",
        later(
            "Ids and labels must be whole numbers, and yours are floats. Where did they become "
            "floats?"
        ),
    ),
    (
        r"unsupported operand type\(s\) for .*'list'|can't multiply sequence by non-int",
        later(
            "Python does not calculate with lists number by number. What makes a tensor of yours, "
            "or which loop visits their entries?"
        ),
    ),
    (
        r"list index out of range",
        later(
            "You ask a list for a place that it does not have. How long is it at that moment, and "
            "may it be empty?"
        ),
    ),
    (
        r"Boolean value of Tensor with more than one value is ambiguous",
        later(
            "`and`, `or`, `not` and `if` ask a whole tensor for one yes or no. Which of & | ~ "
            "does here what you mean, cell by cell?"
        ),
    ),
    (
        r"The use of `x.T` on tensors of dimension other than 2",
        later(
            "`.T` turns all axes of a tensor round, the sentences too. Which two should change "
            "places? transpose takes their numbers."
        ),
    ),
    (
        r"only supports boolean masks|expected a bool tensor|mask dtype|expects a bool",
        later(
            "A mask says yes or no for each cell, and yours holds numbers. Which comparison makes "
            "booleans of them?"
        ),
    ),
    (
        r"operator.invert\) is only implemented on integer and Boolean-type",
        later(
            "`~` turns True and False round, and your tensor holds floats. Which comparison makes "
            "booleans of them?"
        ),
    ),
    (
        r"tensors used as indices must be",
        later(
            "A tensor that picks places must hold whole numbers or booleans; yours holds floats. "
            "Where did they become floats?"
        ),
    ),
    (
        r"one element tensors can be converted|scalar.*from a tensor with|a Tensor with \d+ "
        r"elements cannot be converted to Scalar",
        later(
            "A tensor of several numbers stands where Python wants a single one. Which cell of it "
            "do you mean, or should the step act on all at once?"
        ),
    ),
    (
        r"expected (m1 and m2|scalar type|both)|have the same dtype",
        later(
            "Numbers of two kinds meet, whole numbers and floats or float32 and float64. Where is "
            "the one made that should be like the other?"
        ),
    ),
    (
        r"^name '\w+' is not defined",
        later("Python does not know this name. Is it imported, and is it spelt as elsewhere?"),
    ),
)
