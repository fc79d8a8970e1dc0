"""What stands round every page of the site, and the pages that are no lessons."""

from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader
from pygments.formatters import HtmlFormatter

from tutor.display.palette import DARK_FILTER

from ..files import ROOT
from ..published import repository
from .course import lessons

TEMPLATES = ROOT / "tools" / "authoring" / "publishing" / "templates"

CODE = ":is(.highlight, .pdoc-code)"  # what nbconvert and pdoc call a piece of code

# The pages beside the lessons, as the contents name them.
PLACES = {"exercises": "All exercises", "glossary": "Glossary", "code": "The code"}


def frame(name: str) -> dict[str, Any]:
    """Return what the templates ask for to draw the frame of a page."""
    return {
        "name": name,
        "root": "",
        "lessons": lessons(),
        "contents": [],
        "places": PLACES,
        "repository": repository(),
        "dark_filter": DARK_FILTER,
        "dark_code": code_style("github-dark", f'[data-theme="dark"] {CODE}'),
    }


def plain_page(name: str, template: str = "", **shown: Any) -> str:
    """Return a page that is no lesson, made from the template of its name or another."""
    folders = [TEMPLATES / "plain", TEMPLATES / "course"]
    environment = Environment(loader=FileSystemLoader(folders), autoescape=True)
    template = environment.get_template(f"{template or name}.html.j2")
    return template.render(shown=frame(name) | shown)


@cache
def code_style(style: str, where: str = CODE) -> str:
    """Return the colours of code in CSS."""
    return str(HtmlFormatter(style=style).get_style_defs(where))
