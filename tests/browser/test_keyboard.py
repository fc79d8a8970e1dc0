"""By keyboard alone: a lesson's section and an exercise, in JupyterLab and in Notebook 7."""

import re
from collections.abc import Iterator

import pytest
from nbformat.v4 import new_markdown_cell
from playwright.sync_api import Page, expect

from tests.browser.conftest import write_notebook
from tests.browser.driver import PATIENCE

pytestmark = pytest.mark.long

IMPORT = """\
import torch
from tutor import check
from tutor.explorers import lesson04_self_attention as explore"""
ANSWER = """\
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    weights = torch.softmax(scores, dim=-2)
    return weights @ v, weights"""
CELLS = [
    new_markdown_cell("# What a matrix does to a plane"),
    IMPORT,
    "explore.turning_space()",
    new_markdown_cell("## Attention"),
    ANSWER,
    "check(scaled_dot_product_attention).show()",
    new_markdown_cell("The end."),
]

# The image of the picture, or what is painted over it once it has moved.
PICTURE = """() => {
    const image = document.querySelector("img.widget-image");
    const painted = document.querySelector(".tutor-layer > canvas");
    return painted?.toDataURL() ?? image.src;
}"""


@pytest.fixture(params=["lab", "notebook"])
def page(browser, lab, server, folder, request) -> Iterator[Page]:
    """A notebook as its reader opens it, in one of the two programs."""
    name = f"by keyboard in {request.param}.ipynb"
    write_notebook(folder / name, *CELLS)
    if request.param == "lab":
        with lab.notebook(name) as notebook:
            yield notebook.page
        return
    pytest.importorskip("notebook", minversion="7")
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    page.set_default_timeout(PATIENCE * 1000)
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(f"{server.url}/notebooks/{name}")
    page.locator(".jp-Toolbar-kernelName", has_text="Python 3").wait_for()
    page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').wait_for()
    # Notebook 7 puts the focus on a cell unless, on a busy machine, it was too early for one.
    page.locator(".jp-Cell").first.focus()
    yield page
    page.close()


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def press_until(page: Page, key: str, name: str) -> None:
    """Press a key until the focus is on what has this name."""
    for _ in range(20):
        page.keyboard.press(key)
        if page.evaluate("() => document.activeElement.getAttribute('aria-label')") == name:
            return
    raise AssertionError(f"no way to {name!r} by {key}")


def run(page: Page, cell: int) -> None:
    """Run the next cell, the given one of the code cells, to its end."""
    page.keyboard.press("Shift+Enter")
    ran = page.locator(".jp-Notebook .jp-CodeCell").nth(cell).locator(".jp-InputPrompt")
    expect(ran).to_have_text(re.compile(r"\[\d+\]"), timeout=PATIENCE * 1000)


def test_a_section_and_an_exercise_are_done_by_keyboard(page):
    press(page, "ArrowDown")
    run(page, 0)
    run(page, 1)
    page.locator("[aria-label='Play how far']").wait_for()
    before = page.evaluate(PICTURE)
    press(page, "ArrowUp")
    press_until(page, "Tab", "how far")
    ring = "() => getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate(ring) == "solid", "the focus cannot be seen"
    press(page, "ArrowLeft", "ArrowLeft")
    page.locator('[role=slider][aria-valuetext="0.8"]').wait_for()
    page.wait_for_function(f"before => ({PICTURE})() !== before", arg=before)
    press(page, "Escape", "ArrowDown", "ArrowDown")
    run(page, 2)
    run(page, 3)
    page.get_by_text("Whose attention is shared out").wait_for()
    press(page, "ArrowUp", "ArrowUp", "Enter", "Control+Home", "ArrowDown", "ArrowDown", "End")
    press(page, "ArrowLeft", "Backspace")
    page.keyboard.type("1")
    press(page, "Shift+Enter", "Shift+Enter")
    page.get_by_text("scaled_dot_product_attention: right").wait_for()
