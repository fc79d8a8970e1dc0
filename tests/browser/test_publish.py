"""One lesson's page and deck, opened from the disk without a network."""

import base64
import io
import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image
from playwright.sync_api import Locator, Page

from tests.browser.axe import UNFOLD, findings_on_the_site, grave_findings
from tests.browser.driver import ROOT
from tests.browser.screens import READABLE, SCREENS, Screen, page_through
from tests.test_publish import assert_alike
from tools.authoring.files import LESSONS, notebooks_in, read_notebook
from tools.authoring.publishing.files import write_frames, write_page
from tools.authoring.publishing.frames import FRAMES, frames_of
from tools.authoring.publishing.html import deck
from tools.authoring.publishing.html import page as reading_page
from tools.authoring.publishing.slides import slides_of
from tutor.display.canvas import DPI
from tutor.display.explorer import Explorer, live
from tutor.display.style import LABEL
from tutor.explorers import lesson01_rnn_limits, lesson02_embeddings

pytestmark = pytest.mark.long

LESSON = ROOT / "notebooks" / "01_rnn_limits.ipynb"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site: lesson 1 as `make site` makes it, the others from what their notebooks store."""
    folder = tmp_path_factory.mktemp("build")
    command = [sys.executable, "tools/publish.py", "site", str(LESSON), f"--out={folder}"]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    assert made.stdout.splitlines()[0].endswith(f"Open {folder}/site/index.html")
    for path in notebooks_in(LESSONS):
        if path != LESSON:
            write_page(read_notebook(path), path.stem, folder)
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


def open_home(page: Page, built: Path) -> None:
    page.goto((built / "site" / "index.html").as_uri())


def pages_of_the_site(built: Path) -> list[Path]:
    """Every page but those of the package, which are all alike: two of them."""
    site = built / "site"
    code = [site / "code" / "tutor" / f"{name}.html" for name in ("attention", "display/explorer")]
    return [*sorted(site.glob("*.html")), *code]


def test_no_page_of_the_site_is_hard_for_anybody(page, built):
    pages = pages_of_the_site(built)
    assert len(pages) == 9 + 9 + 4 + 2  # lessons, what was measured for each, others, code
    found = []
    for scheme, rules in (("light", ()), ("dark", ("color-contrast",))):
        page.emulate_media(color_scheme=scheme)
        for file in pages:
            page.goto(file.as_uri())
            hard = findings_on_the_site(page, *rules)
            found += [f"{file.stem}, {scheme}: {finding}" for finding in hard]
    assert found == []


NARROW = (380, 320)
# A page says which of its boxes scroll after it has been resized.
SETTLED = "new Promise(done => setTimeout(() => requestAnimationFrame(done), 100))"
TOO_WIDE = "document.documentElement.scrollWidth - innerWidth"
# How many of its pixels each wide picture keeps, and whether its box can be moved sideways.
# On the index they are there to be recognised and pointed at.
WIDE_PICTURES = """[...document.querySelectorAll('main img[width]:not(.first *, .cards *)')]
    .filter(picture => picture.getAttribute('width') > innerWidth && picture.offsetWidth)
    .map(picture => [picture.offsetWidth, picture.closest('[tabindex]')?.scrollWidth])"""


def test_pages_fit_a_phone_and_pictures_keep_their_numbers_legible(page, built):
    too_wide, pictures = [], set()
    for file in (built / "site").rglob("*.html"):
        page.goto(file.as_uri())
        page.evaluate(UNFOLD)
        for width in NARROW:
            page.set_viewport_size({"width": width, "height": 800})
            if (over := page.evaluate(TOO_WIDE)) > 0:
                too_wide.append(f"{file.stem}: {over} px wider than {width}")
        page.evaluate(SETTLED)
        pictures |= {tuple(sizes) for sizes in page.evaluate(WIDE_PICTURES)}
    assert too_wide == []
    assert (560, 560) in pictures
    assert all(560 > size == room > 320 or size == room == 560 for size, room in pictures)


def test_no_deck_keeps_anybody_out(page, built):
    open_deck(page, built)
    assert grave_findings(page) == []


def test_every_link_of_the_site_leads_somewhere(built):
    anchors = {
        file.resolve(): set(re.findall(r'\bid="([^"]*)"', file.read_text("utf-8")))
        for file in (built / "site").rglob("*.html")
    }
    broken = []
    for file in anchors:
        text = re.sub(r"<script\b.*?</script>", "", file.read_text("utf-8"), flags=re.DOTALL)
        for href in set(re.findall(r'\bhref="((?!https?:|data:|../slides/)[^"]*)"', text)):
            name, _, anchor = unescape(href).partition("#")
            target = (file.parent / name).resolve() if name else file
            if (anchor and anchor not in anchors.get(target, ())) or target not in anchors:
                broken.append(f"{file.name}: {href}")
    assert broken == []


@pytest.mark.parametrize(
    ("spoil", "finding"),
    [
        ("document.querySelector('main img[alt]').removeAttribute('alt')", "image-alt"),
        (
            "const of = document.querySelector('.explorer input'); of.labels[0].replaceWith(of)",
            "label",
        ),
        ("document.querySelector('main p').style.color = '#bbb'", "color-contrast"),
    ],
)
def test_what_keeps_somebody_out_is_noticed(page, built, spoil, finding):
    open_page(page, built)
    page.evaluate(spoil)
    assert [each.partition(":")[0] for each in grave_findings(page)] == [finding]


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
    assert min(heights) > 7  # a small letter alone, such as r, is 9 high
    fonts = "[...document.fonts].map(font => [font.family, font.status])"
    assert page.evaluate(fonts) in ([["Course Math", "loaded"]], [['"Course Math"', "loaded"]])


# What a figure shows, as a PNG file: the whole frame that covers the first picture, or that.
SHOWN = """figure => {
    const canvas = figure.querySelector("canvas"), first = figure.querySelector("img");
    return canvas.hidden ? first.src : canvas.toDataURL();
}"""


def picture(figure: Locator) -> np.ndarray:
    """What a figure shows, once it is painted."""
    figure.locator(".pictures:not([aria-busy])").wait_for()
    return pixels(base64.b64decode(figure.evaluate(SHOWN).partition(",")[2]))


def set_slider(slider: Locator, text: str) -> None:
    """Move a slider with the keyboard until it says so."""
    slider.press("Home")
    for _ in range(50):
        if slider.get_attribute("aria-valuetext") == text:
            return
        slider.press("ArrowRight")
    raise AssertionError(f"the slider never says {text}")


@pytest.mark.parametrize("opened", [open_page, open_deck])
def test_sliders_stay_where_they_are_put_and_show_every_combination(page, built, opened):
    """Set inputs to 1.0 at radius 1.5, as the lesson's text asks."""
    opened(page, built)
    page.evaluate(UNFOLD)
    explorer = lesson01_rnn_limits.back_through_time()
    figure = page.locator("figure.explorer", has=page.get_by_label("radius"))
    if opened is open_deck:
        page.evaluate("go(slides.findIndex(slide => slide.textContent.includes('radius')))")
        page.evaluate("steps[slide].forEach(() => turn(1)); go(slide)")
    for radius, inputs in ((1.5, 1.0), (0.9, 0.0), (1.0, 0.5)):
        set_slider(figure.get_by_label("inputs"), f"{inputs:.1f}")
        set_slider(figure.get_by_label("radius"), f"{radius:.1f}")
        assert figure.get_by_label("inputs").get_attribute("aria-valuetext") == f"{inputs:.1f}"
        frame = explorer.frame(radius=radius, inputs=inputs)
        assert figure.get_by_role("status").inner_text() == frame.caption
        assert_alike(picture(figure), pixels(frame.png))


