"""Execute a notebook in a fresh kernel."""

import copy
import json
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from traitlets.config import Config

from .files import ROOT
from .kernel import connection, kernel_environment
from .machines import OWN, Machine
from .meter import Use, used_by

NOT_RUN = "nbval-skip"  # nbval's own tag, so that it and we leave out the same cells

# Asked of the kernel after the last cell: which files of the package the outputs depend on.
_QUESTION = """
import json as _json, sys as _sys
print(_json.dumps(sorted(
    str(module.__file__) for name, module in list(_sys.modules.items())
    if name.split(".")[0] == "tutor" and getattr(module, "__file__", None)
)))
"""


class NotebookError(Exception):
    """A cell raised; the message names the cell and holds the traceback."""


@dataclass(frozen=True)
class Run:
    """An executed notebook and what was measured.

    Attributes:
        notebook: a copy with outputs.
        wall_seconds: by the clock, the kernel's start included.
        used: by the id of each code cell, what the kernel had used after it.
        files: the package's files it loaded.
    """

    notebook: NotebookNode
    wall_seconds: float
    used: dict[str, Use]
    files: list[Path]

    @property
    def cpu_seconds(self) -> float:
        """What the kernel computed, its start included."""
        return max(use.cpu_seconds for use in self.used.values())

    @property
    def peak_mb(self) -> float:
        """The most memory the kernel held."""
        return max(use.peak_mb for use in self.used.values())


def execute(
    notebook: NotebookNode,
    folder: Path,
    *,
    machine: Machine = OWN,
    timeout: int = 600,
    live: bool = False,
) -> Run:
    """Run all cells in order in a kernel without a network.

    Args:
        notebook: is left as it is.
        folder: where the kernel runs.
        machine: the computer to play.
        timeout: seconds for one cell.
        live: run also the cells that are left to readers, as their *Run All* does.

    Raises:
        NotebookError: a cell raised an exception.
    """
    executed = _without_outputs(notebook)
    executed.cells.append(nbformat.v4.new_code_cell(_QUESTION))
    used: dict[str, Use] = {}
    started = time.perf_counter()
    with kernel_environment(machine) as environment:
        client = _client(executed, folder, connection(environment), timeout)
        client.skip_cells_with_tag = "" if live else NOT_RUN

        def measure(cell: NotebookNode, **_: Any) -> None:
            if cell.cell_type == "code":
                used[cell.get("id", "")] = used_by(client.km.provisioner.process.pid)

        client.on_cell_executed = measure
        try:
            client.execute(env=environment)
        except CellExecutionError as problem:
            raise NotebookError(_describe(executed, problem)) from None
    wall_seconds = time.perf_counter() - started
    question = executed.cells.pop()
    del used[question.id]
    files = [Path(name) for name in json.loads(question.outputs[0].text)]
    return Run(executed, wall_seconds, used, [path for path in files if path.is_relative_to(ROOT)])


def _without_outputs(notebook: NotebookNode) -> NotebookNode:
    blank = copy.deepcopy(notebook)
    for cell in blank.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return blank


def _client(
    notebook: NotebookNode, folder: Path, connection: Config, timeout: int
) -> NotebookClient:
    return NotebookClient(
        notebook,
        config=connection,
        timeout=timeout,
        startup_timeout=timeout,
        iopub_timeout=timeout,  # on a busy machine outputs can come long after a cell's end
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        record_timing=False,
        store_widget_state=False,
    )


def _describe(notebook: NotebookNode, problem: CellExecutionError) -> str:
    failed = [
        cell.get("id")
        for cell in notebook.cells
        if any(output.output_type == "error" for output in cell.get("outputs", []))
    ]
    plain = re.sub(r"\x1b\[[0-9;]*m", "", str(problem.traceback or problem))
    return f"cell {', '.join(map(str, failed))} raised\n{plain.strip()}"
