"""From `make lab` to the first picture of lesson 1, beside plain JupyterLab and one figure.

The peer imports torch first, as every lesson about such models does.

Everything is installed, and Chromium runs. Both run all cells of the notebook they open.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from benchmarks.frame import Options, Row, UnavailableError, compare
from tests.browser.conftest import write_notebook
from tests.browser.driver import CHROMIUM_FLAGS, ROOT, Lab, Server, chromium_path

GOAL = 1.15
ROUNDS, MANY_ROUNDS = 2, 8
# With what tests need too, for `make bench` has just seen to that: else this would install it anew.
SETUP = [sys.executable, str(ROOT / "tools" / "setup.py"), "--quiet", "--dev"]
FIGURE = """\
import torch
import matplotlib.pyplot as plt

plt.plot([0, 1, 4, 9])
plt.show()"""
FIRST_PICTURE = """() => [...document.querySelectorAll('.jp-OutputArea img')]
    .some(image => image.complete && image.naturalWidth)"""


def measure(options: Options) -> Iterator[Row]:
    """Start both in turns, with empty folders and an empty cache; the first turn warms the disk."""
    try:
        chromium = chromium_path()
    except RuntimeError as lack:
        raise UnavailableError(str(lack)) from None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        rounds = MANY_ROUNDS if options.full else ROUNDS
        turns = [(seconds(browser, ours), seconds(browser, peer)) for _ in range(1 + rounds)]
    ours_taken, peer_taken = zip(*turns[1:], strict=True)
    what = "make lab to the first picture, clock"
    yield compare(what, (ours_taken, peer_taken), goal=GOAL, unit="s")


def ours(place: Path) -> tuple[Server, str]:
    """Do what `make lab` does, and name the first lesson."""
    subprocess.run(SETUP, check=True, cwd=ROOT, capture_output=True)
    server = Server(place / "workspace", place / "state", settings={})
    return server, "notebooks/01_rnn_limits.ipynb"


def peer(place: Path) -> tuple[Server, str]:
    """Start plain JupyterLab on a notebook with one figure."""
    workspace = place / "workspace"
    workspace.mkdir()
    write_notebook(workspace / "figure.ipynb", FIGURE)
    program = "jupyterlab", f"--ServerApp.root_dir={workspace}", "--allow-root"
    return Server(workspace, place / "state", program, settings={}), "figure.ipynb"


def seconds(browser: Browser, start: Callable[[Path], tuple[Server, str]]) -> float:
    """Start a JupyterLab, open its notebook, run it, and wait for the first picture."""
    with tempfile.TemporaryDirectory() as folder, browser.new_context() as context:
        begin = time.perf_counter()
        server, notebook = start(Path(folder))
        try:
            lab = Lab(context.new_page(), server.url)
            with lab.notebook(notebook):
                lab.page.evaluate(
                    "() => { jupyterapp.commands.execute('notebook:run-all-cells'); }"
                )
                lab.page.wait_for_function(FIRST_PICTURE)
                return time.perf_counter() - begin
        finally:
            server.stop()
