"""What a page folds away until its reader has predicted it: results, and what is said of them."""

import copy
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from tutor.learner.folding import heading_of, is_reveal

from .frames import FRAMES
from .slides import is_plumbing, slide_type

_ASKED = re.compile(r"\*\*Predict\b")


def asks(cell: NotebookNode) -> bool:
    """Say whether a cell gives a line in which a prediction is written."""
    return cell.cell_type == "code" and cell.source.startswith("predict(")


def fold_results(cells: Sequence[NotebookNode]) -> list[NotebookNode]:
    """Return the cells as a page has them, with marks where a prediction's result is folded.

    First comes the question, then what moves by sliders, as it starts, then the line to answer in,
    and last, folded, the answer: what was printed, pictures that do not move, and the text.
    """
    arranged: list[NotebookNode] = []
    block: list[NotebookNode] = []
    for cell in cells:
        if slide_type(cell) in ("slide", "subslide"):
            arranged, block = arranged + block, []
        block.append(cell)
        if is_reveal(cell):
            arranged, block = [*arranged, *_arranged(block)], []
    return arranged + block


class _Block(NamedTuple):
    """From one answer, or a slide's beginning, to the next answer: its parts in a page's order."""

    before: list[NotebookNode]
    ahead: list[NotebookNode]
    forms: list[NotebookNode]
    inside: list[NotebookNode]


def _arranged(cells: list[NotebookNode]) -> list[NotebookNode]:
    *rest, reveal = cells
    before, ahead, forms, inside = _parts(rest)
    folded = [*inside, reveal]
    folded[0].metadata["result"] = "begins"
    reveal.metadata["ends"] = True
    if not forms:  # the fold's own heading says it
        reveal.source = reveal.source.strip().removeprefix(heading_of(reveal.source)).lstrip()
    return [*before, *ahead, *forms, *folded]


def _parts(cells: list[NotebookNode]) -> _Block:
    parts = _Block([], [], [], [])
    asked = False
    for cell in cells:
        if asks(cell):
            asked = True
            parts.forms.append(cell)
        elif not asked:
            asked = cell.cell_type == "markdown" and bool(_ASKED.search(cell.source))
            parts.before.append(cell)
        elif _has_sliders(cell) and (is_plumbing(cell) or not parts.inside):
            moving, *other = _split(cell)
            parts.ahead.append(moving)
            parts.inside.extend(other)
        else:
            (parts.inside if cell.get("outputs") or parts.inside else parts.ahead).append(cell)
    return parts


def _split(cell: NotebookNode) -> Iterator[NotebookNode]:
    """Part what moves in a cell's outputs from the others, if there are others."""
    others = [output for output in cell.outputs if not _moves(output)]
    if others:
        rest = new_code_cell("", outputs=copy.deepcopy(others), id=f"{cell.id}-others"[:64])
        cell.outputs = [output for output in cell.outputs if _moves(output)]
        yield from (cell, rest)
    else:
        yield cell


def _has_sliders(cell: NotebookNode) -> bool:
    return any(map(_moves, cell.get("outputs", [])))


def _moves(output: NotebookNode) -> bool:
    return FRAMES in output.get("data", {})
