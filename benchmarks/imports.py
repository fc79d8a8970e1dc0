"""What a lesson's imports compute, beside `import torch`, each in a new Python.

What a kernel has loaded before the first cell (IPython) is loaded before, and not counted.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator

from benchmarks.frame import Options, Row, compare
from tools.authoring.files import LESSONS, read_notebook
from tools.authoring.rules import code_cells

GOAL = 1.42
PEER = "import torch"
MEASURED = """\
import ipykernel.kernelapp, time
start = time.process_time()
{code}
print(time.process_time() - start)"""


def measure(options: Options) -> Iterator[Row]:
    """Let each lesson's imports and the peer's take turns, having warmed the disk."""
    lessons = [imports(path.stem) for path in sorted(LESSONS.glob("*.ipynb"))]
    for code in (PEER, lessons[0]):
        seconds(code)
    rounds = 5 if options.full else 1
    turns = [(seconds(code), seconds(PEER)) for _ in range(rounds) for code in lessons]
    ours, peer = zip(*turns, strict=True)
    yield compare(f"a lesson's imports, {len(lessons)} lessons", (ours, peer), goal=GOAL)


def imports(lesson: str) -> str:
    """Give what a lesson imports in its folded cells and in the set-up cell, which names torch."""
    cells = code_cells(read_notebook(LESSONS / f"{lesson}.ipynb"))
    last = next(n for n, cell in enumerate(cells) if "\nimport torch" in f"\n{cell.source}")
    statements = ast.parse("\n".join(cell.source for cell in cells[: last + 1])).body
    return "\n".join(
        ast.unparse(each) for each in statements if isinstance(each, ast.Import | ast.ImportFrom)
    )


def seconds(code: str) -> float:
    """Run imports in a new Python and give what they computed."""
    command = [sys.executable, "-c", MEASURED.format(code=code)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout.split()[-1])