GAME = """go(slides.findIndex(slide =>
    [...slide.querySelectorAll("label")].some(label => label.textContent === "training steps")))"""


def test_nothing_of_the_first_picture_shines_through_another(page, built):
    open_deck(page, built)
    page.evaluate(GAME)
    page.evaluate("for (let n = 1; n < steps[slide].length; n++) turn(1)")
    figure = page.locator(".slide:not([hidden]) figure.explorer")
    set_slider(figure.get_by_role("slider", name="training steps"), "300")
    figure.locator(".pictures:not([aria-busy])").wait_for()
    seen = pixels(figure.locator(".pictures").screenshot())
    figure.locator("img").evaluate("first => { first.style.visibility = 'hidden'; }")
    np.testing.assert_array_equal(seen, pixels(figure.locator(".pictures").screenshot()))


def test_a_picture_s_frames_may_be_missing(browser, built, tmp_path):
    """Somebody took the deck alone along."""
    file = built / "slides" / LESSON.with_suffix(".html").name
    alone = tmp_path / file.name
    alone.write_bytes(file.read_bytes())
    page = browser.new_page()
    page.goto(alone.as_uri())
    figures = page.locator("figure.explorer")
    assert page.locator("figure.explorer .missing:not([hidden])").count() == figures.count() > 5
    assert page.locator("figure.explorer .controls:not([hidden])").count() == 0
    page.close()


