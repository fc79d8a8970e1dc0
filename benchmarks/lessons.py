"""What *Run All* computes in the nine lessons, live cells included, in a plain kernel."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.frame import Options, Row
from tools.authoring.execute import execute
from tools.authoring.files import LESSONS, read_notebook

GOAL = 240.0
AT_ONCE = 2


def measure(options: Options) -> Iterator[Row]:
    """Sum the kernels' computing time; two lessons run at once, with one thread each."""
    paths = sorted(LESSONS.glob("*.ipynb"))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        taken = list(pool.map(_cpu_seconds, paths))
    yield Row(f"Run All of the {len(taken)} lessons, CPU", "s", sum(taken), goal=GOAL)
    dearest = max(taken)
    yield Row(f"the dearest of them, {paths[taken.index(dearest)].stem}", "s", dearest)


def _cpu_seconds(path: Path) -> float:
    return execute(read_notebook(path), path.parent, live=True).cpu_seconds
