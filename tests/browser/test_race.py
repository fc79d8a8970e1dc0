"""A slider moves while a cell draws its own figures: none of them may suffer.

JupyterLab handles the slider on a second thread. After each move the notebook's plotting backend
shows whatever figures exist, so that without our guard a half drawn figure of the running cell is
shown and taken away.
"""

import base64
import hashlib
import itertools
from pathlib import Path

import pytest

from tests.browser.conftest import write_notebook
from tests.browser.driver import Lab, Notebook
from tests.browser.sample import IMPORT

pytestmark = pytest.mark.long

UNGUARDED = "import tutor.display.inline\ntutor.display.inline.guard_inline_figures = lambda: None"
SHOW = f"""\
{IMPORT}

shown, moves = sample(), []
next(iter(shown.controls.values())).observe(moves.append, "value")
shown"""
# Figures are drawn until the slider has moved so often, however fast the machine is.
DRAW = """\
import time
import matplotlib.pyplot as plt

moves.clear()
for n in range({most}):
    plt.figure(figsize=(2, 1), dpi=50)
    for part in range(4):
        plt.bar(part, (n + part) % 7 + 1)
        time.sleep(0.005)
    plt.show()
    if len(moves) > {moves}:
        break
print(n + 1)"""
KINDS = 7  # the figures repeat after so many
MOVES = 40
MOST = 500  # figures; if so many are drawn, the slider waits for the cell


def figures(notebook: Notebook, cell: int) -> list[str]:
    """Give a digest of every figure under a cell."""
    shown = [output["data"] for output in notebook.outputs(cell) if "data" in output]
    pngs = [base64.b64decode(data["image/png"]) for data in shown if "image/png" in data]
    return [hashlib.sha256(png).hexdigest() for png in pngs]


def drawn(notebook: Notebook, cell: int) -> int:
    """Give how many figures a cell says that it has drawn."""
    texts = [output["text"] for output in notebook.outputs(cell) if "text" in output]
    return int("".join(part for text in texts for part in text))


def spoilt_figures(lab: Lab, folder: Path, *, guarded: bool) -> int:
    """Return how many of a busy cell's figures are not as they are when no slider moves."""
    first = "0" if guarded else UNGUARDED
    calm, busy = DRAW.format(most=KINDS, moves=MOVES), DRAW.format(most=MOST, moves=MOVES)
    write_notebook(folder / "race.ipynb", first, SHOW, calm, busy)
    with lab.notebook("race.ipynb") as notebook:
        notebook.use_second_thread()
        for cell in range(3):
            notebook.run_cell(cell)
        undisturbed = figures(notebook, 2)
        (picture,) = notebook.pictures()
        picture.move(picture.sliders[0], "key")  # JupyterLab lets the first move wait for the cell
        picture.settle()
        notebook.run_cell(3, wait=False)
        for key in itertools.cycle([*["ArrowRight"] * 4, *["ArrowLeft"] * 4]):
            picture.sliders[0].press(key)
            if not notebook.is_running():
                break
        disturbed, count = figures(notebook, 3), drawn(notebook, 3)
        picture.settle()
    assert count < MOST, "the slider waits for the cell"
    assert len(set(undisturbed)) == KINDS
    right = sum(a == b for a, b in zip(itertools.cycle(undisturbed), disturbed))
    return max(count, len(disturbed)) - right


@pytest.mark.parametrize("guarded", [True, False])
def test_only_unguarded_figures_are_spoilt(lab, folder, guarded):
    spoilt = spoilt_figures(lab, folder, guarded=guarded)
    assert spoilt == 0 if guarded else spoilt > 0
