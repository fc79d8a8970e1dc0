"""Run a notebook once through nbval and keep all there is to judge: texts, pictures, seconds."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from nbformat import NotebookNode
from nbval.plugin import IPyNbCell, IPyNbFile, NbCellError

from tools.authoring.kernel import kernel_environment
from tools.authoring.machines import Machine
from tools.authoring.meter import Use, used_by
from tools.authoring.normalise import normal_outputs
from tools.authoring.pictures import hardly_differ

PATIENCE = 600  # seconds by the clock, for a busy machine


@dataclass(frozen=True)
class NbvalRun:
    """What came of executing a notebook.

    Attributes:
        mismatches: cells that raised, or whose text outputs are not the stored ones (nbval).
        stale_pictures: cells whose pictures are not the stored ones, which nbval does not compare.
        used: what the kernel used, whatever else ran on the machine.
    """

    mismatches: list[str]
    stale_pictures: list[str]
    used: Use


def run_nbval(path: Path, session: pytest.Session) -> NbvalRun:
    """Execute a notebook cell by cell, compared as `pytest --nbval` does, without a network."""
    mismatches: list[str] = []
    stale_pictures: list[str] = []
    session.config.option.nbval_kernel_startup_timeout = PATIENCE
    file = IPyNbFile.from_parent(session, path=path)
    cells = list(file.collect())
    with _environment(), _started(file):
        for cell in cells:
            if mismatch := _mismatch(cell):
                mismatches.append(mismatch)
            elif not _pictures_are_fresh(cell):
                stale_pictures.append(f"{path.name}, cell {cell.cell.id}: another picture")
        used = used_by(file.kernel.km.provisioner.process.pid)
    return NbvalRun(mismatches, stale_pictures, used)


@contextmanager
def _environment() -> Iterator[None]:
    """Let nbval, which starts kernels in its own environment, use that of the authors' tool.

    The kernel plays a computer as unlike as can be that where outputs are stored.
    """
    with (
        kernel_environment(Machine("default", threads=2)) as environment,
        pytest.MonkeyPatch.context() as patch,
    ):
        for name, value in environment.items():
            patch.setenv(name, value)
        for name in os.environ.keys() - environment.keys():
            patch.delenv(name)
        yield


@contextmanager
def _started(file: IPyNbFile) -> Iterator[None]:
    file.setup()
    try:
        yield
    finally:
        file.teardown()


def _mismatch(cell: IPyNbCell) -> str | None:
    """Run a cell and say what is wrong with it, None if nothing is or the cell is not to run."""
    cell.output_timeout = PATIENCE
    try:
        cell.runtest()
    except pytest.skip.Exception:
        return None
    except NbCellError as problem:
        plain = re.sub(r"\x1b\[[0-9;]*m", "", problem.inner_traceback or "")
        return f"{cell.path.name}, cell {cell.cell.id}: {problem}\n{plain}"
    return None


def _pictures_are_fresh(cell: IPyNbCell) -> bool:
    new, stored = _pictures(normal_outputs(cell.test_outputs or [])), _pictures(cell.cell.outputs)
    return len(new) == len(stored) and all(map(hardly_differ, new, stored))


def _pictures(outputs: list[NotebookNode]) -> list[str]:
    data = [output.get("data", {}) for output in outputs]
    return [entry["image/png"] for entry in data if "image/png" in entry]
