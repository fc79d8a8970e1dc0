"""What the site's search looks through, as a script: pages opened from a disk may load no data."""

import json
from collections.abc import Iterator

from bs4 import BeautifulSoup

from tutor.say import say

from ..files import LESSONS, ROOT, read_notebook
from .course import lessons
from .exercises import listed_exercises
from .glossary import terms
from .package import members_of_modules
from .sections import Section, sections_of

_LIBRARY = ROOT / "tools" / "authoring" / "publishing" / "vendor" / "minisearch" / "minisearch.js"
_KEPT = ("page", "heading", "text", "address")


def search_script() -> str:
    """Return the library that searches, and all that it searches."""
    every = [*_lessons(), *_exercises(), *_terms(), *members_of_modules()]
    sections = [{name: getattr(section, name) for name in _KEPT} for section in every]
    library = _LIBRARY.read_text("utf-8")
    return f"{library}\nconst SECTIONS = {json.dumps(sections, ensure_ascii=False)};\n"


def _lessons() -> Iterator[Section]:
    for lesson in lessons():
        notebook = read_notebook(LESSONS / f"{lesson.name}.ipynb")
        yield from sections_of(notebook, lesson.title, f"{lesson.name}.html")


def _exercises() -> Iterator[Section]:
    for lesson in lessons():
        for asked in listed_exercises()[lesson.name]:
            text = " ".join(BeautifulSoup(asked.text, "html.parser").text.split())
            heading = f"{asked.heading} ({asked.name})"
            page = say("Exercises to {lesson}", lesson=lesson.title)
            yield Section(page, heading, text, f"exercises.html#{asked.name}")


def _terms() -> Iterator[Section]:
    for term in terms():
        heading = f"{term.english}, {term.korean}"
        yield Section(say("Glossary"), heading, term.meaning, f"glossary.html#{term.anchor}")
