"""Allowances for what new rules forbid: they name what exists, and they only fall."""

from pathlib import Path

import pytest

import tutor
from tests.allowances import allowances, hold
from tools.authoring.files import LESSONS, notebooks_in

FOLDERS = {path.name for path in Path(tutor.__file__).parent.iterdir() if path.is_dir()}
NAMES = {path.stem for path in notebooks_in(LESSONS)} | FOLDERS


def test_allowances_are_of_lessons_or_folders_and_above_nought():
    for rule, lessons in allowances().items():
        assert {*lessons} <= NAMES, rule
        assert min(lessons.values()) > 0, rule


def test_an_allowance_holds_neither_more_nor_less(tmp_path, monkeypatch):
    (tmp_path / "allowances.json").write_text('{"a rule": {"grading": 3}}')
    monkeypatch.setattr("tests.allowances.FILE", tmp_path / "allowances.json")
    hold("a rule", "grading", ["fault"] * 3)
    with pytest.raises(AssertionError, match="4 of 3 allowed"):
        hold("a rule", "grading", ["fault"] * 4)
    with pytest.raises(AssertionError, match="instead of 3"):
        hold("a rule", "grading", ["fault"] * 2)
    with pytest.raises(AssertionError, match="1 of 0 allowed"):
        hold("no such rule", "grading", ["fault"])
