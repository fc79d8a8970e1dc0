"""Pages and decks that need no kernel: frames of explorers, formulas, slides, and one file each."""

import base64
import html
import io
import json
import re
from pathlib import Path

import nbformat
import numpy as np
import pytest
import yaml
from bs4 import BeautifulSoup
from fontTools.ttLib import TTFont
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

from tests.notebooks.made import picture
from tools.authoring import published
from tools.authoring.files import LESSONS, ROOT, notebooks_in
from tools.authoring.publishing import checked, first_picture, lesson_pictures
from tools.authoring.publishing.course import lesson_lines
from tools.authoring.publishing.files import (
    to_open,
    write_code,
    write_exercises,
    write_glossary,
    write_home,
    write_search,
)
from tools.authoring.publishing.formulas import mathml
from tools.authoring.publishing.frames import FRAMES, frames_of
from tools.authoring.publishing.html import (
    HERE,
    deck,
    frames_script,
    korean_font,
    markdown,
    page,
)
from tools.authoring.publishing.sections import sections_of
from tools.authoring.publishing.slides import slides_of
from tutor import live, predict
from tutor.data.files import load_results
from tutor.display.course_map import PLACES
from tutor.exercises import lessons as all_exercises


def draw_bar(fig, **_start):
    (bar,) = fig.subplots(subplot_kw={"ylim": (0, 50)}).bar([0], [1])

    def update(height, colour, wide, name=""):
        bar.set_height(height)
        bar.set_color(colour)
        bar.set_width(0.8 if wide else 0.2)
        return f"{colour}, height {height}, wide {wide}"

    return update


def bar_explorer(**more):
    return live(
        draw_bar,
        alt="A <bar>.",
        size=(3, 2),
        height=(0, 50, 1, 12),
        colour=[("the red", "red"), ("the blue", "blue")],
        wide=True,
        **more,
    )


def pixels(file: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(file)).convert("RGB"))


def assert_alike(stored: np.ndarray, drawn: np.ndarray) -> None:
    """Stored pictures have fewer shades, none of which anybody can tell from the drawn one."""
    assert np.abs(stored.astype(int) - drawn.astype(int)).max() <= 4
    np.testing.assert_array_equal((stored == 255).all(-1), (drawn >= 252).all(-1))


# Whose own name for `repository` says where the course is published.
PUBLISHING = (
    "tools.authoring.published",
    "tools.authoring.publishing.course",
    "tools.authoring.publishing.site",
)


# --- what a class need not read ---


def test_calls_for_pictures_stay_off_slides_and_are_folded_on_pages():
    shown = [new_output("display_data", data={"text/plain": "A film."})]
    cells = [new_code_cell("explore.film(1)", outputs=shown), new_code_cell("x = 1 + 1")]
    notebook = new_notebook(cells=[new_markdown_cell("# One"), *cells])
    reading = page(notebook, "01_rnn_limits")
    text = {"deck": deck(notebook, "made"), "page": reading}
    text = {kind: BeautifulSoup(file, "html.parser").text for kind, file in text.items()}
    assert ["film(1)" in text[kind] for kind in text] == [False, True]
    assert ["x = 1 + 1" in text[kind] for kind in text] == [True, True]
    (folded,) = BeautifulSoup(reading, "html.parser").select("details.call")
    assert "film(1)" in folded.text
    assert reading.index("A film.") < reading.index("film</span>")


@pytest.mark.parametrize(("tables", "columns"), [(2, 0), (9, 1)])
def test_measured_tables_are_no_wider_nor_higher_than_a_slide(tables, columns):
    table = "mean, lowest to highest\nlayers   2   4\nnone   0.1 0.2"
    text = "\n\n".join([table] * tables + ["Varied: " + "layers = 2, 4; " * 20])
    output = new_output("execute_result", data={"text/plain": text})
    cell = new_code_cell('measured("a")', outputs=[output])
    soup = BeautifulSoup(deck(new_notebook(cells=[cell]), "made"), "html.parser")
    shown = soup.select_one("pre.output")
    assert max(map(len, shown.text.splitlines())) <= 90
    assert shown.text.count(table) == tables
    assert len(shown.find_parents(class_="columns")) == columns


# --- frames ---


