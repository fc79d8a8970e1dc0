"""One server and one page for all browser tests, on a copy of the notebooks."""

from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from tests.browser.driver import CHROMIUM_FLAGS, Lab, Server, chromium_path
from tests.needs import missing


def write_notebook(file: Path, *cells: str | NotebookNode) -> None:
    """Write a notebook of these cells; a text is a code cell."""
    made = [new_code_cell(cell) if isinstance(cell, str) else cell for cell in cells]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(new_notebook(cells=made, metadata={"kernelspec": kernel}), file)


FILES = sorted(path.stem for path in Path(__file__).parent.glob("test_*.py"))


def pytest_itemcollected(item: pytest.Function) -> None:
    """Spread the tests over two processes: each has a JupyterLab and a Chromium of its own.

    What uses one open lesson stays together.
    """
    lesson = item.callspec.params.get("lesson") if hasattr(item, "callspec") else None
    place = int(lesson[:2]) if lesson else FILES.index(item.path.stem)
    item.add_marker(pytest.mark.xdist_group(f"browser {place % 2}"))


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of the Chromium that is driven."""
    try:
        return chromium_path()
    except RuntimeError as fault:
        missing("Chromium", str(fault))


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The learner's workspace: filled by the server, with room for what tests write."""
    return tmp_path_factory.mktemp("workspace")


@pytest.fixture(scope="session")
def server(
    chromium: str, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    made = Server(folder, tmp_path_factory.mktemp("jupyter"))
    yield made
    made.stop()


@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator:
    """The browser, ended after the folder's last test: its loop would go on running in all others.

    An `asyncio.run` in the same process then fails.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def lab(browser, server: Server) -> Lab:
    """A page at a laptop's size."""
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    return Lab(page, server.url)
