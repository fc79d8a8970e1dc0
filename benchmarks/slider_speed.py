"""How long from a slider's move to new pixels: ours, and interact with seaborn, in one notebook.

Both show the same map of 64 by 128 numbers at 800 by 400 pixels, in JupyterLab in Chromium. They
take turns, so that both meet the same machine. Run it as

    python benchmarks/slider_speed.py

It needs Chromium. Two shared cores are enough: compare the ratio, not the milliseconds.
"""

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import write_notebook
from tests.browser.driver import CHROMIUM_FLAGS, Lab, Server, chromium_path

TARGETS = {"median": 0.2, "p95": 0.25}

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


def main() -> int:
    """Measure, print a table, and say whether the targets are met."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--moves", type=int, default=60, help="slider moves of each kind")
    moves = parser.parse_args().moves
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = measure(Path(folder), moves)
    print(f"{'slider to new pixels':<28}{'median ms':>10}{'p95 ms':>10}")
    for name, times in (("tutor.live", ours), ("interact + seaborn", theirs)):
        print(f"{name:<28}{statistics.median(times):>10.0f}{p95(times):>10.0f}")
    ratios = {
        "median": statistics.median(ours) / statistics.median(theirs),
        "p95": p95(ours) / p95(theirs),
    }
    for name, ratio in ratios.items():
        verdict = "met" if ratio <= TARGETS[name] else "missed"
        print(f"ratio of {name}s: {ratio:.2f} (target {TARGETS[name]}: {verdict})")
    return int(any(ratio > TARGETS[name] for name, ratio in ratios.items()))


def measure(folder: Path, moves: int) -> tuple[list[float], list[float]]:
    """Return the milliseconds of each move, ours and theirs, taken in turns of ten."""
    workspace = folder / "workspace"
    server = Server(workspace, folder / "state")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium_path(), args=CHROMIUM_FLAGS
            )
            lab = Lab(browser.new_page(viewport={"width": 1366, "height": 1600}), server.url)
            write_notebook(workspace / "speed.ipynb", NUMBERS, OURS, THEIRS)
            with lab.notebook("speed.ipynb") as notebook:
                if errors := notebook.run_all():
                    raise RuntimeError(f"the notebook failed: {errors}")
                return take_turns(lab.page, moves)
    finally:
        server.stop()


def take_turns(page: Page, moves: int) -> tuple[list[float], list[float]]:
    times: dict[int, list[float]] = {1: [], 2: []}
    for cell in times:
        page.evaluate(MOVE, cell)  # the first loads and caches
    while len(times[1]) < moves:
        for cell, taken in times.items():
            taken += [page.evaluate(MOVE, cell) for _ in range(10)]
    return times[1], times[2]


def p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


if __name__ == "__main__":
    sys.exit(main())