# How many pixels of the window a picture's pixel takes, for each slide's smallest picture.
ZOOMS = """() => slides.map((slide, number) => {
    go(number);
    for (let n = 1; n < steps[number].length; n++) turn(1);
    const pictures = [...slide.querySelectorAll(".explorer img[width], img.picture[width]")];
    const zoom = each => each.getBoundingClientRect().width / each.getAttribute("width");
    return [slide.querySelector("h1, h2, h3")?.textContent, Math.min(...pictures.map(zoom))];
}).filter(([, zoom]) => isFinite(zoom))"""


def test_labels_of_pictures_can_be_read_from_the_back_row(page, built):
    """On a slide of 720 pixels they are as large as prose must be."""
    open_deck(page, built)
    label = LABEL / 72 * DPI
    small = {title: zoom * label for title, zoom in page.evaluate(ZOOMS) if zoom * label < READABLE}
    assert small == {}


@pytest.fixture
def film(page: Page, tmp_path: Path) -> Locator:
    """A page with an explorer that plays, and a control beside it."""

    def draw(fig, **_start):
        text = fig.text(0.1, 0.5, "")

        def update(step, way):
            text.set_text(f"{step} {way}")
            return f"step {step}, way {way}"

        return update

    explorer = live(
        draw, alt="A film.", size=(3, 1), play="step", pace=0.3, step=(1, 4, 1, 1), way=["a", "b"]
    )
    return opened(page, tmp_path, explorer)


def opened(page: Page, folder: Path, explorer: Explorer) -> Locator:
    """An explorer on a page of its own."""
    output = new_output("display_data", data={FRAMES: frames_of(explorer), "text/plain": "A film."})
    cells = [new_markdown_cell("# Film"), new_code_cell("film()", outputs=[output])]
    notebook = new_notebook(cells=cells)
    write_frames(notebook, "film", folder)
    page.goto(write_page(notebook, "film", folder).as_uri())
    return page.locator("figure.explorer")


def test_what_is_touched_leads_to_its_stored_picture(page, tmp_path):
    figure = opened(page, tmp_path, lesson02_embeddings.window_over_a_sentence())
    tiles = figure.locator(".tutor-region[data-acts]")
    assert tiles.count() == 6
    tiles.nth(4).click()
    assert "5, cold" in figure.get_by_role("status").inner_text()
    assert figure.get_by_role("slider").input_value() == "4"
    figure.get_by_role("slider").press("Home")  # the control stays, and moves the same picture
    assert "1, on" in figure.get_by_role("status").inner_text()


def test_a_stored_matrix_tells_its_numbers(page, tmp_path):
    figure = opened(page, tmp_path, lesson02_embeddings.picking_a_row())
    table = figure.locator(".tutor-region[data-acts]")
    box = table.bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + box["height"] - 5)
    told = figure.locator(".tutor-words").inner_text()
    page.mouse.down()
    page.mouse.up()
    assert told.startswith("table, ")
    word = told.removeprefix("table, ").partition(" →")[0]
    assert word in figure.get_by_role("status").inner_text()


def test_film_plays_to_its_end_and_stops(film):
    film.get_by_role("button", name="play step").press("Enter")
    film.get_by_role("button", name="pause step").wait_for()
    film.get_by_text("step 4, way a").last.wait_for()
    film.get_by_role("button", name="play step").wait_for()
    assert film.get_by_role("status").inner_text() == "step 4, way a"


