"""Lesson 7's culprit: where decoders of random digits look, and what that lets them say."""

import math
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from tutor.data.files import load_results
from tutor.display.controls import as_said
from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, SERIES
from tutor.display.style import SMALL
from tutor.explorers.lesson07_masking.a_fortune_teller import GUESSING
from tutor.mask import causal_keep
from tutor.say import later, say

NAMES = (
    *(later("no mask"), later("no mask, then the triangle"), later("mask and shift")),
    *(later("no shift"), later("no shift, no attention")),
)  # of the stored decoders
_HIDES = ("no mask, then the triangle", "mask and shift", "no shift", "no shift, no attention")
_CELL, _MIDDLE = (0.95, 0.8), 3.4
_MUST, _SAYS, _LOSS, _FULL, _TOP = 9.4, 11.0, 13.2, 3.4, 3.0


def the_culprit() -> Explorer:
    """Show where a decoder of random digits looks, what it says, and what that is worth.

    Example:
        >>> the_culprit().caption
        'no mask: 5 of 5 right, loss 0.0; weight on the digit it must say: 1.00 1.00 1.00 1.00 1.00'
    """
    stored = load_results("fortune_maps")["values"]
    digits: list[int] = stored["digits"]
    decoders: dict[str, dict[str, Any]] = stored["decoders"]
    said = len(digits) - 1
    names = [str(digit) for digit in digits]

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        table = d.matrix(
            np.zeros((said, said + 1)),
            (4.7, _MIDDLE),
            name=say("weights"),
            kind="attention",
            rows=names[:said],
            columns=names,
            asks=say("last read"),
            looked_at=say("looked at"),
            cell=_CELL,
            limit=1.0,
            decimals=2,
        )
        places = [table.cell(row, 0)[1] for row in range(said)]
        over = places[0] + 0.95
        d.words(say("must say"), (_MUST, over))
        d.words(say("says"), (_SAYS, over))
        due = [d.box("0", (_MUST, y), width=0.9, height=0.62, kind="neutral") for y in places]
        says = [d.box("0", (_SAYS, y), width=0.9, height=0.62, kind="attention") for y in places]
        foot = places[-1] - 0.4
        bar = d.bar((_LOSS, foot), limit=_TOP, full=_FULL, name=say("loss"), kind=SERIES[0])
        guess = foot + _FULL * GUESSING / _TOP
        d.link((_LOSS - 0.9, guess), (_LOSS + 0.9, guess), head=False, kind=HIGHLIGHT)
        d.words(say("guessing"), (_LOSS + 0.9, guess), size=SMALL, align="left")
        d.words(say("loss"), (_LOSS, over))

        def update(decoder: str) -> str:
            shown = decoders[decoder]
            target = digits[:said] if decoder.startswith("no shift") else digits[1:]
            table.set(_with_gaps(shown["weights"], decoder))
            table.dim(rows=range(said) if decoder.endswith("no attention") else ())
            for box, digit in zip(due, target, strict=True):
                box.write(str(digit))
            for box, digit, right in zip(says, shown["says"], target, strict=True):
                box.write(str(digit))
                box.light(digit != right)
            loss = shown["loss"]
            bar.set(min(loss, _TOP), f"{loss:.1f}")
            return _caption(decoder, shown, target)

        return update

    return live(
        draw,
        alt=say(
            "Left, the attention weights of a decoder that has read random digits, a row for each "
            "it must answer; hidden cells are hatched. In the middle, what it must say there and "
            "what it says; wrong digits have a frame. Right, its loss beside the loss of guessing."
        ),
        size=(8.0, 3.4),
        decoder=as_said(decoders),
    )


def _with_gaps(weights: list[list[float]], decoder: str) -> np.ndarray:
    """Hatch what a mask hides."""
    numbers = np.array(weights)
    if decoder in _HIDES:
        hidden = ~causal_keep(numbers.shape[1])[: len(numbers)].numpy()
        numbers[hidden] = -math.inf
    return numbers


def _caption(decoder: str, shown: dict[str, Any], target: list[int]) -> str:
    right = sum(a == b for a, b in zip(shown["says"], target, strict=True))
    shift = 0 if decoder.startswith("no shift") else 1
    on_answer = [row[place + shift] for place, row in enumerate(shown["weights"])]
    if decoder.endswith("no attention"):
        return say(
            "{decoder}: {right} of {count} right, loss {loss}; the weights are not used",
            decoder=say(decoder),
            right=right,
            count=len(target),
            loss=f"{shown['loss']:.1f}",
        )
    return say(
        "{decoder}: {right} of {count} right, loss {loss}; weight on the digit it must say: "
        "{weights}",
        decoder=say(decoder),
        right=right,
        count=len(target),
        loss=f"{shown['loss']:.1f}",
        weights=" ".join(f"{weight:.2f}" for weight in on_answer),
    )
