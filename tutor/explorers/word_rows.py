"""Lesson 2's pictures of a table's rows: picked, compared, paired with their company, learning."""

import math
from typing import Any

import torch
import torch.nn.functional as F
from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, NEUTRAL, SERIES
from tutor.embedding import Vocabulary, encode_batch, window_pairs
from tutor.say import say

_NAMES = ("this", "is", "my", "car", "red", "fast")
_TABLE = torch.tensor(
    [
        [0.4, -1.2, 0.3, 0.8],
        [-0.7, 0.1, 1.1, -0.4],
        [1.3, 0.6, -0.2, 0.5],
        [-0.1, 0.9, -1.4, 0.2],
        [0.8, -0.5, 0.7, -1.0],
        [-1.1, 0.2, 0.6, 1.2],
    ]
)
_OUTPUTS = ("its own table", "tied")


def picking_a_row() -> Explorer:
    """Show a word's row picked from a table: as a product with a one-hot row, or looked up.

    Example:
        >>> picking_a_row().frame(word="car").caption
        'id 3, car: 24 multiplications, 20 of them by zero.'
    """
    count, width = _TABLE.shape

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        hot = d.matrix(
            torch.zeros(1, count), name="one-hot", cell=(0.62, 0.62), limit=2, kind="key"
        )
        table = d.matrix(_TABLE, name="table", rows=_NAMES, cell=(0.95, 0.62), decimals=1)
        row = d.matrix(_TABLE[:1], name="its row", cell=(0.95, 0.62), decimals=1, limit=1.4)
        _, dot, _, equals, _ = d.row(hot, "·", table, "=", row, at=(7.9, 2.35))
        x, y = hot.at
        name = d.words("", (x, y + 0.1), size=14)
        ends = [(table.left[0] - 0.95, table.cell(number, 0)[1]) for number in range(count)]
        into = [d.link((x + 1.2, y), end) for end in ends]
        out = [d.link(table.row_edge(number), row.left) for number in range(count)]

        def update(word: str, way: str) -> str:
            place, product = _NAMES.index(word), way == "product"
            others = [n for n in range(count) if n != place]
            hot.show(product)
            dot.show(product)
            hot.set(torch.eye(count)[place : place + 1])
            name.show(not product)
            name.write(f"{word}: {place}")
            equals.show(product)
            for number in range(count):
                into[number].show(not product and number == place)
                out[number].show(not product and number == place)
            table.mark(row=place)
            table.dim(rows=others if product else ())
            row.set(_TABLE[place : place + 1])
            if product:
                return say(
                    "id {id}, {word}: {all} multiplications, {zeros} of them by zero.",
                    id=place,
                    word=word,
                    all=count * width,
                    zeros=(count - 1) * width,
                )
            return say("id {id}, {word}: row {id} is read, 0 multiplications.", id=place, word=word)

        return update

    return live(
        draw,
        alt=(
            "A row of zeros with a single 1 at a word's id, times a table of six rows, gives the "
            "row of that word. Looked up, an arrow from the id to the row does the same."
        ),
        size=(8.0, 2.6),
        word=[*_NAMES],
        way=["product", "look-up"],
    )


