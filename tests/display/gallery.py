"""Ten diagrams of different kinds, each as short as a lesson would write it.

`tests/display/test_gallery.py` draws them all; `python tools/gallery.py FOLDER` makes files of
them, on light and dark, and as the colour-blind see them.
"""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.palette import HIGHLIGHT
from tutor.display.plots import Picture

BANK = ["the", "river", "bank"]
SCORES = np.array([[2.0, 4.0, 4.0], [4.0, 16.0, 12.0], [4.0, 12.0, 10.0]])
V = np.array([[1.0, 2.0, 3.0], [2.0, 8.0, 0.0], [2.0, 6.0, 3.0]])


def softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


WEIGHTS = softmax(SCORES / np.sqrt(3))


def unrolled_rnn() -> Picture:
    """An RNN's steps, and back through them arrows as wide as what is left of the gradient."""

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        words = d.tokens(["I", "love", "this", "river", "bank"], at=(8, 1), step=3)
        names = [f"h{n}" for n in "₁₂₃₄₅"]
        states = [d.box(n, (w.at[0], 2.6), width=1.3) for n, w in zip(names, words, strict=True)]
        for word, state in zip(words, states, strict=True):
            d.link(word, state)
        d.chain(states)
        left = [0.5**n for n in range(1, 5)]
        for (before, after), part in zip(pairwise(reversed(states)), left, strict=True):
            d.link(before.top, after.top, weight=part, kind=HIGHLIGHT, bend=0.25)
        d.words("what is left of the gradient, step by step back", (8, 4.5))
        return "after four steps back: " + f"{left[-1]:.3f}"

    return Picture(
        draw, alt="Five steps of a recurrent net; backward arrows get thinner.", size=(8, 2.6)
    )


def lstm_cell() -> Picture:
    """An LSTM's cell: the state runs straight on, three gates and a candidate act on it."""

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        forget, write, show = (
            d.node(sign, at) for sign, at in (("×", (5, 6)), ("+", (8, 6)), ("×", (12.4, 4.4)))
        )
        inner = d.node("×", (8, 4.4))
        gates = [
            d.box(words, (x, 2.9), width=2.1, kind=kind)
            for words, x, kind in (
                ("forget f", 5, "key"),
                ("input i", 7.4, "key"),
                ("candidate g", 9.8, "value"),
                ("output o", 12.4, "key"),
            )
        ]
        old, new = d.words("c, old", (1.5, 6)), d.words("c, new", (14.6, 6))
        hidden, shown = d.words("h, x", (1.5, 1.3)), d.words("h, new", (14.6, 4.4))
        d.chain([old, forget, write, new], kind=HIGHLIGHT, weight=0.25)
        for gate, node in zip(gates, (forget, inner, inner, show), strict=True):
            d.link(gate, node)
            d.link(hidden, gate, via=[(gate.at[0], 1.3)])
        d.link(inner, write)
        d.link((12.4, 6), show, words="tanh")
        d.link(show, shown)
        d.frame([*gates], "W", pad=0.3)
        return "the state passes W by"

    return Picture(
        draw,
        alt="A straight line carries c past all weights; gates multiply and add.",
        size=(8, 3.4),
    )


def look_up() -> Picture:
    """A one-hot row times a table is a row of the table."""
    table = np.round(np.linspace(-0.9, 0.9, 15).reshape(5, 3), 1)

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        words = ["Mina", "Joon", "drinks", "tea", "milk"]
        one_hot = d.matrix([[0, 0, 0, 1, 0]], name="one-hot", columns=words, cell=(0.95, 0.85))
        rows = d.matrix(table, name="table", rows=words, decimals=1)
        found = d.matrix(table[[3]], name="tea", kind="value", decimals=1)
        d.row(one_hot, "·", rows, "=", found, at=(8, 4))
        rows.dim(rows=[0, 1, 2, 4])
        rows.mark(row=3)
        one_hot.mark(column=3)
        return "row 4 of 5 is picked"

    return Picture(draw, alt="Zeros leave out every row of the table but one.", size=(8.0, 3.6))


def hidden_keys() -> Picture:
    """Scores, scores with −∞ above the diagonal, weights."""
    scaled = SCORES / np.sqrt(3)
    masked = np.where(np.tri(3, dtype=bool), scaled, -np.inf)

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        look = {"rows": BANK, "columns": BANK}
        parts = [
            d.matrix(scaled, name="scores", asks="who asks", **look),
            d.matrix(masked, name="masked", columns=BANK),
            d.matrix(
                softmax(masked),
                name="weights",
                kind="attention",
                columns=BANK,
                looked_at="is looked at",
            ),
        ]
        d.row(parts[0], "mask →", parts[1], "softmax →", parts[2], at=(8.2, 3.6))
        return "the first row keeps one weight: 1.00"

    return Picture(draw, alt="The future is hatched and gets no weight.", size=(8.2, 3.0))


def triangle_of_values() -> Picture:
    """An output is a point among the values, pulled by arms as thick as the weights."""

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        output = WEIGHTS[2] @ V
        places = [(1.2 + x, 1 + 0.6 * y) for _, x, y in (*V, output)]
        *corners, dot = [d.node("", place, kind="value", width=0.3) for place in places]
        aside = {"the": 1, "river": -1, "bank": 1}  # names stand outside the triangle
        for corner, word in zip(corners, BANK, strict=True):
            corner.name = word
            d.words(word, (corner.at[0], corner.at[1] + 0.45 * aside[word]), colour="value")
        for one, other in ((0, 1), (1, 2), (2, 0)):
            d.link(corners[one], corners[other], head=False)
        for corner, weight in zip(corners, WEIGHTS[2], strict=True):
            d.link(dot, corner, weight=weight, kind="attention", head=False)
        dot.name = "output of bank"
        dot.light()
        return f"bank's output: {output[1]:.2f} and {output[2]:.2f}"

    return Picture(draw, alt="The dot lies near river, on the way to bank.", size=(5.4, 2.1))


