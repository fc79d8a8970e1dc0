"""Five words that cross over on their way into attention, and their outputs."""

from typing import Any

from matplotlib.figure import Figure

from tutor.display.controls import as_said
from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import SERIES
from tutor.display.parts import glide
from tutor.say import data, later, say

_WORDS = ("Mina", "gave", "Joon", "hot", "tea")
_STAYS = later("as it stands")
_ORDERS = {
    _STAYS: (0, 1, 2, 3, 4),
    later("two words exchanged"): (2, 1, 0, 3, 4),
    later("backwards"): (4, 3, 2, 1, 0),
}


def crossing() -> Explorer:
    """Let five words cross over on their way into attention, and their outputs come out.

    Example:
        >>> crossing().frame(order="backwards", step=3).caption
        'In: tea hot Joon gave Mina. Out, in the same order: the output of each of these words.'
    """
    across = [2.4 + 2.8 * place for place in range(len(_WORDS))]

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        attention = d.box(say("attention"), (8, 3.3), width=13, height=0.9, kind="attention")
        words = [
            d.box(data(word), (x, 1), width=1.7, kind=colour)
            for word, x, colour in zip(_WORDS, across, SERIES, strict=False)
        ]
        outputs = [
            d.box(say("out: {word}", word=word), (x, 5.4), width=2.3, kind=colour)
            for word, x, colour in zip(_WORDS, across, SERIES, strict=False)
        ]
        inward = [d.link(word, (word.at[0], attention.bottom[1])) for word in words]
        outward = [
            d.link((x, attention.top[1]), out) for x, out in zip(across, outputs, strict=True)
        ]

        def update(order: str, step: int) -> str:
            places = [_ORDERS[order].index(number) for number in range(len(_WORDS))]
            for number, place in enumerate(places):
                share = (0.0, 0.3, 1.0, 1.0)[step]
                x, y = glide((across[number], 1.0), (across[place], 1.0), share)
                if step == 1 and order != _STAYS:  # on the way, every other word is higher
                    y += 0.75 if number % 2 else -0.4
                words[number].move(x, y)
                outputs[number].move(across[place], 5.4)
                outward[number].start = (across[place], attention.top[1])
                outward[number].follow()
                for part in (inward[number], outward[number], outputs[number]):
                    part.show(step == 3)
                inward[number].show(step >= 2)
                inward[number].end = (x, attention.bottom[1])
                inward[number].follow()
            entered = " ".join(_WORDS[number] for number in _ORDERS[order])
            if step < 3:
                return say("Step {step} of 3. In: {words}.", step=step, words=entered)
            return say(
                "In: {words}. Out, in the same order: the output of each of these words.",
                words=entered,
            )

        return update

    return live(
        draw,
        alt=say(
            "Five words cross over to a new order and go through attention. Their outputs come out "
            "in the new order, each above its word."
        ),
        size=(8.0, 3.1),
        play="step",
        order=(as_said(_ORDERS), "backwards"),
        step=(0, 3, 1, 2),  # the outputs are what is asked for
    )
