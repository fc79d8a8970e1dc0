"""The three steps of attention, in lesson 1's GRU and in a decoder layer."""

from typing import Any

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, NEUTRAL
from tutor.display.style import SMALL, TITLE
from tutor.say import say

_SOURCE = ("I", "love", "her", "<eos>")
_STEPS = (
    ("", "Step 0: both have read the source; one vector for each of its 4 words"),
    ("asks", "Step 1: the decoder asks, and each of the 4 words gets a score"),
    ("answer", "Step 2: softmax makes weights of the 4 scores; the 4 vectors answer"),
    ("returns", "Step 3: the weighted sum, 1 vector, returns to the one who asked"),
)


def then_and_now() -> Explorer:
    """Show the three steps of attention in lesson 1's GRU and in a decoder layer.

    Example:
        >>> then_and_now().frame(step=1).caption
        'Step 1: the decoder asks, and each of the 4 words gets a score'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        panels = [
            _Panel(
                d, 0.3, say("lesson 1: two GRUs"), ["h₁", "h₂", "h₃", "h₄"], "$s$", chained=True
            ),
            _Panel(d, 8.3, say("a decoder layer"), ["z₁", "z₂", "z₃", "z₄"], "$x$", chained=False),
        ]

        def update(step: int) -> str:
            for panel in panels:
                panel.show(step)
            return say(_STEPS[step][1])

        return update

    return live(
        draw,
        alt=say(
            "Left, the GRU encoder and decoder of lesson 1, right, encoder and decoder of the "
            "Transformer. In both the decoder asks the source's vectors, these answer, each with "
            "its weight, and the sum returns to the decoder. The arrows of this step are lit."
        ),
        size=(8.0, 3.3),
        play="step",
        pace=2.0,
        step=(0, 3, 1, 2),
    )


class _Panel:
    """Encoder and decoder with attention between them."""

    def __init__(
        self, d: Diagram, left: float, title: str, states: list[str], asks: str, *, chained: bool
    ) -> None:
        d.words(title, (left + 2.9, 6.1), size=TITLE, bold=True)
        words = d.tokens(_SOURCE, (left + 2.9, 0.45), step=1.5, size=SMALL)
        rows = [
            d.node(state, (word.at[0], 2.35)) for state, word in zip(states, words, strict=True)
        ]
        if chained:
            d.chain(rows)
            for word, row in zip(words, rows, strict=True):
                d.link(word, row)
        else:
            encoder = d.box(say("encoder"), (left + 2.9, 1.42), width=6.0, height=0.5, size=SMALL)
            for word, row in zip(words, rows, strict=True):
                d.link(word, (word.at[0], encoder.bottom[1]))
                d.link((word.at[0], encoder.top[1]), row)
        asking = d.node(asks, (left + 6.6, 4.6))
        d.words(say("decoder"), (left + 6.3, 5.3), size=SMALL)
        total = d.node("Σ", (left + 2.9, 4.6))
        self._links = {
            "asks": [
                d.link(asking, row, via=[(asking.at[0], 3.2), (row.at[0], 3.2)]) for row in rows
            ],
            "answer": [d.link(row, total) for row in rows],
            "returns": [d.link(total, asking)],
        }
        self._words = {
            "asks": d.words(say("1 asks"), (left + 5.9, 3.5)),
            "answer": d.words(say("2 answer"), (left + 0.7, 3.9)),
            "returns": d.words(say("3 returns"), (left + 4.6, 4.95)),
        }

    def show(self, step: int) -> None:
        """Light the arrows of this step; those that come later are not there yet."""
        for number, (name, links) in enumerate(self._links.items(), 1):
            for link in links:
                link.paint(HIGHLIGHT if number == step else NEUTRAL)
                link.show(number <= step)
            self._words[name].show(number <= step)
            self._words[name].text.set_fontweight("bold" if number == step else "normal")
