"""The course's own figure as a map: each part leads to its lesson, and lights up with it.

It is one drawing (SVG) whose colours are variables of CSS: whoever sets `--fill-04` and `--edge-04`
lights lesson 4's parts. So the index shows the same drawing large, to click, and small on each
lesson's card.
"""

import io
import re
from xml.etree import ElementTree

import matplotlib
from matplotlib.figure import Figure

from tutor.display.course_map import PLACES, SIZE, draw_map
from tutor.display.palette import HIGHLIGHT, mixed
from tutor.display.style import style

LIT = {"fill": mixed(HIGHLIGHT, 0.3), "edge": HIGHLIGHT, "width": "2.4"}
_SVG = "http://www.w3.org/2000/svg"


def course_map() -> str:
    """Draw the figure as SVG: each part in a link to its lesson's page."""
    ElementTree.register_namespace("", _SVG)
    drawing = ElementTree.fromstring(_drawn())
    parts = {part for place in PLACES.values() for part in place.parts}
    for parent in list(drawing.iter()):
        for place, child in enumerate(list(parent)):
            if child.get("id") in parts:
                parent[place] = _link(child)
            elif child.tag == f"{{{_SVG}}}metadata":
                parent.remove(child)
    box = drawing.attrib["viewBox"]
    drawing.attrib.clear()
    drawing.attrib |= {"id": "map", "class": "map", "viewBox": box, "aria-hidden": "true"}
    return re.sub(r"\s+", " ", ElementTree.tostring(drawing, encoding="unicode"))


def lesson_of(part: str) -> str:
    """Return the lesson that a part leads to: of those that light it, the one with fewest parts.

    Example:
        >>> lesson_of("mask"), lesson_of("query and key")
        ('07_masking', '04_self_attention')
    """
    return min(lessons_with(part), key=lambda name: len(PLACES[name].parts))


def lessons_with(part: str) -> list[str]:
    """List the lessons that light a part."""
    return [name for name, place in PLACES.items() if part in place.parts]


def _drawn() -> str:
    figure, file = Figure(figsize=SIZE), io.StringIO()
    with style(), matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "course"}):
        draw_map(figure)
        figure.savefig(file, format="svg", metadata={"Date": None}, facecolor="none")
    return file.getvalue()


def _link(patch: ElementTree.Element) -> ElementTree.Element:
    """Let a part take its colours from its lessons' variables, and lead to one of them."""
    part = patch.attrib.pop("id")
    path = patch[0]
    look = dict(one.split(": ") for one in path.attrib["style"].split("; "))
    usual = {"fill": look["fill"], "edge": look["stroke"], "width": "1"}
    numbers = [name[:2] for name in lessons_with(part)]
    colours = {name: _either(name, numbers, value) for name, value in usual.items()}
    if part == "stack":  # a frame round other parts, of which only the line is lit
        colours["fill"] = usual["fill"]
    names = {"fill": "fill", "stroke": "edge", "stroke-width": "width"}
    path.set("style", "; ".join(f"{css}: {colours[name]}" for css, name in names.items()))
    lesson = lesson_of(part)
    link = ElementTree.Element(f"{{{_SVG}}}a", {"href": f"{lesson}.html", "tabindex": "-1"})
    link.set("data-lesson", lesson[:2])
    link.append(patch)
    return link


def _either(what: str, numbers: list[str], otherwise: str) -> str:
    """Write the first variable of these lessons that is set."""
    for number in reversed(numbers):
        otherwise = f"var(--{what}-{number}, {otherwise})"
    return otherwise
