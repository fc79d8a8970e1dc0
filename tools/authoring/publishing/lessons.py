"""Execute a lesson so that its explorers carry their frames, and keep the result."""

import copy
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from ..execute import execute
from ..files import ROOT, read_notebook, shown, write_notebook
from ..normalise import normalise
from ..refresh import digest

_KEPT = ROOT / "build" / "frames"
_FIRST_CELL = f"""
import sys
sys.path.append({str(ROOT / "tools")!r})
from authoring.publishing.frames import carry_frames
carry_frames()
"""


def lesson_with_frames(path: Path, kept: Path = _KEPT) -> NotebookNode:
    """Return an executed copy of a notebook whose explorers carry frames.

    It is executed only if it or the package has changed since the last time.

    Raises:
        NotebookError: a cell raised an exception.
    """
    made_from = digest(path, _inputs())
    file = kept / path.name
    if file.exists():
        notebook = read_notebook(file)
        if notebook.metadata.get("made_from") == made_from:
            return notebook
    stored = read_notebook(path)
    notebook = copy.deepcopy(stored)
    notebook.cells.insert(0, new_code_cell(_FIRST_CELL))
    executed = execute(notebook, path.parent).notebook
    del executed.cells[0]
    notebook = normalise(executed, stored)
    notebook.metadata["made_from"] = made_from
    write_notebook(notebook, file)
    return notebook


def _inputs() -> list[str]:
    """Return the files that outputs and frames may depend on."""
    ours = [Path(__file__), Path(__file__).with_name("frames.py")]
    package = [file for file in (ROOT / "tutor").rglob("*") if file.is_file()]
    package = [file for file in package if "labextensions" not in file.parts]  # JupyterLab's own
    return sorted(shown(file) for file in [*package, *ours] if file.suffix != ".pyc")