def test_each_control_has_its_positions_and_each_combination_a_caption():
    frames = frames_of(bar_explorer(name="typed", kept={"height": [0, 50]}))
    height, colour, wide, name = frames["controls"]
    kinds = [control["kind"] for control in frames["controls"]]
    assert kinds == ["slider", "menu", "box", "fixed"]
    assert [control["start"] for control in frames["controls"]] == [1, 0, 1, 0]
    assert height["positions"] == ["0", "12", "50"]
    assert colour["positions"] == ["the red", "the blue"]
    assert wide["positions"] == ["no", "yes"]
    assert name["positions"] == ["typed"]
    captions = [caption for _, caption, *_ in frames["frames"]]
    assert captions[:2] == ["red, height 0, wide False", "red, height 0, wide True"]
    assert len(captions) == 3 * 2 * 2
    assert frames["caption"] == captions[1 * 4 + 0 * 2 + 1] == "red, height 12, wide True"
    assert (frames["width"], frames["height"], frames["alt"]) == (300, 200, "A <bar>.")


def covered(frames: dict, place: int) -> np.ndarray:
    """The picture of one combination, as a browser puts it together."""
    first = Image.open(io.BytesIO(base64.b64decode(frames["first"]))).convert("RGBA")
    place = frames["frames"][place][0]
    below = frames["covers"][place][0]
    for _, left, top, cover in [frames["covers"][n] for n in (below, place) if n >= 0]:
        picture = Image.open(io.BytesIO(base64.b64decode(cover))).convert("RGBA")
        first.alpha_composite(picture, (left, top))
    return np.asarray(first.convert("RGB"))


def test_pictures_are_the_explorer_s_own_and_each_is_there_once():
    explorer = bar_explorer(kept={"height": [0, 50]})
    frames = frames_of(explorer)
    for place, still in enumerate(explorer.stills()):
        assert_alike(covered(frames, place), pixels(still.png))
    assert len(frames["covers"]) == len(set(frames["covers"])) < len(frames["frames"])  # height 0


def test_a_step_is_stored_as_what_differs_from_a_step_before():
    def draw(fig, **_start):
        bars = fig.subplots(subplot_kw={"ylim": (0, 5)}).bar(range(9), [0.0] * 9, color="purple")

        def update(step):
            for place, bar in enumerate(bars):
                bar.set_height(5 if place < step else 0)
            return f"step {step}"

        return update

    explorer = live(draw, alt="Bars.", size=(4, 2), step=(0, 9, 1, 0))
    frames = frames_of(explorer)
    assert {below >= 0 for below, *_ in frames["covers"]} == {False, True}
    for place, still in enumerate(explorer.stills()):
        assert_alike(covered(frames, place), pixels(still.png))


def test_a_tour_is_one_menu_of_its_settings():
    tour = {"low": {"height": 3}, "as it is": {}, "blue and high": {"height": 50, "colour": "blue"}}
    frames = frames_of(bar_explorer(tour=tour))
    (menu,) = frames["controls"]
    assert (menu["kind"], menu["start"]) == ("menu", 1)
    assert menu["positions"] == ["low", "as it is", "blue and high"]
    assert frames["frames"][2][1] == "blue, height 50, wide True"


def test_only_what_plays_has_a_pace():
    frames = frames_of(bar_explorer(play="height", pace=0.5, kept={"height": [0]}))
    assert [control["pace"] for control in frames["controls"]] == [500, 0, 0]


# --- formulas ---


def test_formula_becomes_mathml_that_is_read_as_words():
    assert mathml(r"\mathrm{softmax}(x_i)") == (
        '<math display="inline"><mrow><mrow><mi>softmax</mi></mrow><mo stretchy="false">&#x00028;'
        '</mo><msub><mi>x</mi><mi>i</mi></msub><mo stretchy="false">&#x00029;</mo></mrow></math>'
    )
    assert mathml(r"\frac{1}{2}", block=True) == (
        '<math display="block"><mrow><mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac>'
        "</mrow></math>"
    )
    for wrong in (r"\frac", r"x^2_", r"\unknown{x}"):
        with pytest.raises(ValueError, match="no formula: "):
            mathml(wrong)


