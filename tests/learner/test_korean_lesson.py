"""A lesson in Korean runs, and prints the numbers that the English one prints."""

import json
import re
from collections import Counter

import nbclient
import nbformat
import pytest

from tutor.learner.course import PACKAGE
from tutor.learner.language import VARIABLE, in_language

LESSON = PACKAGE.parent / "notebooks" / "04_self_attention.ipynb"
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
HANGUL = re.compile("[가-힣]")


def said(cell) -> str:
    """All that a cell printed, as text."""
    outs = cell.get("outputs", ())
    return "\n".join(out.get("text") or out.get("data", {}).get("text/plain", "") for out in outs)


def numbers(cell) -> Counter[str]:
    """The numbers that a cell printed, in any order: a language has an order of its own."""
    return Counter(NUMBER.findall(said(cell)))


@pytest.mark.long
def test_lesson_4_in_korean_prints_the_same_numbers(monkeypatch):
    monkeypatch.setenv(VARIABLE, "ko")
    monkeypatch.delenv("MPLBACKEND", raising=False)  # the kernel shows figures in its own way
    english = nbformat.read(LESSON, 4)
    korean = nbformat.reads(json.dumps(in_language(json.loads(LESSON.read_text("utf-8")), "ko")), 4)
    nbclient.NotebookClient(korean, timeout=300, kernel_name="python3").execute()
    there = {cell.id: cell for cell in english.cells}
    compared = [
        cell
        for cell in korean.cells
        if cell.id in there and "nbval-skip" not in cell.metadata.get("tags", ())
    ]
    assert [cell.id for cell in compared if numbers(cell) != numbers(there[cell.id])] == []
    spoken = [cell for cell in korean.cells if HANGUL.search(said(cell))]
    assert len(spoken) > 30  # captions, alt texts, what is printed
