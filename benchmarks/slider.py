"""From a slider's move to new pixels: `tutor.live`, and interact with seaborn, in one notebook.

Both show the same map of 64 by 128 numbers in 1600 by 800 pixels, two for each of the page's, as
sharp screens want them, in JupyterLab in Chromium.
"""

import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks.frame import Options, Row, UnavailableError, compare, p95
from tests.browser.conftest import write_notebook
from tests.browser.driver import CHROMIUM_FLAGS, Lab, Server, chromium_path

GOAL = 0.12
MOVES, MANY_MOVES = 60, 200  # of each side
IN_A_ROW = 10  # moves until the other side's turn

# float32, as tensors are in the course.
NUMBERS = """\
import numpy as np

def numbers(shift):
    position, column = np.mgrid[:64, :128].astype(np.float32)
    return np.sin((position + shift) / 10000 ** (column / 128))"""

OURS = """\
from tutor import live

def draw(fig, **_start):
    ax = fig.subplots()
    image = ax.imshow(numbers(0), aspect="auto", vmin=-1, vmax=1)
    fig.colorbar(image)
    ax.set(xlabel="column", ylabel="position", title="The same map")

    def update(shift):
        image.set_data(numbers(shift))
        return f"shift {shift}"

    return update

live(draw, alt="A map of waves.", shift=(0, 1000, 1, 0))"""

THEIRS = """\
%config InlineBackend.figure_format = "retina"
import matplotlib.pyplot as plt
import seaborn as sns
from ipywidgets import interact

@interact(shift=(0, 1000))
def redraw(shift=0):
    plt.figure(figsize=(8, 4), dpi=100)
    sns.heatmap(numbers(shift), vmin=-1, vmax=1)
    plt.gca().set(xlabel="column", ylabel="position", title="The same map")
    plt.show()"""

# Press an arrow key on the slider of one cell; resolve when another picture can be painted. Each
# move starts from rest: widgets hold a move back until the kernel has reported the last one done.
MOVE = """async cell => {
    await new Promise(rested => setTimeout(rested, 200));
    const node = jupyterapp.shell.currentWidget.content.widgets[cell].node;
    const picture = () => {
        const painted = node.querySelector('.jp-OutputArea canvas')?.dataset.frame;
        if (painted) return painted;
        const image = node.querySelector('.jp-OutputArea img');
        return image?.complete && image.naturalWidth ? image.src : null;
    };
    const before = picture();
    const start = performance.now();
    node.querySelector('.noUi-handle').dispatchEvent(
        new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true})
    );
    while (!picture() || picture() === before) await new Promise(requestAnimationFrame);
    return performance.now() - start;
}"""


def measure(options: Options) -> Iterator[Row]:
    """Move both sliders, and compare the median move and the slowest of twenty."""
    try:
        chromium = chromium_path()
    except RuntimeError as lack:
        raise UnavailableError(str(lack)) from None
    turns = moves(chromium, MANY_MOVES if options.full else MOVES)
    for name, statistic in (("median", statistics.median), ("p95", p95)):
        yield compare(f"slider to pixels, {name}", turns, goal=GOAL, statistic=statistic)


def moves(chromium: str, number: int) -> tuple[list[float], list[float]]:
    """Open JupyterLab and give the seconds of each move, ours and theirs."""
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        workspace = Path(place, "workspace")
        server = Server(workspace, Path(place, "state"))
        try:
            browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
            lab = Lab(browser.new_page(viewport={"width": 1366, "height": 1600}), server.url)
            write_notebook(workspace / "speed.ipynb", NUMBERS, OURS, THEIRS)
            with lab.notebook("speed.ipynb") as notebook:
                if errors := notebook.run_all():
                    raise RuntimeError(f"the notebook failed: {errors}")
                return take_turns(lab.page, number)
        finally:
            server.stop()


def take_turns(page: Page, number: int) -> tuple[list[float], list[float]]:
    """Move the slider of one cell some times, then that of the other; the first moves warm up."""
    times: dict[int, list[float]] = {1: [], 2: []}  # the cells' places in the notebook
    for cell in times:
        page.evaluate(MOVE, cell)
    while len(times[1]) < number:
        for cell, taken in times.items():
            taken += [page.evaluate(MOVE, cell) / 1000 for _ in range(IN_A_ROW)]
    return times[1], times[2]
