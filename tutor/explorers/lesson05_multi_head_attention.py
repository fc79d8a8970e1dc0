"""Lesson 5's live pictures: heads and their widths, heads of a real model, heads taken out."""

from typing import Any

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from tutor.attention import scaled_dot_product_attention
from tutor.data.files import load_results
from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import ATTENTION, HIGHLIGHT, INK, NEUTRAL, SERIES, colour_map
from tutor.explorers.film import cut_then_turn
from tutor.explorers.head_maps import HEADS, LAYERS, HeadPicture, cut, four_heads, label_heads
from tutor.explorers.letter_heads import (
    behind_without,
    circuit,
    copying,
    looking_back,
    right_without,
    switchboard,
)
from tutor.explorers.worked_example import W_K, W_Q, W_V, WORDS, X
from tutor.training.pretrained import INSTALL, attention_map, is_installed, stored_attention

__all__ = [
    "EXPLORERS",
    "behind_without",
    "circuit",
    "copying",
    "four_heads",
    "looking_back",
    "right_without",
]

_HOW_TO_INSTALL = f"Not a stored sentence. For your own: {INSTALL}, restart the kernel"

# The worked example's second head and its output projection; the first head is lesson 4's.
W_Q1 = torch.tensor([[0.0, 1, 0], [1, 0, 0], [0, 0, 0], [1, 0, 1]])
W_K1 = torch.tensor([[1.0, 0, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0]])
W_V1 = torch.tensor([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]])
W_O = torch.tensor(
    [[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 1, 0, 0], [1, 0, 0, 0]]
)


def sum_of_heads() -> Explorer:
    """Take a head out of the worked example and see what is left of the output.

    Example:
        >>> sum_of_heads().frame(head_0=True, head_1=False).caption
        'River becomes 2.00, 7.81, 0.27, 0.00 with head 0 alone'
    """
    shares = [
        scaled_dot_product_attention(X @ W_q, X @ W_k, X @ W_v)[0] @ rows  # (3, 3) @ (3, 4)
        for W_q, W_k, W_v, rows in ((W_Q, W_K, W_V, W_O[:3]), (W_Q1, W_K1, W_V1, W_O[3:]))
    ]

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        tokens = list(WORDS)
        look: dict[str, Any] = {"kind": "value", "limit": 10, "decimals": 2, "cell": (0.92, 0.85)}
        maps = [
            d.matrix(shares[0], name=name, rows=rows, **look)
            for name, rows in (("from head 0", tokens), ("from head 1", []), ("output", []))
        ]
        d.row(maps[0], "+", maps[1], "=", maps[2], at=(8, 2.0))

        def update(head_0: bool, head_1: bool) -> str:
            kept = [share * on for share, on in zip(shares, (head_0, head_1), strict=True)]
            output = kept[0] + kept[1]  # (3, 4)
            for matrix, numbers in zip(maps, (*kept, output), strict=True):
                matrix.set(numbers)
            row = ", ".join(f"{number:.2f}" for number in output[1].tolist())
            on = [f"head {head}" for head, there in enumerate((head_0, head_1)) if there]
            which = {0: "no head", 1: f"{(on or [''])[0]} alone", 2: "both heads"}[len(on)]
            return f"River becomes {row} with {which}"

        return update

    return live(
        draw,
        alt=(
            "Three small maps: what head 0 adds to the output, what head 1 adds, and their sum, "
            "the output. A head that is taken out adds zeros, and the other's numbers stay."
        ),
        size=(8.0, 2.2),
        head_0=True,
        head_1=True,
    )


