"""Slides in JupyterLab that are too full to be large as they are: a picture stands beside text."""

from collections.abc import Iterator

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

from tests.browser.conftest import write_notebook
from tests.browser.driver import Notebook

pytestmark = pytest.mark.long

SLIDE, FRAGMENT = ({"slideshow": {"slide_type": kind}} for kind in ("slide", "fragment"))
IMPORTS = """\
from tutor import predict
from tutor.claims import measured
from tutor.explorers import lesson04_self_attention as explore
6 * 7"""
TEXT = "Many words, each as good as the next, and all of them about what the picture shows. " * 6
LINES = """() => {
    const pre = document.querySelector(".jp-deck-mod-visible pre"), text = pre.textContent;
    const tables = text.slice(0, text.lastIndexOf("\\n\\n"));
    const walker = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT), node = walker.nextNode();
    return [...tables.matchAll(/.+/g)].map(line => {
        const range = document.createRange();
        range.setStart(node, line.index);
        range.setEnd(node, line.index + line[0].length);
        return range.getClientRects().length;
    });
}"""


@pytest.fixture(scope="module")
def full_deck(lab, folder) -> Iterator[Notebook]:
    """A notebook whose slides are too full to be large as they are, that has been run."""
    cells = [
        new_markdown_cell("# Start", metadata=SLIDE),
        new_code_cell(IMPORTS),
        new_markdown_cell("# Much text\n\n" + TEXT, metadata=SLIDE),
        new_code_cell("explore.step_by_step()"),
        new_markdown_cell(TEXT, metadata=FRAGMENT),
        new_markdown_cell("# A long line\n\nFew words.", metadata=SLIDE),
        new_code_cell("x = '" + "wide " * 19 + "'", metadata=FRAGMENT),
        new_markdown_cell("# A measured table", metadata=SLIDE),
        new_code_cell("measured('letters-look-back')"),
        new_markdown_cell("# Two predictions", metadata=SLIDE),
        new_code_cell("predict('a-choice', ['less', 'more'])"),
        new_code_cell("predict('a-number', float)"),
        new_markdown_cell("**What happened.** Less.", metadata=FRAGMENT),
    ]
    write_notebook(folder / "full.ipynb", *cells)
    with lab.notebook("full.ipynb") as notebook:
        assert notebook.run_all() == []
        yield notebook


def test_a_picture_stands_beside_much_text(full_deck):
    with full_deck.as_slides():
        full_deck.show_cell(4)
        picture = full_deck.page.locator("img.tutor-picture").bounding_box()
        text = full_deck.page.locator(".jp-deck-mod-visible p").first.bounding_box()
    assert picture["x"] >= text["x"] + text["width"]
    assert picture["width"] > 0.4 * 1280


AT_BOTTOM = """async () => {
    for (let n = 0; n < 4; n += 1) await new Promise(requestAnimationFrame);
    return document.elementFromPoint(innerWidth / 2, innerHeight - 4).closest(".jp-Deck") !== null;
}"""
LAYOUT = """() => [...document.querySelectorAll(".jp-deck-mod-onscreen")]
    .map(cell => `${cell.style.zoom} ${cell.style.gridArea}`)"""


def test_a_slide_is_fitted_again_when_the_window_changes(full_deck):
    """As with F11; the whole window is the slide's, before and after."""
    with full_deck.as_slides():
        full_deck.show_cell(4)
        full_deck.page.locator(".tutor-beside").wait_for()
        before = full_deck.page.evaluate(LAYOUT)
        for width, height in ((1024, 768), (1920, 1080), (853, 480), (1280, 720)):
            full_deck.page.set_viewport_size({"width": width, "height": height})
            assert full_deck.page.evaluate(AT_BOTTOM), (width, height)
        assert full_deck.page.evaluate(LAYOUT) == before


@pytest.mark.parametrize("size", [(1024, 768), (1280, 720), (853, 480)])
def test_a_full_slide_can_be_read(full_deck, size):
    """Also beside a line of code that is as long as they come, and above a measured table."""
    with full_deck.as_slides(*size):
        _, text, line, table, _ = full_deck.slides()
        full_deck.show_cell(8)
        assert set(full_deck.page.evaluate(LINES)) == {1}
    assert [text["cut_off"], line["cut_off"], table["cut_off"]] == [[], [], []]
    assert text["body"] >= 16 * min(size[0] / 1280, size[1] / 720)
    assert line["body"] >= 20 * min(size[0] / 1280, size[1] / 720)


LEFT_OVER = """() => {
    const parts = document.querySelectorAll(".jp-WindowedPanel-viewport, .jp-Cell, .jp-Cell pre");
    return [...parts]
        .map(part => `${part.getAttribute("style")} ${part.getAttribute("class")}`)
        .filter(text => /zoom:|grid-|tutor-(beside|plumbing|columns)/.test(text));
}"""


def test_nothing_of_a_deck_stays_on_its_cells(full_deck):
    with full_deck.as_slides():
        full_deck.slides()
        full_deck.show_cell(4)
        full_deck.page.locator(".tutor-beside").wait_for()
    assert full_deck.page.evaluate(LEFT_OVER) == []


def test_after_a_prediction_the_next_press_goes_on(full_deck):
    page = full_deck.page
    line = page.locator(".jp-deck-mod-visible .widget-text input")
    with full_deck.as_slides():
        for leave in ("Enter", "Escape"):
            full_deck.show_cell(9)
            line.click()
            page.keyboard.type("5")
            page.keyboard.press(leave)
            page.keyboard.press("Space")
            assert full_deck.shown() == [9, 10, 11, 12], leave
        assert line.input_value() == "55"


def test_a_choice_is_made_by_keyboard(full_deck):
    page = full_deck.page
    with full_deck.as_slides():
        full_deck.show_cell(9)
        choice = page.get_by_role("radio", name="more")
        choice.focus()
        page.keyboard.press("Space")
        assert choice.is_checked()
        assert full_deck.shown() == [9, 10, 11]
        page.keyboard.press("PageDown")
        assert full_deck.shown() == [9, 10, 11, 12]
        choice.focus()
        page.keyboard.press("Escape")  # leaves the choices, not the slides
        page.keyboard.press("Space")
        assert full_deck.shown() == [9, 10, 11, 12]
