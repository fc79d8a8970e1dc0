"""Lesson 8's decoder layer beside that of a language model of today (lesson 9)."""

from itertools import pairwise

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.parts import Point
from tutor.display.plots import Picture
from tutor.display.shapes import Box
from tutor.display.style import SMALL, TITLE
from tutor.models.smollm import CONFIG
from tutor.say import later, say

_ATTENTION = later("self-attention")
# From the bottom up: a box of lesson 8, what it is today ("" if nothing), and what has changed.
_ROWS = (
    (later("embedding"), later("embedding"), ""),
    (later("+ positions"), "", later("lesson 3: turned in attention")),
    ("", later("RMSNorm"), later("lesson 6: the norm goes first")),
    (_ATTENTION, _ATTENTION, later("lesson 5: {heads} heads on {shared}")),
    (later("add & norm"), later("add"), ""),
    (later("cross-att."), "", later("lesson 8: no source")),
    (later("add & norm"), "", ""),
    ("", later("RMSNorm"), ""),
    (later("feed-forward"), later("feed-forward"), later("lesson 6: SwiGLU for ReLU")),
    (later("add & norm"), later("add"), ""),
    ("", later("RMSNorm"), later("lesson 6: one last norm")),
    (later("table, softmax"), later("table, softmax"), ""),
)
_LEFT, _RIGHT, _WIDTH, _STEP, _HEIGHT = 2.6, 8.0, 3.2, 0.61, 0.43
# The residual stream round each sub-layer: from above one row to the sum in another.
_ROUND = {_LEFT: ((1, 4), (4, 6), (6, 9)), _RIGHT: ((1, 4), (4, 9))}


def changed_decoder() -> Picture:
    """Show which boxes of the decoder go, and what the others have become."""

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        top = 0.5 + _STEP * len(_ROWS)
        d.words(say("lesson 8's decoder"), (_LEFT, top), size=TITLE, bold=True)
        d.words(
            say("SmolLM2, {layers} layers", layers=CONFIG.layers),
            (_RIGHT, top),
            size=TITLE,
            bold=True,
        )
        d.words(
            say("coloured: new or changed; dashed: gone"), (10.2, top), size=SMALL, align="left"
        )
        before: list[Box] = []
        after: list[Box] = []
        for place, (old, new, change) in enumerate(_ROWS):
            y = 0.5 + _STEP * place
            if old:
                before.append(_box(d, old, (_LEFT, y), gone=not new))
            if new:
                stays = old == new and not change
                after.append(_box(d, new, (_RIGHT, y), kind="neutral" if stays else "value"))
            if change:
                told = say(change, heads=CONFIG.heads, shared=CONFIG.key_value_heads)
                d.words(told, (10.2, y), size=SMALL, align="left")
        for column in (before, after):
            for below, above in pairwise(column):
                d.link(below.top, above.bottom)
        for x, ways in _ROUND.items():
            for start, end in ways:
                _residual(d, x, start, end)
        return say(
            "No source and no cross-attention; {heads} query heads share {shared} heads of keys "
            "and values; positions turn inside attention (lesson 3); no biases",
            heads=CONFIG.heads,
            shared=CONFIG.key_value_heads,
        )

    return Picture(
        draw,
        alt=say(
            "Two columns of boxes from tokens at the bottom to softmax at the top: the paper's "
            "decoder layer and that of a language model of today, with residual arrows round each "
            "sub-layer. The added positions, cross-attention and its norm are dashed at the left "
            "and missing at the right; coloured boxes are new or changed."
        ),
        size=(8.0, 4.0),
    )


def _residual(d: Diagram, x: float, start: int, end: int) -> None:
    """Draw the way round a sub-layer, into the side of the sum behind it."""
    low, high = 0.5 + _STEP * (start + 0.5), 0.5 + _STEP * end
    side = x - _WIDTH / 2
    d.link((x, low), (side, high), via=[(side - 0.4, low), (side - 0.4, high)])


def _box(d: Diagram, words: str, at: Point, *, kind: str = "neutral", gone: bool = False) -> Box:
    box = d.box(say(words), at, width=_WIDTH, height=_HEIGHT, kind=kind, size=SMALL)
    if gone:
        box.patch.set_linestyle((0, (3, 2)))
        box.fade()
    return box
