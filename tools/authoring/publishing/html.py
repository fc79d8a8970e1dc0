"""Make one self-contained HTML file of an executed lesson: a page to read, or a deck of slides."""

import base64
import copy
import io
import json
import re
import textwrap
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup
from jinja2 import pass_context
from nbconvert.exporters import HTMLExporter
from nbconvert.filters import Highlight2HTML
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode
from PIL import Image
from traitlets.config import Config

from tutor.learner.lab_words import EXTENSION
from tutor.say import say

from ..files import ROOT
from ..fonts import cut_font
from ..text import is_folded
from .course import lessons, neighbours, open_in, title_of
from .formulas import mathml
from .frames import FRAMES, held
from .papers import link_papers
from .predictions import asks, fold_results
from .site import SPEECH, TEMPLATES, code_style, frame
from .slides import is_plumbing, notes_of, slide_type, slides_of

HERE = Path(__file__).parent
TYPEFACE = ROOT / "tutor" / "data" / "fonts" / "course-sans.otf"
REGIONS = ROOT / "tutor/display/static/regions.js"
SPEAKER = EXTENSION / "static" / "speaker.js"
HALF, WHOLE = 72, 90  # columns of letters on a slide
HIGH = 28  # lines, more than fit in one column as large as prose must be
_BEFORE_SIGN = re.compile(r'(<math display="inline">(?:(?!</math>).)*</math>[-.,;:!?)])')
_MEASURED = re.compile(r"^\.\./docs/measured/(\w+)\.md")
_SHOWN_FIRST = [FRAMES, "text/html", "image/png", "text/plain"]


class _Renderer(IPythonRenderer):
    """Markdown as nbconvert renders it, with formulas that need no script."""

    def inline_math(self, body: str) -> str:
        return mathml(body)

    def block_math(self, body: str) -> str:
        return mathml(body, block=True)

    def link(self, text: str, url: str, title: str | None = None) -> str:
        """Leave out links to other files of the course, but for what has a page beside this one."""
        url = _MEASURED.sub(r"measured_\1.html", url)
        is_here = re.match(r"https?:|#|measured_", url)
        return str(super().link(text, url, title)) if is_here else text


class _Exporter(HTMLExporter):
    """nbconvert's HTML with our templates and nothing from elsewhere."""

    def __init__(self, template: str) -> None:
        shown = {"NbConvertBase": {"display_data_priority": _SHOWN_FIRST}}
        super().__init__(
            config=Config(shown),
            template_name=template,
            extra_template_basedirs=[str(TEMPLATES)],
        )
        self.register_filter("webp", webp)
        self.environment.globals |= SPEECH

    @pass_context
    def markdown2html(self, context: Any, source: str) -> str:
        return markdown(source)


def markdown(source: str) -> str:
    """Return Markdown as HTML, formulas included."""
    renderer = _Renderer(escape=False, anchor_link_text="#")
    html = str(MarkdownWithMath(renderer=renderer).render(source))
    html = html.replace("<th></th>", "<td></td>")  # a corner of a table is nobody's heading
    return link_papers(_BEFORE_SIGN.sub(r'<span class="unbroken">\1</span>', html))


@cache
def webp(png: str) -> str:
    """Return a picture, in base64 as it came, in a format that takes a third less room."""
    picture = Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB")
    file = io.BytesIO()
    picture.save(file, "WEBP", lossless=True, method=2)
    return base64.b64encode(file.getvalue()).decode()


def highlighted(code: str) -> str:
    """Return Python code as HTML that is scrolled by keyboard, too."""
    html = Highlight2HTML(pygments_lexer="python")(code)
    return str(html).replace("<pre>", '<pre tabindex="0">')


def page(notebook: NotebookNode, name: str, *, lecturer: bool = False) -> str:
    """Return a lesson as a page to read, with the notes to the lecturer if they are asked for."""
    told = copy.deepcopy(notebook)
    left_out = [] if lecturer else ["notes"]
    told.cells = [
        cell for cell in told.cells if slide_type(cell) not in left_out and not is_folded(cell)
    ]
    told.cells = fold_results(told.cells)
    for cell in told.cells:
        cell.metadata["called"] = is_plumbing(cell) and bool(cell.outputs) and not asks(cell)
    before, after = neighbours(name)
    minutes = {lesson.name: lesson.minutes for lesson in lessons()}
    shown = frame(name) | {
        "contents": _contents(told),
        "before": before,
        "after": after,
        "minutes": " + ".join(map(str, minutes.get(name, ()))),
        "open_in": open_in("notebooks", name),
    }
    html = _export("page", told, f"../slides/frames/{name}.js", **shown)
    return html.replace("<pre>", '<pre tabindex="0">')  # wide code is scrolled by keyboard, too


