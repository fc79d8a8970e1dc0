"""Allowances for what new rules forbid: they name what exists, and they only fall."""

from pathlib import Path

import pytest

import tutor
from tests.allowances import allowances, hold
from tools.authoring.files import LESSONS, notebooks_in

FOLDERS = {path.name for path in Path(tutor.__file__).parent.iterdir() if path.is_dir()}
NAMES = {path.stem for path in notebooks_in(LESSONS)} | FOLDERS
BY_LESSON = [(rule, lesson) for rule, lessons in allowances().items() for lesson in lessons]


@pytest.mark.parametrize(("rule", "lesson"), BY_LESSON)
def test_an_allowance_is_of_a_lesson_or_folder_and_above_nought(rule: str, lesson: str):
    assert lesson in NAMES
    assert allowances()[rule][lesson] > 0


def test_an_allowance_holds_neither_more_nor_less():
    rule, lesson = BY_LESSON[0]
    allowed = allowances()[rule][lesson]
    hold(rule, lesson, ["fault"] * allowed)
    with pytest.raises(AssertionError, match="allowed"):
        hold(rule, lesson, ["fault"] * (allowed + 1))
    with pytest.raises(AssertionError, match=f"instead of {allowed}"):
        hold(rule, lesson, ["fault"] * (allowed - 1))
    with pytest.raises(AssertionError, match="1 of 0 allowed"):
        hold("no such rule", lesson, ["fault"])
