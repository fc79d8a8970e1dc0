"""The pictures of lesson 3: the encoding's map, words shuffled, two positions, and those beside."""

import math
from typing import Any

import torch
from matplotlib.figure import Figure
from torch import Tensor

from tutor.attention import scaled_dot_product_attention
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import INK, SERIES, colour_map
from tutor.display.plots import Picture
from tutor.explorers.clocks import counting_wheels, one_clock_a_pair, some_places_on
from tutor.explorers.position_rules import five_candidates, who_drowns
from tutor.explorers.rotary import two_hands
from tutor.explorers.word_order import crossing, who_tells_the_order
from tutor.position import sinusoidal_encoding

__all__ = [
    "counting_wheels",
    "crossing",
    "five_candidates",
    "heat_map",
    "one_clock_a_pair",
    "rows_as_curves",
    "shuffle_the_words",
    "some_places_on",
    "two_hands",
    "two_positions",
    "who_drowns",
    "who_tells_the_order",
]

_POSITIONS, _WIDEST = 50, 256
_WIDTHS = (4, 8, 32, 128, 256)
SENTENCE = ("your", "cat", "is", "a", "lovely", "cat")
_ORDERS = {
    "as it stands": (0, 1, 2, 3, 4, 5),
    "the two cats exchanged": (0, 5, 2, 3, 4, 1),
    "backwards": (5, 4, 3, 2, 1, 0),
    "two words exchanged": (0, 1, 4, 3, 2, 5),
}


def heat_map() -> Explorer:
    """Show the whole encoding as a map, and one of its rows as a curve."""

    def draw(fig: Figure, **_start: Any) -> Update:
        whole, row = fig.subplots(1, 2, width_ratios=[3, 2])
        picture = whole.imshow(
            torch.zeros(_POSITIONS, _WIDEST).numpy(),
            cmap=colour_map("signed"),
            vmin=-1,
            vmax=1,
            aspect="auto",
            interpolation="nearest",
            extent=(0, 1, _POSITIONS - 0.5, -0.5),
        )
        (line,) = whole.plot([0, 1], [0, 0], color=INK)
        curves = [
            row.plot([], [], color=colour, marker=".", label=label)[0]
            for label, colour in (("sines", SERIES[0]), ("cosines", SERIES[1]))
        ]
        whole.set(xlabel="dimension, from first to last", ylabel="position", title="the encoding")
        whole.set_xticks([])
        row.set(xlim=(0, 1), ylim=(-1.05, 1.05), title="the row at this position")
        row.set_xticks([])
        row.set_xlabel("dimension, from first to last")
        row.legend(loc="lower right")

        def update(position: int, d_model: int, base: int) -> str:
            encoding = sinusoidal_encoding(_POSITIONS, d_model, base=float(base))
            picture.set_data(encoding.numpy())
            line.set_ydata([position, position])
            places = (torch.arange(d_model) + 0.5) / d_model
            for start, curve in enumerate(curves):  # even dimensions, odd dimensions
                curve.set_data(places[start::2].numpy(), encoding[position, start::2].numpy())
            longest = base ** ((d_model - 2) / d_model)
            shown = ", ".join(f"{number + 0.0:.2f}" for number in encoding[position, :4].tolist())
            return f"position {position} begins {shown}; wavelengths from 2π to {longest:.0f} · 2π"

        return update

    return live(
        draw,
        alt=(
            "A map of 50 positions. The first dimensions turn fast from position to position, "
            "later ones ever more slowly. In the row at the chosen position the sines and cosines "
            "wave at first and then settle, the sines near 0 and the cosines near 1."
        ),
        kept={"position": [0, 20], "d_model": [8, 32, 256]},
        position=(0, _POSITIONS - 1, 1, 1),
        d_model=(list(_WIDTHS), 256),
        base=([10, 100, 10_000, 1_000_000], 10_000),
    )


def two_positions() -> Explorer:
    """Show the dot product of two positions' vectors, and how it falls with their distance."""
    longest = 60
    encodings = {
        width: sinusoidal_encoding(longest + 1, width, dtype=torch.float64)
        for width in (4, 8, 64, 512)
    }

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        (curve,) = ax.plot([], [], color=SERIES[0], marker=".")
        (here,) = ax.plot([], [], color=INK, marker="o", markersize=9, linestyle="none")
        ax.set(
            xlim=(-0.5, longest + 0.5),
            ylim=(-0.2, 1.05),
            xlabel="distance between the two positions",
            title="dot product, as a part of that at distance 0",
        )
        ax.grid(visible=True)

        def update(first: int, second: int, d_model: int) -> str:
            encoding = encodings[d_model]
            dots = encoding @ encoding[0] / (encoding[0] @ encoding[0])  # (longest + 1,)
            curve.set_data(range(longest + 1), dots.numpy())
            distance = abs(first - second)
            here.set_data([distance], [dots[distance].item()])
            a, b = encoding[first], encoding[second]
            angle = math.degrees(math.acos(min(1.0, (a @ b / (a.norm() * b.norm())).item())))
            return (
                f"PE({first}) · PE({second}) = {a @ b:.2f}, angle {angle:.0f}°; "
                f"each has length {a.norm():.2f}"
            )

        return update

    return live(
        draw,
        alt=(
            "The dot product of two positions' vectors by their distance: it falls at first and "
            "then wavers. It depends on the distance alone, so that moving both positions together "
            "leaves the dot where it is."
        ),
        kept={"first": [0, 13], "second": [17, 30]},
        first=(0, 30, 1, 3),
        second=(0, 30, 1, 7),
        d_model=([4, 8, 64, 512], 64),
    )


