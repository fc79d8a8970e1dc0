"""An LSTM's cell, gate by gate, and how far it reaches."""

import math
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from tutor.claims.runs import Runs, load_sweep
from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import ATTENTION, HIGHLIGHT, NEUTRAL, SERIES
from tutor.say import say

_OLD, _INPUT, _CANDIDATE, _OUTPUT = 1.0, 0.6, -0.5, 0.8
_CHANCE = 1 / 8
_LAGS = [10, 20, 40, 80]


def cell_at_work() -> Explorer:
    """Light up an LSTM's cell part by part.

    Example:
        >>> cell_at_work().frame(part=4, forget=0.5).caption
        'Part 4 of 6, c = f · c + i · g: 0.50 · 1.00 + 0.60 · (−0.50) = 0.20.'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        keep, add, show = (
            d.node(sign, at)
            for sign, at in (("×", (4.6, 5.4)), ("+", (7.9, 5.4)), ("×", (12.4, 3.9)))
        )
        write = d.node("×", (7.9, 3.9))
        names = (("forget f", 4.6), ("input i", 7.0), ("candidate g", 9.4), ("output o", 12.4))
        gates = [
            d.box(name, (x, 2.5), width=2.1, kind="value" if name[0] == "c" else "key")
            for name, x in names
        ]
        old, new = d.words("c", (1.2, 5.4)), d.words("c, new", (15.0, 5.4))
        entering, shown = d.words("h, x", (1.2, 1.0)), d.words("h, new", (15.0, 3.9))
        line = d.chain([old, keep, add, new], kind=HIGHLIGHT, weight=0.3)
        for gate, node in zip(gates, (keep, write, write, show), strict=True):
            d.link(gate, node)
            d.link(entering, gate, via=[(gate.at[0], 1.0)])
        d.link(write, add)
        d.link((12.4, 5.4), show, words="tanh")
        d.link(show, shown)
        d.frame(gates, "one matrix", pad=0.3)
        d.words("past W", (2.9, 5.85), size=9.5, colour=HIGHLIGHT)
        lit = [[], [gates[0], keep], [gates[1], gates[2], write], [add], [gates[3], show], []]

        def update(part: int, forget: float) -> str:
            for number, group in enumerate(lit, 1):
                for box in group:
                    box.light(number == part)
            line[1].set(0.3 * forget)  # as wide as what is kept
            new.write(say("c = {cell:.2f}", cell=_new_cell(forget)))
            return say("Part {part} of 6, {work}", part=part, work=_work(part, forget))

        return update

    return live(
        draw,
        alt=(
            "An LSTM's cell. The cell state runs on a straight line past the weights; on its way "
            "the forget gate multiplies it and input gate times candidate is added. Below, the "
            "output gate decides what is shown. One part after the other lights up, and the line "
            "is as wide as what the forget gate keeps."
        ),
        size=(8.0, 3.1),
        play="part",
        pace=1.5,
        part=(1, 6, 1, 1),
        forget=([0.0, 0.5, 0.9, 1.0], 0.9),
        labels={"forget": "forget gate f"},
    )


def _new_cell(forget: float) -> float:
    return forget * _OLD + _INPUT * _CANDIDATE


def _work(part: int, forget: float) -> str:
    """Say in numbers what a part does."""
    cell = _new_cell(forget)
    return (
        say("what comes in: c = {c:.2f}; h and x go through W.", c=_OLD),
        say(
            "forget: {f:.2f} · {c:.2f} = {kept:.2f} is kept.", f=forget, c=_OLD, kept=forget * _OLD
        ),
        say(
            "write: i · g = {i:.2f} · (−{g:.2f}) = −{product:.2f}.",
            i=_INPUT,
            g=-_CANDIDATE,
            product=-_INPUT * _CANDIDATE,
        ),
        say(
            "c = f · c + i · g: {f:.2f} · {c:.2f} + {i:.2f} · (−{g:.2f}) = {new:.2f}.",
            f=forget,
            c=_OLD,
            i=_INPUT,
            g=-_CANDIDATE,
            new=cell,
        ).replace("= -", "= −"),
        say(
            "show: h = o · tanh(c) = {o:.2f} · {t:.2f} = {h:.2f}.",
            o=_OUTPUT,
            t=math.tanh(cell),
            h=_OUTPUT * math.tanh(cell),
        ).replace(" -", " −"),
        say("the next step starts from c = {new:.2f}, and never went through W.", new=cell),
    )[part - 1]


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
        "RNN": default.at(model="RNN"),
        "RNN, orthogonal": usual.at(model="RNN", initialisation="orthogonal"),
        "GRU": default.at(model="GRU", bias=0),
        "attention": default.at(model="attention"),
    }

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        for (name, runs), look in zip(rivals.items(), ("--", ":", "-.", "-"), strict=True):
            colour = ATTENTION if name == "attention" else NEUTRAL
            (line,) = ax.plot(_LAGS, _means(runs), color=colour, linestyle=look, label=name)
            line.set(linewidth=2, zorder=4)
        lines = {
            bias: _lines_of(ax, default.at(model="LSTM", bias=bias), bias, colour)
            for bias, colour in zip(biases, SERIES)
        }
        ax.axhline(_CHANCE, color=NEUTRAL, linewidth=0.8)
        ax.set(ylim=(0, 1.05), xlabel="words in between", ylabel="share named", xscale="log")
        ax.set_xticks(_LAGS, [str(lag) for lag in _LAGS])
        ax.minorticks_off()
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=9)

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
        alt=(
            "Share of texts whose first word is named, against the number of words in between. "
            "Attention stays at 1; the RNNs and the GRU fall to guessing. Each larger forget bias "
            "adds a line of the LSTM that stays up longer; thin lines are single seeds."
        ),
        size=(8.0, 3.3),
        bias=biases,
        labels={"bias": "forget bias"},
    )


def _lines_of(ax: Axes, runs: Runs, bias: int, colour: str) -> list[Line2D]:
    """Draw the mean of an LSTM's runs, and each seed as a thin line."""
    lines = ax.plot(_LAGS, _means(runs), color=colour, marker="o", label=f"LSTM, bias {bias}")
    lines[0].set_linewidth(3)
    for seed in runs.values_of("seed"):
        lines += ax.plot(_LAGS, _means(runs.at(seed=seed)), color=colour, linewidth=0.9)
    return lines


def _means(runs: Runs) -> list[float]:
    """Give the mean share at each lag."""
    at_lags = [runs.at(lag=lag).numbers("told") for lag in _LAGS]
    return [sum(numbers) / len(numbers) for numbers in at_lags]
