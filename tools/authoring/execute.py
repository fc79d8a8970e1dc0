"""Execute a notebook in a fresh kernel."""

import copy
import json
import re
import time
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from .files import ROOT
from .kernel import kernel_environment

NOT_RUN = "nbval-skip"  # nbval's own tag, so that it and we leave out the same cells

# Asked of the kernel after the last cell. Modules tell which files the outputs depend on.
QUESTIONS = """
import json as _json, sys as _sys, time as _time
print(_json.dumps({
    "cpu_seconds": _time.process_time(),
    "files": sorted(
        str(module.__file__) for name, module in list(_sys.modules.items())
        if name.split(".")[0] == "tutor" and getattr(module, "__file__", None)
    ),
}))
"""


class NotebookError(Exception):
    """A cell raised; the message names the cell and holds the traceback."""


@dataclass(frozen=True)
class Run:
    """An executed notebook and what was measured.

    Attributes:
        notebook: a copy with outputs.
        wall_seconds: by the clock, the kernel's start included.
        cpu_seconds: what the kernel computed: other programs on the machine do not stretch it.
        files: the package's files it loaded.
    """

    notebook: NotebookNode
    wall_seconds: float
    cpu_seconds: float
    files: list[Path] = field(default_factory=list)


def execute(notebook: NotebookNode, folder: Path, *, timeout: int = 600) -> Run:
    """Run all cells in order in a kernel without a network.

    Args:
        notebook: is left as it is.
        folder: where the kernel runs.
        timeout: seconds for one cell.

    Raises:
        NotebookError: a cell raised an exception.
    """
    executed = copy.deepcopy(notebook)
    for cell in executed.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    executed.cells.append(nbformat.v4.new_code_cell(QUESTIONS))
    client = NotebookClient(
        executed,
        timeout=timeout,
        startup_timeout=timeout,
        iopub_timeout=timeout,  # on a busy machine outputs can come long after a cell's end
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        record_timing=False,
        store_widget_state=False,
        skip_cells_with_tag=NOT_RUN,
    )
    started = time.perf_counter()
    with kernel_environment() as environment:
        try:
            client.execute(env=environment)
        except CellExecutionError as problem:
            raise NotebookError(_describe(executed, problem)) from None
    wall_seconds = time.perf_counter() - started
    answers = json.loads(executed.cells.pop().outputs[0].text)
    files = [Path(name) for name in answers["files"]]
    inside = [path for path in files if path.is_relative_to(ROOT)]
    return Run(executed, wall_seconds, answers["cpu_seconds"], inside)


def _describe(notebook: NotebookNode, problem: CellExecutionError) -> str:
    failed = [
        cell.get("id")
        for cell in notebook.cells
        if any(output.output_type == "error" for output in cell.get("outputs", []))
    ]
    plain = re.sub(r"\x1b\[[0-9;]*m", "", str(problem.traceback or problem))
    return f"cell {', '.join(map(str, failed))} raised\n{plain.strip()}"
