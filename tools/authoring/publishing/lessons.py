"""Execute a lesson so that its explorers carry their frames, and keep the result."""

import copy
import json
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from ..execute import execute
from ..files import ROOT, read_notebook, shown, write_notebook
from ..normalise import normalise
from ..refresh import digest

KEPT = ROOT / "build" / "frames"
_FIRST_CELL = f"""
import sys
sys.path.append({str(ROOT / "tools")!r})
from authoring.publishing.frames import carry_frames
carry_frames()
"""
_FIRST_PICTURE = """
from authoring.publishing.first_picture import words_looking
words_looking()
"""
# What of the site's own scripts runs in the kernel, or decides what is kept.
_OURS = ("frames.py", "touched.py", "first_picture.py", "lessons.py")


def lesson_with_frames(path: Path, kept: Path = KEPT) -> NotebookNode:
    """Return a notebook with the outputs of a run in which its explorers carried their frames.

    It is executed only if its code, a file of the package that its last run loaded, or the data
    have changed since: not for its text, nor for another lesson's pictures.

    Raises:
        NotebookError: a cell raised an exception.
    """
    return _with_frames(read_notebook(path), path.parent, kept / path.name)


def first_picture(kept: Path = KEPT) -> NotebookNode:
    """Return the output that shows the picture of the site's first page, frames included."""
    cell = new_code_cell(_FIRST_PICTURE, id="first")
    notebook = new_notebook(cells=[cell])
    (output,) = _with_frames(notebook, ROOT, kept / "index.ipynb").cells[0].outputs
    return output


def _with_frames(notebook: NotebookNode, folder: Path, file: Path) -> NotebookNode:
    made = _kept(file, notebook) or _made(notebook, folder, file)
    for cell, executed in zip(_code(notebook), _code(made), strict=True):
        cell.outputs = executed.outputs
    return notebook


def _kept(file: Path, notebook: NotebookNode) -> NotebookNode | None:
    """Return the last run, if its outputs would be the same today."""
    if not file.exists():
        return None
    made = read_notebook(file)
    drawn_from = made.metadata.get("drawn_from", {})
    if drawn_from.get("digest") != _digest(notebook, drawn_from.get("files", [])):
        return None
    return made


def _made(notebook: NotebookNode, folder: Path, file: Path) -> NotebookNode:
    """Execute a notebook, keep the result and return it."""
    carrying = copy.deepcopy(notebook)
    carrying.cells.insert(0, new_code_cell(_FIRST_CELL))
    before = _digest(notebook, _package())
    run = execute(carrying, folder)
    del run.notebook.cells[0]
    made = normalise(run.notebook, notebook)
    files = sorted(shown(loaded) for loaded in run.files)
    if _digest(notebook, _package()) == before:  # else it was edited meanwhile, and runs again
        made.metadata["drawn_from"] = {"files": files, "digest": _digest(notebook, files)}
    write_notebook(made, file)
    return made


def _code(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]


def _package() -> list[str]:
    return [shown(file) for file in (ROOT / "tutor").rglob("*.py")]


def _digest(notebook: NotebookNode, loaded: list[str]) -> str:
    """Hash all that outputs and frames are made from: code, what it loads, data, and this."""
    code = json.dumps([[cell.source, cell.metadata.get("tags")] for cell in _code(notebook)])
    data = [file for file in (ROOT / "tutor" / "data").rglob("*") if file.is_file()]
    ours = [Path(__file__).with_name(name) for name in _OURS]
    ours += Path(__file__).parents[1].glob("*.py")
    files = {*loaded, *(shown(file) for file in [*data, *ours] if file.suffix != ".pyc")}
    return digest(code.encode(), sorted(files))
