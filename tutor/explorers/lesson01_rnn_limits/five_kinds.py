"""The five kinds of recurrent nets, by their inputs and outputs."""

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.palette import HIGHLIGHT
from tutor.display.plots import Picture
from tutor.display.style import SMALL
from tutor.explorers.lesson01_rnn_limits.subscripts import SUBSCRIPTS
from tutor.say import later, say

# steps, which of them have an input, which an output with a target
_KINDS = (
    (later("one to one"), later("a price → a class"), 1, (0,), (0,)),
    (later("one to many"), later("picture → words"), 3, (0,), (0, 1, 2)),
    (later("many to one"), later("review → good?"), 3, (0, 1, 2), (2,)),
    (later("many to many,\naligned"), later("text → next words"), 3, (0, 1, 2), (0, 1, 2)),
    (later("many to many,\nshifted"), later("English → French"), 4, (0, 1), (2, 3)),
)


def five_kinds() -> Picture:
    """Draw the five kinds of recurrent nets by their inputs and outputs."""

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        left = 0.25
        for name, example, steps, inputs, outputs in _KINDS:
            wide = max(0.85 * steps, 2.4)
            middle = left + wide / 2
            places = [middle + 0.85 * (step - (steps - 1) / 2) for step in range(steps)]
            states = [d.box("", (x, 2.9), width=0.5, height=0.5) for x in places]
            d.chain(states)
            for step in inputs:
                d.link(d.node("$x$", (places[step], 1.6), width=0.5), states[step])
            for number, step in enumerate(outputs, 1):
                out = d.node("$y$", (places[step], 4.1), width=0.5, kind="value")
                d.link(states[step], out)
                d.words(
                    f"L{SUBSCRIPTS[number]}", (places[step], 4.75), size=SMALL, colour=HIGHLIGHT
                )
            d.words(say(name), (middle, 5.7), size=SMALL)
            d.words(say(example), (middle, 0.7), size=SMALL)
            left += wide + 0.45
        return say("The loss is the sum over the steps with a target: L = L₁ + L₂ + …")

    return Picture(
        draw,
        alt=say(
            "Five small nets: one to one, one to many, many to one, many to many aligned, and many "
            "to many shifted, where two inputs are read before two outputs are written. Every "
            "output with a target has a loss."
        ),
        size=(8.0, 3.2),
    )
