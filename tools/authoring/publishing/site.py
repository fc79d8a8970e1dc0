"""What stands round every page of the site, and the pages that are no lessons."""

from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup, escape
from pygments.formatters import HtmlFormatter

from tutor import say as speech
from tutor.display.palette import DARK_FILTER
from tutor.learner.lab_words import EXTENSION, scripts, sentences_of
from tutor.say import later

from ..files import ROOT
from ..published import repository
from .course import lessons

WORDS = EXTENSION / "static" / "words.js"
TEMPLATES = ROOT / "tools" / "authoring" / "publishing" / "templates"

CODE = ":is(.highlight, .pdoc-code)"  # what nbconvert and pdoc call a piece of code

# The pages beside the lessons, as the contents name them.
PLACES = {
    "exercises": later("All exercises"),
    "glossary": later("Glossary"),
    "code": later("The code"),
}


def words_of_scripts() -> Markup:
    """Give what the scripts of a page say their words by, with those of its language."""
    files = [*TEMPLATES.rglob("*.js"), *scripts()]
    texts = {text for file in files for text in sentences_of(file.read_text("utf-8"))}
    words = {text: said for text in sorted(texts) if (said := speech.say(text)) != text}
    told = htmlsafe_json_dumps({"language": speech.language(), "words": words}, ensure_ascii=False)
    learned = f"Object.assign(SAID, {told});" if words else ""
    return Markup(f"{WORDS.read_text('utf-8')}{learned}")


def _say(sentence: str, **gaps: object) -> Markup:
    """Say a sentence with its markup; what fills its gaps has none."""
    return Markup(speech.say(sentence, **_plain(gaps)))


def _say_as(context: str, sentence: str, **gaps: object) -> Markup:
    return Markup(speech.say_as(context, sentence, **_plain(gaps)))


def _say_count(one: str, many: str, count: int) -> Markup:
    return Markup(speech.say_count(one, many, count))


def _plain(gaps: dict[str, object]) -> dict[str, object]:
    return {name: escape(value) for name, value in gaps.items()}


# What templates call; translators get what stands in these calls.
SPEECH = {
    "say": _say,
    "say_as": _say_as,
    "say_count": _say_count,
    "language": speech.language,
    "words_of_scripts": words_of_scripts,
}


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
    environment.globals |= SPEECH
    template = environment.get_template(f"{template or name}.html.j2")
    return template.render(shown=frame(name) | shown)


@cache
def code_style(style: str, where: str = CODE) -> str:
    """Return the colours of code in CSS."""
    return str(HtmlFormatter(style=style).get_style_defs(where))
