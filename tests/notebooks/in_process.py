"""Run a lesson in this process, which has PyTorch already, and compare what it prints.

No kernel starts, nothing is drawn or measured: a lesson costs what it computes for its texts. Its
pictures, and what another kind of processor makes of it, are left to nbval's run.
"""

import warnings
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch
from IPython.core.displayhook import CapturingDisplayHook, DisplayHook
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from matplotlib import pyplot
from nbformat import NotebookNode
from traitlets.config import Config

from tools.authoring.execute import NOT_RUN
from tools.authoring.files import read_notebook
from tutor.display.canvas import Canvas, smaller
from tutor.display.described import describe

Texts = tuple[str, list[str]]  # what a cell printed, and the texts of what it displayed

_EMPTY = smaller(Canvas(1, 1).png())


class Ran(NamedTuple):
    """What came of running a cell.

    Attributes:
        cell: of the notebook.
        texts: what is stored of it, without pictures.
        displayed: all that it displayed, by kinds.
        result: what its last line gave.
    """

    cell: NotebookNode
    texts: Texts
    displayed: list[dict[str, Any]]
    result: Any


def stale_cells(path: Path) -> list[str]:
    """Run a notebook's cells and say which give other texts than are stored, or raise."""
    return [
        f"{path.name}, cell {ran.cell.id}: {ran.texts}\nis stored as {stored_texts(ran.cell)}"
        for ran in runs(read_notebook(path), path.parent)
        if ran.texts != stored_texts(ran.cell)
    ]


def _no_layout(canvas: Canvas) -> None:
    """Leave a picture as it is: nobody looks at it."""


def runs(
    notebook: NotebookNode, folder: Path, on_drawn: Callable[[Canvas], None] = _no_layout
) -> Iterator[Ran]:
    """Run a notebook's cells in a folder.

    Args:
        notebook: is left as it is.
        folder: where they run.
        on_drawn: is given each picture instead of its being laid out.
    """
    with _shell(folder) as shell, pytest.MonkeyPatch.context() as patch:
        patch.setattr(Canvas, "freeze_layout", lambda canvas: on_drawn(canvas))
        patch.setattr(Canvas, "png", lambda canvas: _EMPTY)
        for cell in notebook.cells:
            if cell.cell_type == "code" and NOT_RUN not in cell.metadata.get("tags", []):
                yield _ran(shell, cell)


@contextmanager
def _shell(folder: Path) -> Iterator[InteractiveShell]:
    """Give the process a shell that works in a folder and keeps no history, for a time."""
    InteractiveShell.clear_instance()
    without_history = Config({"HistoryManager": {"enabled": False}})
    with chdir(folder), warnings.catch_warnings(), torch.set_grad_enabled(True):
        yield InteractiveShell.instance(config=without_history)
    torch.set_printoptions(profile="default")  # lessons round what they print; doctests do not
    InteractiveShell.clear_instance()


def _ran(shell: InteractiveShell, cell: NotebookNode) -> Ran:
    results: list[dict[str, Any]] = []
    shell.display_trap.hook = CapturingDisplayHook(shell=shell, outputs=results)
    with capture_output() as said:
        run = shell.run_cell(cell.source)
    if not run.success:
        return Ran(cell, (f"{run.error_before_exec or run.error_in_exec!r}", []), [], None)
    if DisplayHook.semicolon_at_end_of_expression(cell.source):
        results.clear()
    data = [output.data for output in said.outputs] + [result["data"] for result in results]
    displayed = [entry for entry in data if entry]
    plain = [*(entry["text/plain"] for entry in displayed), *_figures()]
    return Ran(cell, (said.stdout, plain), displayed, run.result)


def _figures() -> list[str]:
    """Close the figures that a cell has left open, and give the texts of what a kernel shows."""
    figures = [pyplot.figure(number) for number in pyplot.get_fignums()]
    pyplot.close("all")
    return [describe(figure) for figure in figures]


def stored_texts(cell: NotebookNode) -> Texts:
    """Give what is stored of a cell as text."""
    printed = [output.text for output in cell.outputs if output.get("name") == "stdout"]
    data = [output.data for output in cell.outputs if "data" in output]
    return "".join(printed), [entry["text/plain"] for entry in data]
