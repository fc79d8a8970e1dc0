"""The papers that texts name, linked: `Vaswani et al. 2017` leads to arXiv."""

import re
from functools import cache
from html import escape
from typing import NamedTuple

from ..files import ROOT

PAPERS = ROOT / "docs" / "papers.md"
_ROW = re.compile(r"^\| (?P<name>[^|]+) (?P<year>\d{4}) \| (?P<title>[^|]+) \| (\S+) \|$", re.M)
_BETWEEN = r"(?: et al\.| and \w+)?,? \(?"  # a name and its year
_LEFT_ALONE = re.compile(r"<(a|code|pre|math|script)\b.*?</\1>|<[^>]*>", re.DOTALL)


class Paper(NamedTuple):
    """One line of docs/papers.md."""

    name: str
    year: str
    title: str
    address: str


@cache
def papers() -> dict[tuple[str, str], Paper]:
    """Read the papers: name and year -> paper."""
    rows = (Paper(*row) for row in _ROW.findall(PAPERS.read_text("utf-8")))
    return {(paper.name, paper.year): paper for paper in rows}


def link_papers(html: str) -> str:
    """Let each paper that a text names lead to where it can be read.

    Example:
        >>> link_papers("<p>They were (Vaswani et al. 2017).</p>").count('href="https://arxiv')
        1
        >>> link_papers("<a>Vaswani et al. 2017</a>")
        '<a>Vaswani et al. 2017</a>'
    """
    linked, end = [], 0
    for kept in _LEFT_ALONE.finditer(html):
        linked += [_cited().sub(_link, html[end : kept.start()]), kept[0]]
        end = kept.end()
    return "".join([*linked, _cited().sub(_link, html[end:])])


@cache
def _cited() -> re.Pattern[str]:
    names = sorted({name for name, _ in papers()}, key=len, reverse=True)
    return re.compile(rf"\b({'|'.join(map(re.escape, names))}){_BETWEEN}(\d{{4}})\b")


def _link(cited: re.Match[str]) -> str:
    paper = papers().get((cited[1], cited[2]))
    if paper is None:
        return cited[0]
    return f'<a href="{paper.address}" title="{escape(paper.title)}">{cited[0]}</a>'
