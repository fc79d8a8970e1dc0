"""The measure of slides must find what it looks for."""

from nbformat.v4 import new_code_cell, new_markdown_cell

from tests.browser.conftest import write_notebook


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
