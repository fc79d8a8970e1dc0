"""A recurrent net unfolded, one box a word."""

from typing import Any

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT
from tutor.display.style import SMALL
from tutor.explorers.lesson01_rnn_limits.subscripts import SUBSCRIPTS
from tutor.say import data, say

_SENTENCE = ("Mina", "drinks", "tea", "every", "day")


def unfolding() -> Explorer:
    """Pull the loop of a recurrent net apart, one box a word.

    Example:
        >>> unfolding().frame(words=3).caption
        'h₃ = f(f(f(h₀, x₁), x₂), x₃). Matrices to learn: 3, W_xh, W_hh and W_hy.'
    """
    last = len(_SENTENCE)
    across = [6.0 + 2.2 * step for step in range(last)]

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        loop = d.box("$h$", (1.6, 3.0), width=1.2)
        d.link(d.words("$x$", (1.6, 1.0)), loop, words=say("W_xh"))
        d.link(loop, d.words("$y$", (1.6, 5.0)), words=say("W_hy"))
        d.link(loop.right, (2.0, 3.4), via=[(2.9, 3.0), (2.9, 4.3), (2.0, 4.3)])
        d.words(say("W_hh"), (3.4, 3.8))
        d.words(say("the loop"), (1.6, 0.3), size=SMALL)
        d.words(say("the same loop, unfolded"), (across[2], 0.3), size=SMALL)
        start = d.words("h₀", (3.7, 3.0))
        parts = []
        before: Any = start
        for step, (word, x) in enumerate(zip(_SENTENCE, across, strict=True), 1):
            state = d.box(f"h{SUBSCRIPTS[step]}", (x, 3.0), width=1.2)
            read = d.words(f"x{SUBSCRIPTS[step]} {data(word)}", (x, 1.0))
            out = d.words(f"y{SUBSCRIPTS[step]}", (x, 5.0))
            links = [
                d.link(before, state, kind=HIGHLIGHT, words=say("W_hh")),
                d.link(read, state, words=say("W_xh")),
                d.link(state, out, words=say("W_hy")),
            ]
            parts.append([state, read, out, *links])
            before = state

        def update(words: int) -> str:
            nested = "h₀"
            for step, group in enumerate(parts, 1):
                for part in group:
                    part.show(step <= words)
                if step <= words:
                    nested = f"f({nested}, x{SUBSCRIPTS[step]})"
            return say(
                "h{step} = {nested}. Matrices to learn: 3, W_xh, W_hh and W_hy.",
                step=SUBSCRIPTS[words],
                nested=nested,
            )

        return update

    return live(
        draw,
        alt=say(
            "At the left a state with an arrow back to itself; at the right the same net "
            "unfolded, a state for each word, the same three matrices on every step's arrows."
        ),
        size=(8.0, 2.7),
        words=(1, last, 1, 3),
    )