def test_the_corner_of_a_table_is_no_heading_without_words():
    table = BeautifulSoup(markdown("| | 2017 |\n|---|---|\n| place | after |"), "html.parser")
    assert [heading.text for heading in table.select("th")] == ["2017"]
    assert len(table.select("tr")[0].select("td")) == 1


def test_font_draws_every_formula_of_the_lessons():
    font = TTFont(HERE / "font" / "course-math.woff")
    assert "MATH" in font
    drawn = set(map(chr, font.getBestCmap()))
    assert "한" not in drawn
    for path in notebooks_in(LESSONS):
        texts = [c.source for c in nbformat.read(path, 4).cells if c.cell_type == "markdown"]
        formulas = re.findall(r"\$\$.+?\$\$|\$[^$\n]+?\$", "\n\n".join(texts), re.DOTALL)
        for formula in formulas:
            letters = html.unescape(re.sub("<[^>]*>", "", mathml(formula.strip("$"))))
            assert set(letters) <= drawn, formula


# --- pages and decks ---


def cell(source: str, kind: str | None = None) -> NotebookNode:
    return new_markdown_cell(source, metadata={"slideshow": {"slide_type": kind}} if kind else {})


def lesson() -> NotebookNode:
    shown = bar_explorer(play="height", kept={"height": [0, 50]})
    explorer = {
        FRAMES: frames_of(shown),
        "image/png": picture(),
        "text/plain": "A bar.",
    }
    still = {"image/png": picture(), "text/plain": "Grey."}
    outputs = [
        new_output("execute_result", data=explorer),
        new_output("display_data", data=still, metadata={"image/png": {"alt": 'A "grey" field.'}}),
        new_output("stream", text="1 < 2"),
    ]
    cells = [
        cell("# 1. A lesson\n\nsays $x^2$. Go [on](../exercises/01.ipynb).", "slide"),
        cell("a word for the speaker", "notes"),
        cell("still the first slide"),
        new_code_cell("left_out = 1", metadata={"slideshow": {"slide_type": "skip"}}),
        cell("## Ask", "subslide"),
        cell("<details><summary>Answer</summary>\n\nyes\n\n</details>", "fragment"),
        new_code_cell("explore()", outputs=outputs),
        cell("## End", "slide"),
    ]
    return new_notebook(cells=cells)


def made_page(name: str = "04_self_attention", *, lecturer: bool = False) -> BeautifulSoup:
    return BeautifulSoup(page(lesson(), name, lecturer=lecturer), "html.parser")


def made_deck() -> BeautifulSoup:
    return BeautifulSoup(deck(lesson(), "04_self_attention"), "html.parser")


@pytest.mark.parametrize(("make", "folder"), [(made_page, "../slides/"), (made_deck, "")])
def test_file_asks_for_nothing_but_its_frames(make, folder):
    soup = make()
    loaded = [*soup.select("[src]"), *soup.select("link[href]")]
    asked = {str(part.get("src") or part["href"]) for part in loaded}
    files = {address for address in asked if not address.startswith("data:")}
    assert files == {f"{folder}frames/04_self_attention.js"}
    assert not re.search(
        r"url\((?![\"']?data:)|@import", "".join(s.text for s in soup.select("style"))
    )
    assert soup.select("math msup")
    assert "$" not in soup.select_one("main").text
    assert [image["alt"] for image in soup.select("img")] == ["A <bar>.", 'A "grey" field.']
    assert "1 < 2" in soup.select_one("pre.output").text
    assert not soup.select_one("details[open]")
    assert not soup.select('a[href*="../exercises"]')


def test_page_and_deck_share_the_frames_of_a_lesson():
    notebook = lesson()
    held = frames_script(notebook).removeprefix("globalThis.tutorFrames = ").removesuffix(";\n")
    ((cell_id, frames),) = json.loads(held).items()
    assert len(frames["frames"]) == 3 * 2 * 2
    for made in (page(notebook, "04_self_attention"), deck(notebook, "04_self_attention")):
        figure = BeautifulSoup(made, "html.parser").select_one("figure.explorer")
        assert figure["data-frames"] == cell_id
        assert not [file for *_, file in frames["covers"] if file in made]
        assert figure.select_one(".missing[hidden]")


def test_korean_words_bring_their_font():
    korean = new_notebook(cells=[cell("# 나는", "slide")])
    rule = '@font-face { font-family: "Course Sans"'
    assert rule in deck(korean, "made")
    assert rule not in deck(lesson(), "made")


