"""Recurrent nets drawn: unfolded, in five kinds, with a context vector, and as a staircase."""

from typing import Any

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT
from tutor.display.plots import Picture
from tutor.say import say

_SENTENCE = ("Mina", "drinks", "tea", "every", "day")
_LOW = "₀₁₂₃₄₅₆₇₈₉"


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
        loop = d.box("h", (1.6, 3.0), width=1.2)
        d.link(d.words("x", (1.6, 1.0)), loop, words="W_xh")
        d.link(loop, d.words("y", (1.6, 5.0)), words="W_hy")
        d.link(loop.right, (2.0, 3.4), via=[(2.9, 3.0), (2.9, 4.3), (2.0, 4.3)], words="W_hh")
        d.words("the loop", (1.6, 0.3), size=10)
        d.words("the same loop, unfolded", (across[2], 0.3), size=10)
        start = d.words("h₀", (3.7, 3.0))
        parts = []
        before: Any = start
        for step, (word, x) in enumerate(zip(_SENTENCE, across, strict=True), 1):
            state = d.box(f"h{_LOW[step]}", (x, 3.0), width=1.2)
            read = d.words(f"x{_LOW[step]} {word}", (x, 1.0))
            out = d.words(f"y{_LOW[step]}", (x, 5.0))
            links = [
                d.link(before, state, kind=HIGHLIGHT, words="W_hh"),
                d.link(read, state, words="W_xh"),
                d.link(state, out, words="W_hy"),
            ]
            parts.append([state, read, out, *links])
            before = state

        def update(words: int) -> str:
            nested = "h₀"
            for step, group in enumerate(parts, 1):
                for part in group:
                    part.show(step <= words)
                if step <= words:
                    nested = f"f({nested}, x{_LOW[step]})"
            return say(
                "h{step} = {nested}. Matrices to learn: 3, W_xh, W_hh and W_hy.",
                step=_LOW[words],
                nested=nested,
            )

        return update

    return live(
        draw,
        alt=(
            "At the left a state with an arrow back to itself; at the right the same net "
            "unfolded, a state for each word, the same three matrices on every step's arrows."
        ),
        size=(8.0, 2.7),
        words=(1, last, 1, 3),
    )


# steps, which of them have an input, which an output with a target
_KINDS = (
    ("one to one", "a price → a class", 1, (0,), (0,)),
    ("one to many", "picture → words", 3, (0,), (0, 1, 2)),
    ("many to one", "review → good?", 3, (0, 1, 2), (2,)),
    ("many to many,\naligned", "text → next words", 3, (0, 1, 2), (0, 1, 2)),
    ("many to many,\nshifted", "English → French", 4, (0, 1), (2, 3)),
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
                d.link(d.node("x", (places[step], 1.6), width=0.5), states[step])
            for number, step in enumerate(outputs, 1):
                out = d.node("y", (places[step], 4.1), width=0.5, kind="value")
                d.link(states[step], out)
                d.words(f"L{_LOW[number]}", (places[step], 4.75), size=9, colour=HIGHLIGHT)
            d.words(name, (middle, 5.7), size=10)
            d.words(example, (middle, 0.7), size=8.5)
            left += wide + 0.45
        return say("The loss is the sum over the steps with a target: L = L₁ + L₂ + …")

    return Picture(
        draw,
        alt=(
            "Five small nets: one to one, one to many, many to one, many to many aligned, and many "
            "to many shifted, where two inputs are read before two outputs are written. Every "
            "output with a target has a loss."
        ),
        size=(8.0, 3.2),
    )


def encoder_and_decoder() -> Explorer:
    """Show the one vector between encoder and decoder, and arrows past it.

    Example:
        >>> encoder_and_decoder().frame(look_back=True).caption
        'Ways from the encoder to each word that is written: 3.'
    """
    source, target = ("Mina", "and", "Joon"), ("Mina", "et", "Joon")

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        read = [d.box(f"h{_LOW[n]}", (1.9 * n - 0.6, 2.8), width=1.1) for n in (1, 2, 3)]
        written = [d.box(f"s{_LOW[n]}", (8.9 + 1.9 * n, 2.8), width=1.1) for n in (1, 2, 3)]
        context = d.box("context\nvector", (8.0, 2.8), width=1.6, height=1.2)
        context.light()
        d.chain(read)
        d.link(read[-1], context, kind=HIGHLIGHT, weight=0.3)
        d.link(context, written[0], kind=HIGHLIGHT, weight=0.3)
        d.chain(written)
        for word, state in zip(source, read, strict=True):
            d.link(d.words(word, (state.at[0], 1.1)), state)
        for word, state in zip(target, written, strict=True):
            d.link(state, d.words(word, (state.at[0], 4.5)))
        d.frame(read, "encoder")
        d.frame(written, "decoder")
        asks = written[1].at[0] - 0.3
        backs = [
            d.link(
                state.top,
                (asks, 3.2),
                kind="attention",
                via=[(state.at[0], 5.1 + 0.12 * n), (asks, 5.1 + 0.12 * n)],
            )
            for n, state in enumerate(read)
        ]

        def update(look_back: bool) -> str:
            for link in backs:
                link.show(look_back)
            return say(
                "Ways from the encoder to each word that is written: {count}.",
                count=len(read) if look_back else 1,
            )

        return update

    return live(
        draw,
        alt=(
            "An encoder of three states hands one vector, the context vector, to a decoder of "
            "three states. With look back on, arrows lead from every encoder state to the state "
            "that writes; drawn for the second word."
        ),
        size=(8.0, 2.9),
        look_back=False,
        labels={"look_back": "look back"},
    )


def who_waits() -> Picture:
    """Draw n steps one after the other beside one step in which all words meet."""
    words = ("Mina", "drinks", "tea", "every", "day", "here")

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        stairs = [
            d.box(f"h{_LOW[n]}", (0.9 + 1.15 * n, 0.9 + 0.72 * n), width=0.9, height=0.55)
            for n in range(1, len(words) + 1)
        ]
        d.chain(stairs, kind=HIGHLIGHT)
        d.words("recurrent: step after step", (4.5, 0.5), size=10)
        below = [d.node("", (10 + n, 1.7), width=0.45) for n in range(len(words))]
        above = [d.node("", (10 + n, 4.6), width=0.45) for n in range(len(words))]
        for start in below:
            for end in above:
                d.link(start, end, kind="attention", head=False)
        d.words("attention: one step, all at once", (12.5, 0.5), size=10)
        return say(
            "Steps that must wait for each other: {steps} and 1. Pairs compared: {pairs}.",
            steps=len(words),
            pairs=len(words) ** 2,
        )

    return Picture(
        draw,
        alt=(
            "Left, six states as a staircase, each waiting for the one before. Right, six words "
            "below and six above, joined all with all in one layer."
        ),
        size=(8.0, 2.9),
    )