def residual_block() -> Picture:
    """A decoder layer: three sub-layers read the stream and add to it."""

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        stops = [d.words("x", (0.6, 1.4))]
        for n, name in enumerate(("masked\nattention", "cross-\nattention", "feed-forward")):
            x = 3.1 + 4.7 * n
            plus = d.node("+", (x + 1.9, 1.4))
            block = d.box(name, (x, 3.4), kind="attention" if n < 2 else "neutral")
            d.link((x - 1.9, 1.4), block, via=[(x - 1.9, 3.4)])
            d.link(block, plus, via=[(x + 1.9, 3.4)], words="note")
            stops.append(plus)
        d.chain([*stops, d.words("x′", (15.5, 1.4))], kind=HIGHLIGHT, weight=0.3)
        d.words("residual stream", (8, 0.7))
        return "three notes are added"

    return Picture(
        draw, alt="Three sub-layers copy from a stream and add back to it.", size=(8, 2.2)
    )


def cross_attention_ribbons() -> Picture:
    """Who, when writing a word, looked at which word read."""
    weights = np.array([[0.9, 0.05, 0.05], [0.1, 0.15, 0.75], [0.05, 0.9, 0.05]])

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        read = d.tokens(["I", "love", "her"], at=(8, 4.4), step=3.4, kind="key")
        written = d.tokens(["나는", "그녀를", "사랑한다"], at=(8, 1), step=3.4, kind="query")
        for word, row in zip(written, weights, strict=True):
            for looked_at, weight in zip(read, row, strict=True):
                d.ribbon(word, looked_at, weight)
        d.words("read", (1.6, 4.4))
        d.words("written", (1.6, 1))
        return "사랑한다 → love 0.90"

    return Picture(draw, alt="Ribbons cross: Korean has the verb last.", size=(8.0, 2.7))


def who_shares_a_mean() -> Picture:
    """Five norms, each with the cells that share a mean with the first."""
    shape = (4, 5, 6)  # sentences, positions, features
    sentence, position, feature = np.indices(shape)
    groups = {
        "batch": feature == 5,
        "layer": (sentence == 0) & (position == 0),
        "layer (image)": sentence == 0,
        "instance": (sentence == 0) & (feature == 5),
        "group": (sentence == 0) & (feature >= 3),
    }

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        for n, (name, cells) in enumerate(groups.items()):
            axes = ("batch", "positions", "features") if n == 0 else ("", "", "")
            cube = d.cube(shape, (2.0 + 3.1 * n, 2.6), cell=0.34, axes=axes, name=name)
            cube.light(cells)
        counts = [int(cells.sum()) for cells in groups.values()]
        return f"cells that share a mean: {', '.join(map(str, counts))} of {np.prod(shape)}"

    return Picture(draw, alt="Five blocks; in each other cells are coloured.", size=(8.0, 2.4))


def encoder_decoder() -> Picture:
    """One vector between encoder and decoder, or a look back at all states."""

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        read = d.tokens(["May", "3", "2024"], at=(3.6, 1.3), step=2)
        states = [
            d.box(f"h{n}", (word.at[0], 2.7), width=1.1, kind="key") for n, word in zip("₁₂₃", read)
        ]
        for word, state in zip(read, states, strict=True):
            d.link(word, state)
        d.chain(states)
        outputs = [
            d.box(f"s{n}", (x, 2.7), width=1.1, kind="query") for n, x in zip("₁₂₃", (10, 12, 14))
        ]
        written = d.tokens(["2024년", "5월", "3일"], at=(12, 1.3), step=2)
        d.chain(outputs)
        for output, word in zip(outputs, written, strict=True):
            d.link(output, word)
        context = d.box("context vector", (7.8, 2.7), width=1.8)
        d.chain([states[-1], context, outputs[0]])
        context.light()
        for state, weight in zip(states, (0.1, 0.2, 0.7), strict=True):
            d.ribbon(state, outputs[0], weight)
        d.frame([*read, *states], "encoder", side="below")
        d.frame([*outputs, *written], "decoder", side="below")
        return "the first word looks most at 2024"

    return Picture(draw, alt="A lit box between two nets; ribbons lead past it.", size=(8.0, 3.1))


def two_layer_circuit() -> Picture:
    """An induction head: layer 0 writes who stood before, layer 1 looks for it."""

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        letters = d.tokens(list("evbxnuygevb"), at=(8.0, 1), step=1.18)
        written = d.box("after b", (letters[3].at[0], 2.6), width=1.3, size=9, kind="key")
        asked = d.box("after b?", (letters[-1].at[0], 2.6), width=1.3, size=9, kind="query")
        d.link(letters[2], written, via=[(letters[2].at[0], 2.6)])
        d.link(letters[3], written)
        d.link(letters[-1], asked)
        d.ribbon(asked, written, 0.8)
        answer = d.box("x", (15.4, 2.6), width=0.8, name="next letter")
        answer.light()
        letters[3].light()
        d.link(asked, answer)
        for words, y in (("letters", 1), ("layer 0", 2.6), ("layer 1", 4.6)):
            d.words(words, (0.2, y), size=10, align="left")
        return "the first b was followed by x"

    return Picture(draw, alt="The last b asks for what came after a b.", size=(8, 2.8))


GALLERY: tuple[Callable[[], Picture], ...] = (
    unrolled_rnn,
    lstm_cell,
    look_up,
    hidden_keys,
    triangle_of_values,
    residual_block,
    cross_attention_ribbons,
    who_shares_a_mean,
    encoder_decoder,
    two_layer_circuit,
)
