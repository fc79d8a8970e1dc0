"""The pictures of lesson 1: gradients through time, an LSTM's gates, memory, time by length."""

from typing import Any

import torch
from matplotlib.figure import Figure
from torch import Tensor

from tutor.claims.runs import load_sweep
from tutor.data.files import load_results
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import ATTENTION, INK, NEUTRAL, SERIES
from tutor.display.plots import Picture
from tutor.gradients import jacobian_norms, with_spectral_radius
from tutor.rnn import rnn_forward
from tutor.say import say

_HIDDEN, _LONGEST = 32, 100
_SMALLEST, _LARGEST = 1e-12, 1e12  # the curve may leave the picture
_BARS = [SERIES[1], SERIES[0], ATTENTION]  # RNN, LSTM, attention
_LAYERS, _CHANCE = ("RNN", "LSTM", "attention"), 1 / 8
_CANDIDATE = 0.02  # what an LSTM's gates may write at every step


def states_and_weights(radius: float, length: int, inputs: float) -> tuple[Tensor, Tensor]:
    """Run an RNN with a random W_hh of this spectral radius; give its states and W_hh.

    Args:
        radius: the spectral radius of W_hh: its largest eigenvalue, in absolute value.
        length: number of words.
        inputs: spread of the inputs; 0 leaves every state at 0, where tanh has slope 1.

    Example:
        >>> states, W_hh = states_and_weights(0.9, length=5, inputs=0.0)
        >>> tuple(states.shape), float(states.abs().max())
        ((5, 32), 0.0)
    """
    generator = torch.Generator().manual_seed(1)
    W = torch.randn(_HIDDEN, _HIDDEN, generator=generator, dtype=torch.float64)
    W_hh = with_spectral_radius(W, radius)
    x = inputs * torch.randn(1, length, _HIDDEN, generator=generator, dtype=torch.float64)
    zero = torch.zeros(_HIDDEN, dtype=torch.float64)
    unit = torch.eye(_HIDDEN, dtype=torch.float64)
    outputs, _ = rnn_forward(x, zero[None], unit, W_hh, zero, zero)
    return outputs[0], W_hh  # (T, H), (H, H)


def gradient_through_time() -> Explorer:
    """Show how much of a gradient reaches back through the steps of an RNN."""

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        (curve,) = ax.plot([], [], color=SERIES[1], marker=".")
        ax.axhline(1.0, color=NEUTRAL, linestyle="--")
        ax.set(
            xlim=(_LONGEST + 1, -1),
            ylim=(_SMALLEST, _LARGEST),
            yscale="log",
            xlabel="steps back from the last word",
            ylabel="factor",
            title="by how much a small change of a state reaches the last state, at most",
        )
        ax.grid(visible=True)
        ax.text(_LONGEST, 3.0, "kept", color=INK)

        def update(radius: float, length: int, inputs: float) -> str:
            norms = jacobian_norms(*states_and_weights(radius, length, inputs))
            back = list(range(length - 1, -1, -1))
            curve.set_data(back, norms.numpy())
            return (
                f"radius {radius:.1f}, inputs of spread {inputs:.1f}: "
                f"{norms[0]:.1e} after {length - 1} steps"
            )

        return update

    return live(
        draw,
        alt=(
            "The gradient's factor by steps back, on a logarithmic axis: a straight line down for "
            "a radius below 1, up for a radius above 1 if all states are 0, and down again once "
            "inputs drive tanh into saturation."
        ),
        kept={"radius": [0.5, 0.7, 1.0, 1.2, 1.5, 2.0], "length": [10, 100]},
        radius=(0.5, 2.0, 0.1, 0.9),
        length=(10, _LONGEST, 10, 50),
        inputs=(0.0, 1.0, 0.5, 0.0),
    )


