"""SmolLM2's decoder and the inside of its attention, as the map of a learner's parts draws it."""

from tutor.display.decoder_column import Column
from tutor.display.diagram import Diagram
from tutor.display.shapes import Box
from tutor.display.style import SMALL
from tutor.say import later, say

# From the bottom up: part, label. The right column of lesson 9's *changed decoder*, its last box
# drawn as the three that a learner writes.
TODAY = (
    ("embedding", later("embedding")),
    ("norm", later("RMSNorm")),
    ("attention", later("self-attention")),
    ("add", later("add")),
    ("norm", later("RMSNorm")),
    ("feed-forward", later("feed-forward")),
    ("add", later("add")),
    ("norm", later("RMSNorm")),
    ("linear", later("table")),
    ("temperature", later("softmax with T")),
    ("cut", later("top-p")),
)
_LAYER = slice(1, 7)
_ROUND = ((0, 3), (3, 6))  # the residual stream: from above one row into the sum in another
_X, _FOOT, _STEP = 5.9, 1.05, 0.68

# The inside of an attention, from the bottom up: part, label, height, width.
_INSIDE = (
    ("split", later("split heads"), 2.0, 3.6),
    ("turn", later("turn Q and K"), 2.9, 2.2),
    ("score", later("scores Q Kᵀ"), 3.7, 2.2),
    ("scale", "÷ √d_k", 4.4, 2.2),
    ("softmax", later("softmax"), 5.1, 2.2),
    ("average", later("weights · V"), 6.0, 2.2),
    ("merge", later("merge heads"), 6.8, 2.2),
)
_LEFT, _VALUE_X = 11.3, 14.2


def draw_speaker(d: Diagram, layers: int) -> None:
    """Draw the decoder of so many layers, with its attention's inside; parts have their gid."""
    column = Column(d, _X, _FOOT, _STEP)
    for row, (part, label) in enumerate(TODAY):
        column.box(label, row).patch.set_gid(part)
    column.chain()
    for start, end in _ROUND:
        column.residual(start, end)
    d.bracket(column.boxes[_LAYER], f"{layers} ×", "right")
    d.words(say("tokens so far"), (_X, 0.4), size=SMALL)
    d.words(say("next token"), (_X, column.height(len(TODAY))), size=SMALL)
    _draw_inside(d)


def _draw_inside(d: Diagram) -> None:
    """Draw the inside of an attention: queries and keys are turned, values pass beside them."""
    boxes = [_box(d, *row) for row in _INSIDE]
    split, turn, *_, average, _ = boxes
    d.link((turn.at[0], split.top[1]), turn)
    d.chain(boxes[1:])
    d.link((_VALUE_X, split.top[1]), average, via=[(_VALUE_X, average.at[1])])
    d.words("V", (_VALUE_X + 0.25, turn.at[1]), size=SMALL)
    d.frame(boxes, pad=0.35)
    middle = _LEFT + 1.8
    d.words(say("inside an attention"), (middle, 7.65), size=SMALL)
    d.words(say("no mask: a token is handed no later keys"), (middle, 1.2), size=SMALL)


def _box(d: Diagram, part: str, label: str, y: float, width: float) -> Box:
    box = d.box(say(label), (_LEFT + width / 2, y), width=width, height=0.46, size=SMALL)
    box.patch.set_gid(part)
    return box
