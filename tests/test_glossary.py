"""The glossary finds where a lesson introduces a term."""

from nbformat.v4 import new_markdown_cell, new_notebook

from tools.authoring.publishing.glossary import introducing
from tools.authoring.publishing.sections import sections_of

CELLS = [
    "## Named\n\nA cosine is only named.",
    "## The cosine\n\nIn a heading.",
    "## Stressed\n\nA *cosine* in italics.",
    "## Bold\n\nThe **cosine** compares directions. **Predict.** Of what?",
]


def headings(*cells: str):
    notebook = new_notebook(cells=[new_markdown_cell(cell) for cell in cells])
    return [*sections_of(notebook, "A lesson", "a.html")]


def test_a_term_is_introduced_where_it_is_bold_else_in_italics_else_where_it_is_named():
    found = [introducing("cosine", headings(*CELLS[:count])) for count in (4, 3, 2, 1)]
    assert [section.heading for section in found] == ["Bold", "Stressed", "The cosine", "Named"]
    assert introducing("norm", headings(*CELLS)) is None
