"""Lesson 7's picture of broadcasting: a strip and a triangle stretch until they meet."""

from typing import Any

import torch
from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.style import SMALL, TITLE
from tutor.mask import causal_keep, padding_keep
from tutor.say import say

_LENGTH, _CELL = 5, (0.62, 0.62)
_IDS = torch.tensor([[5, 6, 7, 0, 0], [8, 9, 5, 6, 7]])  # 0 is <pad>
_LEFT, _MIDDLE, _RIGHT = 3.6, 8.5, 13.5
_ROWS = (6.2, 2.5)  # a sentence each
_SAID = (
    "(2, 1, 1, 5) and (1, 1, 5, 5): axes of length 1 have room to stretch",
    "stretched along them, both are (2, 1, 5, 5)",
    "joined by &: (2, 1, 5, 5), with {open} open cells in sentence 1 and {more} in sentence 2",
)


def masks_meet() -> Explorer:
    """Stretch a padding mask and a triangle to one shape, and join them.

    Example:
        >>> masks_meet().frame(step=3).caption[:40]
        'joined by &: (2, 1, 5, 5), with 12 open '
    """
    padding = padding_keep(_IDS, pad_id=0)[:, 0, 0].float()  # (B, T)
    triangle = causal_keep(_LENGTH).float()  # (T, T)

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        look: dict[str, Any] = {"kind": "attention", "cell": _CELL, "limit": 1.6}
        top = _LENGTH * _CELL[1] / 2 - _CELL[1] / 2  # a strip lies where its first row will
        strips, tables, copies, joined, signs = [], [], [], [], []
        for number, (sentence, y) in enumerate(zip(padding, _ROWS, strict=True), 1):
            d.words(say("sentence {number}", number=number), (0.9, y + top), size=SMALL)
            strips.append(d.matrix(sentence[None], (_LEFT, y + top), **look))
            stretched = sentence.expand(_LENGTH, _LENGTH)
            copies.append(
                d.matrix(stretched, (_LEFT, y), name=say("padding {number}", number=number), **look)
            )
            tables.append(
                d.matrix(
                    triangle, (_MIDDLE, y), name=say("triangle {number}", number=number), **look
                )
            )
            both = stretched * triangle
            joined.append(
                d.matrix(both, (_RIGHT, y), name=say("both {number}", number=number), **look)
            )
            signs += [d.words("&", (6.05, y), size=TITLE), d.words("=", (11.0, y), size=TITLE)]
        alone = d.matrix(triangle, (_MIDDLE, sum(_ROWS) / 2), **look)
        shapes = [
            d.words(say("padding (B, 1, 1, T)"), (_LEFT, 0.4)),
            d.words(say("triangle (1, 1, T, T)"), (_MIDDLE, 0.4)),
            d.words(say("keep (B, 1, T, T)"), (_RIGHT, 0.4)),
        ]

        def update(step: int) -> str:
            for parts, from_step, until in (
                (strips, 1, 1),
                ([alone], 1, 1),
                ([*copies, *tables], 2, 3),
                ([*joined, *signs, shapes[2]], 3, 3),
            ):
                for part in parts:
                    part.show(from_step <= step <= until)
            first, second = (padding[:, None] * triangle).sum((1, 2)).int().tolist()
            return say(_SAID[step - 1], open=first, more=second)

        return update

    return live(
        draw,
        alt=say(
            "Left, a strip of five cells for each of two sentences: which keys are words. In the "
            "middle, a triangle: which keys are not ahead. The strips are copied down, one row a "
            "query; the triangle is copied, one a sentence; where both are coloured, the table at "
            "the right is."
        ),
        size=(8.0, 4.2),
        play="step",
        step=(1, 3, 1, 3),
    )
