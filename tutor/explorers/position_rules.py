"""What a position vector has to be: five candidates, and what adding it to a word does."""

import math
from typing import Any

import torch
from matplotlib.figure import Figure

from tutor.claims.runs import load_sweep
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, INK, SERIES
from tutor.position import sinusoidal_encoding
from tutor.say import say

_LENGTHS = [5, 10, 20, 50]
_SEEN = 3  # the place that is marked in every sentence


def five_candidates() -> Explorer:
    """Draw five ways to number the places of a sentence, for sentences of several lengths.

    Example:
        >>> five_candidates().frame(length=50).caption
        'Place 3 of 50: number 3, fraction 0.06, sigmoid 0.95; the last place has number 49.'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        axes = fig.subplots(1, 5)
        titles = (
            "number",
            "fraction",
            "sigmoid",
            "one-hot:\nnumber 3 of it",
            "binary:\nlast 3 bits",
        )
        for ax, title in zip(axes, titles, strict=True):
            ax.set_title(title, fontsize=9)
            ax.set(xlim=(-1, 50), xlabel="place", xticks=[0, 25, 49])
            ax.tick_params(labelsize=8)
            ax.set_ylim((-2, 51) if title == "number" else (-0.1, 1.1))
        axes[4].set(ylim=(-0.3, 4.3), yticks=[])
        lines = [ax.plot([], [], ".-", color=SERIES[0], markersize=4)[0] for ax in axes[:4]]
        dots = [ax.plot([], [], "o", color=HIGHLIGHT)[0] for ax in axes[:4]]
        bits = [axes[4].plot([], [], color=SERIES[n], drawstyle="steps-mid")[0] for n in range(3)]

        def update(length: int) -> str:
            places = torch.arange(length, dtype=torch.float64)
            curves = [
                places,
                places / (length - 1),
                places.sigmoid(),
                (places == _SEEN).double(),
            ]
            for line, curve in zip(lines, curves, strict=True):
                line.set_data(places.numpy(), curve.numpy())
            for dot, curve in zip(dots, curves, strict=True):
                dot.set_data([_SEEN], [curve[_SEEN].item()])
            for bit, line in enumerate(bits):
                line.set_data(places.numpy(), (1.5 * bit + places // 2**bit % 2).numpy())
            return say(
                "Place {place} of {length}: number {place}, fraction {fraction:.2f}, sigmoid "
                "{bent:.2f}; the last place has number {last}.",
                place=_SEEN,
                length=length,
                fraction=curves[1][_SEEN].item(),
                bent=curves[2][_SEEN].item(),
                last=length - 1,
            )

        return update

    return live(
        draw,
        alt=(
            "Five curves over the places of a sentence, place 3 marked: its number grows without "
            "bound, its fraction depends on the length, its sigmoid is soon 1 everywhere, one-hot "
            "has a single 1, and binary jumps."
        ),
        size=(8.0, 2.6),
        length=_LENGTHS,
    )


def who_drowns() -> Explorer:
    """Show what can be read back from a sum of word and position, by the factor of the words.

    Example:
        >>> who_drowns().frame(factor="√d").caption
        'Lengths: word 22.6, position 16.0. Read back from the sum: words 1.00, positions 0.94.'
    """
    runs = load_sweep("word_or_place").runs.at(centred=False)
    sizes = {"1": lambda d: 1.0, "√d": math.sqrt, "d": float}

    def draw(fig: Figure, **_start: Any) -> Update:
        left, right = fig.subplots(1, 2)
        names = [say("word"), say("position")]
        lengths = left.bar(names, [1.0, 1.0], color=[SERIES[0], SERIES[1]])
        read = right.bar([say("words"), say("positions")], [0.0, 0.0], color=[SERIES[0], SERIES[1]])
        left.set(yscale="log", ylim=(0.5, 1000), title="length of the vector")
        right.set(ylim=(0, 1.05), title="read back from the sum")
        right.tick_params(colors=INK)

        def update(factor: str, d_model: int) -> str:
            position = sinusoidal_encoding(1, d_model, dtype=torch.float64)[0].norm().item()
            sums = runs.at(factor=factor, d_model=d_model)
            shares = [_mean(sums.numbers(name)) for name in ("word", "place")]
            for bar, height in zip(lengths, (sizes[factor](d_model), position)):
                bar.set_height(height)
            for bar, height in zip(read, shares):
                bar.set_height(height)
            return say(
                "Lengths: word {word:.1f}, position {position:.1f}. Read back from the sum: words "
                "{words:.2f}, positions {places:.2f}.",
                word=sizes[factor](d_model),
                position=position,
                words=shares[0],
                places=shares[1],
            )

        return update

    return live(
        draw,
        alt=(
            "Left, the lengths of a word's row and of a position's; right, the shares of words and "
            "of positions that can be read back from their sum. Whichever is much the shorter is "
            "not read back."
        ),
        size=(8.0, 2.7),
        factor=["1", "√d", "d"],
        d_model=([64, 128, 256, 512], 512),
        labels={"factor": "words times"},
    )


def _mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)
