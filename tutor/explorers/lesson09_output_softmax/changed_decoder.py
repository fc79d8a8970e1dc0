"""Lesson 8's decoder layer beside that of a language model of today (lesson 9)."""

from matplotlib.figure import Figure

from tutor.display.decoder_column import Column
from tutor.display.diagram import Diagram
from tutor.display.plots import Picture
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
_LEFT, _RIGHT, _FOOT, _STEP = 2.6, 8.0, 0.5, 0.61
# The residual stream round each sub-layer: from above one row to the sum in another.
_ROUND = {_LEFT: ((1, 4), (4, 6), (6, 9)), _RIGHT: ((1, 4), (4, 9))}


def changed_decoder() -> Picture:
    """Show which boxes of the decoder go, and what the others have become."""

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        before, after = (Column(d, x, _FOOT, _STEP) for x in (_LEFT, _RIGHT))
        top = before.height(len(_ROWS))
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
        for row, (old, new, change) in enumerate(_ROWS):
            if old:
                box = before.box(old, row)
                if not new:
                    box.patch.set_linestyle((0, (3, 2)))
                    box.fade()
            if new:
                after.box(new, row, "neutral" if old == new and not change else "value")
            if change:
                told = say(change, heads=CONFIG.heads, shared=CONFIG.key_value_heads)
                d.words(told, (10.2, before.height(row)), size=SMALL, align="left")
        for column in (before, after):
            column.chain()
            for start, end in _ROUND[column.x]:
                column.residual(start, end)
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