@pytest.mark.long
def test_page_has_contents_and_its_neighbours_by_name():
    soup = made_page()
    assert "left_out" in soup.select_one("details.prepared").text
    contents = soup.select_one("nav.contents")
    listed = [link["href"] for link in contents.select_one(":scope > ul").select(":scope > li > a")]
    assert listed == [f"{path.stem}.html" for path in notebooks_in(LESSONS)]
    assert contents.select_one('[aria-current="page"]').text == "4. Self-attention, worked by hand"
    sections = contents.select('a[href^="#"]')
    assert [(a["href"], a.text) for a in sections] == [("#Ask", "Ask"), ("#End", "End")]
    assert all(soup.find(id=a["href"][1:]) for a in sections)
    onwards = {link["href"]: link.text for link in soup.select("nav.neighbours a")}
    assert onwards == {
        "03_positional_encoding.html": "Back 3. Where a word is",
        "exercises.html#04_self_attention": "Now yours The exercises to this lesson",
        "05_multi_head_attention.html": "Next 5. Multi-head attention",
    }
    assert not made_page("01_rnn_limits").select('.neighbours [rel="prev"]')
    assert not made_page("09_output_softmax").select('.neighbours [rel="next"]')


def test_only_who_asks_for_them_gets_the_notes_to_the_lecturer():
    assert "a word for the speaker" not in made_page().text
    notes = made_page(lecturer=True).find(string=re.compile("a word for the speaker"))
    assert notes.find_parent("details").summary.text == "For the lecturer"


def test_buttons_to_a_kernel_are_there_once_the_course_is_published(monkeypatch):
    assert not made_page().select('a[href*="colab"], a[href*="binder"], footer a')
    address = "https://github.com/somebody/transformer-tutor"
    for module in PUBLISHING:
        monkeypatch.setattr(f"{module}.repository", lambda: address)
    buttons = {link.text: link["href"] for link in made_page().select(".doors a")}
    colab = "https://colab.research.google.com/github/somebody/transformer-tutor/blob/main"
    assert buttons["Open in Colab"] == f"{colab}/notebooks/04_self_attention.ipynb"
    assert buttons["Open on Binder"].endswith("?urlpath=lab/tree/notebooks/04_self_attention.ipynb")


def answered() -> NotebookNode:
    asked, told = cell("## Ask", "slide"), cell("**What happened.** It is $x^2$.", "fragment")
    told.metadata["tags"] = ["reveal"]
    return new_notebook(cells=[asked, new_code_cell("compute()"), told])


def test_page_folds_what_happened():
    soup = BeautifulSoup(page(answered(), "01"), "html.parser")
    (answer,) = soup.select("details:not([open]):not(.prepared)")
    assert answer.summary.text == "What happened"
    assert answer.select("p math msup")
    assert answer.text.count("What happened") == 1


def predicted(*outputs: NotebookNode, line: bool = True) -> BeautifulSoup:
    """The page of a question, a line to answer it in, code with these outputs, and the answer."""
    data, _ = predict("made", float)._repr_mimebundle_()
    asked = new_code_cell('predict("made", float)', outputs=[new_output("display_data", data=data)])
    told = cell("**What happened.** It fell.", "fragment")
    told.metadata["tags"] = ["reveal"]
    cells = [cell("**Predict.** How far?", "slide"), *([asked] if line else [])]
    cells += [new_code_cell("compute()", outputs=list(outputs)), told, cell("## Then", "slide")]
    return BeautifulSoup(page(new_notebook(cells=cells), "01"), "html.parser")


def test_page_folds_the_result_of_a_prediction_with_what_is_said_of_it():
    for line in (True, False):
        soup = predicted(new_output("stream", text="seven"), line=line)
        result = soup.select_one("details.result:not([open])")
        assert "seven" in result.text
        assert "It fell." in result.text
        assert not result.select("details")
        assert "compute()" not in result.text
        assert "Then" not in result.text


