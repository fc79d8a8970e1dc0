"""The measure of slides must find what it looks for."""

from nbformat.v4 import new_code_cell, new_markdown_cell

from tests.browser.conftest import write_notebook
from tutor.learner.folding import fold


def test_what_is_cut_off_is_found(lab, folder):
    slide = {"slideshow": {"slide_type": "slide"}}
    fragment = {"slideshow": {"slide_type": "fragment"}}
    notes = {"slideshow": {"slide_type": "notes"}}
    cells = [
        new_markdown_cell("# Fits", metadata=slide),
        new_markdown_cell("more", metadata=fragment),
        new_markdown_cell("only the lecturer's\n\n" * 100, metadata=notes),
        new_markdown_cell("# Too long, but last", metadata=slide),
        new_markdown_cell("a line\n\n" * 40, metadata=fragment),
        new_markdown_cell("# Code too wide", metadata=slide),
        new_code_cell(f"x = '{'wide ' * 40}'"),
        new_markdown_cell("# Table too wide", metadata=slide),
        new_markdown_cell("|" + "column|" * 40 + "\n|" + "---|" * 40),
    ]
    write_notebook(folder / "slides.ipynb", *cells)
    with lab.notebook("slides.ipynb") as notebook, notebook.as_slides():
        slides = notebook.slides()
    assert [slide["cells"] for slide in slides] == [2, 2, 2, 2]
    assert slides[0]["cut_off"] == []
    assert "at the bottom" in slides[1]["cut_off"][0]
    assert "px of x = 'wide" in slides[2]["cut_off"][0]
    assert "column" in slides[3]["cut_off"][0]


def test_an_answer_is_folded_to_read_and_open_on_slides(lab, folder):
    answer = fold("**What happened.** It is $x_1$, as *computed*.")
    cells = [
        new_markdown_cell("# A question", metadata={"slideshow": {"slide_type": "slide"}}),
        new_markdown_cell(answer, metadata={"slideshow": {"slide_type": "fragment"}}),
    ]
    write_notebook(folder / "folded.ipynb", *cells)
    with lab.notebook("folded.ipynb") as notebook:
        heading = notebook.page.locator("summary", has_text="What happened.")
        computed = notebook.page.locator("em", has_text="computed")
        heading.wait_for()
        assert not computed.is_visible()
        assert notebook.page.locator("details mjx-container").count() == 1
        with notebook.as_slides():
            notebook.slides()  # goes to the last step
            assert computed.is_visible()
        heading.click()
        assert computed.is_visible()
