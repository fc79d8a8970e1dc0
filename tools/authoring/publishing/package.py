"""Pages of the package, by pdoc from its docstrings: the model's parts, and what notebooks call.

What judges and grades is left out: authors read it in its files.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import NamedTuple

import pdoc

import tutor
from tutor.say import later, say

from .papers import link_papers
from .sections import Section
from .site import SPEECH, TEMPLATES

_OF_THE_COURSE = ("__main__", "files", "say")  # at the top of the package, but no parts of a model
# Before every annotated shape, where its file imports the names themselves.
_LONG = '<span class="n">jaxtyping</span><span class="o">.</span>'
# Of arguments, examples, errors: as headings they would skip levels for who listens to the page.
_DEEP_HEADING = re.compile(r"<(h[56])\b[^>]*>(.*?)</\1>", re.DOTALL)
_TO_PRIVATE = re.compile(r'<a href="[^"]*#_[^"]*">(.*?)</a>', re.DOTALL)  # it is not shown
_DRAWING = ("tutor.display.diagram", "tutor.display.maps", "tutor.display.plots")


class Module(NamedTuple):
    """A module's page: its name, the first sentence of its docstring, what it has, its HTML."""

    name: str
    line: str
    members: Mapping[str, str]
    html: str

    @property
    def address(self) -> str:
        """Where its page is, as pdoc links to it."""
        return f"code/{self.name.replace('.', '/')}.html"


def shown_modules() -> dict[str, list[str]]:
    """List the names of the modules that are shown, by what they are for."""
    parts = [found.name for found in iter_modules(tutor.__path__) if not found.ispkg]
    return {
        later("The model, part by part"): [
            f"tutor.{name}" for name in parts if name not in _OF_THE_COURSE
        ],
        later("What notebooks call"): [*sorted(set(tutor._PUBLIC.values())), *_DRAWING],
    }


@cache
def modules() -> tuple[Module, ...]:
    """Render all modules that are shown."""
    pdoc.render.env.globals |= SPEECH
    pdoc.render.configure(docformat="google", search=False, template_directory=TEMPLATES / "pdoc")
    names = [name for listed in shown_modules().values() for name in listed]
    every = {name: pdoc.doc.Module(import_module(name)) for name in names}
    return tuple(_module(module, every) for module in every.values())


def members_of_modules() -> Iterator[Section]:
    """Go through what the modules define, for the search."""
    for module in modules():
        yield Section(say("The code"), module.name, module.line, module.address)
        for name, line in module.members.items():
            yield Section(
                f"{say('The code')}: {module.name}", name, line, f"{module.address}#{name}"
            )


def _module(module: pdoc.doc.Module, every: Mapping[str, pdoc.doc.Module]) -> Module:
    own = [one for one in module.flattened_own_members if not one.name.startswith("_")]
    members = {one.qualname: _first_sentence(one.docstring) for one in own}
    line = _first_sentence(module.docstring)
    html = pdoc.render.html_module(module, every).replace(_LONG, "")
    html = _TO_PRIVATE.sub(r"\1", html)
    html = _DEEP_HEADING.sub(r'<p class="heading">\2</p>', html)
    return Module(module.modulename, line, members, link_papers(html))


def _first_sentence(docstring: str) -> str:
    return " ".join(docstring.split("\n\n")[0].split())
