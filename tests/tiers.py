"""Which tier a test is in: a test marked `long` is left to `make check`, every other is quick.

A family of like tests keeps a sample quick: where its parameters are given, they go through one of
these functions.
"""

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def first_quick(values: Iterable[Any], number: int = 1) -> list[Any]:
    """Mark parameters of tests: the first ones stay quick.

    Args:
        values: values, or what `pytest.param` made of them.
        number: how many stay quick.

    Example:
        >>> [bool(param.marks) for param in first_quick(["a", "b", "c"])]
        [False, True, True]
    """
    return [_in_tier(value, place < number) for place, value in enumerate(values)]


def every_quick(values: Iterable[Any], step: int) -> list[Any]:
    """Mark parameters of tests: one in each `step` stays quick, the first among them.

    Example:
        >>> [bool(param.marks) for param in every_quick(["a", "b", "c"], 2)]
        [False, True, False]
    """
    return [_in_tier(value, place % step == 0) for place, value in enumerate(values)]


def quick_where(is_quick: Callable[[Any], bool], values: Iterable[Any]) -> list[Any]:
    """Mark parameters of tests: those stay quick of which a function says so.

    Example:
        >>> [bool(param.marks) for param in quick_where(str.isupper, ["a", "B"])]
        [True, False]
    """
    return [_in_tier(value, is_quick(value)) for value in values]


def _in_tier(value: Any, is_quick: bool) -> Any:
    param = value if hasattr(value, "marks") else pytest.param(value)
    marks = param.marks if is_quick else (*param.marks, pytest.mark.long)
    return pytest.param(*param.values, id=param.id, marks=marks)