def head_widths() -> Explorer:
    """Show how h heads share the features of a token, and what stays and what grows with h.

    Example:
        >>> head_widths().frame(h=8).caption[:39]
        'h = 8: each head is 512 / 8 = 64 wide; '
    """
    values = load_results("heads_time")["values"]
    counts, width = values["heads"], values["d_model"]

    def draw(fig: Figure, **_start: Any) -> Update:
        strip, below = fig.subplots(2, 1, height_ratios=[1, 2.6])
        image = strip.imshow(
            np.zeros((1, width)), cmap=colour_map("query"), vmin=0, vmax=1, aspect="auto"
        )
        strip.set(title=f"the {width} features of a token's query, a block for each head")
        strip.set_yticks([])
        strip.set_xticks([0, width // 2, width])
        _draw_costs(below, values)
        here = below.axvline(8, color=HIGHLIGHT, linewidth=6, alpha=0.35)

        def update(h: int) -> str:
            blocks = (np.arange(width) // (width // h)) % 2  # neighbours differ
            image.set_data(0.25 + 0.5 * blocks[None])
            here.set_xdata([h, h])
            place = counts.index(h)
            return (
                f"h = {h}: each head is {width} / {h} = {width // h} wide; "
                f"{values['parameters'][place]:,} parameters; "
                f"{values['weights'][place]:,} attention weights"
            )

        return update

    return live(
        draw,
        alt=(
            "Above, the features of a token cut into equal blocks, one for each head. Below, three "
            "curves against the number of heads, relative to one head: the parameters stay "
            "level, the attention weights grow in proportion, and the time of the core grows too."
        ),
        h=(counts, 8),
    )


def real_heads() -> Explorer:
    """Show who looks at whom in one of MiniLM's 72 heads, for a stored or a typed sentence.

    Example:
        >>> real_heads().frame(layer=2, head=9).caption
        'Head 2.9: largest weight between words: cat → cat .77. On [CLS]: .64 of its weight'
    """
    sentences = list(stored_attention())
    menu = [(_short(sentence), sentence) for sentence in sentences]

    def draw(fig: Figure, **_start: Any) -> Update:
        picture = HeadPicture(fig)

        def update(sentence: str, typed: str, layer: int, head: int) -> str:
            wanted = typed.strip() or sentence
            if wanted not in sentences and not is_installed():
                picture.show_nothing(layer, head)
                return _HOW_TO_INSTALL
            return picture.show(cut(attention_map(wanted)), layer, head)

        return update

    return live(
        draw,
        alt=(
            "At the left a map with a row for each word that asks and a column for each word "
            "looked at: the darker, the more weight. At the right the maps of all 72 heads, small, "
            "a row for each layer; a frame marks the head that is shown."
        ),
        columns=4,
        size=(8.0, 2.6),
        labels={"typed": "or type one"},
        kept={"sentence": sentences[:2]},
        sentence=menu,
        typed="",
        layer=(0, LAYERS - 1, 1, 0),
        head=(0, HEADS - 1, 1, 2),
    )


def prune_heads() -> Explorer:
    """Take more and more heads out of MiniLM, in three orders; all from stored measurements.

    Example:
        >>> prune_heads().frame(order="at random", out=36).caption
        '36 of 72 heads out: 51 of 80 sentences still find their paraphrase; 55 with all heads'
    """
    values = load_results("pruned_heads")["values"]
    orders = {
        "least change first": (values["order"], values["found"]["least change first"]),
        "most change first": (values["order"][::-1], values["found"]["most change first"]),
        "at random": (values["drawn orders"][0], values["found, drawn"][0]),
    }
    counts, sentences = values["counts"], values["sentences"]

    def draw(fig: Figure, **_start: Any) -> Update:
        left, right = fig.subplots(1, 2, width_ratios=[1.25, 1])
        crosses = _draw_all_heads(left, np.array(values["change"]).reshape(LAYERS, HEADS))
        for (name, (_, found)), colour in zip(orders.items(), SERIES[:3], strict=True):
            right.plot(counts, [sentences * f for f in found], ".-", color=colour, label=name)
        right.set(ylim=(0, sentences), xlabel="heads out", title="paraphrases found, of 80")
        right.set_xticks(range(0, 73, 12))
        right.legend(loc="lower left")
        (here,) = right.plot([], [], "o", markersize=14, fillstyle="none", color=HIGHLIGHT)

        def update(order: str, out: int) -> str:
            gone, found = orders[order][0][:out], orders[order][1]
            for number, cross in enumerate(crosses):
                cross.set_visible(number in gone)
            now = round(sentences * found[counts.index(out)])
            here.set_data([out], [now])
            return (
                f"{out} of {LAYERS * HEADS} heads out: {now} of {sentences} sentences still find "
                f"their paraphrase; {round(sentences * found[0])} with all heads"
            )

        return update

    return live(
        draw,
        alt=(
            "At the left all 72 heads, darker where taking the head out alone changes the "
            "sentence vectors more: most in layer 5. Crosses mark the heads that are out. At the "
            "right three curves of paraphrases found: level at first, then falling, never to 0."
        ),
        order=list(orders),
        out=(counts, 24),
    )


def _draw_all_heads(ax: Axes, change: np.ndarray) -> list[Line2D]:
    """Draw what taking out each head alone changes, and give the crosses that strike heads out."""
    ax.imshow(change, cmap=colour_map("neutral"), vmin=0, vmax=change.max())
    label_heads(ax, "change when this head alone is out")
    return [
        ax.plot(column, row, "x", color=HIGHLIGHT, markersize=9)[0]
        for row in range(LAYERS)
        for column in range(HEADS)
    ]


def _draw_costs(ax: Axes, values: dict[str, Any]) -> None:
    """Draw what depends on the number of heads, each relative to one head."""
    for name, label, colour in (
        ("parameters", "parameters", NEUTRAL),
        ("weights", "attention weights", ATTENTION),
        ("core milliseconds", "time of the core, measured", INK),
    ):
        ax.plot(
            values["heads"],
            [number / values[name][0] for number in values[name]],
            marker=".",
            color=colour,
            label=label,
        )
    ax.set_xscale("log", base=2)
    ax.set_yscale("log", base=2)
    ax.set_xticks(values["heads"], [str(h) for h in values["heads"]])
    ax.set_yticks([1, 4, 16, 64], ["1", "4", "16", "64"])
    ax.set(xlabel="number of heads, h", ylabel="times one head's")
    ax.grid(visible=True)
    ax.legend(loc="upper left")


def _short(sentence: str) -> str:
    return sentence if len(sentence) <= 44 else f"{sentence[:18]}… {sentence[-22:]}"


EXPLORERS = (real_heads, sum_of_heads, cut_then_turn, switchboard, head_widths, prune_heads)