def what_is_remembered() -> Explorer:
    """Show how often each layer still knows the first word, by the number of words since.

    Example:
        >>> what_is_remembered().frame(lag=40, bias=3).caption
        'Words in between: 40. RNN 0.13, LSTM 1.00, attention 1.00'
    """
    usual = load_sweep("long_memory").runs.at(
        initialisation="default", rate=3e-3, width=32, steps=400
    )

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        bars = ax.bar(_LAYERS, [0.0] * len(_LAYERS), color=_BARS)
        ranges = ax.vlines(range(len(_LAYERS)), 0.0, 0.0, color=INK, linewidth=2)
        ax.axhline(_CHANCE, color=NEUTRAL, linestyle="--")
        ax.text(2.5, _CHANCE + 0.02, "guessing", color=INK)
        ax.set(xlim=(-0.6, 3.0), ylim=(0, 1.05), ylabel="first word named right")
        ax.set_title("bar: mean of three seeds; black line: worst to best seed")

        def update(lag: int, bias: int) -> str:
            told, lines = [], []
            for place, layer in enumerate(_LAYERS):
                runs = usual.at(model=layer, bias=bias if layer == "LSTM" else 0, lag=lag)
                mean = sum(runs.numbers("told")) / len(runs)
                bars[place].set_height(mean)
                lines.append([(place, runs.lowest("told")), (place, runs.highest("told"))])
                told.append(f"{layer} {mean:.2f}")
            ranges.set_segments(lines)
            return say("Words in between: {lag}. {told}", lag=lag, told=", ".join(told))

        return update

    return live(
        draw,
        alt=(
            "Three bars: how often an RNN, an LSTM and attention name the company that stood in "
            "the first word. Attention stays at 1 for any distance; the RNN sinks to guessing "
            "first; how far the LSTM holds out depends on where the bias of its forget gate starts."
        ),
        size=(7.0, 3.2),
        labels={"lag": "words in between", "bias": "forget gate starts at"},
        lag=usual.values_of("lag"),
        bias=usual.at(model="LSTM").values_of("bias"),
    )


def gates_of_an_lstm() -> Explorer:
    """Show a cell state over fifty steps for constant gates and a constant candidate."""
    steps = 50

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        first = "left of the first cell state"
        (kept,) = ax.plot([], [], color=SERIES[1], linewidth=3, label=first)
        (cell,) = ax.plot([], [], color=INK, linestyle="--", label="whole cell state")
        ax.set(xlim=(0, steps), ylim=(-0.02, 2.05), xlabel="step")
        ax.set_title(f"candidate g = {_CANDIDATE} at every step")
        ax.grid(visible=True)
        ax.legend(loc="upper left")

        def update(forget: float, write: float) -> str:
            left, state, lefts, states = 1.0, 1.0, [1.0], [1.0]
            for _ in range(steps):
                left *= forget
                state = forget * state + write * _CANDIDATE
                lefts.append(left)
                states.append(state)
            kept.set_data(range(steps + 1), lefts)
            cell.set_data(range(steps + 1), states)
            return (
                f"forget gate {forget}: after {steps} steps {left:.1e} of the first cell state is "
                f"left, and the cell is {state:.3f}"
            )

        return update

    return live(
        draw,
        alt=(
            "Two curves over fifty steps, both starting at 1. With the forget gate at 1 the first "
            "cell state stays whole and what is written adds up; at 0.9 the first state is nearly "
            "gone after fifty steps, at 0.5 after five, and the cell is what was written lately."
        ),
        size=(7.0, 3.2),
        labels={"forget": "forget gate f", "write": "input gate i"},
        forget=([0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0], 0.9),
        write=(0.0, 1.0, 0.1, 0.5),
    )


def time_by_length() -> Picture:
    """Draw the time of one layer against the length of the sentence, both axes logarithmic."""
    table = load_results("table1")["values"]
    lengths, slopes = table["lengths"], table["slopes"]

    def draw(fig: Figure) -> str:
        ax = fig.subplots()
        kinds = table["milliseconds"].items()
        for (name, times), colour in zip(kinds, (SERIES[1], ATTENTION, SERIES[0]), strict=True):
            label = f"{name}: slope {slopes[name]:.1f}"
            ax.plot(lengths, times, color=colour, marker="o", label=label)
        ax.set(xscale="log", yscale="log", xlabel="words", ylabel="milliseconds")
        ax.set_xticks(lengths, [str(length) for length in lengths])
        ax.minorticks_off()
        ax.grid(visible=True)
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        slope = ", ".join(f"{name} {value:.1f}" for name, value in slopes.items())
        return f"Slopes from {table['slopes from']} words on: {slope}."

    return Picture(
        draw,
        alt=(
            "Time of one layer against the number of words, both axes logarithmic. The recurrent "
            "layer is the slowest throughout and rises with a slope of about 1, the convolution "
            "far below it likewise; attention starts low, rises twice as steeply and comes close "
            "to the recurrent layer at 2048 words."
        ),
        size=(8.0, 3.3),
    )


EXPLORERS = (gradient_through_time, what_is_remembered, gates_of_an_lstm)
