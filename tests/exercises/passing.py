"""The test that every lesson's right answers share: each passes, whatever the seed."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from tests.tiers import first_quick
from tutor.checking.calls import FunctionAnswer
from tutor.checking.examine import examine
from tutor.exercises import find


def passing(styles: Mapping[str, Sequence[Callable[..., Any]]]) -> Callable[..., None]:
    """Make a test of right answers, exercise -> the ways in which people write it."""

    @pytest.mark.parametrize("seed", first_quick((0, 1, 2)))
    @pytest.mark.parametrize(
        ("name", "style"),
        [
            pytest.param(name, style, id=f"{name}-{style.__name__}")
            for name in styles
            for style in styles[name]
        ],
    )
    def test(name: str, style: Callable[..., Any], seed: int) -> None:
        verdict = examine(find(name), FunctionAnswer(style), seed)
        assert verdict.passed, verdict

    return test
