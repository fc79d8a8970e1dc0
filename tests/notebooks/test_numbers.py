"""The numbers in a lesson's sentences: code prints them, or they are listed with those it cannot.

`data/not_printed.json` lists, lesson by lesson, what papers, other lessons and sums in the text
say. A number that is changed by hand, and no longer is what the lesson's code prints, is in
neither.
"""

import json
import re
from pathlib import Path

import pytest
from nbformat import NotebookNode

from tools.authoring.claims_page import measured_page
from tools.authoring.files import LESSONS, notebooks_in, read_notebook
from tools.authoring.prose.reading import plain
from tools.authoring.rules import code_cells, text_cells
from tools.authoring.text import read_text

LISTED = json.loads((Path(__file__).parent / "data" / "not_printed.json").read_text("utf-8"))
NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.\d+|\d+")
SHARE = re.compile(r"\b(\d[\d,]*) of (?:the )?(\d[\d,]*)\b(?![.,]\d)")
# Places in a text, years and times to plan with, which other tests hold.
NAMES = re.compile(
    r"\b(?:lesson|exercise|table|figure|section|equation)s? [\d.]+(?: and [\d.]+)?"
    r"|\b(?:19|20)\d\d\b|\b\d+ minutes\b",
    re.IGNORECASE,
)


def values(text: str) -> set[float]:
    return {_value(number) for number in NUMBER.findall(text)}


def _value(number: str) -> float:
    return float(number.replace(",", ""))


def printed(notebook: NotebookNode) -> str:
    """Code, and what it printed or described."""
    parts = []
    for cell in code_cells(notebook):
        parts.append(cell.source)
        for output in cell.outputs:
            data = output.get("data", {})
            parts += [output.get("text", ""), *(data[k] for k in data if k.startswith("text/"))]
    return "\n".join(parts)


def not_printed(notebook: NotebookNode, measured: str = "") -> list[str]:
    """List the shares, and numbers that are no small whole ones, that no code prints.

    Args:
        notebook: a lesson.
        measured: the page of what was measured for it.
    """
    text = f"{printed(notebook)}\n{measured}"
    known, shares = values(text), {*SHARE.findall(text)}
    found: set[str] = set()
    for cell in text_cells(notebook):
        if "<summary>For the lecturer" in cell.source:
            continue
        said = NAMES.sub("", plain(cell.source, folded=True))
        found |= {f"{a} of {b}" for a, b in SHARE.findall(said) if (a, b) not in shares}
        long = {n for n in NUMBER.findall(said) if "." in n or _value(n) >= 10}
        found |= {number for number in long if _value(number) not in known}
    return sorted(found)


@pytest.mark.parametrize("path", notebooks_in(LESSONS), ids=lambda path: path.stem)
def test_a_lesson_says_the_numbers_that_its_code_prints(path: Path):
    found = not_printed(read_notebook(path), measured_page(path.stem))
    assert found == LISTED[path.stem], "printed nowhere, or no longer said; see not_printed.json"


MADE = '''# %% [markdown] slide="slide"
"""
## Heads

{} runs learned it, and .36 of the weight stays, as lesson 17 said in 2017 in 45 minutes.
"""

# %%
print("13 of 18, 12 of 20, 0.36")
'''


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("13 of 18", []),
        ("13 of the 18", []),
        ("12 of 18", ["12 of 18"]),
        ("Some", []),
        ("About 140 of all", ["140"]),
    ],
)
def test_a_number_that_no_code_prints_is_seen(said: str, found: list[str]):
    assert not_printed(read_text(MADE.format(said)), "12 of 20, 0.36, 13 of 18") == found
