"""Who still knows the first word, by the number of words since."""

import math
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from tutor.claims.runs import Runs, load_sweep
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import ATTENTION, NEUTRAL, SERIES
from tutor.say import later, say

_CHANCE = 1 / 8
_LAGS = [10, 20, 40, 80]


def how_far_it_reaches() -> Explorer:
    """Draw who still knows the first word, by the number of words since.

    Example:
        >>> how_far_it_reaches().frame(bias=3).caption
        'LSTM, forget bias 3: σ(3)⁴⁰ = 0.1. Named at 10, 20, 40, 80 words: 1.00, 1.00, 1.00, 0.54.'
    """
    usual = load_sweep("long_memory").runs.at(rate=3e-3, width=32, steps=400)
    default = usual.at(initialisation="default")
    biases = default.at(model="LSTM").values_of("bias")
    rivals = {
        later("RNN"): default.at(model="RNN"),
        later("attention"): default.at(model="attention"),
    }

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        for (name, runs), look in zip(rivals.items(), ("--", "-"), strict=True):
            colour = ATTENTION if name == "attention" else NEUTRAL
            (line,) = ax.plot(_LAGS, _means(runs), color=colour, linestyle=look, label=say(name))
            line.set(linewidth=2, zorder=4)
        lines: dict[int, list[Any]] = {}
        for bias, colour in zip(biases, SERIES):  # in the order in which they come
            lines[bias] = _lines_of(ax, default.at(model="LSTM", bias=bias), bias, colour)
        legend = ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        entries = [*zip(legend.legend_handles, legend.texts, strict=True)][len(rivals) :]
        for of, entry in zip(lines, entries, strict=True):
            lines[of] += entry
        ax.axhline(_CHANCE, color=NEUTRAL, linewidth=0.8)
        ax.set(
            ylim=(0, 1.05), xlabel=say("words in between"), ylabel=say("share named"), xscale="log"
        )
        ax.set_xticks(_LAGS, [str(lag) for lag in _LAGS])
        ax.minorticks_off()

        def update(bias: int) -> str:
            for of, artists in lines.items():
                for artist in artists:
                    artist.set_visible(of <= bias)
            shares = _means(default.at(model="LSTM", bias=bias))
            return say(
                "LSTM, forget bias {bias}: σ({bias})⁴⁰ = {left:.1g}. Named at {lags} words: "
                "{shares}.",
                bias=bias,
                left=(1 / (1 + math.exp(-bias))) ** 40,
                lags=", ".join(map(str, _LAGS)),
                shares=", ".join(f"{share:.2f}" for share in shares),
            )

        return update

    return live(
        draw,
        alt=say(
            "Share of texts whose first word is named, against the number of words in between. "
            "Attention stays at 1; the RNN falls to guessing, and so does the LSTM where its gate "
            "starts at 0. Each larger bias adds a line of the LSTM that stays up longer; thin "
            "lines are single seeds."
        ),
        size=(8.0, 3.3),
        bias=biases,
        labels={"bias": say("forget bias")},
    )


def _lines_of(ax: Axes, runs: Runs, bias: int, colour: str) -> list[Line2D]:
    """Draw the mean of an LSTM's runs, and each seed as a thin line."""
    lines = ax.plot(
        _LAGS, _means(runs), color=colour, marker="o", label=say("LSTM, bias {bias}", bias=bias)
    )
    lines[0].set_linewidth(3)
    for seed in runs.values_of("seed"):
        lines += ax.plot(_LAGS, _means(runs.at(seed=seed)), color=colour, linewidth=0.9)
    return lines


def _means(runs: Runs) -> list[float]:
    """Give the mean share at each lag."""
    at_lags = [runs.at(lag=lag).numbers("told") for lag in _LAGS]
    return [sum(numbers) / len(numbers) for numbers in at_lags]