def deck(notebook: NotebookNode, name: str) -> str:
    """Return a lesson as a deck of slides, each with the lecturer's notes."""
    copied = copy.deepcopy(notebook)
    slides = list(zip(slides_of(copied), notes_of(copied), strict=True))
    for number, (slide, notes) in enumerate(slides, 1):
        for step in slide:
            step[0].metadata["before"] = '<div class="step">'
            step[-1].metadata["after"] = "</div>"
        for note in notes:
            note.metadata |= {"before": '<aside class="notes" hidden>', "after": "</aside>"}
        label = say("Slide {number} of {count}", number=number, count=len(slides))
        opening = f'<section class="slide" tabindex="-1" aria-label="{label}"><div class="inner">'
        first, last = slide[0][0].metadata, slide[-1][-1].metadata
        first["before"] = opening + first["before"]
        last["after"] += "</div>"
        (notes[-1].metadata if notes else last)["after"] += "</section>"
    cells = [cell for slide, notes in slides for cell in [*chain(*slide), *notes]]
    for cell in filter(is_plumbing, cells):
        cell.metadata["plumbing"] = True
    for cell in cells:
        if cell.source.startswith("measured("):
            _make_low(cell)
    told = NotebookNode(notebook | {"cells": cells})
    return _export("deck", told, f"frames/{name}.js", speaker=SPEAKER.read_text("utf-8"))


def frames_script(notebook: NotebookNode) -> str:
    """Return the script that holds the other pictures of a lesson's explorers, by their cells."""
    return f"globalThis.tutorFrames = {json.dumps(_held(notebook), separators=(',', ':'))};\n"


def _held(notebook: NotebookNode) -> dict[str, Any]:
    outputs = [(cell.id, output) for cell in notebook.cells for output in cell.get("outputs", [])]
    return {
        cell: held(output.data[FRAMES])
        for cell, output in outputs
        if FRAMES in output.get("data", {})
    }


def _make_low(cell: NotebookNode) -> None:
    """Break the sentences below measured tables, and set a high output in two columns."""
    for output in cell.outputs:
        text = output.data["text/plain"]
        *tables, sentences = text.split("\n\n")
        is_narrow = all(len(line) <= HALF for table in tables for line in table.splitlines())
        cell.metadata["columns"] = is_narrow and text.count("\n") >= HIGH
        width = HALF if cell.metadata["columns"] else WHOLE
        broken = [textwrap.fill(line, width) for line in sentences.splitlines()]
        output.data["text/plain"] = "\n\n".join([*tables, "\n".join(broken)])


def _contents(notebook: NotebookNode) -> list[tuple[str, str]]:
    """Return the page's sections: the anchor and the heading of each."""
    text = "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    html = str(MarkdownWithMath(renderer=_Renderer(escape=False)).render(text))
    headings = BeautifulSoup(html, "html.parser").select("h2[id]")
    for anchor in (anchor for heading in headings for anchor in heading.select(".anchor-link")):
        anchor.decompose()
    return [(str(heading["id"]), heading.decode_contents()) for heading in headings]


def _export(template: str, notebook: NotebookNode, frames: str, **shown: Any) -> str:
    shown["frames"] = frames if _held(notebook) else ""
    shown |= {"title": title_of(notebook), "code_style": code_style("xcode")}
    shown["regions"] = REGIONS.read_text("utf-8")
    shown["math_font"] = base64_of(HERE / "font" / "course-math.woff")
    if re.search("[가-힣]", str(notebook.cells)):
        shown["korean_font"] = korean_font(str(notebook.cells))
    html, _ = _Exporter(template).from_notebook_node(notebook, {"shown": shown})
    return str(html)


def korean_font(text: str) -> str:
    """Return the part of the course's typeface that writes a page's Korean words, in base64."""
    return _cut("".join(sorted(set(re.findall("[가-힣]", text)))))


@cache
def _cut(syllables: str) -> str:
    file = io.BytesIO()
    cut_font(TYPEFACE, syllables, "Course Sans", file, layout_features=[], flavor="woff")
    return base64.b64encode(file.getvalue()).decode()


@cache
def base64_of(file: Path) -> str:
    """Return a file as a page's address of data has it."""
    return base64.b64encode(file.read_bytes()).decode()
