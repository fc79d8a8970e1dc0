"""Whatever a lesson shows can be translated: all nine, built and run in a language of their own."""

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import nbformat
import pytest
from bs4 import BeautifulSoup
from matplotlib.text import Text
from nbformat import NotebookNode
from torch import nn

from tests.allowances import hold
from tests.explorers.test_in_another_language import words_of
from tests.learner.pseudo import left_over, pseudo, spoken, unsaid
from tests.notebooks.in_process import Ran, runs, stored_texts
from tools.authoring.files import LESSONS, notebooks_in, read_notebook
from tools.authoring.rules import code_cells
from tutor.data.files import load_results
from tutor.display import markup
from tutor.display.canvas import Canvas
from tutor.display.explorer import Explorer
from tutor.learner.segments import translated
from tutor.training.initialisation import INITIALISATIONS

# What Python and torch write by themselves, and names of code.
THEIRS = re.compile(
    r"\b(?:tensor|True|False|None|nan|inf|dtype|float\d*|int\d*|bool)\b"
    r"|[\w.]*[a-z][._]\w[\w.]*|\b[A-Z]\w*[a-z][A-Z]\w*|'[^'\n]*'"
    r"|view size is not compatible with input tensor's size and stride"
    r"|<All keys matched successfully>"
)
# Of several words in a string a reader may see only these: what models read, and a function's name.
PHRASES = ("May 3, 2024", "3 days ago", "17 euros", "South Korea and France", "softmax")
LAYERS = {*dir(nn), "Residual"}  # as a trace names them
READ_OUT = ("alt", "title", "aria-label", "data-alt")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def built(notebook: NotebookNode) -> NotebookNode:
    """Translate a notebook: each segment that a translator gets."""
    return nbformat.reads(json.dumps(translated(notebook, pseudo)), 4)


def code_of(notebook: NotebookNode) -> set[str]:
    """List the words that a built notebook's code has as strings: its data, and keys."""
    sources = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    nodes = [node for source in sources for node in ast.walk(ast.parse(source))]
    strings = [node.value for node in nodes if isinstance(node, ast.Constant)]
    texts = [text for text in strings if isinstance(text, str) and " " not in text]
    words = {word for text in [*texts, *PHRASES] for word in left_over(text)}
    return words | {*LAYERS, *INITIALISATIONS, *_prompts()}


def _prompts() -> list[str]:
    """List the words of what a language model was given, which lesson 9 prints as it is stored."""
    stored = load_results("smollm_title")["values"]["contexts"]
    return [word for prompt in stored for word in left_over(prompt)]


def is_code(text: str) -> bool:
    """Say whether a cell prints a function as it is written."""
    try:
        return any(isinstance(node, ast.FunctionDef) for node in ast.parse(dedent(text)).body)
    except SyntaxError:
        return False


def shown_by(ran: Ran, pictures: list[Canvas]) -> Iterator[str]:
    """Give all that a reader sees of a cell's outputs."""
    printed, plain = ran.texts
    yield printed
    yield from plain
    for entry in ran.displayed:
        yield from _in_html(entry.get("text/html", ""))
    for canvas in pictures:
        yield from (text.get_text() for text in canvas.figure.findobj(Text))
    if isinstance(ran.result, Explorer):
        yield from words_of(ran.result)


def _in_html(text: str) -> Iterator[str]:
    soup = BeautifulSoup(text, "html.parser")
    for unseen in soup(["style", "script"]):
        unseen.decompose()
    yield from soup.stripped_strings
    for tag in soup.find_all(True):
        yield from (str(tag[name]) for name in READ_OUT if tag.get(name))


def numbers(texts: tuple[str, list[str]]) -> Counter[str]:
    """The numbers of what a cell showed, in any order: a language has an order of its own."""
    printed, plain = texts
    return Counter(NUMBER.findall("\n".join([printed, *plain])))


def english_lines(text: str, own: set[str]) -> list[str]:
    """List the lines of a text with words that are not said, nor a language's or the code's own."""
    if is_code(text):
        return []
    lines = zip(text.splitlines(), unsaid(text).splitlines(), strict=True)
    return [line for line, bare in lines if _latin(THEIRS.sub(" ", bare)) - own]


def _latin(text: str) -> set[str]:
    """List the words in Latin letters: in others stands only what a model has written."""
    return {word for word in left_over(text) if word.isascii()}


def english_in(path: Path) -> tuple[list[str], list[str]]:
    """List what of a lesson stays English in every language, and cells whose numbers change."""
    lesson = built(read_notebook(path))
    own = code_of(lesson)
    stored = {cell.id: numbers(stored_texts(cell)) for cell in code_cells(read_notebook(path))}
    english: dict[str, Any] = {}
    others, pictures = [], list[Canvas]()
    for ran in runs(lesson, path.parent, pictures.append):
        for text in shown_by(ran, pictures):
            for line in english_lines(text, own):
                english[f"{ran.cell.id}: {line}"] = None
        pictures.clear()
        if numbers(ran.texts) != stored[ran.cell.id]:
            others.append(f"{ran.cell.id}: {ran.texts}")
    return [*english], others


@pytest.mark.long
@pytest.mark.usefixtures("unchecked_shapes")
@pytest.mark.parametrize("path", notebooks_in(LESSONS), ids=lambda path: path.stem)
def test_what_a_lesson_shows_can_be_translated(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(markup, "jupyter_shows_this", lambda: True)  # as on a page
    with spoken():
        english, others = english_in(path)
    assert others == []
    hold("english in lessons", path.stem, english)
