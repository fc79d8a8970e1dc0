"""Lesson 8's walk through the whole model on one page: a line of code, its box, its shape."""

import textwrap
from collections.abc import Callable
from inspect import getsource
from typing import Any, NamedTuple

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, INK, NEUTRAL
from tutor.display.regions import touch
from tutor.display.shapes import Box, Words
from tutor.display.style import SMALL, TITLE
from tutor.paper_model import DecoderLayer, EncoderLayer, PaperTransformer
from tutor.say import data, later, say

SIZES = {"B": 2, "S": 6, "T": 4, "D": 128, "V": 780}
_COLUMNS, _LETTERS = 58, 8.2  # of a line of code; points
_TOP, _LINE = 7.9, 0.315  # the first line; from one line to the next
_MODEL, _READS, _WRITES = PaperTransformer.forward, EncoderLayer.forward, DecoderLayer.forward


class CodeLine(NamedTuple):
    """A line of the page.

    Attributes:
        method: in which it stands.
        begins: how it begins.
        axes: of what it makes.
        boxes: which boxes of the figure it is.
    """

    method: Callable[..., Any]
    begins: str
    axes: str
    boxes: tuple[str, ...]


STEPS = (
    CodeLine(_MODEL, "source_keep", "B 1 1 S", ("E self-att.", "D cross-att.")),
    CodeLine(_MODEL, "past", "T T", ("D masked att.",)),
    CodeLine(_MODEL, "target_keep", "B 1 T T", ("D masked att.",)),
    CodeLine(_MODEL, "memory", "B S D", ("E words",)),
    CodeLine(_READS, "x = self.norm_self", "B S D", ("E self-att.", "E add & norm 1")),
    CodeLine(_READS, "return", "B S D", ("E feed-forward", "E add & norm 2")),
    CodeLine(_MODEL, "x = self.dropout", "B T D", ("D words",)),
    CodeLine(_MODEL, "x = self.decoder", "B T D", ("D",)),
    CodeLine(_WRITES, "x = self.norm_self", "B T D", ("D masked att.", "D add & norm 1")),
    CodeLine(_WRITES, "x = self.norm_cross", "B T D", ("D cross-att.", "D add & norm 2")),
    CodeLine(_WRITES, "return", "B T D", ("D feed-forward", "D add & norm 3")),
    CodeLine(_MODEL, "return", "B T V", ("D scores",)),
)
_WORDS, _FEED, _NORM = later("words"), later("feed-forward"), later("add & norm")
_SOURCE = {
    "words": _WORDS,
    "self-att.": later("self-att."),
    "add & norm 1": _NORM,
    "feed-forward": _FEED,
    "add & norm 2": _NORM,
}
_TARGET = {
    "words": _WORDS,
    "masked att.": later("masked att."),
    "add & norm 1": _NORM,
    "cross-att.": later("cross-att."),
    "add & norm 2": _NORM,
    "feed-forward": _FEED,
    "add & norm 3": _NORM,
    "scores": later("scores"),
}


def line_of(step: CodeLine) -> str:
    """Return a step's line as it stands on the page, without its comment.

    Example:
        >>> line_of(STEPS[-1])
        'return x @ self.embedding.table.T'
    """
    lines = [line.strip() for line in getsource(step.method).splitlines()]
    return next(line for line in lines if line.startswith(step.begins)).partition("  #")[0]


def shape_of(step: CodeLine) -> str:
    """Return the shape of what a step makes, with the sizes of the picture.

    Example:
        >>> shape_of(STEPS[-1])
        '(2, 4, 780)'
    """
    return str(tuple(SIZES.get(axis, 1) for axis in step.axes.split()))


def model_on_one_page() -> Explorer:
    """Go through the whole model line by line, with the box of the figure and the shape.

    Example:
        >>> model_on_one_page().frame(line=10).caption
        'line 10 of 12 makes (B, T, D) = (2, 4, 128)'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        code = _write_code(d)
        for number, text in enumerate(code, 1):
            touch(text, line=number)
        pointer = d.words("▶", (0.25, _TOP), size=SMALL, colour=HIGHLIGHT)
        boxes = {f"E {name}": box for name, box in _column(d, _SOURCE, 11.0).items()}
        boxes |= {f"D {name}": box for name, box in _column(d, _TARGET, 14.2).items()}
        top, across = boxes["E add & norm 2"], boxes["D cross-att."]
        d.link(top, across, via=[(12.5, top.at[1]), (12.5, across.at[1])])
        shape = d.words("(2, 4, 780)", (10.9, 6.9), size=TITLE)
        axes = d.words("(B, T, V)", (10.9, 6.2), size=TITLE)

        def update(line: int) -> str:
            step = STEPS[line - 1]
            for number, text in enumerate(code, 1):
                text.text.set_color(HIGHLIGHT if number == line else INK)
                text.text.set_fontweight("bold" if number == line else "normal")
            pointer.move(0.25, code[line - 1].at[1])
            for name, box in boxes.items():
                inside = step.boxes == ("D",) and name[0] == "D" and name not in _OUTSIDE
                box.light(inside or name in step.boxes)
            named = f"({', '.join(step.axes.split())})"
            shape.write(shape_of(step))
            axes.write(named)
            return say(
                "line {line} of {lines} makes {axes} = {shape}",
                line=line,
                lines=len(STEPS),
                axes=named,
                shape=shape_of(step),
            )

        return update

    return live(
        draw,
        alt=say(
            "Left, the lines of the model in the order in which they run; right, the boxes of "
            "encoder and decoder. The line of this step and its boxes are lit, and the shape of "
            "what it makes stands above the encoder."
        ),
        size=(8.0, 4.1),
        play="line",
        pace=2.0,
        line=(1, len(STEPS), 1, 1),
    )


_OUTSIDE = ("D words", "D scores")


def _write_code(d: Diagram) -> list[Words]:
    """Write the lines, those of a layer moved in below the line that calls it."""
    written, y, method = [], _TOP, _MODEL
    for step in STEPS:
        inner = step.method is not _MODEL
        if inner and step.method is not method:
            name = step.method.__qualname__.partition(".")[0]
            _mono(d, say("  {layer}, N times:", layer=name), y, NEUTRAL)
            y -= _LINE
        method = step.method
        indent = "  " if inner else ""
        lines = textwrap.wrap(
            line_of(step),
            _COLUMNS,
            initial_indent=indent,
            subsequent_indent=f"{indent}    ",
            break_long_words=False,
        )
        middle = y - _LINE * (len(lines) - 1) / 2
        written.append(_mono(d, data("\n".join(lines)), middle, INK))
        y -= _LINE * len(lines) + 0.07
    return written


def _mono(d: Diagram, line: str, y: float, colour: str) -> Words:
    words = d.words(line, (0.55, y), size=_LETTERS, align="left", colour=colour)
    words.text.set(fontfamily="monospace", linespacing=1.25)
    return words


def _column(d: Diagram, names: dict[str, str], x: float) -> dict[str, Box]:
    """Draw the boxes of a stack from the bottom up."""
    boxes = {
        name: d.box(
            say(words),
            (x, 0.5 + 0.94 * place),
            width=2.3,
            height=0.62,
            size=SMALL,
            name=name,
        )
        for place, (name, words) in enumerate(names.items())
    }
    d.chain(list(boxes.values()))
    return boxes
