"""Run a lesson in this process, which has PyTorch already, and compare what it prints.

No kernel starts, nothing is drawn or measured: a lesson costs what it computes for its texts. Its
pictures, and what another kind of processor makes of it, are left to nbval's run.
"""

import warnings
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any

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


def stale_cells(path: Path) -> list[str]:
    """Run a notebook's cells and say which give other texts than are stored, or raise."""
    stale = []
    with _shell(path.parent) as shell, pytest.MonkeyPatch.context() as patch:
        patch.setattr(Canvas, "freeze_layout", lambda canvas: None)
        patch.setattr(Canvas, "png", lambda canvas: _EMPTY)
        for cell in read_notebook(path).cells:
            if cell.cell_type == "code" and NOT_RUN not in cell.metadata.get("tags", []):
                new, stored = _texts_of_run(shell, cell.source), _stored_texts(cell)
                if new != stored:
                    stale.append(f"{path.name}, cell {cell.id}: {new}\nis stored as {stored}")
    return stale


@contextmanager
def _shell(folder: Path) -> Iterator[InteractiveShell]:
    """Give the process a shell that works in a folder and keeps no history, for a time."""
    InteractiveShell.clear_instance()
    without_history = Config({"HistoryManager": {"enabled": False}})
    with chdir(folder), warnings.catch_warnings(), torch.set_grad_enabled(True):
        yield InteractiveShell.instance(config=without_history)
    torch.set_printoptions(profile="default")  # lessons round what they print; doctests do not
    InteractiveShell.clear_instance()


def _texts_of_run(shell: InteractiveShell, source: str) -> Texts:
    results: list[dict[str, Any]] = []
    shell.display_trap.hook = CapturingDisplayHook(shell=shell, outputs=results)
    with capture_output() as said:
        run = shell.run_cell(source)
    if not run.success:
        return f"{run.error_before_exec or run.error_in_exec!r}", []
    if DisplayHook.semicolon_at_end_of_expression(source):
        results.clear()
    data = [output.data for output in said.outputs] + [result["data"] for result in results]
    return said.stdout, [*(entry["text/plain"] for entry in data if entry), *_figures()]


def _figures() -> list[str]:
    """Close the figures that a cell has left open, and give the texts of what a kernel shows."""
    figures = [pyplot.figure(number) for number in pyplot.get_fignums()]
    pyplot.close("all")
    return [describe(figure) for figure in figures]


def _stored_texts(cell: NotebookNode) -> Texts:
    printed = [output.text for output in cell.outputs if output.get("name") == "stdout"]
    data = [output.data for output in cell.outputs if "data" in output]
    return "".join(printed), [entry["text/plain"] for entry in data]
