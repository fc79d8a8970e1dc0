"""Which cells stand on which slide, and in which step they appear: as jupyterlab-slideshow does."""

import re

from nbformat import NotebookNode

NOT_SHOWN = ("skip", "notes")
# A cell that only calls for a picture or a prediction: a class need not read it. The slides in
# JupyterLab (slides.js) go by the same pattern.
PLUMBING = r"(predict|you_are_here|measured|explore\.\w+)\([^\n]*(\n[ )][^\n]*)*"


def slide_type(cell: NotebookNode) -> str | None:
    """Return what a cell's metadata say about slides; None for a cell that continues one."""
    kind = cell.metadata.get("slideshow", {}).get("slide_type")
    return str(kind) if kind else None


def slides_of(notebook: NotebookNode) -> list[list[list[NotebookNode]]]:
    """Return the slides of a notebook, each a list of steps, each a list of cells.

    A slide or subslide begins a slide, a fragment a step; other cells join the step before them.
    Skipped cells and the speaker's notes are on no slide.

    Example:
        >>> from nbformat.v4 import new_markdown_cell, new_notebook
        >>> kinds = ["slide", None, "notes", "fragment", None, "subslide"]
        >>> cells = [new_markdown_cell(metadata={"slideshow": {"slide_type": k}}) for k in kinds]
        >>> [[len(step) for step in slide] for slide in slides_of(new_notebook(cells=cells))]
        [[2, 2], [1]]
    """
    slides: list[list[list[NotebookNode]]] = []
    for cell in notebook.cells:
        kind = slide_type(cell)
        if kind in NOT_SHOWN:
            continue
        if kind in ("slide", "subslide") or not slides:
            slides.append([[]])
        elif kind == "fragment":
            slides[-1].append([])
        slides[-1][-1].append(cell)
    return slides


def notes_of(notebook: NotebookNode) -> list[list[NotebookNode]]:
    """Return the lecturer's notes on each slide, in the slides' order.

    Example:
        >>> from nbformat.v4 import new_markdown_cell, new_notebook
        >>> kinds = ["slide", "notes", "fragment", "notes", "slide"]
        >>> cells = [new_markdown_cell(metadata={"slideshow": {"slide_type": k}}) for k in kinds]
        >>> [len(notes) for notes in notes_of(new_notebook(cells=cells))]
        [2, 0]
    """
    notes: list[list[NotebookNode]] = []
    for cell in notebook.cells:
        kind = slide_type(cell)
        if kind == "skip":
            continue
        if kind in ("slide", "subslide") or not notes:
            notes.append([])
        if kind == "notes":
            notes[-1].append(cell)
    return notes


def is_plumbing(cell: NotebookNode) -> bool:
    r"""Tell whether a cell's code stays off slides.

    Example:
        >>> from nbformat.v4 import new_code_cell
        >>> sources = ["explore.film()", 'predict("a",\n  str)', "explore.film()\nx", "show(x)"]
        >>> [is_plumbing(new_code_cell(source)) for source in sources]
        [True, True, False, False]
    """
    return cell.cell_type == "code" and bool(re.fullmatch(PLUMBING, cell.source))
