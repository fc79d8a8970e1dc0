"""Slides in JupyterLab: as large as they fit, every press shows something, a deck ends.

And the measure of slides must find what it looks for.
"""

from collections.abc import Iterator

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

from tests.browser.conftest import write_notebook
from tests.browser.driver import Notebook
from tests.browser.screens import Screen, page_through
from tutor.learner.folding import fold

pytestmark = pytest.mark.long


def test_what_is_cut_off_is_found(lab, folder):
    slide = {"slideshow": {"slide_type": "slide"}}
    fragment = {"slideshow": {"slide_type": "fragment"}}
    notes = {"slideshow": {"slide_type": "notes"}}
    cells = [
        new_markdown_cell("# Fits", metadata=slide),
        new_markdown_cell("more", metadata=fragment),
        new_markdown_cell("only the lecturer's\n\n" * 100, metadata=notes),
        new_markdown_cell("# Too long, but last", metadata=slide),
        new_markdown_cell("a line\n\n" * 200, metadata=fragment),
        new_markdown_cell("# Code too wide", metadata=slide),
        new_code_cell(f"x = '{'wide ' * 200}'"),
        new_markdown_cell("# Table too wide", metadata=slide),
        new_markdown_cell("|" + "column|" * 120 + "\n|" + "---|" * 120),
    ]
    write_notebook(folder / "slides.ipynb", *cells)
    with lab.notebook("slides.ipynb") as notebook, notebook.as_slides():
        slides = notebook.slides()
    assert [slide["cells"] for slide in slides] == [2, 2, 2, 2]
    assert slides[0]["cut_off"] == []
    assert "at the bottom" in slides[1]["cut_off"][0]
    assert "px of x = 'wide" in slides[2]["cut_off"][0]
    assert "column" in slides[3]["cut_off"][0]


def test_an_answer_is_folded_to_read_and_open_on_slides(lab, folder):
    answer = fold("**What happened.** It is $x_1$, as *computed*.")
    cells = [
        new_markdown_cell("# A question", metadata={"slideshow": {"slide_type": "slide"}}),
        new_markdown_cell(answer, metadata={"slideshow": {"slide_type": "fragment"}}),
    ]
    write_notebook(folder / "folded.ipynb", *cells)
    with lab.notebook("folded.ipynb") as notebook:
        heading = notebook.page.locator("summary", has_text="What happened.")
        computed = notebook.page.locator("em", has_text="computed")
        heading.wait_for()
        assert not computed.is_visible()
        assert notebook.page.locator("details mjx-container").count() == 1
        with notebook.as_slides():
            notebook.slides()  # goes to the last step
            assert computed.is_visible()
        heading.click()
        assert computed.is_visible()


def test_a_deck_ends_with_its_notebook(lab, folder):
    """Closed with its notebook, or with the browser, in whose settings it is kept."""
    write_notebook(
        folder / "ends.ipynb",
        new_markdown_cell("# One", metadata={"slideshow": {"slide_type": "slide"}}),
    )
    start = "() => jupyterapp.commands.execute('deck:start')"
    with lab.notebook("ends.ipynb") as notebook:
        notebook.page.evaluate(start)
        notebook.page.locator(".jp-Deck").wait_for()
    lab.page.locator("body:not([data-jp-deck-mode])").wait_for(state="attached")
    with lab.notebook("ends.ipynb") as notebook:
        notebook.page.evaluate(start)
        notebook.page.locator(".jp-Deck").wait_for()
        notebook.page.evaluate("() => sessionStorage.clear()")  # as in a tab opened later
        notebook.reload()
        notebook.page.locator("body:not([data-jp-deck-mode])").wait_for(state="attached")
        assert notebook.page.locator(".jp-Deck").count() == 0


SLIDE, SUBSLIDE, FRAGMENT = (
    {"slideshow": {"slide_type": kind}} for kind in ("slide", "subslide", "fragment")
)
EXPLORER = "explore.step_by_step()"
IMPORT = "from tutor.explorers import lesson04_self_attention as explore\n6 * 7"
NOTE = "<details><summary>For the lecturer: 4 min</summary>\n\nAsk *them*.\n\n</details>"

GROW = """() => {
    const cell = jupyterapp.shell.currentWidget.content.widgets[3];
    cell.model.sharedModel.setSource("print(*range(60), sep='\\\\n')");
    return jupyterapp.commands.execute('notebook:run-cell');
}"""


@pytest.fixture(scope="module")
def deck(lab, folder) -> Iterator[Notebook]:
    """A notebook of a few slides that is open and has been run."""
    cells = [
        new_markdown_cell("# Few words\n\nThese.", metadata=SLIDE),
        new_markdown_cell("# A question", metadata=SLIDE),
        new_code_cell(IMPORT, metadata=FRAGMENT),
        new_code_cell("print(*range(40), sep='\\n')"),
        new_markdown_cell("**What happened.** This.", metadata=FRAGMENT),
        new_markdown_cell("# A picture\n\nOf $x_1$.", metadata=SUBSLIDE),
        new_code_cell(EXPLORER),
        new_markdown_cell(NOTE, metadata={"slideshow": {"slide_type": "notes"}}),
    ]
    write_notebook(folder / "deck.ipynb", *cells)
    with lab.notebook("deck.ipynb") as notebook:
        assert notebook.run_all() == []
        yield notebook


@pytest.mark.parametrize("size", [(1024, 768), (1280, 720), (1920, 1080), (853, 480)])
def test_slides_are_as_large_as_they_fit(deck, size):
    """The last one is 1280 × 720 with the browser's zoom at 150 %."""
    width, height = size
    with deck.as_slides(width, height):
        few, long, picture = deck.slides()
        assert few["body"] == pytest.approx(height / 28, rel=0.01)
        for slide in (few, long, picture):
            assert slide["cut_off"] == []
            assert slide["room"] >= 20  # other machines have other fonts
        assert 20 <= long["room"] <= 60  # it could not be larger


