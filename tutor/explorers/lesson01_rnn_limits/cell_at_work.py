"""An LSTM's cell at work, lit up part by part."""

import math
from typing import Any

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT
from tutor.display.regions import touch
from tutor.display.style import SMALL
from tutor.say import say

_OLD, _INPUT, _CANDIDATE, _OUTPUT = 1.0, 0.6, -0.5, 0.8
_ADDED = 4  # the part at which the new cell is made


def cell_at_work() -> Explorer:
    """Draw a plain cell, and beside it an LSTM's, which lights up part by part.

    Example:
        >>> cell_at_work().frame(part=4, forget=0.5).caption
        'Part 4 of 6, c = f · c + i · g: 0.50 · 1.00 + 0.60 · (−0.50) = 0.20.'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        _plain_cell(d)
        keep, add, show = (
            d.node(sign, at)
            for sign, at in (("×", (7.4, 4.9)), ("+", (10.3, 4.9)), ("×", (13.4, 3.7)))
        )
        write = d.node("×", (10.3, 3.7))
        names = (
            (say("forget f"), 7.4, "key"),
            (say("input i"), 9.3, "key"),
            (say("candidate g"), 11.3, "value"),
            (say("output o"), 13.4, "key"),
        )
        gates = [d.box(name, (x, 2.4), width=1.8, kind=kind, size=SMALL) for name, x, kind in names]
        old, end = d.words("$c$", (5.8, 4.9)), d.words("$c$", (15.3, 4.9))
        d.words(f"$c$ = {_OLD:.2f}", (5.9, 5.55))
        new = d.words("", (14.7, 5.55))
        entering, shown = d.words("$h$, $x$", (5.8, 1.0)), d.words("$h$", (15.3, 3.7))
        line = d.chain([old, keep, add, end], kind=HIGHLIGHT, weight=0.3)
        for gate, node in zip(gates, (keep, write, write, show), strict=True):
            d.link(gate, node)
            d.link(entering, gate, via=[(gate.at[0], 1.0)])
        d.link(write, add)
        d.link((13.4, 4.9), show, words=say("tanh"))
        d.link(show, shown)
        d.frame(gates, pad=0.25)
        d.words(say("four W"), (15.25, 2.4))
        d.words(say("LSTM: past W"), (8.9, 5.8), colour=HIGHLIGHT)
        lit = [[], [gates[0], keep], [gates[1], gates[2], write], [add], [gates[3], show], []]
        for number, group in enumerate(lit, 1):
            for box in group:
                touch(box, part=number)

        def update(part: int, forget: float) -> str:
            for number, group in enumerate(lit, 1):
                for box in group:
                    box.light(number == part)
            line[1].set(0.3 * forget)  # as wide as what is kept
            made = f"$c$ = {_new_cell(forget):.2f}".replace("-", "−")
            new.write(made if part >= _ADDED else "")  # not before the caption says so
            return say("Part {part} of 6, {work}", part=part, work=_work(part, forget))

        return update

    return live(
        draw,
        alt=say(
            "Left, a plain cell: its state runs through the weights and tanh. Right, an LSTM's "
            "cell, drawn alike. The cell state runs on a straight line past the weights; on its "
            "way the forget gate multiplies it and input gate times candidate is added. Below, the "
            "output gate decides what is shown. One part after the other lights up, and the line "
            "is as wide as what the forget gate keeps."
        ),
        size=(8.0, 3.1),
        play="part",
        pace=1.5,
        part=(1, 6, 1, 1),
        forget=([0.0, 0.5, 0.9, 1.0], 0.9),
        labels={"forget": say("forget gate f")},
    )


def _plain_cell(d: Diagram) -> None:
    """Draw the cell of a plain RNN in the same hand."""
    old, new = d.words("$h$", (0.7, 4.9)), d.words("$h$", (4.3, 4.9))
    box = d.box(say("W, tanh"), (2.5, 4.9), width=1.8)
    d.chain([old, box, new], kind=HIGHLIGHT, weight=0.3)
    d.link(d.words("$x$", (2.5, 1.0)), box)
    d.words(say("RNN: through W"), (2.5, 5.8), colour=HIGHLIGHT)


def _new_cell(forget: float) -> float:
    return forget * _OLD + _INPUT * _CANDIDATE


def _work(part: int, forget: float) -> str:
    """Say in numbers what a part does."""
    cell = _new_cell(forget)
    return (
        say("what comes in: c = {c:.2f}; h and x go through W.", c=_OLD),
        say(
            "forget: {f:.2f} · {c:.2f} = {kept:.2f} is kept.", f=forget, c=_OLD, kept=forget * _OLD
        ),
        say(
            "write: i · g = {i:.2f} · (−{g:.2f}) = −{product:.2f}.",
            i=_INPUT,
            g=-_CANDIDATE,
            product=-_INPUT * _CANDIDATE,
        ),
        say(
            "c = f · c + i · g: {f:.2f} · {c:.2f} + {i:.2f} · (−{g:.2f}) = {new:.2f}.",
            f=forget,
            c=_OLD,
            i=_INPUT,
            g=-_CANDIDATE,
            new=cell,
        ).replace("= -", "= −"),
        say(
            "show: h = o · tanh(c) = {o:.2f} · {t:.2f} = {h:.2f}.",
            o=_OUTPUT,
            t=math.tanh(cell),
            h=_OUTPUT * math.tanh(cell),
        ).replace(" -", " −"),
        say("the next step starts from c = {new:.2f}, and never went through W.", new=cell),
    )[part - 1]
