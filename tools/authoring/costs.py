"""What notebooks cost a reader's machine: computing, waiting, memory; by notebook and by cell."""

import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from .execute import Run, execute
from .files import read_notebook, shown
from .meter import Use

_SPINS = "while True: pass"
_DEAR = 0.1  # CPU seconds from which a cell is listed
_LARGE = 5  # or the MB by which it raises the peak


def print_costs(paths: Iterable[Path], *, cells: bool, beside: int) -> None:
    """Run notebooks in a plain kernel and print a table of what they cost.

    Args:
        paths: lessons and solutions.
        cells: list the dear cells too.
        beside: so many endless loops run beside a second execution, to compare with.
    """
    busy_head = f"{f'beside {beside} loops':>20} {'times':>6}" if beside else ""
    print(f"{'':<45} {'CPU s':>6} {'wall s':>7} {'peak MB':>8}{busy_head}")
    total = 0.0
    for path in paths:
        run = execute(read_notebook(path), path.parent)
        total += run.cpu_seconds
        print(f"{shown(path):<45} {_row(run)}{_busy_part(path, run, beside)}", flush=True)
        if cells:
            _print_cells(run)
    print(f"{'all':<45} {total:6.1f}")


def _row(run: Run) -> str:
    return f"{run.cpu_seconds:6.1f} {run.wall_seconds:7.1f} {run.peak_mb:8.0f}"


def _busy_part(path: Path, quiet: Run, loops: int) -> str:
    if not loops:
        return ""
    with _busy(loops):
        run = execute(read_notebook(path), path.parent)
    took = f"{run.cpu_seconds:.1f} CPU, {run.wall_seconds:.1f} wall"
    return f"{took:>20} {run.wall_seconds / quiet.wall_seconds:6.1f}"


@contextmanager
def _busy(loops: int) -> Iterator[None]:
    """Keep processors busy with endless loops."""
    running = [subprocess.Popen([sys.executable, "-c", _SPINS]) for _ in range(loops)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def _print_cells(run: Run) -> None:
    before = Use(0.0, 0.0)
    for name, use in run.used.items():
        seconds, more = use.cpu_seconds - before.cpu_seconds, use.peak_mb - before.peak_mb
        if seconds >= _DEAR or more >= _LARGE:
            print(f"  {name:<43} {seconds:6.1f} {'':7} {use.peak_mb:8.0f}")
        before = use