def test_a_slide_is_fitted_again_when_an_output_grows(deck):
    size = "() => document.querySelector('.jp-deck-mod-visible').style.zoom"
    with deck.as_slides():
        deck.show_cell(3)
        deck.page.wait_for_function(f"({size})() > 0")
        before = float(deck.page.evaluate(size))
        deck.page.evaluate(GROW)
        deck.page.wait_for_function(f"({size})() < 0.9 * {before}")
        assert 0 < float(deck.page.evaluate(size)) < 0.9 * before


def test_a_deck_is_measured_press_by_press(deck):
    with deck.as_slides():
        found = page_through(deck.page, "live", "deck", Screen(1280, 720))
    assert (len(found.slides), found.presses, found.empty) == (3, 4, [])
    assert found.slides[0]["body"] == pytest.approx(720 / 28, rel=0.01)
    assert [slide["cuts"] for slide in found.slides] == [[], [], []]


def test_the_call_of_a_picture_is_not_shown(deck):
    code = deck.page.get_by_text("step_by_step()")
    assert code.is_visible()
    with deck.as_slides():
        deck.show_cell(6)
        deck.page.locator('[role=slider][aria-label="step"]').wait_for()
        code.wait_for(state="hidden")
    assert code.is_visible()


SAME_PICTURE = """() => document.querySelector(".now img").src ===
    opener.document.querySelector(".jp-deck-mod-visible .tutor-layer > canvas").toDataURL()"""


def test_the_lecturers_window_has_the_notes_of_the_slide(deck):
    with deck.as_slides():
        deck.show_cell(4)
        with deck.page.expect_popup() as opened:
            deck.page.keyboard.press("s")
        window = opened.value
        window.locator(".now", has_text="This.").wait_for()
        assert window.locator(".next h1").all_inner_texts() == ["Next", "A picture"]
        assert "step_by_step" not in window.locator(".next").inner_text()
        window.wait_for_function("document.querySelector('.next img').naturalWidth > 400")
        window.wait_for_function("document.fonts.check('16px MJXTEX', '1')")  # the formula's
        digit = "document.querySelector('.next mjx-mn').getBoundingClientRect().width"
        assert window.evaluate(digit) > 4
        window.keyboard.press("Space")
        window.locator(".said em", has_text="them").wait_for()
        assert window.locator(".planned").inner_text().endswith(": 4 of 4 min")
        assert deck.shown() == [5, 6]
        slider = deck.page.get_by_role("slider", name="step", exact=True)
        for key, step in (("ArrowRight", 2), ("ArrowLeft", 1)):
            slider.press(key)
            window.locator(".now", has_text=f"Step {step} of 7").wait_for()
            window.wait_for_function(SAME_PICTURE)
    assert window.is_closed()


def test_every_press_shows_something_new(deck):
    with deck.as_slides():
        page = deck.page
        deck.show_cell(0)
        seen = [deck.shown()]
        for key, cells in (
            *(("Space", [1]), ("PageDown", [1, 2, 3]), ("ArrowRight", [1, 2, 3, 4])),
            *(("Space", [5, 6]), ("Space", [5, 6]), ("Shift+Space", [1, 2, 3, 4])),
            *(("PageUp", [1, 2, 3]), ("ArrowLeft", [1]), ("Shift+Space", [0])),
        ):
            page.keyboard.press(key)
            seen.append(deck.shown())
            assert seen[-1] == cells, (key, seen)


def test_keys_of_a_control_on_a_slide_are_its_own(deck):
    with deck.as_slides():
        deck.show_cell(6)
        slider = deck.page.get_by_role("slider", name="step", exact=True)
        slider.press("ArrowRight")
        deck.page.locator('[role=slider][aria-valuetext="2"]').wait_for()
        assert deck.shown() == [5, 6]
        slider.press("Shift+Space")
        assert deck.shown() == [1, 2, 3, 4]


COVERED = """() => [...document.querySelectorAll(".jp-deck-mod-visible :is(button, input)")]
    .filter(control => control.checkVisibility())
    .filter(control => {
        const { left, top, width, height } = control.getBoundingClientRect();
        return !control.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }).map(control => control.ariaLabel ?? control.value)"""


def test_every_control_of_a_slide_is_reached_with_the_mouse(deck):
    with deck.as_slides():
        deck.show_cell(6)
        deck.page.get_by_role("button", name="Play cell").wait_for()
        assert deck.page.evaluate(COVERED) == []


def test_screen_is_black_until_the_key_is_pressed_again(deck):
    shade = "() => getComputedStyle(document.body, '::after').backgroundColor"
    with deck.as_slides():
        deck.show_cell(0)
        for colour in ("rgb(0, 0, 0)", "rgba(0, 0, 0, 0)"):
            deck.page.keyboard.press("b")
            assert deck.page.evaluate(shade) == colour
    assert len(deck.page.locator(".jp-Notebook-cell").all()) == 8  # b inserts no cell


def test_a_button_with_a_word_starts_a_deck_and_escape_ends_it(deck):
    page = deck.page
    page.get_by_role("button", name="Slides").click()
    page.locator(".jp-Deck .jp-deck-mod-visible").first.wait_for()
    page.get_by_text("Esc: end").wait_for()
    deck.show_cell(0)
    page.keyboard.press("Escape")
    page.locator("body:not([data-jp-deck-mode])").wait_for(state="attached")
    zooms = page.locator(".jp-Notebook-cell").evaluate_all("cells => cells.map(c => c.style.zoom)")
    assert set(zooms) == {""}
