"""What a page folds away until its reader has predicted it: results, and what is said of them."""

import re
from collections.abc import Sequence

from nbformat import NotebookNode

from tutor.learner.folding import fold, is_reveal

from .frames import FRAMES
from .slides import slide_type

_ASKED = re.compile(r"\*\*Predict\b")


def asks(cell: NotebookNode) -> bool:
    """Say whether a cell gives a line in which a prediction is written."""
    return cell.cell_type == "code" and cell.source.startswith("predict(")


def fold_results(cells: Sequence[NotebookNode]) -> None:
    """Mark where a prediction's result begins and where it ends; it is folded from there to there.

    It begins with the first output after the question. A picture with sliders is what a reader
    without a line to write in finds the answer with: it stays in sight.
    """
    asked = written = False
    first: NotebookNode | None = None
    for cell in cells:
        if slide_type(cell) in ("slide", "subslide"):
            asked, written, first = False, False, None
        if is_reveal(cell):
            _end(cell, first)
            asked, written, first = False, False, None
        elif cell.cell_type == "markdown":
            asked = asked or bool(_ASKED.search(cell.source))
        elif asks(cell):
            asked = written = True
        elif asked and first is None and cell.outputs and (written or not _has_sliders(cell)):
            first = cell


def _end(cell: NotebookNode, first: NotebookNode | None) -> None:
    if first is None:
        cell.source = fold(cell.source)
    else:
        first.metadata["result"] = "begins"
        cell.metadata["result"] = "ends"


def _has_sliders(cell: NotebookNode) -> bool:
    return any(FRAMES in output.get("data", {}) for output in cell.outputs)