@pytest.mark.parametrize("touch", ["menu", "slider", "picture", "button"])
def test_any_touch_stops_a_film(film, touch):
    film.get_by_role("button", name="play step").click()
    film.get_by_role("button", name="pause step").wait_for()
    match touch:
        case "menu":
            film.get_by_label("way").select_option("1")
        case "slider":
            film.get_by_label("step", exact=True).press("ArrowRight")
        case "picture":
            film.locator("img").first.dispatch_event("pointerdown")
        case "button":
            film.get_by_role("button", name="pause step").click()
    film.get_by_role("button", name="play step").wait_for()
    assert film.get_by_role("button", name="pause step").count() == 0


def test_whoever_wants_no_motion_goes_on_step_by_step(page, film):
    page.emulate_media(reduced_motion="reduce")
    film.get_by_role("button", name="next step").click()
    assert film.get_by_role("status").inner_text() == "step 2, way a"
    page.wait_for_timeout(700)
    assert film.get_by_role("status").inner_text() == "step 2, way a"


def test_no_answer_is_seen_before_it_is_asked_for(page, built):
    open_page(page, built)
    answers = page.locator("details p:not(:empty)")
    assert answers.count() > 10
    assert not any(answer.is_visible() for answer in answers.all())


def test_a_prediction_is_kept_in_the_browser_and_opens_what_happened(page, built):
    open_page(page, built)
    asked = page.locator(".prediction").first
    result = page.locator(".result").first
    assert result.is_hidden()  # the button is its only control
    asked.get_by_label("Your prediction").press_sequentially("tea")
    page.keyboard.press("Enter")
    assert result.get_by_text("You predicted: tea", exact=True).is_visible()
    assert result.locator("p", has_text="What happened.").is_visible()
    assert result.locator("> summary").is_hidden()
    asked.get_by_role("button", name="Fold it again", expanded=True).click()
    assert result.is_hidden()
    kinds = page.locator(".prediction", has=page.get_by_role("radio")).first
    kind = kinds.get_by_role("radio").first
    kind.check()
    chosen = kind.get_attribute("value")
    kinds.get_by_role("button", name="See what happened").click()
    assert page.get_by_text(f"You predicted: {chosen}", exact=True).is_visible()
    open_page(page, built)  # another day
    page.reload()
    assert asked.get_by_label("Your prediction").input_value() == "tea"
    assert kind.is_checked()
    assert result.is_hidden()


# The buttons that play what follows each text that says to press play.
PLAYED = """() => [...document.querySelectorAll('main > .text')]
    .filter(text => /press play/i.test(text.textContent))
    .map(text => {
        let next = text.nextElementSibling;
        while (!next.querySelector('figure')) next = next.nextElementSibling;
        return next.querySelector('button.play')?.checkVisibility();
    })"""


def test_play_is_in_sight_where_the_text_says_press_play(page, built):
    open_page(page, built)
    in_sight = page.evaluate(PLAYED)
    assert len(in_sight) > 1
    assert all(in_sight)


def test_contents_stay_beside_the_text_and_say_where_one_is(page, built):
    open_page(page, built)
    contents = page.get_by_role("navigation", name="Contents")
    top = contents.bounding_box()["y"]
    link = contents.locator('a[href^="#"]').nth(5)
    link.click()
    page.wait_for_function("scrollY > 1000")
    assert contents.bounding_box()["y"] == top
    contents.locator('[aria-current="location"]', has_text=link.inner_text()).wait_for()


def test_contents_open_on_a_phone_and_close_again(page, built):
    page.set_viewport_size({"width": 380, "height": 740})
    open_page(page, built)
    contents = page.get_by_role("navigation", name="Contents")
    assert contents.count() == 0  # nobody can see it, whatever they see with
    page.get_by_role("button", name="Contents").press("Enter")
    contents.get_by_role("link", name="2. Embeddings").wait_for()
    page.keyboard.press("Escape")
    assert contents.count() == 0
    assert page.evaluate("document.activeElement.textContent") == "Contents"


GROUND = "getComputedStyle(document.body).backgroundColor"


