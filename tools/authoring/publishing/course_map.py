"""The course's own figure as a map: each part leads to its lesson, and lights up with it.

It is one drawing (SVG) whose colours are variables of CSS: whoever sets `--fill-04` and `--edge-04`
lights lesson 4's parts, as the index does when one points at a lesson's card. Its pieces are
groups, which a page for a phone moves below each other.
"""

import io
import re
from xml.etree import ElementTree

import matplotlib
from matplotlib.figure import Figure

from tutor.display.course_map import PIECES, PLACES, SIZE
from tutor.display.diagram import Diagram
from tutor.display.lettering import plain
from tutor.display.palette import HIGHLIGHT, mixed
from tutor.display.style import style

LIT = {"fill": mixed(HIGHLIGHT, 0.3), "edge": HIGHLIGHT, "width": "2.4"}
_SVG = "http://www.w3.org/2000/svg"
_PARTS = {part for place in PLACES.values() for part in place.parts}
_NAMES = {"fill": "fill", "stroke": "edge", "stroke-width": "width"}  # of CSS: of our variables


def course_map() -> str:
    """Draw the figure as SVG: each part in a link to its lesson's page, with its number."""
    ElementTree.register_namespace("", _SVG)
    width, height = (f"{72 * side:g}" for side in SIZE)
    look = {"id": "map", "class": "map", "viewBox": f"0 0 {width} {height}"}
    look |= {"preserveAspectRatio": "xMinYMin", "aria-hidden": "true"}
    drawing = ElementTree.Element(_tag("svg"), look)
    drawing.extend(_piece(name) for name in PIECES)
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


def _piece(name: str) -> ElementTree.Element:
    """Draw one piece of the figure as a group: arrows, boxes that are links, words."""
    figure, file = Figure(figsize=SIZE), io.StringIO()
    with style(), matplotlib.rc_context({"svg.fonttype": "none"}):
        diagram = Diagram(figure)
        PIECES[name](diagram, ())
        for text in diagram.sheet.texts:  # a browser has no fonts of matplotlib's formulas
            text.set_text(plain(text.get_text()))
        figure.savefig(file, format="svg", metadata={"Date": None}, facecolor="none")
    drawn = ElementTree.fromstring(file.getvalue()).find(f".//{_tag('g')}[@id='axes_1']")
    assert drawn is not None
    group = ElementTree.Element(_tag("g"), {"class": name})
    for child in drawn:
        part = child.attrib.pop("id")
        if part.startswith("text"):
            child.set("class", "words")
        group.append(_link(child, part) if part in _PARTS else child)
    return group


def _link(patch: ElementTree.Element, part: str) -> ElementTree.Element:
    """Let a part take its colours from its lessons' variables, and lead to one of them."""
    path = patch[0]
    drawn = dict(one.split(": ") for one in path.attrib["style"].split("; "))
    usual = {"fill": drawn["fill"], "edge": drawn["stroke"], "width": "1"}
    numbers = [name[:2] for name in lessons_with(part)]
    colours = {name: _either(name, numbers, value) for name, value in usual.items()}
    if part == "stack":  # a frame round other parts, of which only the line is lit
        colours["fill"] = usual["fill"]
    look = "; ".join(f"{css}: {colours[name]}" for css, name in _NAMES.items())
    path.set("style", look)
    lesson = lesson_of(part)
    link = ElementTree.Element(_tag("a"), {"href": f"{lesson}.html", "tabindex": "-1"})
    link.set("data-lesson", lesson[:2])
    link.append(patch)
    link.append(_number(int(lesson[:2]), _corner(path, part), look))
    return link


def _corner(path: ElementTree.Element, part: str) -> tuple[float, float]:
    """Return where a part's number stands: above at its left, but below where a frame's name is."""
    numbers = [float(number) for number in re.findall(r"[\d.]+", path.attrib["d"])]
    x, y = numbers[::2], numbers[1::2]
    return min(x) + 1, max(y) - 10 if part == "stack" else min(y) + 1.5


def _number(number: int, at: tuple[float, float], look: str) -> ElementTree.Element:
    """Draw a lesson's number in a circle of the look of its part."""
    x, y = at
    group = ElementTree.Element(_tag("g"), {"class": "words number"})
    circle = {"cx": f"{x:g}", "cy": f"{y:g}", "r": "6.6", "style": look}
    ElementTree.SubElement(group, _tag("circle"), circle)
    below = {"x": f"{x:g}", "y": f"{y + 3.3:g}", "text-anchor": "middle"}
    ElementTree.SubElement(group, _tag("text"), below).text = str(number)
    return group


def _tag(name: str) -> str:
    return f"{{{_SVG}}}{name}"


def _either(what: str, numbers: list[str], otherwise: str) -> str:
    """Write the first variable of these lessons that is set."""
    for number in reversed(numbers):
        otherwise = f"var(--{what}-{number}, {otherwise})"
    return otherwise
