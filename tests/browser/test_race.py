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

UNGUARDED = "import tutor.display.inline\ntutor.display.inline.guard_inline_figures = lambda: None"
SHOW = """\
from tutor.explorers import lesson04_self_attention as explore
explore.scale_and_saturation()"""
DRAW = """\
import time
import matplotlib.pyplot as plt

for n in range({count}):
    plt.figure(figsize=(2, 1), dpi=50)
    for part in range(4):
        plt.bar(part, (n + part) % 7 + 1)
        time.sleep(0.005)
    plt.show()"""
KINDS = 7  # the figures repeat after so many


def figures(notebook: Notebook, cell: int) -> list[str]:
    pngs = [output["data"]["image/png"] for output in notebook.outputs(cell)]
    return [hashlib.sha256(base64.b64decode(png)).hexdigest() for png in pngs]


def spoilt_figures(lab: Lab, folder: Path, count: int, *, guarded: bool) -> int:
    """Return how many of a busy cell's figures are not as they are when no slider moves."""
    first = "0" if guarded else UNGUARDED
    calm, busy = DRAW.format(count=KINDS), DRAW.format(count=count)
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
        seen = set()
        for key in itertools.cycle([*["ArrowRight"] * 4, *["ArrowLeft"] * 4]):
            picture.sliders[0].press(key)
            seen.add(picture.image.get_attribute("src"))
            if not notebook.is_running():
                break
        assert len(seen) > 5, "the slider waits for the cell"
        disturbed = figures(notebook, 3)
        picture.settle()
    assert len(set(undisturbed)) == KINDS
    right = sum(a == b for a, b in zip(itertools.cycle(undisturbed), disturbed))
    return max(count, len(disturbed)) - right


@pytest.mark.parametrize(("guarded", "count"), [(True, 100), (False, 20)])
def test_only_unguarded_figures_are_spoilt(lab, folder, guarded, count):
    spoilt = spoilt_figures(lab, folder, count, guarded=guarded)
    assert spoilt == 0 if guarded else spoilt > 0
