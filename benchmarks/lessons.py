"""What *Run All* computes and holds in the nine lessons, live cells included, in a plain kernel.

The optional models are hidden from it, as most readers do not have them.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat

from benchmarks.frame import Options, Row
from tools.authoring.execute import Run, execute
from tools.authoring.files import LESSONS, read_notebook
from tutor.models import minilm, smollm

ALL_GOAL, LARGEST_GOAL, MEMORY_GOAL = 75.0, 25.0, 450.0
LARGEST = "08_full_transformer"
AT_ONCE = 2
HIDE = "import sys\nsys.modules |= dict.fromkeys({names}, None)  # Python then finds them nowhere"


def measure(options: Options) -> Iterator[Row]:
    """Sum the kernels' computing time; two lessons run at once, with one thread each."""
    paths = sorted(LESSONS.glob("*.ipynb"))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        runs = dict(zip([path.stem for path in paths], pool.map(run_all, paths), strict=True))
    seconds = {lesson: run.cpu_seconds for lesson, run in runs.items()}
    yield Row(f"Run All of the {len(runs)} lessons, CPU", "s", sum(seconds.values()), goal=ALL_GOAL)
    yield Row(f"Run All of {LARGEST}, CPU", "s", seconds[LARGEST], goal=LARGEST_GOAL)
    most = max(runs, key=lambda lesson: runs[lesson].peak_mb)
    what = f"most memory of a lesson's kernel, {most}"
    yield Row(what, "MB", runs[most].peak_mb, goal=MEMORY_GOAL)


def run_all(path: Path) -> Run:
    """Run all cells of a lesson where no optional model is installed."""
    notebook = read_notebook(path)
    hide = HIDE.format(names=[minilm.PACKAGE, *smollm.PACKAGES])
    notebook.cells.insert(0, nbformat.v4.new_code_cell(hide))
    return execute(notebook, path.parent, live=True)