@pytest.mark.parametrize("line", [True, False])
def test_what_moves_stands_above_the_line_and_the_answer_is_folded(line):
    sliders = new_output("display_data", data={FRAMES: frames_of(bar_explorer()), "text/plain": ""})
    soup = predicted(new_output("stream", text="seven"), sliders, line=line)
    (result,) = soup.select("details.result")
    assert not soup.select("details .explorer")
    parts = soup.select(".explorer, .prediction, details.result")
    assert [part.get("class") for part in parts] == [
        ["explorer"],
        *([["prediction"]] if line else []),
        ["result"],
    ]
    assert "seven" in result.text
    assert "It fell." in result.text


def test_pages_offer_no_line_that_nobody_can_type_in():
    frames = frames_of(bar_explorer(name="", kept={"height": [0]}))
    output = new_output("display_data", data={FRAMES: frames, "text/plain": ""})
    notebook = new_notebook(cells=[cell("# One"), new_code_cell("show()", outputs=[output])])
    figure = BeautifulSoup(page(notebook, "01"), "html.parser").select_one("figure")
    (typed,) = [one for one in figure.select(".control") if one.label.text == "name"]
    assert typed.output.text == "in the notebook"
    assert not typed.select("input")


def test_a_prediction_is_asked_for_without_its_code():
    data, _ = predict("made", float)._repr_mimebundle_()
    asked = new_code_cell('predict("made", float)', outputs=[new_output("display_data", data=data)])
    notebook = new_notebook(cells=[cell("## Ask", "slide"), asked])
    soup = BeautifulSoup(deck(notebook, "made"), "html.parser")
    assert soup.select_one(".prediction")["data-kind"] == "number"
    assert "predict(" not in soup.main.text


def test_deck_tells_what_happened_in_a_step_of_its_own():
    soup = BeautifulSoup(deck(answered(), "made"), "html.parser")
    asked, told = soup.select(".step")
    assert "compute()" in asked.text
    assert "What happened. It is" in told.text
    assert not soup.select("details")


def test_controls_have_names_and_say_their_values():
    figure = made_page().select_one("figure.explorer")
    controls = figure.select(".control")
    named = [figure.find(id=control.label["for"]) for control in controls]
    assert [control.label.text for control in controls] == ["height", "colour", "wide"]
    assert [part.name for part in named] == ["input", "select", "input"]
    assert named[0]["aria-valuetext"] == "12"
    assert named[1].select_one("option[selected]").text == "the red"
    assert named[2].has_attr("checked")
    assert figure.select_one('[role="status"]').text == "red, height 12, wide True"


def test_deck_follows_the_slideshow_metadata():
    soup = BeautifulSoup(deck(lesson(), "made"), "html.parser")
    slides = soup.select("section.slide")
    assert [len(slide.select(".step")) for slide in slides] == [1, 2, 1]
    assert "still the first slide" in slides[0].text
    assert "explore()" in slides[1].select(".step")[1].text
    (note,) = soup.select(".notes[hidden]")
    assert note.text.strip() == "a word for the speaker"
    assert note.find_parent(class_="slide") in slides
    assert "left_out" not in soup.text


def test_notebook_that_begins_without_a_slide_still_has_one():
    slides = slides_of(new_notebook(cells=[cell("a"), cell("b", "fragment"), cell("c", "slide")]))
    assert [[[c.source for c in step] for step in slide] for slide in slides] == [
        [["a"], ["b"]],
        [["c"]],
    ]


# --- the pages beside the lessons ---


def soup_of(file: Path) -> BeautifulSoup:
    return BeautifulSoup(file.read_text("utf-8"), "html.parser")


def test_a_right_and_a_wrong_answer_are_seen_with_what_the_check_says():
    right, wrong = checked.checked_answers()
    assert (right.right, wrong.right) == (True, False)
    assert "right (3 of 3 points)" in right.report
    assert "softmax over queries" in wrong.report


