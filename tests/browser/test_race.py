"""A slider moves while a cell draws its own figures: none of them may suffer.

JupyterLab handles the slider on a second thread. After each move the notebook's plotting backend
shows whatever figures exist, so that without our guard a half drawn figure of the running cell is
shown and taken away.
"""

import base64
import hashlib
import itertools

import pytest

from tests.browser.conftest import write_notebook

UNGUARDED = "import tutor.inline\ntutor.inline.guard_inline_figures = lambda: None"
SHOW = """\
from tutor.explorers import lesson04_self_attention as explore
explore.scale_and_saturation()"""
BUSY = """\
import time
import matplotlib.pyplot as plt

for n in range({count}):
    plt.figure(figsize=(2, 1), dpi=50)
    for part in range(4):
        plt.bar(part, (n + part) % 7 + 1)
        time.sleep(0.005)
    plt.show()"""


def figures(notebook, cell: int) -> list[str]:
    pngs = [output["data"]["image/png"] for output in notebook.outputs(cell)]
    return [hashlib.sha256(base64.b64decode(png)).hexdigest() for png in pngs]


def spoilt_figures(lab, folder, count: int, *, guarded: bool) -> int:
    """Return how many of a busy cell's figures are not there as they are when no slider moves."""
    name = f"race_{guarded}.ipynb"
    write_notebook(folder / name, "0" if guarded else UNGUARDED, SHOW, BUSY.format(count=count))
    with lab.notebook(name) as notebook:
        notebook.use_second_thread()
        assert notebook.run_all() == []
        undisturbed = figures(notebook, 2)
        assert len(undisturbed) == count
        (picture,) = notebook.pictures()
        picture.move(picture.sliders[0], "key")  # JupyterLab lets the first move wait for the cell
        picture.settle()
        notebook.run_cell(2, wait=False)
        seen = set()
        for key in itertools.cycle([*["ArrowRight"] * 4, *["ArrowLeft"] * 4]):
            picture.sliders[0].press(key)
            seen.add(picture.image.get_attribute("src"))
            if not notebook.is_running():
                break
        assert len(seen) > 5, "the slider waits for the cell"
        disturbed = figures(notebook, 2)
        picture.settle()
    pairs = zip(undisturbed, [*disturbed, *[""] * count])
    return sum(calm != moved for calm, moved in pairs)


@pytest.mark.parametrize(("guarded", "count"), [(True, 100), (False, 40)])
def test_only_unguarded_figures_are_spoilt(lab, folder, guarded, count):
    spoilt = spoilt_figures(lab, folder, count, guarded=guarded)
    assert spoilt == 0 if guarded else spoilt > 0