def two_arrows() -> Explorer:
    """Show cosine and dot product of two arrows, of which one turns and grows.

    Example:
        >>> two_arrows().frame(angle=60, length=2).caption
        'cosine 0.50, dot product 2.00'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        ax.set(xlim=(-3.6, 3.6), ylim=(-0.35, 3.4), aspect="equal")
        ax.axis("off")
        arrow = {"arrowstyle": "-|>", "linewidth": 2.4, "mutation_scale": 18}
        ax.annotate("", (2, 0), (0, 0), arrowprops=arrow | {"color": SERIES[0]})
        ax.text(2.1, 0, "a", va="center", fontsize=14, color=SERIES[0])
        (turning,) = ax.plot([], [], color=SERIES[2], linewidth=2.6, solid_capstyle="round")
        (head,) = ax.plot([], [], "o", color=SERIES[2], markersize=8)
        (arc,) = ax.plot([], [], color=NEUTRAL, linewidth=1.2)
        name = ax.text(0, 0, "b", ha="center", va="center", fontsize=14, color=SERIES[2])

        def update(angle: float, length: float) -> str:
            cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            turning.set_data([0, length * cos], [0, length * sin])
            head.set_data([length * cos], [length * sin])
            name.set_position(((length + 0.3) * cos, (length + 0.3) * sin + 0.05))
            turn = torch.linspace(0, math.radians(angle), 30, dtype=torch.float64)
            arc.set_data((0.6 * turn.cos()).numpy(), (0.6 * turn.sin()).numpy())
            return say(
                "cosine {cosine:.2f}, dot product {dot:.2f}",
                cosine=round(cos, 6) + 0.0,
                dot=round(2 * length * cos, 6) + 0.0,
            )

        return update

    return live(
        draw,
        alt="Two arrows from one point: a lies still, b turns by an angle and grows or shrinks.",
        size=(6.0, 2.7),
        angle=(0, 180, 15, 60),
        length=(1.0, 3.0, 0.5, 1.5),
    )


def window_over_a_sentence() -> Explorer:
    """Slide a window of two words to each side over a sentence, and collect its pairs.

    Example:
        >>> window_over_a_sentence().frame(place=1).caption
        'Place 1, on: 2 pairs here, 2 so far.'
    """
    words = ["on", "friday", "mina", "drinks", "cold", "tea"]
    pairs = window_pairs(range(len(words)), 2)

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        tiles = d.tokens(words, at=(8, 3.5), step=2.4)
        links = {pair: d.link(tiles[pair[0]].top, tiles[pair[1]].top, bend=0.2) for pair in pairs}
        lists = [d.words("", (2 + 2.4 * n, 1.55), size=10.5) for n in range(len(words))]

        def update(place: int) -> str:
            here = place - 1
            company = [other for centre, other in pairs if centre == here]
            for number, tile in enumerate(tiles):
                tile.paint("value" if number in company else "neutral")
                tile.light(number == here)
                mine = [words[other] for centre, other in pairs if centre == number]
                lists[number].write("\n".join(mine) if number <= here else "")
            for (centre, _), link in links.items():
                link.show(centre == here)
            return say(
                "Place {place}, {word}: {count} pairs here, {all} so far.",
                place=place,
                word=words[here],
                count=len(company),
                all=sum(centre <= here for centre, _ in pairs),
            )

        return update

    return live(
        draw,
        alt=(
            "A sentence of six words as tiles. One is lit; arrows go from it to its company, the "
            "words up to two places away, and below each word stands the company found so far."
        ),
        size=(8.0, 2.6),
        play="place",
        place=(1, len(words), 1, 3),
    )


def rows_that_learn() -> Explorer:
    """Show the gradient of each row of a table, with an output of its own or a tied one.

    Example:
        >>> rows_that_learn().frame(output="tied").caption[:33]
        'Rows with a gradient: 9 of 9; red'
    """
    text = [["this", "is", "my", "car"], ["my", "car", "is", "red"]]
    vocabulary = Vocabulary.from_sentences(text)
    ids = [vocabulary.encode(text[0]), vocabulary.encode(["my", "bicycle"])]
    batch = encode_batch(ids, 6, vocabulary.bos_id, vocabulary.eos_id, vocabulary.pad_id)
    sizes = {output: _gradients(batch, len(vocabulary), output == "tied") for output in _OUTPUTS}

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        bars = ax.bar(range(len(vocabulary)), [0.0] * len(vocabulary), color=SERIES[0])
        tops = [ax.text(n, 0, "", ha="center", va="bottom", fontsize=10) for n in range(len(bars))]
        ax.set_xticks(range(len(vocabulary)), labels=vocabulary.words)
        ax.set(ylim=(0, 1.15 * max(map(max, sizes.values()))), ylabel="gradient", yticks=[])

        def update(output: str) -> str:
            for place, (bar, top, size) in enumerate(zip(bars, tops, sizes[output], strict=True)):
                bar.set_height(size)
                bar.set_color(HIGHLIGHT if vocabulary.words[place] == "red" else SERIES[0])
                top.set(text=f"{size:.2f}", y=size)
            return say(
                "Rows with a gradient: {count} of {all}; red has {red:.2f}.",
                count=sum(size > 0 for size in sizes[output]),
                all=len(vocabulary),
                red=sizes[output][vocabulary.words.index("red")],
            )

        return update

    return live(
        draw,
        alt=(
            "A bar for each word of the vocabulary: how large a gradient its row gets from two "
            "sentences. With an output of its own, words that are not in them get none."
        ),
        size=(8.0, 2.6),
        output=list(_OUTPUTS),
    )


def _gradients(batch: torch.Tensor, words: int, tied: bool) -> list[float]:
    """Look a batch up, score every next word, and go back; give the size of each row's gradient."""
    generator = torch.Generator().manual_seed(2)
    with torch.inference_mode(False), torch.enable_grad():
        drawn = torch.randn(2, words, 4, generator=generator, dtype=torch.float64) / 2
        table = torch.nn.Parameter(drawn[0])
        output = table if tied else drawn[1]
        scores = table[batch[:, :-1]] @ output.T  # (B, T - 1, D) @ (D, V) -> (B, T - 1, V)
        F.cross_entropy(scores.flatten(0, 1), batch[:, 1:].flatten().clone()).backward()
    assert table.grad is not None
    sizes: list[float] = table.grad.norm(dim=1).tolist()
    return sizes
