"""What can be read back from a sum of word and position, by the factor of the words."""

import math
from typing import Any

import torch
from matplotlib.figure import Figure

from tutor.claims.runs import load_sweep
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import INK, SERIES
from tutor.position import sinusoidal_encoding
from tutor.say import say


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
        left.set(yscale="log", ylim=(0.5, 1000), title=say("length of the vector"))
        right.set(ylim=(0, 1.05), title=say("read back from the sum"))
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
        alt=say(
            "Left, the lengths of a word's row and of a position's; right, the shares of words and "
            "of positions that can be read back from their sum. Whichever is much the shorter is "
            "not read back."
        ),
        size=(8.0, 2.7),
        factor=(["1", "√d", "d"], "√d"),
        d_model=([64, 128, 256, 512], 512),
        labels={"factor": say("words times")},
    )


def _mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)
