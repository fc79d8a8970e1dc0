"""Write the pages and decks of some lessons, and the list of them."""

import re
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from nbformat import NotebookNode

from ..files import LESSONS, ROOT, notebooks_in, read_notebook
from .html import HERE, deck, page, title_of


def write_page(notebook: NotebookNode, name: str, folder: Path) -> Path:
    """Write a lesson's page to `folder`/site and return its file."""
    names = [path.stem for path in notebooks_in(LESSONS)]
    place = names.index(name)
    before = names[place - 1] if place else None
    after = names[place + 1] if place + 1 < len(names) else None
    return _write(page(notebook, name=name, before=before, after=after), folder / "site", name)


def write_deck(notebook: NotebookNode, name: str, folder: Path) -> Path:
    """Write a lesson's deck to `folder`/slides and return its file."""
    return _write(deck(notebook), folder / "slides", name)


def write_home(folder: Path) -> Path:
    """Write the list of the lessons, one line each, to `folder`/site and return its file."""
    lines = lesson_lines()
    lessons = [
        {
            "name": path.stem,
            "title": title_of(read_notebook(path)),
            "line": lines[path.stem],
        }
        for path in notebooks_in(LESSONS)
    ]
    environment = Environment(loader=FileSystemLoader(HERE / "templates"), autoescape=True)
    style = (HERE / "templates" / "course" / "static" / "cells.css").read_text("utf-8")
    shown: dict[str, Any] = {"lessons": lessons, "style": style}
    home = environment.get_template("home/index.html.j2").render(shown)
    return _write(home, folder / "site", "index")


def lesson_lines() -> dict[str, str]:
    """Return what each lesson is about in a line, as the README's table says it."""
    readme = (ROOT / "README.md").read_text("utf-8")
    rows = re.findall(r"^\|.*\(notebooks/(\w+)\.ipynb\) \| (.*?) \|", readme, re.MULTILINE)
    return {name: line[0].upper() + line[1:] + "." for name, line in rows}


def _write(html: str, folder: Path, name: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.html"
    file.write_text(html, encoding="utf-8")
    return file
