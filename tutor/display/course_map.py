"""The figure that opens every lesson: the Transformer, with this lesson's part lit.

The boxes are those of the paper's figures 1 and 2. What came before (recurrent networks) stands
at the left, what happens inside one attention at the right.
"""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import NamedTuple

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.plots import Picture
from tutor.display.shapes import Box
from tutor.display.style import SMALL
from tutor.say import later, say

SIZE = (8.0, 4.4)  # inches
ALT = (
    "The Transformer: encoder and decoder side by side; at the right the inside of an attention, "
    "where values pass beside softmax and are averaged by its weights; at the left recurrent "
    "networks, which came before."
)


class Place(NamedTuple):
    """Where a lesson stands in the figure: the parts it lights, and what they are, in words."""

    parts: tuple[str, ...]
    words: str


PLACES: Mapping[str, Place] = {
    "01_rnn_limits": Place(("recurrence",), "what the Transformer replaces"),
    "02_embeddings": Place(("embedding",), "how words become rows of numbers"),
    "03_positional_encoding": Place(("position",), "how a row of numbers says where it is"),
    "04_self_attention": Place(
        ("query and key", "value", "score", "scale", "softmax", "average"),
        "what happens inside one attention",
    ),
    "05_multi_head_attention": Place(
        ("self-attention", "masked", "cross-attention", "query and key", "value", "join"),
        "several attentions side by side",
    ),
    "06_residual_and_layer_norm": Place(
        ("add and norm", "feed-forward"), "what stands between the attentions"
    ),
    "07_masking": Place(("masked", "mask"), "who may look at whom"),
    "08_full_transformer": Place(("stack",), "how the parts make one model"),
    "09_output_softmax": Place(("linear", "output"), "from rows of numbers back to words"),
}

# What the alt text calls a part that is lit.
_NAMES: Mapping[str, str] = {
    "recurrence": "the recurrent net",
    "embedding": "the embeddings",
    "position": "the positions added to them",
    "self-attention": "the encoder's self-attention",
    "masked": "the decoder's masked self-attention",
    "cross-attention": "the decoder's cross-attention",
    "add and norm": "the sums and norms after each sub-layer",
    "feed-forward": "the feed-forward layers",
    "linear": "the linear layer at the end",
    "output": "the softmax at the end",
    "query and key": "queries and keys",
    "value": "values",
    "score": "scores",
    "scale": "their scaling",
    "mask": "the mask",
    "softmax": "softmax",
    "average": "the average of the values",
    "join": "the joining of heads",
    "stack": "encoder and decoder as a whole",
}

# Each column from the bottom up: part, label, height.
_ENCODER = (
    ("embedding", later("embedding"), 0.8),
    ("position", later("+ positions"), 1.5),
    ("self-attention", later("self-attention"), 2.6),
    ("add and norm", later("add & norm"), 3.3),
    ("feed-forward", later("feed-forward"), 4.2),
    ("add and norm", later("add & norm"), 4.9),
)
_DECODER = (
    ("embedding", later("embedding"), 0.8),
    ("position", later("+ positions"), 1.5),
    ("masked", later("masked att."), 2.6),
    ("add and norm", later("add & norm"), 3.3),
    ("cross-attention", later("cross-att."), 4.2),
    ("add and norm", later("add & norm"), 4.9),
    ("feed-forward", later("feed-forward"), 5.8),
    ("add and norm", later("add & norm"), 6.5),
    ("linear", later("linear"), 7.86),
    ("output", later("softmax"), 8.5),
)
_HEAD = (
    ("query and key", later("Q and K"), 2.0),
    ("score", later("scores Q Kᵀ"), 2.9),
    ("scale", "÷ √d_k", 3.6),
    ("mask", later("mask"), 4.3),
    ("softmax", later("softmax"), 5.0),
    ("average", later("weights · V"), 5.9),
    ("join", later("join heads"), 6.8),
)
_ENCODER_X, _DECODER_X, _HEAD_X, _VALUE_X = 5.0, 9.2, 12.9, 14.85


