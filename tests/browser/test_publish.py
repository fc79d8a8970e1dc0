"""One lesson's page and deck, opened from the disk without a network."""

import base64
import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from PIL import Image
from playwright.sync_api import Page

from tests.browser.driver import ROOT
from tools.authoring.files import read_notebook
from tools.authoring.publishing.frames import MOST
from tools.authoring.publishing.html import deck
from tools.authoring.publishing.html import page as reading_page
from tools.authoring.publishing.slides import slides_of
from tutor.explorers import lesson01_rnn_limits

LESSON = ROOT / "notebooks" / "01_rnn_limits.ipynb"
SMALLEST = 0.75  # of 17 px: no text of a slide is smaller


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("build")
    command = [sys.executable, "tools/publish.py", "site", str(LESSON), f"--out={folder}"]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    assert made.stdout.splitlines()[0].endswith(f"Open {folder}/site/index.html")
    return folder


@pytest.fixture
def page(browser) -> Iterator[Page]:
    """An empty page of 1280 × 720 without a network; it must ask for nothing and report nothing."""
    context = browser.new_context(viewport={"width": 1280, "height": 720}, offline=True)
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: wrong.append(request.url))
    yield page
    context.close()
    assert [one for one in wrong if not one.startswith(("file:", "data:"))] == []


def open_page(page: Page, built: Path) -> None:
    page.goto((built / "site" / LESSON.name).with_suffix(".html").as_uri())


def open_deck(page: Page, built: Path) -> None:
    page.goto((built / "slides" / LESSON.name).with_suffix(".html").as_uri())


def pixels(file: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(file)).convert("RGB"))


def test_formulas_are_drawn_as_mathml_in_their_own_font(page, built):
    open_page(page, built)
    heights = page.evaluate(
        """async () => {
            await document.fonts.ready;
            const drawn = [...document.querySelectorAll('main math')].filter(
                formula => formula instanceof MathMLElement && !formula.closest('details'));
            return drawn.map(formula => formula.getBoundingClientRect().height);
        }"""
    )
    assert len(heights) > 10
    assert min(heights) > 10
    fonts = "[...document.fonts].map(font => [font.family, font.status])"
    assert page.evaluate(fonts) in ([["Course Math", "loaded"]], [['"Course Math"', "loaded"]])


def test_keys_move_a_slider_to_the_frames_of_its_explorer(page, built):
    open_page(page, built)
    explorers = [make() for make in lesson01_rnn_limits.EXPLORERS]
    figures = page.locator("figure.explorer").all()
    assert len(figures) == len(explorers)
    for figure in figures:
        image = figure.locator("img")
        (explorer,) = (one for one in explorers if one.alt == image.get_attribute("alt"))
        sliders = figure.get_by_role("slider").all()
        assert len(sliders) == len(explorer.controls)
        for slider, (name, control) in zip(sliders, explorer.controls.items()):
            frames = explorer.frames(name, most=MOST)
            assert figure.get_by_label(control.description, exact=True).count() == 1
            seen = []
            for key, frame in (("End", frames[-1]), ("Home", frames[0]), ("ArrowRight", frames[1])):
                slider.press(key)
                seen.append(image.get_attribute("src"))
                picture = base64.b64decode(seen[-1].partition(",")[2])
                np.testing.assert_array_equal(pixels(picture), pixels(frame.png))
                assert figure.get_by_role("status").inner_text() == frame.caption
            assert len(set(seen)) == len({frames[n].png for n in (-1, 0, 1)}) > 1


def test_moved_control_takes_the_others_back_to_their_start(page, built):
    open_page(page, built)
    figure = page.locator("figure.explorer", has=page.get_by_role("slider").nth(1)).first
    first, second = figure.get_by_role("slider").all()[:2]
    start = first.get_attribute("aria-valuetext")
    first.press("End" if first.input_value() == "0" else "Home")
    assert first.get_attribute("aria-valuetext") != start
    second.press("ArrowRight")
    assert first.get_attribute("aria-valuetext") == start


def test_page_fits_a_phone_and_keeps_answers_folded(page, built):
    page.set_viewport_size({"width": 360, "height": 740})
    open_page(page, built)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    answers = page.locator("details > p")
    assert answers.count() > 10
    assert not any(answer.is_visible() for answer in answers.all())