def test_dark_is_as_the_system_has_it_or_as_chosen_and_paper_is_white(page, built):
    dark, light = "rgb(18, 18, 18)", "rgb(255, 255, 255)"
    open_page(page, built)
    assert page.evaluate(GROUND) == light
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"{GROUND} === '{dark}'")
    assert "invert" in page.evaluate("getComputedStyle(document.querySelector('.pictures')).filter")
    page.emulate_media(color_scheme="light")
    page.wait_for_function(f"{GROUND} === '{light}'")
    page.get_by_role("button", name="Dark").click()
    open_home(page, built)
    assert page.evaluate(GROUND) == dark
    page.emulate_media(media="print")
    assert page.evaluate(GROUND) == light


def test_pointing_at_a_word_of_the_first_picture_is_enough(page, built):
    open_home(page, built)
    figure = page.locator(".first .explorer")
    said = figure.get_by_role("status")
    assert "bank looks most at river" in said.inner_text()
    words = figure.locator(".tutor-region[data-acts]")
    words.nth(2).hover()
    assert "by looks most at stood" in said.inner_text()
    assert figure.get_by_label("word number").input_value() == "2"
    figure.get_by_label("he stood by the").select_option("savings")
    words.nth(5).hover()
    assert "bank looks most at savings" in said.inner_text()


def test_the_first_picture_is_whole_before_anybody_scrolls(page, built):
    open_home(page, built)
    for width, height in ((1280, 720), (380, 740)):
        page.set_viewport_size({"width": width, "height": height})
        box = page.locator(".first .pictures").bounding_box()
        assert box["y"] + box["height"] <= height
        assert box["x"] + box["width"] <= width


def test_a_lesson_s_parts_light_up_with_its_card(page, built):
    open_home(page, built)
    part = page.locator('#map a[href="07_masking.html"] path').first
    edge = "path => getComputedStyle(path).stroke"
    usual = part.evaluate(edge)
    page.locator('.cards [data-lesson="07"] a').first.focus()
    lit = part.evaluate(edge)
    assert lit != usual
    assert lit == "rgb(184, 72, 18)"


# The pieces of the course's figure: the sides of each, as shares of the figure's.
PIECES = """(() => {
    const whole = document.getElementById('map').getBoundingClientRect();
    return [...document.querySelectorAll('#map > g')].map(piece => {
        const { left, right, top, bottom } = piece.getBoundingClientRect();
        return [(left - whole.left) / whole.width, (right - whole.left) / whole.width,
            (top - whole.top) / whole.height, (bottom - whole.top) / whole.height];
    });
})()"""


def test_the_figure_is_whole_on_a_phone_and_can_be_read(page, built):
    open_home(page, built)
    letters = "document.querySelector('#map .words').getBoundingClientRect().height"
    on_a_desk = page.evaluate(letters)
    page.set_viewport_size({"width": 380, "height": 800})
    assert page.evaluate(letters) > 0.7 * on_a_desk
    pieces = page.evaluate(PIECES)
    assert all(-0.01 <= side <= 1 for sides in pieces for side in sides)  # a letter's room above
    (_, _, _, foot), (left, _, head, _), (_, right, before, _) = pieces
    assert head > foot
    assert before > foot
    assert right < left


def shown(page: Page) -> tuple[int, int]:
    """The slide that is shown and how many of its steps are, both from 1."""
    visible = page.locator(".slide:not([hidden])")
    assert visible.count() == 1
    steps = visible.locator(".step:not(.later)")
    return int(page.evaluate("location.hash.slice(1)")), steps.count()


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
    slider.press("ArrowLeft" if int(value) else "ArrowRight")
    assert slider.input_value() != value
    assert shown(page) == before
    page.keyboard.press("Space")
    assert shown(page)[0] == before[0] + 1


@pytest.mark.parametrize("screen", SCREENS, ids=str)
def test_slides_hold_all_that_is_on_them_and_can_be_read(page, built, screen):
    page.set_viewport_size(screen.viewport)
    open_deck(page, built)
    found = page_through(page, "static", "01", screen)
    assert [*found.broken()] == []
    steps = [len(slide) for slide in slides_of(read_notebook(LESSON))]
    assert (len(found.slides), found.presses) == (len(steps), sum(steps) - 1)


BODY = """() => {
    const inner = document.querySelector('.slide:not([hidden]) .inner');
    const zoom = inner.getBoundingClientRect().width / inner.offsetWidth;
    return zoom * parseFloat(getComputedStyle(inner).fontSize);
}"""