def test_the_check_of_each_lesson_s_first_exercise_is_seen(tmp_path):
    asked = soup_of(write_exercises(tmp_path)).select(".asked:has(.report)")
    assert [one["id"] for one in asked] == [some[0].name for some in all_exercises().values()]
    for one in asked:
        right, wrong = (report.text for report in one.select(".report"))
        assert re.search(r": right \((\d) of \1 points\)", right)
        assert "not yet" in wrong
        assert "known mistake" in wrong


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first page, whose picture takes seconds to draw in all its states."""
    return write_home(tmp_path_factory.mktemp("home"))


@pytest.mark.long
def test_home_leads_to_every_lesson_from_its_card_and_from_its_parts_of_the_figure(home):
    index = soup_of(home)
    assert list(lesson_lines()) == list(PLACES)
    for card, (name, line) in zip(index.select(".cards li"), lesson_lines().items(), strict=True):
        links = [link["href"] for link in card.select("a")]
        assert links == [f"{name}.html", f"../slides/{name}.html", f"exercises.html#{name}"]
        assert line in card.text
        assert card.select_one("img")["alt"] == ""  # its title stands below
    in_figure = {link["href"] for link in index.select(".map a")}
    assert in_figure == {f"{name}.html" for name in PLACES}
    for link in index.select(".map a"):
        assert link["href"].startswith(f"0{link.text.strip()}_")


@pytest.mark.long
def test_each_lesson_has_a_picture_of_its_own(home):
    pictures = [img["src"] for img in soup_of(home).select(".cards img")]
    assert len(set(pictures)) == len(lesson_lines())
    for source in pictures:
        small = Image.open(io.BytesIO(base64.b64decode(source.partition(",")[2])))
        assert small.size == lesson_pictures.SIZE


@pytest.mark.long
def test_home_names_itself_when_it_is_shared_and_leads_nowhere_else(home):
    said = {m["property"]: m["content"] for m in soup_of(home).select("meta[property]")}
    assert said["og:title"] == soup_of(home).title.text == published.title()
    assert said["og:description"] == published.project()["description"]
    assert Image.open(home.with_name(said["og:image"])).size == first_picture.PREVIEW
    assert not re.search(r'(?:href|src|content)="https?:', home.read_text("utf-8"))


@pytest.mark.long
def test_home_says_how_to_cite_as_the_citation_file_does(home):
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    said = published.project()
    assert cited["version"] == said["version"]
    assert cited["authors"] == said["authors"]
    assert cited["date-released"] == str(said["date"])
    assert cited["license"] == said["license"].split(" AND ")[0]  # one, as Zenodo takes no list
    text = " ".join(soup_of(home).text.split())
    assert f"({said['date'].year}). {cited['title']}, version {cited['version']}." in text


@pytest.mark.long
def test_picture_of_home_shows_what_the_model_gave_to_each_word():
    picture = first_picture.words_looking()
    shares = load_results("words_looking")["values"]
    for filler, found in shares.items():
        for layer, rows in enumerate(found["shares"], 1):
            for word, row in enumerate(rows, 1):
                assert abs(sum(row) - 1) < 0.004
                told = picture.frame(between=filler, word=word, layer=layer).caption
                assert f"{max(row):.2f}".removeprefix("0") in told


@pytest.mark.long
def test_figure_lights_the_parts_of_each_lesson(home):
    figure = soup_of(home).select_one("#map")
    for name, place in PLACES.items():
        lit = figure.select(f'path[style*="--edge-{name[:2]},"]')
        boxes = {"add and norm": 5, "feed-forward": 2, "embedding": 2, "position": 2, "stack": 2}
        assert len(lit) == sum(boxes.get(part, 1) for part in place.parts)


def test_exercises_are_all_listed_with_what_they_ask(tmp_path):
    asked = soup_of(write_exercises(tmp_path)).select(".asked")
    listed = [(one["id"], int(re.search(r"(\d+) points?", one.summary.text)[1])) for one in asked]
    every = [one for exercises in all_exercises().values() for one in exercises]
    assert sorted(listed) == sorted((one.name, one.points) for one in every)
    (mask,) = [one for one in asked if one["id"] == "causal_mask"]
    assert "Row: the query. Column: the key." in mask.text
    assert "def causal_mask(length):" in mask.select_one(".answer").text
    assert mask.select_one('[role="img"]')["aria-label"] == "difficulty 1 of 3"


def test_sections_have_what_is_said_below_them_and_no_word_for_the_speaker():
    first, ask, end = sections_of(lesson(), "1. A lesson", "01.html")
    assert (first.heading, first.address) == ("1. A lesson", "01.html")
    assert "still the first slide" in first.text
    assert "a word for the speaker" not in first.text
    assert (ask.heading, ask.address, ask.text) == ("Ask", "01.html#Ask", "Answer yes")
    assert (end.address, end.text) == ("01.html#End", "")


@pytest.mark.long
def test_search_looks_through_lessons_exercises_and_terms(tmp_path):
    script = write_search(tmp_path).read_text("utf-8")
    _, _, data = script.rpartition("const SECTIONS = ")
    found = {one["address"]: one for one in json.loads(data.strip().removesuffix(";"))}
    assert "drawer" in found["04_self_attention.html#Looking-something-up,-softly"]["text"]
    assert "Row: the query" in found["exercises.html#causal_mask"]["text"]
    assert found["glossary.html#query"]["heading"] == "query, 쿼리"
    assert "For the lecturer" not in data


@pytest.mark.long
def test_every_term_has_its_korean_word_in_a_font_and_its_place_in_a_lesson(tmp_path):
    rows = soup_of(write_glossary(tmp_path)).select(".terms tbody tr")
    by_term = {row.th.text: row for row in rows}
    assert len(by_term) == len(rows) > 100
    for term, place in {
        "value": "04_self_attention.html#Looking-something-up,-softly",
        "causal mask": "07_masking.html#Hide-the-future",
        "embedding table": "02_embeddings.html#A-row-for-each-token",
    }.items():
        assert by_term[term].a["href"] == place
    assert by_term["softmax"].select_one('[lang="ko"]').text == "소프트맥스"
    written = {letter for row in rows for letter in row.text if "가" <= letter <= "힣"}
    font = base64.b64decode(korean_font("".join(written)))
    assert written == set(map(chr, TTFont(io.BytesIO(font)).getBestCmap()))


@pytest.mark.long
def test_package_has_a_page_for_every_part_with_examples_and_source(tmp_path):
    files = {file.relative_to(tmp_path / "site").as_posix() for file in write_code(tmp_path)}
    home = soup_of(tmp_path / "site" / "code.html")
    assert {link["href"] for link in home.select("main a")} == files - {"code.html"}
    assert {"code/tutor/paper_model.html", "code/tutor/learner/check.html"} <= files
    assert not [name for name in files if "exercises" in name or "grading" in name]
    attention = soup_of(tmp_path / "site" / "code" / "tutor" / "attention.html")
    scores = attention.find(id="dot_product_scores")
    assert "Score each key by its dot product with each query" in scores.text
    assert ">>> dot_product_scores(" in scores.text
    assert "return" in scores.select_one("details.source pre[tabindex]").text
    up = attention.select_one(".brand")["href"]
    assert (tmp_path / "site" / "code" / "tutor" / up).resolve() == tmp_path / "site" / "index.html"


CITED = r"[A-Z][\w.-]+(?: \d)?(?: et al\.| and [A-Z]\w+)?,? \(?(?:19[89]|20[012])\d\b"


def test_every_paper_that_a_lesson_names_is_linked():
    unlinked = []
    for path in notebooks_in(LESSONS):
        cells = [c for c in nbformat.read(path, 4).cells if c.cell_type == "markdown"]
        html_text = markdown("\n\n".join(c.source for c in cells))
        text = re.sub("<[^>]+>", "", re.sub(r"<(a|code)\b.*?</\1>", "", html_text, flags=re.S))
        unlinked += re.findall(CITED, text)
    assert set(unlinked) <= {"Transformer (2017", "May 3, 2024", "At 2024", "Before 2017"}


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("(Gu and Dao 2023)", "https://arxiv.org/abs/2312.00752"),
        ("Bahdanau et al. (2015) let", "https://arxiv.org/abs/1409.0473"),
        ("as in Gemma 3, 2025;", "https://arxiv.org/abs/2503.19786"),
        ("[Gu 2022](https://example.org)", "https://example.org"),
        ("Gu 2021", None),
        ("`Gu 2022`", None),
    ],
)
def test_a_paper_is_known_by_a_name_and_its_year(text, address):
    link = BeautifulSoup(markdown(text), "html.parser").a
    assert (link and link["href"]) == address


def test_one_begins_at_the_index_or_at_the_first_deck():
    frames, *decks = map(Path, ("slides/frames/01.js", "slides/01.html", "slides/02.html"))
    assert to_open([frames, *decks]) == decks[0]
    assert to_open([frames, *decks, index := Path("site/index.html")]) == index