def shown(page: Page) -> tuple[int, int]:
    """The slide that is shown and how many of its steps are, both from 1."""
    visible = page.locator(".slide:not([hidden])")
    assert visible.count() == 1
    steps = [step for step in visible.locator(".step").all() if step.is_visible()]
    return int(page.evaluate("location.hash.slice(1)")), len(steps)


def test_keys_turn_the_slides_step_by_step(page, built):
    open_deck(page, built)
    slides = slides_of(read_notebook(LESSON))
    places = [(n, m) for n, slide in enumerate(slides, 1) for m in range(1, len(slide) + 1)]
    assert len(places) > len(slides) > 10
    for place in places:
        assert shown(page) == place
        page.keyboard.press("Space" if place[0] % 2 else "ArrowRight")
    assert shown(page) == places[-1]
    for place in reversed(places[-6:]):
        assert shown(page) == place
        page.keyboard.press("Shift+Space" if place[0] % 2 else "ArrowLeft")


def test_arrow_keys_belong_to_the_slider_that_has_the_focus(page, built):
    open_deck(page, built)
    number = page.evaluate("1 + slides.findIndex(slide => slide.querySelector('.explorer'))")
    page.evaluate(
        "number => { go(number - 1); steps[number - 1].slice(1).forEach(() => turn(1)) }", number
    )
    before = shown(page)
    slider = page.locator(".slide:not([hidden])").get_by_role("slider").first
    value = slider.input_value()
    slider.press("ArrowLeft")
    assert slider.input_value() != value
    assert shown(page) == before
    page.keyboard.press("Space")
    assert shown(page)[0] == before[0] + 1


MEASURE = """async () => {
    await document.fonts.ready;
    const found = [];
    slides.forEach((slide, number) => {
        go(number);
        const parts = [...slide.querySelectorAll('.inner *')].filter(part => part.clientWidth);
        for (const part of parts) {
            const box = part.getBoundingClientRect();
            const beyond = Math.max(box.right - innerWidth, box.bottom - innerHeight, -box.top);
            const inside = part.scrollWidth - part.clientWidth;
            if (beyond > 1) found.push([number + 1, `${Math.round(beyond)} px of ${part.tagName}`]);
            if (inside > 1) found.push([number + 1, `${inside} px inside ${part.tagName}`]);
        }
        const size = slide.querySelector('.inner').getBoundingClientRect().width
            / slide.querySelector('.inner').offsetWidth;
        if (size < SMALLEST) found.push([number + 1, `shrunk to ${size}`]);
    });
    return found;
}""".replace("SMALLEST", str(SMALLEST))


def test_slides_hold_all_that_is_on_them(page, built):
    open_deck(page, built)
    assert page.evaluate(MEASURE) == []


def test_what_does_not_fit_would_be_found(page, tmp_path):
    slide = {"slideshow": {"slide_type": "slide"}}
    cells = [
        new_markdown_cell("# Fits", metadata=slide),
        new_markdown_cell("a line\n\n" * 60, metadata=slide),
        new_code_cell(f"x = '{'wide ' * 80}'", metadata=slide),
    ]
    file = tmp_path / "deck.html"
    file.write_text(deck(new_notebook(cells=cells)), encoding="utf-8")
    page.goto(file.as_uri())
    assert {number for number, _ in page.evaluate(MEASURE)} == {2, 3}


def test_answers_are_folded_on_the_page_and_open_on_paper(page, tmp_path):
    told = new_markdown_cell("**What happened.** It fell.", metadata={"tags": ["reveal"]})
    notes = new_markdown_cell("a note", metadata={"slideshow": {"slide_type": "notes"}})
    notebook = new_notebook(cells=[new_markdown_cell("# Ask"), told, notes])
    file = tmp_path / "answer.html"
    file.write_text(reading_page(notebook, name="01", before=None, after=None), "utf-8")
    page.goto(file.as_uri())
    opened = "[...document.querySelectorAll('details[open]')].map(part => part.textContent.trim())"
    page.evaluate(f"window.addEventListener('beforeprint', () => {{ window.onPaper = {opened}; }})")
    assert page.evaluate(opened) == []
    page.pdf()
    assert [text.split() for text in page.evaluate("window.onPaper")] == [
        ["What", "happened.", "It", "fell."]
    ]
    assert page.evaluate(opened) == []