@pytest.fixture
def few(page, tmp_path) -> Page:
    """A deck of three slides with few words."""
    slide = {"slideshow": {"slide_type": "slide"}}
    notes = {"slideshow": {"slide_type": "notes"}}
    cells = []
    for n in (1, 2, 3):
        said = f"<details><summary>For the lecturer: {n} min</summary>\n\nAsk {n}.\n\n</details>"
        cells.append(new_markdown_cell(f"# Slide {n}\n\nA few words.", metadata=slide))
        cells.append(new_markdown_cell(said, metadata=notes))
    file = tmp_path / "few.html"
    file.write_text(deck(new_notebook(cells=cells), "made"), encoding="utf-8")
    page.goto(file.as_uri())
    return page


@pytest.mark.parametrize(
    ("size", "body"), [((1280, 720), 24), ((1024, 768), 24), ((1920, 1080), 36), ((390, 844), 12)]
)
def test_decks_fill_wide_and_narrow_and_upright_screens(few, size, body):
    few.set_viewport_size({"width": size[0], "height": size[1]})
    few.wait_for_function(f"() => ({BODY})() >= {body}")
    stage = few.locator(".deck").bounding_box()
    assert [round(stage[side]) for side in ("x", "y", "width", "height")] == [0, 0, *size]


def test_a_swipe_turns_the_slide_and_keys_black_the_screen(few):
    swipe = """([from, to]) => {
        const touch = x => new Touch({identifier: 1, target: deck, clientX: x, clientY: 300});
        const send = (kind, x) => deck.dispatchEvent(new TouchEvent(
            kind, {touches: [touch(x)], changedTouches: [touch(x)], bubbles: true}));
        send('touchstart', from);
        send('touchend', to);
    }"""
    for way, place in (((600, 200), 2), ((600, 570), 2), ((200, 600), 1)):
        few.evaluate(swipe, list(way))
        assert shown(few)[0] == place
    for key, kind in (("b", "black"), ("p", "pointing")):
        for on in (True, False):
            few.keyboard.press(key)
            assert few.evaluate("kind => document.body.classList.contains(kind)", kind) == on


def test_the_lecturers_window_shows_what_comes_next_the_notes_and_the_time(few):
    assert few.get_by_text("Ask 1.").is_hidden()
    with few.expect_popup() as opened:
        few.keyboard.press("s")
    window = opened.value
    for place, ends in ((1, "Slide 2"), (2, "Slide 3"), (3, "This is the end.")):
        assert window.locator(".now h1", has_text=f"Slide {place}").is_visible()
        assert ends in window.locator(".next .shown").inner_text()
        assert window.get_by_text(f"Ask {place}.").is_visible()
        planned = f"Planned by the end of this slide: {(1, 3, 6)[place - 1]} of 6 min"
        assert window.locator(".planned").inner_text() == planned
        window.keyboard.press("Space")  # turns the class's slides too
        assert shown(few)[0] == min(place + 1, 3)
    few.evaluate("speaker.began -= 65000; speaker.tick()")
    assert window.locator(".since").inner_text() in ("01:05", "01:06", "01:07")
    window.get_by_role("button", name="Back").click()
    assert shown(few)[0] == 2
    few.reload()
    assert window.is_closed()


LONG_SLIDE = """() => {
    const part = words => Object.assign(document.createElement("div"), { innerHTML: words });
    const now = part("a line<br>".repeat(200) + "the newest");
    speaker.show({ now, next: part(""), notes: [], place: "3 / 3", planned: "" });
}"""
LEFT_BELOW = """() => {
    const now = document.querySelector(".now");
    return now.scrollHeight - now.clientHeight - now.scrollTop;
}"""


def test_the_lecturers_window_has_the_newest_lines_of_a_long_slide(few):
    with few.expect_popup() as opened:
        few.keyboard.press("s")
    few.evaluate(LONG_SLIDE)
    assert opened.value.evaluate(LEFT_BELOW) < 2


def test_a_window_that_the_browser_keeps_closed_is_said(few):
    few.evaluate("window.open = () => null")
    few.keyboard.press("s")
    assert few.get_by_role("status").filter(has_text="allow pop-ups").is_visible()


def test_keys_are_listed_on_demand(few):
    few.get_by_role("button", name="keys").click()
    for word in ("swipe", "notes", "black", "pointer", "PDF"):
        assert few.locator(".keys", has_text=word).is_visible()
    few.keyboard.press("Escape")
    assert few.locator(".keys").is_hidden()


