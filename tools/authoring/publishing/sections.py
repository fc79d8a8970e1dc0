"""The sections of a lesson: its headings, what is said below each, and where it stands."""

from collections.abc import Iterator
from typing import NamedTuple

from bs4 import BeautifulSoup, Tag
from nbformat import NotebookNode

from .html import markdown
from .slides import slide_type

_HEADINGS = ("h1", "h2", "h3")


class Section(NamedTuple):
    """What one finds: a heading with the text below it, and where it stands.

    Attributes:
        page: the title of its page.
        heading: its own, or the page's.
        text: all below it, up to the next heading.
        address: its page and its anchor there.
        bold: the words of the text in bold, where terms are introduced.
        stressed: those in italics, where lessons not yet converted introduce them.
    """

    page: str
    heading: str
    text: str
    address: str
    bold: str = ""
    stressed: str = ""


def sections_of(notebook: NotebookNode, page: str, file: str) -> Iterator[Section]:
    """Go through the sections of a lesson, without what is said to the lecturer."""
    heading, address = page, file
    below: list[Tag] = []
    for part in _parts(notebook):
        if part.name not in _HEADINGS:
            below.append(part)
            continue
        if below:
            yield _section(page, heading, address, below)
        below = []
        if part.name != "h1":
            heading, address = part.text.removesuffix("#"), f"{file}#{part['id']}"
    yield _section(page, heading, address, below)


def _parts(notebook: NotebookNode) -> Iterator[Tag]:
    """Go through headings, paragraphs, lists and what else stands in the text."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and slide_type(cell) != "notes":
            yield from BeautifulSoup(markdown(cell.source), "html.parser").find_all(recursive=False)


def _section(page: str, heading: str, address: str, below: list[Tag]) -> Section:
    text = " ".join(" ".join(part.text for part in below).split())
    return Section(page, heading, text, address, _marked(below, "strong"), _marked(below, "em"))


def _marked(below: list[Tag], tag: str) -> str:
    return " | ".join(words.text for part in below for words in part.select(tag))
