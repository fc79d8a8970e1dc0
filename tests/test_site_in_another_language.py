"""Whatever stands round the lessons on the site can be translated.

What notebooks say is translated with them, docstrings and measured sentences stay English: here
all of these are in 【…】, so that only the pages' own words are left.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tests.learner.pseudo import Pseudo, english_on, known, spoken
from tools.authoring import claims_page, published
from tools.authoring.publishing import checked, course, exercises, files, search
from tools.authoring.publishing.first_picture import words_looking
from tools.authoring.publishing.frames import FRAMES, frames_of
from tools.authoring.publishing.glossary import Term
from tools.authoring.publishing.html import deck, page
from tools.authoring.publishing.package import Module
from tools.authoring.publishing.sections import Section
from tools.authoring.publishing.site import TEMPLATES, words_of_scripts
from tutor import predict
from tutor.claims.register import REGISTER
from tutor.display.explorer import Explorer
from tutor.learner.lab_words import scripts, sentences_of

NAMES = ("tutor", "mask", "explore", "make", "lab", "test", "Esc", "Ctrl")
SAID = {"name": "【name】", "sentence": "【…】", "compares": "【…】"}
TERM = Term(
    "【key】",
    "【키】",
    4,
    "【what it is】",
    "key",
    Section("【4】", "【key】", "【…】", "04.html#key"),
)
SHOWN_BY_SCRIPT = re.compile(
    r"(?:textContent: ?|textContent = |placeholder: |-label\", )[\"`][A-Za-z]"
)


pytestmark = pytest.mark.filterwarnings("ignore:Glyph")  # 【 in a picture


@pytest.fixture(autouse=True)
def _marked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Mark what other tests look after, and speak the pseudo-language."""
    titled = course.title_of
    marked = [
        (course, "title_of", lambda notebook: f"【{titled(notebook)}】"),
        (course, "lesson_lines", lambda: dict.fromkeys(LINES, "【about】")),
        (exercises, "heading_of", lambda cell: "【heading】"),
        (exercises, "markdown", lambda text: "【text】"),
        (exercises, "highlighted", lambda code: ""),
        (checked, "highlighted", lambda code: ""),
        (files, "terms", lambda: [TERM]),
        (search, "terms", lambda: [TERM]),
        (files, "modules", lambda: [Module("tutor.mask", "【line】", {}, "【docstring】")]),
        (files, "shown_modules", lambda: {"What notebooks call": ["tutor.mask"]}),
        (files, "lesson_pictures", lambda: dict.fromkeys(LINES, "")),
        (files, "preview", lambda png: b""),
        (claims_page, "REGISTER", [replace(one, **SAID) for one in REGISTER]),
        (claims_page, "cells_of", lambda *_: ("【title】", ["【head】"], [["1"]])),
        (claims_page, "range_of", lambda claim: ["【range】"]),
        (files, "project", lambda: published.project() | {"description": "【about】"}),
        (files, "authors", lambda: "【authors】"),
        (Explorer, "settings_offered", lambda explorer: [explorer.values]),
    ]
    for where, name, other in marked:
        monkeypatch.setattr(where, name, other)
    caches = (course.lessons, exercises.listed_exercises)
    for cache in caches:
        cache.cache_clear()
    with spoken():
        yield
    for cache in caches:
        cache.cache_clear()


LINES = course.lesson_lines()


def text(words: str, kind: str = "", **more: object) -> NotebookNode:
    shown = {"slideshow": {"slide_type": kind}} if kind else {}
    return new_markdown_cell(words, metadata=shown | more)


def first_picture() -> NotebookNode:
    explorer = words_looking()
    data, _ = explorer._repr_mimebundle_()
    return new_output("display_data", data=data | {FRAMES: frames_of(explorer)})


def lesson() -> NotebookNode:
    """A lesson of every kind of cell."""
    asked, _ = predict("made", float)._repr_mimebundle_()
    skipped = {"slideshow": {"slide_type": "skip"}}
    return new_notebook(
        cells=[
            text("# 【4. A lesson】", "slide"),
            text("【note】", "notes"),
            new_code_cell("x", metadata=skipped),
            text("**【Predict.】** 【How many?】", "subslide"),
            new_code_cell('predict("made")', outputs=[new_output("display_data", data=asked)]),
            new_code_cell("explore.a()", outputs=[first_picture()]),
            new_code_cell("x", outputs=[new_output("stream", text="【printed】")]),
            text("**【What happened.】** 【It fell.】", "fragment", tags=["reveal"]),
            text("## 【End】", "slide"),
        ]
    )


def made(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Make a page of the site."""
    monkeypatch.setattr(files, "first_picture", first_picture)
    if name == "lesson":
        return page(lesson(), "04_self_attention", lecturer=True)
    if name == "deck":
        return deck(lesson(), "04_self_attention")
    if name == "measured":
        monkeypatch.setattr(files, "lessons", lambda: course.lessons()[3:4])
        return files.write_measured(folder)[0].read_text("utf-8")
    if name in ("code", "module"):
        return files.write_code(folder)[name == "module"].read_text("utf-8")
    writers = {
        "index": files.write_home,
        "exercises": files.write_exercises,
        "glossary": files.write_glossary,
    }
    return writers[name](folder).read_text("utf-8")


PAGES = ("lesson", "deck", "index", "exercises", "glossary", "measured", "code", "module")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_can_be_translated(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    html = made(name, tmp_path, monkeypatch)
    assert english_on(html, NAMES) == []


def test_where_something_was_found_can_be_translated(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(search, "_lessons", lambda: iter(()))
    monkeypatch.setattr(search, "members_of_modules", lambda: iter(()))
    sections = json.loads(search.search_script().rpartition("const SECTIONS = ")[2].rstrip(";\n"))
    assert {word for one in sections for word in english_on(one["page"])} == set()


def test_what_scripts_say_reaches_a_translator_and_the_page():
    sources = [file.read_text("utf-8") for file in [*TEMPLATES.rglob("*.js"), *scripts()]]
    assert [found for source in sources for found in SHOWN_BY_SCRIPT.findall(source)] == []
    texts = {text for source in sources for text in sentences_of(source)}
    assert {("", text) for text in texts} <= known()
    words = json.loads(words_of_scripts().rpartition("Object.assign(SAID, ")[2].rstrip(");"))
    assert words == {"language": Pseudo.language, "words": {text: f"【{text}】" for text in texts}}
    assert len(texts) > 12