def test_nothing_is_cut_on_paper_whatever_the_window_was(page, built):
    page.set_viewport_size({"width": 800, "height": 900})
    open_deck(page, built)
    cut = """slides.filter(slide => {
        const inner = slide.querySelector('.inner');
        const size = new DOMMatrix(inner.style.transform).a;
        return inner.offsetTop + inner.offsetHeight * size > 720;
    }).length"""
    page.evaluate(f"window.addEventListener('beforeprint', () => {{ window.onPaper = {cut}; }})")
    paper = page.pdf(prefer_css_page_size=True)
    assert page.evaluate("window.onPaper") == 0
    assert len(re.findall(rb"/Type /Page\b", paper)) == page.evaluate("slides.length")
    assert page.locator(".slide:not([hidden])").count() == 1


def test_what_does_not_fit_would_be_found(page, tmp_path):
    slide = {"slideshow": {"slide_type": "slide"}}
    cells = [
        new_markdown_cell("# Fits\n\nA line.", metadata=slide),
        new_markdown_cell("a line\n\n" * 60, metadata=slide),
        new_code_cell(f"x = '{'wide ' * 80}'", metadata=slide),
        new_markdown_cell("# Nothing new", metadata=slide),
        new_code_cell("explore.film()", metadata={"slideshow": {"slide_type": "fragment"}}),
        new_markdown_cell("# The end", metadata=slide),
    ]
    file = tmp_path / "deck.html"
    file.write_text(deck(new_notebook(cells=cells), "made"), encoding="utf-8")
    page.goto(file.as_uri())
    found = page_through(page, "static", "deck", Screen(1280, 720))
    assert [bool(slide["cuts"]) for slide in found.slides] == [False, True, True, False, False]
    assert [slide["body"] and slide["body"] < 16 for slide in found.slides[:2]] == [False, True]
    assert found.empty == ["Nothing new"]
    assert {fault.split(": ")[0] for fault in found.broken()} == {"deck static 1280×720"}


def test_answers_are_folded_on_the_page_and_open_on_paper(page, tmp_path):
    told = new_markdown_cell("**What happened.** It fell.", metadata={"tags": ["reveal"]})
    notes = new_markdown_cell("a note", metadata={"slideshow": {"slide_type": "notes"}})
    notebook = new_notebook(cells=[new_markdown_cell("# Ask"), told, notes])
    file = tmp_path / "answer.html"
    file.write_text(reading_page(notebook, "01", lecturer=True), "utf-8")
    page.goto(file.as_uri())
    opened = "[...document.querySelectorAll('details[open]')].map(part => part.textContent.trim())"
    page.evaluate(f"window.addEventListener('beforeprint', () => {{ window.onPaper = {opened}; }})")
    assert page.evaluate(opened) == []
    page.pdf()
    assert [text.split() for text in page.evaluate("window.onPaper")] == [
        ["What", "happened", "It", "fell."]
    ]
    assert page.evaluate(opened) == []


def test_search_finds_what_is_asked_for_without_a_server(page, built):
    open_home(page, built)
    page.keyboard.press("/")
    page.keyboard.type("looking someting")  # mistyped
    found = page.get_by_role("search").get_by_role("listitem")
    found.filter(has_text="Looking something up, softly").wait_for()
    assert found.first.inner_text().splitlines()[:2] == [
        "Looking something up, softly",
        "4. Self-attention, worked by hand",
    ]
    assert page.get_by_role("search").get_by_role("status").inner_text().startswith("Found in")
    page.keyboard.press("Escape")
    assert found.count() == 0
    page.keyboard.type("쿼리")
    found.first.get_by_role("link").click()
    page.wait_for_url("**/glossary.html#query")
    page.keyboard.press("/")
    page.keyboard.type("dot_product_scores")
    found.first.get_by_role("link").click()
    page.wait_for_url("**/code/tutor/attention.html#dot_product_scores")
    page.keyboard.press("/")
    page.keyboard.type("causal_mask")
    found.filter(has_text="Exercises to").first.get_by_role("link").click()
    page.get_by_text("Row: the query. Column: the key.").wait_for()
