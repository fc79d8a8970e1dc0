"""Notebooks as text: jupytext's percent format with a few short cell headers.

`tools/notebooks.py` describes the format for authors. The notebook is the source; the text
is for writing, for editing many cells at once and for readable differences.
"""

import json
from typing import Any

import jupytext
import nbformat
from nbformat import NotebookNode

from .ids import is_readable, name_cells

SLIDE_TYPES = ("slide", "subslide", "fragment", "skip", "notes")
FOLDED = {"source_hidden": True}  # JupyterLab's word, below "jupyter", for a cell's code
TAGS = ("given", "worked", "nbval-skip", "reveal", "how-sure", "deeper", "sitting")
_HEADER_KEYS = ("id", "slide", "answer", "check", "tags", "folded")
# Keys that jupytext adds to remember the layout of the text it read.
_LAYOUT_KEYS = ("cell_marker", "lines_to_next_cell", "lines_to_end_of_cell_marker")
_FORMAT = {"extension": ".py", "format_name": "percent", "cell_markers": '"""'}

NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def is_folded(cell: NotebookNode) -> bool:
    """Say whether JupyterLab shows a cell's code only when asked."""
    return bool(cell.metadata.get("jupyter", {}).get("source_hidden"))


def read_text(text: str) -> NotebookNode:
    """Make a notebook of a text in percent format.

    Raises:
        ValueError: a cell's header has a key or value that means nothing here.
    """
    parsed = jupytext.reads(text, fmt="py:percent")
    notebook = nbformat.v4.new_notebook(metadata=NOTEBOOK_METADATA)
    for number, cell in enumerate(parsed.cells, start=1):
        header = {key: cell.metadata[key] for key in cell.metadata if key not in _LAYOUT_KEYS}
        try:
            notebook.cells.append(_cell_from_text(cell, header))
        except ValueError as problem:
            first_line = cell.source.partition("\n")[0]
            raise ValueError(f"cell {number} ({first_line!r}): {problem}") from None
    name_cells(notebook)
    nbformat.validate(notebook)
    return notebook


def write_text(notebook: NotebookNode) -> str:
    """Write a notebook's cells, without outputs, as text that `read_text` reads back."""
    plain = nbformat.v4.new_notebook()
    for cell in notebook.cells:
        make = _maker(cell.cell_type)
        plain.cells.append(make(source=cell.source, metadata=_header(cell)))
    # The filter keeps jupytext's own header down to what the format needs.
    plain.metadata["jupytext"] = {"notebook_metadata_filter": "-all"}
    return str(jupytext.writes(plain, fmt=_FORMAT))


def _maker(cell_type: str) -> Any:
    makers = {"markdown": nbformat.v4.new_markdown_cell, "code": nbformat.v4.new_code_cell}
    if cell_type not in makers:
        raise ValueError(f"a lesson has markdown and code cells only, not {cell_type!r}")
    return makers[cell_type]


def _cell_from_text(parsed: NotebookNode, header: dict[str, Any]) -> NotebookNode:
    unknown = sorted(set(header) - set(_HEADER_KEYS))
    if unknown:
        raise ValueError(f"unknown in a cell header: {unknown}; known are {list(_HEADER_KEYS)}")
    cell = _maker(parsed.cell_type)(source=parsed.source)
    cell["id"] = _id_from_header(header)
    slide = header.get("slide")
    if slide is not None:
        _require_one_of("slide", slide, SLIDE_TYPES)
        cell.metadata["slideshow"] = {"slide_type": slide}
    if "tags" in header:
        for tag in header["tags"]:
            _require_one_of("tags", tag, TAGS)
        cell.metadata["tags"] = sorted(header["tags"])
    if header.get("folded"):
        cell.metadata["jupyter"] = dict(FOLDED)
    graded = _graded_metadata(header)
    if graded:
        cell.metadata["nbgrader"] = graded
    return cell


def _id_from_header(header: dict[str, Any]) -> str:
    """Take the id the author chose, else one that `name_cells` is going to replace."""
    chosen = header.get("id")
    if chosen is None:
        return "00000000"
    if not is_readable(chosen):
        raise ValueError(f"id {chosen!r} looks drawn at random; choose words or leave it out")
    return str(chosen)


def _require_one_of(key: str, value: Any, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ValueError(f"{key} {value!r} is not one of {list(known)}")


def _graded_metadata(header: dict[str, Any]) -> dict[str, Any] | None:
    """Write nbgrader's metadata (schema 3) for an answer or a check."""
    common = {"schema_version": 3, "task": False}
    if "answer" in header:
        if "check" in header:
            raise ValueError("a cell is an answer or a check")
        return common | {
            "grade": False,
            "grade_id": header["answer"],
            "locked": False,
            "solution": True,
        }
    if "check" in header:
        return common | {
            "grade": True,
            "grade_id": f"check-{header['check']}",
            "locked": True,
            "points": 0,  # until refresh asks the exercise
            "solution": False,
        }
    return None


def _header(cell: NotebookNode) -> dict[str, Any]:
    """Shorten a cell's metadata to its header in the text."""
    graded = cell.metadata.get("nbgrader", {})
    header: dict[str, Any] = {}
    if graded.get("solution"):
        header["answer"] = graded["grade_id"]
    elif graded.get("grade"):
        header["check"] = str(graded["grade_id"]).removeprefix("check-")
    if is_readable(cell.get("id")) and cell["id"] != graded.get("grade_id"):
        header["id"] = cell["id"]
    slide = cell.metadata.get("slideshow", {}).get("slide_type")
    if slide is not None:
        header["slide"] = slide
    if cell.metadata.get("tags"):
        header["tags"] = json.loads(json.dumps(cell.metadata["tags"]))
    if is_folded(cell):
        header["folded"] = True
    return header


def keep_outputs(notebook: NotebookNode, former: NotebookNode) -> None:
    """Take over the outputs of a former version's code cells that have the same id."""
    stored = {cell.get("id"): cell for cell in former.cells if cell.cell_type == "code"}
    for cell in notebook.cells:
        if cell.cell_type == "code" and cell["id"] in stored:
            cell.outputs = stored[cell["id"]].outputs
            cell.execution_count = stored[cell["id"]].execution_count