def attend_to_sentence(order: tuple[int, ...], positions: bool) -> tuple[Tensor, Tensor]:
    """Run self-attention over the sentence in an order; give outputs (6, 8) and weights (6, 6).

    Example:
        >>> output, weights = attend_to_sentence((0, 1, 2, 3, 4, 5), positions=False)
        >>> bool(torch.equal(weights[1], weights[5]))  # the two cats
        True
    """
    generator = torch.Generator().manual_seed(3)
    words = sorted(set(SENTENCE))
    table = torch.randn(len(words), 8, generator=generator, dtype=torch.float64)
    W_q, W_k, W_v = torch.randn(3, 8, 8, generator=generator, dtype=torch.float64) / 8**0.5
    x = torch.stack([table[words.index(SENTENCE[place])] for place in order])  # (6, 8)
    if positions:
        x = x + sinusoidal_encoding(len(order), 8, dtype=torch.float64)
    return scaled_dot_product_attention(x @ W_q, x @ W_k, x @ W_v)


def shuffle_the_words() -> Explorer:
    """Show the weights of a sentence in several orders, with positions and without."""

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        size = len(SENTENCE)
        picture = ax.imshow(
            torch.zeros(size, size).numpy(), cmap=colour_map("attention"), vmin=0, vmax=0.6
        )
        cells = [
            [ax.text(key, query, "", ha="center", va="center") for key in range(size)]
            for query in range(size)
        ]
        ax.set_xticks(range(size), SENTENCE)
        ax.set_yticks(range(size), SENTENCE)
        ax.set(xlabel="looked at", ylabel="asks", title="weights")

        def update(order: str, positions: bool) -> str:
            places = _ORDERS[order]
            output, weights = attend_to_sentence(places, positions)
            picture.set_data(weights.numpy())
            for query, row in enumerate(weights.tolist()):
                for key, weight in enumerate(row):
                    cells[query][key].set_text(f"{weight:.2f}".removeprefix("0"))
            words = [SENTENCE[place] for place in places]
            ax.set_xticks(range(size), words)
            ax.set_yticks(range(size), words)
            straight, _ = attend_to_sentence(_ORDERS["as it stands"], positions)
            change = (output - straight[list(places)]).abs().max().item()
            cats = (output[words.index("cat")] - output[size - 1 - words[::-1].index("cat")]).abs()
            return (
                f"a word's output differs from that in the first order by up to {change:.2f}; "
                f"the two cats differ by {cats.max():.2f}"
            )

        return update

    return live(
        draw,
        alt=(
            "A six by six map of attention weights with the sentence's words at its sides. Without "
            "positions both cats have the same row and an output only moves with its word; with "
            "positions they differ."
        ),
        size=(6.0, 4.0),
        order=(list(_ORDERS), "as it stands"),
        positions=False,
    )


def rows_as_curves() -> Picture:
    """Show the encoding of positions 1 and 50 along the dimensions."""

    def draw(fig: Figure) -> str:
        encoding = sinusoidal_encoding(51, 128)
        for ax, position in zip(fig.subplots(2, 1, sharex=True), (1, 50)):
            ax.plot(range(128), encoding[position].numpy(), color=INK, marker=".", linewidth=0.7)
            ax.set(ylim=(-1.1, 1.1), title=f"position {position}")
        fig.axes[-1].set_xlabel("dimension")
        return "at position 1 few dimensions have moved away from 0 or 1, at position 50 many"

    return Picture(
        draw,
        alt=(
            "Two curves along 128 dimensions, zigzags because sines and cosines alternate. At "
            "position 1 the dimensions from about 40 on are 0 and 1 in turn; at position 50 the "
            "first 60 or so wave up and down, and only the last ones have hardly left 0 and 1."
        ),
        size=(8.0, 3.5),
    )


EXPLORERS = (
    crossing,
    five_candidates,
    counting_wheels,
    one_clock_a_pair,
    heat_map,
    some_places_on,
    who_drowns,
    two_hands,
    shuffle_the_words,
    two_positions,
)
