"""The page of terms: English and Korean, each with its place in the lesson that introduces it."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from ..files import LESSONS, ROOT, read_notebook
from .course import Lesson, lessons
from .sections import Section, sections_of

GLOSSARY = ROOT / "docs" / "glossary.md"
_ROW = re.compile(
    r"^\| (?P<english>[^|]+) \| (?P<korean>[^|]+) \| (?P<lesson>\d)(: (?P<words>[^|]+))? \| "
    r"(?P<meaning>[^|]+) \|$",
    re.MULTILINE,
)


class Term(NamedTuple):
    """One line of the glossary; `anchor` is its address on the page, `place` in its lesson."""

    english: str
    korean: str
    lesson: int
    meaning: str
    anchor: str
    place: Section


@cache
def terms() -> tuple[Term, ...]:
    """List the terms in the order of docs/glossary.md."""
    return tuple(_terms(GLOSSARY.read_text("utf-8")))


def _terms(text: str) -> Iterator[Term]:
    for row in _ROW.finditer(text):
        lesson = lessons()[int(row["lesson"]) - 1]
        yield Term(
            row["english"],
            row["korean"],
            int(row["lesson"]),
            row["meaning"],
            anchor="-".join(re.findall(r"\w+", row["english"].lower())),
            place=_place(row["words"] or row["english"], lesson),
        )


@cache
def _sections(name: str, title: str) -> tuple[Section, ...]:
    return tuple(sections_of(read_notebook(LESSONS / f"{name}.ipynb"), title, f"{name}.html"))


def _place(words: str, lesson: Lesson) -> Section:
    """Find where a lesson introduces a term.

    Raises:
        ValueError: the lesson does not name it.
    """
    found = introducing(words, _sections(lesson.name, lesson.title))
    if found is None:
        raise ValueError(f"docs/glossary.md: lesson {lesson.number} does not say {words!r}")
    return found


def introducing(words: str, sections: Sequence[Section]) -> Section | None:
    """Find the section that introduces a term: where it is bold, else in italics, else named."""
    names = [re.escape(name) for name in re.split(r" \(.*\)| / ", words) if name]
    named = re.compile(rf"\b({'|'.join(names)})", re.IGNORECASE)
    for kind in ("bold", "stressed", "heading", "text"):
        for section in sections:
            if named.search(getattr(section, kind)):
                return section
    return None
