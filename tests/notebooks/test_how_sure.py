"""*How sure?* is folded, no step on slides, one a section, and leads to what was measured."""

import pytest
from bs4 import BeautifulSoup
from nbformat import NotebookNode

from tools.authoring.claims_page import measured_page
from tools.authoring.files import LESSONS, notebooks_in
from tools.authoring.how_sure import entries_of, folded_lines, is_how_sure
from tools.authoring.publishing.files import write_measured
from tools.authoring.publishing.html import deck, page
from tools.authoring.text import read_text
from tools.authoring.times import core_slides
from tutor.claims.register import REGISTER

LESSON = '''# %% [markdown] slide="slide"
"""
## Training a table

Kinds gather.
"""

# %% [markdown] slide="skip" tags=["how-sure"]
"""
<details><summary>How sure?</summary>

With six seeds. [What was measured](../docs/measured/02_embeddings.md#a-new-word)

</details>
"""
'''


def lesson(text: str = LESSON) -> NotebookNode:
    return read_text(text)


def test_a_folded_line_is_left_alone_and_leads_to_its_entry():
    assert list(folded_lines(lesson())) == []
    (line,) = filter(is_how_sure, lesson().cells)
    assert entries_of(line) == [("02_embeddings", "a-new-word")]


@pytest.mark.parametrize(
    ("sound", "broken", "complaint"),
    [
        ("<details><summary>How sure?</summary>", "**How sure?**", "has not the form"),
        ('slide="skip" ', 'slide="fragment" ', 'is no slide="skip"'),
        ("../docs/measured/", "https://example.org/", "leads to no entry"),
        (
            '# %% [markdown] slide="skip"',
            LESSON[LESSON.index('# %% [markdown] slide="skip"') :] + "\n"
            '# %% [markdown] slide="skip"',
            "is the second how-sure of its section",
        ),
    ],
)
def test_what_breaks_the_rule_is_seen(sound: str, broken: str, complaint: str):
    assert sound in LESSON
    found = list(folded_lines(lesson(LESSON.replace(sound, broken))))
    assert any(complaint in one for one in found), found


def test_it_is_on_the_page_folded_on_no_slide_and_costs_no_minute():
    made = lesson()
    made.cells[0].source = "# Lesson 2\n\nKinds gather."
    shown = BeautifulSoup(page(made, "02_embeddings"), "html.parser")
    (fold,) = [one for one in shown.select("details") if one.summary.text == "How sure?"]
    assert fold.a["href"] == "measured_02_embeddings.html#a-new-word"
    assert "six seeds" in fold.text
    assert "six seeds" not in deck(made, "02_embeddings")
    (slide,) = core_slides(made)
    assert [cell.source for cell in slide.cells] == [made.cells[0].source]


def test_what_was_measured_has_a_page_a_lesson_with_an_entry_for_each_claim(tmp_path):
    files = write_measured(tmp_path)
    assert [file.stem for file in files] == [f"measured_{p.stem}" for p in notebooks_in(LESSONS)]
    for file in files:
        shown = BeautifulSoup(file.read_text("utf-8"), "html.parser")
        name = file.stem.removeprefix("measured_")
        claims = [claim for claim in REGISTER if claim.lesson == name]
        assert [one["id"] for one in shown.select("h2")] == [claim.name for claim in claims]
        assert len(shown.select("main table")) == sum(len(claim.shown) for claim in claims)
        assert len(shown.select("main details")) == len(claims)
        assert shown.select_one(f'a[href="{name}.html"]')


def test_a_table_has_the_numbers_of_the_runs():
    """8 keys, d_k 512, unscaled: from the stored file by hand."""
    assert "0.61 to 0.94 |" in measured_page("04_self_attention")