def you_are_here(lesson: str) -> Picture:
    """Show the Transformer with the part lit that a lesson is about.

    Args:
        lesson: the lesson's name, such as "04_self_attention".

    Raises:
        ValueError: if there is no such lesson.

    Example:
        >>> you_are_here("04_self_attention").caption
        'Lesson 4: what happens inside one attention.'

    Source: "Attention Is All You Need", figures 1 and 2.
    """
    if lesson not in PLACES:
        raise ValueError(
            say(
                "no lesson is called {lesson!r}; expected one of {lessons}",
                lesson=lesson,
                lessons=[*PLACES],
            )
        )
    place = PLACES[lesson]

    def draw(fig: Figure) -> str:
        draw_map(fig, place.parts)
        return say("Lesson {number}: {about}.", number=int(lesson[:2]), about=say(place.words))

    lit = say("Lit: {parts}.", parts=", ".join(say(_NAMES[part]) for part in place.parts))
    return Picture(draw, alt=f"{say(ALT)} {lit}", size=SIZE)


def draw_map(fig: Figure, lit: tuple[str, ...] = ()) -> None:
    """Draw the whole figure with some parts lit; each part's patch has its name as `gid`."""
    d = Diagram(fig)
    for draw in PIECES.values():
        draw(d, lit)


def draw_model(d: Diagram, lit: tuple[str, ...] = (), layers: int = 6) -> None:
    """Draw encoder and decoder, each of so many layers."""
    encoder = _column(d, _ENCODER, _ENCODER_X, lit)
    _frame(d, encoder[2:], say("encoder"), 4.9, lit, layers)
    decoder = _draw_decoder(d, lit, layers)
    between, top = (_ENCODER_X + _DECODER_X) / 2 - 0.15, 5.85
    d.link(encoder[-1], decoder[4], via=[(_ENCODER_X, top), (between, top), (between, 4.2)])
    d.words(say("source words"), (_ENCODER_X, 0.25), size=SMALL)
    d.words(say("target words so far"), (_DECODER_X, 0.25), size=SMALL)


def _draw_decoder(d: Diagram, lit: tuple[str, ...] = (), layers: int = 6) -> list[Box]:
    """Draw a decoder of so many layers; give its boxes from the bottom up."""
    decoder = _column(d, _DECODER, _DECODER_X, lit)
    _frame(d, decoder[2:8], say("decoder"), 6.5, lit, layers)
    d.words(say("next word"), (_DECODER_X + 2.0, 8.5), size=SMALL)
    return decoder


def _frame(
    d: Diagram, parts: list[Box], name: str, y: float, lit: tuple[str, ...], layers: int
) -> None:
    frame = d.frame(parts, name, pad=0.42)
    frame.light("stack" in lit)
    frame.patch.set_gid("stack")
    d.words(f"{layers} ×", (frame.left[0] - 0.24 - 0.08 * len(str(layers)), y), size=SMALL)


def draw_head(d: Diagram, lit: tuple[str, ...] = ()) -> None:
    """Draw the inside of an attention: scores become weights; values pass beside them."""
    column = _column(d, _HEAD, _HEAD_X, lit, width=2.1)
    value = _box(d, "value", "V", _VALUE_X, 2.0, lit, width=0.9)
    d.link(value, column[5], via=[(_VALUE_X, 5.9)])
    d.frame([*column, value], pad=0.35)
    d.words(say("inside an attention"), (13.55, 7.65), size=SMALL)


def _draw_before(d: Diagram, lit: tuple[str, ...]) -> None:
    _box(d, "recurrence", later("recurrent net"), 1.6, 3.3, lit)
    d.words(say("before:"), (1.6, 3.85), size=SMALL)


# No arrow leads from one piece to another: on a phone's page they lie below each other.
PIECES: Mapping[str, Callable[[Diagram, tuple[str, ...]], None]] = {
    "model": draw_model,
    "head": draw_head,
    "before": _draw_before,
}


def _column(
    d: Diagram,
    labels: tuple[tuple[str, str, float], ...],
    x: float,
    lit: tuple[str, ...],
    width: float = 2.5,
) -> list[Box]:
    """Draw boxes one above the other, arrows between, and the ways round the sub-layers."""
    boxes = [_box(d, part, label, x, y, lit, width) for part, label, y in labels]
    d.chain(boxes)
    for (below, box), (part, _, _) in zip(pairwise(boxes), labels[1:], strict=True):
        if part == "add and norm":  # the residual path starts below the sub-layer
            foot, aside = below.bottom[1] - 0.14, x + 1.55
            d.link((x, foot), box, via=[(aside, foot), (aside, box.at[1])])
    return boxes


def _box(
    d: Diagram, part: str, label: str, x: float, y: float, lit: tuple[str, ...], width: float = 2.5
) -> Box:
    box = d.box(say(label), (x, y), width=width, height=0.46, size=SMALL)
    box.light(part in lit)
    box.patch.set_gid(part)
    return box
