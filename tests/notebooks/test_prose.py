"""The lessons' words: none of the course's own making, each term bold once, one question at a time.

What else can be counted is printed by `tools/notebooks.py prose`; nobody writes well to a quota.
"""

import re
from collections import Counter
from pathlib import Path

import pytest
from nbformat import NotebookNode

from tests.allowances import hold
from tools.authoring.files import LESSONS, notebooks_in, read_notebook
from tools.authoring.prose.budgets import (
    BUDGETS,
    asks_twice,
    budget_table,
    counts_of,
    places_of,
    terms_of,
)
from tools.authoring.prose.patterns import ALSO_ENGLISH, BOLD, DIALECT
from tools.authoring.prose.reading import plain, sittings_of
from tools.authoring.rules import text_cells
from tools.authoring.text import read_text

by_lesson = pytest.mark.parametrize("path", notebooks_in(LESSONS), ids=lambda path: path.stem)


def dialect_in(notebook: NotebookNode) -> list[str]:
    """Each word of the course's own with its cell, folded lines and notes included."""
    return [
        f"{cell.id}: {match.group()!r} -> {instead}"
        for cell in text_cells(notebook)
        for pattern, instead in DIALECT.items()
        for match in re.finditer(
            rf"\b(?:{pattern})\b", plain(cell.source, folded=True), re.IGNORECASE
        )
    ]


def bold_again(notebook: NotebookNode) -> list[str]:
    """Each term that is bold more than once."""
    bold = Counter(
        term.lower() for cell in text_cells(notebook) for term in BOLD.findall(cell.source)
    )
    return [f"{term}: {count} times" for term, count in bold.items() if count > 1]


@by_lesson
def test_a_lesson_speaks_the_field_s_language(path: Path):
    hold("dialect", path.stem, dialect_in(read_notebook(path)))


@by_lesson
def test_a_prediction_asks_one_question(path: Path):
    asked = [
        one
        for sitting in sittings_of(path.stem, read_notebook(path))
        for one in sitting.predictions
    ]
    hold("double questions", path.stem, list(filter(asks_twice, asked)))


@by_lesson
def test_a_term_is_bold_once(path: Path):
    hold("bold twice", path.stem, bold_again(read_notebook(path)))


MADE = '''# %% [markdown] slide="slide"
r"""
## Training a table

A **cosine** compares rows; a *row* is no term. It falls, as the commonest stand at 2, 3, 4, 5.

**Predict.** How many after one sentence, and how many after three?
"""

# %% [markdown] slide="fragment" tags=["reveal"]
"""
**What happened.** Two. <details><summary>How sure?</summary>Six trainings.</details>
"""

# %% [markdown] slide="notes"
"""
<details><summary>For the lecturer: 1 min</summary>

Say **cosine** again, at the least once; it is a piece.

</details>
"""
'''


def test_what_breaks_a_rule_is_seen_wherever_it_stands():
    notebook = read_text(MADE)
    found = dialect_in(notebook)
    assert [re.search("'(.*)'", one)[1] for one in found] == [
        "commonest",
        "trainings",
        "at the least",
    ]
    assert bold_again(notebook) == ["cosine: 2 times"]
    (sitting,) = sittings_of("made", notebook)
    assert sitting.predictions == ["How many after one sentence, and how many after three?"]


def test_a_sitting_is_counted_without_what_is_folded_or_said_to_the_lecturer():
    (sitting,) = sittings_of("made", read_text(MADE))
    counts = counts_of(sitting)
    assert [*counts] == [*BUDGETS]
    assert (counts["words"], counts["pred"], counts["double"]) == (37, 1, 1)
    assert (counts["dialect"], counts["also"], counts[">=4 num"]) == (1, 1, 1)
    assert counts["; /100"] == round(100 / 37, 2)
    assert budget_table([sitting]).splitlines()[-1].startswith("wanted")
    assert any(line.startswith("numbers: It falls") for line in places_of(sitting))


def test_terms_are_what_is_bold_and_only_else_what_is_in_italics():
    italics = ["The *dot product* is large.", "Set *depth* to 2.", "The river's *bank*, here."]
    assert terms_of(italics) == ["dot product", "bank"]
    bold = ["**Predict.** A **token**, an **id**, a **row**, a **table**, a **cosine**, *bank*."]
    assert terms_of(bold) == ["cosine", "id", "row", "table", "token"]


@pytest.mark.parametrize(
    ("asked", "twice"),
    [
        ("What is it? Why?", True),
        ("How many after one, and after three?", True),
        ("Which changes: the cosine, or the dot product?", False),
        ("River and money: which is nearer?", False),
    ],
)
def test_a_second_question_is_seen(asked: str, twice: bool):
    assert asks_twice(asked) == twice


def test_a_word_is_forbidden_or_only_counted_never_both():
    assert not set(DIALECT) & set(ALSO_ENGLISH)
