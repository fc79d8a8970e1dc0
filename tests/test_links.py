"""No page, notebook or part of the site leads nowhere: files, anchors, and kept outer addresses."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import mistune
import nbformat
import pytest
from bs4 import BeautifulSoup

from tools.authoring.files import LESSONS, notebooks_in
from tools.authoring.published import repository
from tools.authoring.publishing import files as site

ROOT = Path(__file__).parents[1]
PAGES = [
    *(ROOT / name for name in ("README.md", "TEACHING.md", "CONTRIBUTING.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "tutor" / "data" / "README.md",
]
NOTEBOOKS = [
    path
    for folder in ("notebooks", "solutions", "exercises")
    for path in sorted((ROOT / folder).glob("[0-9]*.ipynb"))
]
KEPT = ("addresses.md", "papers.md")  # in docs/: the outer addresses that were looked at
ADDRESS = re.compile(r"https?://[^\s)>\"'`|]+")
PLACEHOLDER = re.compile(
    r"your[_-](account|name|repo\w*|org\w*|email)|\bexample\.(org|com|net)\b|\b(TODO|FIXME|XXX|TBD)\b|"
    r"lorem ipsum|<(account|user|owner|org|repo)>",
    re.IGNORECASE,
)
_RENDER = mistune.create_markdown(escape=False, plugins=["table", "url"])


class Document(NamedTuple):
    """What is read of a page: where it leads, and where one can lead to in it."""

    links: list[str]
    anchors: set[str]


def read_markdown(text: str) -> Document:
    """Read a page, with the anchors that code hosts and JupyterLab give its headings."""
    soup = BeautifulSoup(str(_RENDER(text)), "html.parser")
    heads = [head.text.strip() for head in soup.find_all(re.compile("h[1-6]"))]
    anchors = {slug for head in heads for slug in (hosts_slug(head), head.replace(" ", "-"))}
    return Document(list(_leading(soup)), anchors)


def read_html(path: Path) -> Document:
    """Read a page of the site."""
    soup = BeautifulSoup(path.read_text("utf-8"), "html.parser")
    return Document(list(_leading(soup)), {str(part["id"]) for part in soup.select("[id]")})


def _leading(soup: BeautifulSoup) -> Iterator[str]:
    for part in soup.select("a[href], img[src], script[src], link[href]"):
        yield str(part.get("href") or part.get("src"))


def hosts_slug(heading: str) -> str:
    """The anchor that code hosts give a heading: `On a JupyterHub` becomes `on-a-jupyterhub`."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def notebook_text(path: Path) -> str:
    """All that a notebook says, one Markdown cell after the other."""
    cells = nbformat.read(path, as_version=4).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def text_of(path: Path) -> str:
    return notebook_text(path) if path.suffix == ".ipynb" else path.read_text("utf-8")


def leads_nowhere(link: str, path: Path, document: Document, known: dict[Path, Document]) -> bool:
    """Whether a link within the course has no file, or its anchor no place in it."""
    if re.match(r"[a-z]+:", link):
        return False
    name, _, anchor = link.partition("#")
    target = (path.parent / unquote(name)).resolve() if name else path.resolve()
    if not target.exists():
        return True
    if not anchor:
        return False
    there = document if target == path.resolve() else known.get(target)
    return there is None or not {anchor, unquote(anchor)} & there.anchors


def read_all() -> dict[Path, Document]:
    return {path.resolve(): read_markdown(text_of(path)) for path in [*PAGES, *NOTEBOOKS]}


def test_links_within_the_course_lead_to_files_and_headings():
    known = read_all()
    nowhere = [
        f"{path.relative_to(ROOT)}: {link}"
        for path, document in known.items()
        for link in document.links
        if leads_nowhere(link, path, document, known)
    ]
    assert nowhere == []
    assert sum(len(document.links) for document in known.values()) > 150


def test_outer_addresses_are_those_that_are_kept():
    kept = set(ADDRESS.findall("\n".join((ROOT / "docs" / name).read_text() for name in KEPT)))
    pages = [path for path in [*PAGES, *NOTEBOOKS] if path.name not in KEPT]
    own = (repository() or "https://github.com/…",)  # how CONTRIBUTING writes one's own
    used = {
        address.rstrip(".,;:")
        for path in pages
        for address in ADDRESS.findall(text_of(path))
        if not address.startswith(own)
    }
    assert used - kept == set()
    listed = set(ADDRESS.findall((ROOT / "docs" / "addresses.md").read_text()))
    assert listed - used == set()


@pytest.mark.parametrize(
    "path", [*PAGES, *NOTEBOOKS], ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_no_placeholder_is_left(path: Path):
    said = path.read_text("utf-8") if path.suffix == ".md" else notebook_text(path)
    assert [found.group() for found in PLACEHOLDER.finditer(said)] == []


@pytest.mark.parametrize(
    ("text", "nowhere"),
    [
        ("[set up](CONTRIBUTING.md#set-up)", False),
        ("[set up](CONTRIBUTING.md#setup)", True),
        ("[gone](docs/gone.md)", True),
        ("![gone](docs/gone.png)", True),
        ("[here](#a-title)\n\n# A title", False),
        ("[here](#another)\n\n# A title", True),
        ("`[code](is.md)`", False),
    ],
)
def test_a_link_that_leads_nowhere_is_found(text: str, nowhere: bool):
    path, document = ROOT / "README.md", read_markdown(text)
    known = {(ROOT / "CONTRIBUTING.md").resolve(): read_markdown(text_of(ROOT / "CONTRIBUTING.md"))}
    assert any(leads_nowhere(link, path, document, known) for link in document.links) is nowhere


@pytest.mark.long
def test_the_site_leads_nowhere_in_vain(tmp_path: Path):
    """Built from the stored notebooks: pictures stand still, links are the same."""
    for path in notebooks_in(LESSONS):
        notebook = nbformat.read(path, as_version=4)
        site.write_page(notebook, path.stem, tmp_path)
        site.write_deck(notebook, path.stem, tmp_path)
    site.write_others(tmp_path)
    known = {path.resolve(): read_html(path) for path in tmp_path.rglob("*.html")}
    assert len(known) > 50
    nowhere = [
        f"{path.relative_to(tmp_path)}: {link}"
        for path, document in known.items()
        for link in document.links
        if leads_nowhere(link, path, document, known)
    ]
    assert nowhere == []
