"""The live pictures of lesson 1: gradients through time, what is remembered, an LSTM's gates."""

from collections.abc import Callable

import torch
from matplotlib.figure import Figure
from torch import Tensor

from tutor.data.files import load_results
from tutor.explorer import Explorer, live
from tutor.gradients import jacobian_norms, with_spectral_radius
from tutor.plots import INK, NEUTRAL, PALETTE
from tutor.rnn import rnn_forward

_HIDDEN, _LONGEST = 32, 100
_SMALLEST = 1e-16


def states_and_weights(radius: float, length: int, inputs: float) -> tuple[Tensor, Tensor]:
    """Run an RNN with a random W_hh of this spectral radius; give its states and W_hh.

    Args:
        radius: the largest eigenvalue of W_hh, in absolute value.
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

    def draw(fig: Figure, **_: object) -> Callable[..., str]:
        ax = fig.subplots()
        (curve,) = ax.plot([], [], color=PALETTE[0], marker=".")
        ax.axhline(1.0, color=NEUTRAL, linestyle="--")
        ax.set(
            xlim=(_LONGEST + 1, -1),
            ylim=(_SMALLEST, 1e16),
            yscale="log",
            xlabel="steps back from the last word",
            title="largest factor by which a change of a state reaches the last one",
        )
        ax.grid(visible=True)

        def update(radius: float, length: int, inputs: float) -> str:
            norms = jacobian_norms(*states_and_weights(radius, length, inputs))
            back = list(range(length - 1, -1, -1))
            curve.set_data(back, norms.clamp(min=_SMALLEST).numpy())
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
        radius=(0.5, 2.0, 0.1, 0.9),
        length=(10, _LONGEST, 10, 50),
        inputs=(0.0, 1.0, 0.5, 0.0),
    )


def what_is_remembered() -> Explorer:
    """Show how often each layer still knows the first word, by the number of words since."""
    values = load_results("long_memory")["values"]
    lags, accuracy = values["lags"], values["accuracy"]
    chance = values["chance"]

    def draw(fig: Figure, **_: object) -> Callable[..., str]:
        ax = fig.subplots()
        bars = ax.bar(list(accuracy), [0.0] * len(accuracy), color=PALETTE[: len(accuracy)])
        ax.axhline(chance, color=NEUTRAL, linestyle="--")
        ax.text(-0.45, chance + 0.02, "guessing", color=NEUTRAL)
        ax.set(ylim=(0, 1.05), ylabel="first word named right")

        def update(lag: int) -> str:
            at = lags.index(lag)
            told = []
            for bar, (name, runs) in zip(bars, accuracy.items()):
                bar.set_height(runs[at]["mean"])
                told.append(f"{name} {runs[at]['mean']:.2f}")
            return f"{lag} words in between: {', '.join(told)}"

        return update

    return live(
        draw,
        alt=(
            "Three bars: how often an RNN, an LSTM and attention name the company that stood in "
            "the first word. Attention stays at 1 for any distance; the RNN and then the LSTM "
            "sink towards guessing."
        ),
        size=(6.0, 3.2),
        lag=(lags, lags[2]),
    )


def gates_of_an_lstm() -> Explorer:
    """Show a cell state over fifty steps for constant forget and input gates."""
    steps = 50

    def draw(fig: Figure, **_: object) -> Callable[..., str]:
        ax = fig.subplots()
        (kept,) = ax.plot([], [], color=PALETTE[0], label="what is left of c₀")
        (cell,) = ax.plot([], [], color=INK, linestyle="--", label="cell state c")
        ax.set(xlim=(0, steps), ylim=(0, 2.05), xlabel="step")
        ax.grid(visible=True)
        ax.legend(loc="upper right")

        def update(forget: float, write: float) -> str:
            left, state, lefts, states = 1.0, 1.0, [1.0], [1.0]
            for _ in range(steps):
                left *= forget
                state = forget * state + write * 0.1  # a candidate of 0.1 at every step
                lefts.append(left)
                states.append(state)
            kept.set_data(range(steps + 1), lefts)
            cell.set_data(range(steps + 1), states)
            return f"forget gate {forget:.2f}: {left:.1e} of the first cell state is left"

        return update

    return live(
        draw,
        alt=(
            "Two curves over fifty steps, both starting at 1. With the forget gate at 1 the first "
            "cell state stays whole; at 0.9 it is nearly gone after fifty steps, at 0.5 after five."
        ),
        size=(7.0, 3.2),
        labels={"forget": "forget gate f", "write": "input gate i"},
        forget=(0.5, 1.0, 0.05, 0.9),
        write=(0.0, 1.0, 0.1, 0.0),
    )


EXPLORERS = (gradient_through_time, what_is_remembered, gates_of_an_lstm)
