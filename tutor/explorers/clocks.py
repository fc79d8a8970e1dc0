"""From counting wheels to waves to clocks: how sines and cosines write a place."""

import math
from typing import Any

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from torch import Tensor

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, INK, NEUTRAL, SERIES
from tutor.position import sinusoidal_encoding
from tutor.say import say

_WHEELS = 4
_LAST = 2**_WHEELS - 1
_D_MODEL = 8
_FARTHEST = 110


def clock_face(ax: Axes, title: str) -> Line2D:
    """Draw a clock of radius 1 and return its hand."""
    turn = torch.linspace(0, 2 * math.pi, 100)
    ax.plot(turn.cos().numpy(), turn.sin().numpy(), color=NEUTRAL, linewidth=1)
    ax.set(xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), aspect="equal")
    ax.set_title(title, fontsize=9)
    ax.set_axis_off()
    (hand,) = ax.plot([0, 1], [0, 0], color=HIGHLIGHT, linewidth=2.5, solid_capstyle="round")
    return hand


def counting_wheels() -> Explorer:
    """Count in binary, and draw each wheel as a wave and as the hand of a clock.

    Example:
        >>> counting_wheels().frame(place=6).caption
        'Place 6: in binary 0110. The fastest wheel turns once in 2 places, the slowest in 16.'
    """
    places = torch.linspace(-0.49, _LAST + 0.49, 1200)

    def draw(fig: Figure, **_start: Any) -> Update:
        grid = fig.subplots(_WHEELS, 2, width_ratios=[7, 1])
        bits, squares, waves, cursors, hands = [], [], [], [], []
        for wheel, (ax, face) in enumerate(grid):
            period = 2 ** (wheel + 1)
            square = (places + 0.5) // (period / 2) % 2
            squares += ax.plot(places.numpy(), square.numpy(), color=SERIES[0], linewidth=2)
            middle = (period / 2 - 1) / 2  # of the first half turn, in which the wheel shows 0
            wave = (1 - torch.cos(2 * math.pi * (places - middle) / period)) / 2
            waves += ax.plot(places.numpy(), wave.numpy(), color=SERIES[2], linewidth=2)
            cursors.append(ax.axvline(0.0, color=INK, linewidth=1))
            ax.set(xlim=(-0.5, _LAST + 0.5), ylim=(-0.15, 1.15), yticks=[0, 1])
            ax.set_ylabel(f"{2**wheel}s", rotation=0, labelpad=14)
            if wheel < _WHEELS - 1:
                ax.set_xticks([])
            bits.append(ax.text(1.02, 0.5, "0", transform=ax.transAxes, va="center", fontsize=15))
            hands.append(clock_face(face, ""))
        grid[-1][0].set_xlabel("place")

        def update(place: int, shown: str) -> str:
            binary = f"{place:0{_WHEELS}b}"
            for wheel in range(_WHEELS):
                squares[wheel].set_visible(shown != "waves")
                waves[wheel].set_visible(shown != "wheels")
                cursors[wheel].set_xdata([place, place])
                bits[wheel].set_text(binary[-1 - wheel])
                angle = math.pi / 2 - 2 * math.pi * place / 2 ** (wheel + 1)
                hands[wheel].set_data([0, math.cos(angle)], [0, math.sin(angle)])
            return say(
                "Place {place}: in binary {binary}. The fastest wheel turns once in 2 places, the "
                "slowest in {longest}.",
                place=place,
                binary=binary,
                longest=2**_WHEELS,
            )

        return update

    return live(
        draw,
        alt=(
            "Four rows, for ones, twos, fours and eights. In each a wheel jumps between 0 and 1, "
            "twice as slowly as in the row above; a wave of the same period goes gently; a clock's "
            "hand turns with it."
        ),
        size=(8.0, 3.5),
        play="place",
        place=(0, _LAST, 1, 6),
        shown=["wheels", "both", "waves"],
    )


def _row(place: int) -> Tensor:
    return sinusoidal_encoding(_FARTHEST + 1, _D_MODEL, dtype=torch.float64)[place]


def one_clock_a_pair() -> Explorer:
    """Show a place's eight numbers as four clocks, each ten times slower than the one before.

    Example:
        >>> one_clock_a_pair().frame(place=7).caption
        'Place 7: 0.66, 0.75, 0.64, 0.76, 0.07, 1.00, 0.01, 1.00.'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        axes = fig.subplots(1, _D_MODEL // 2)
        hands = [clock_face(ax, f"place / {10**i:,}") for i, ax in enumerate(axes)]
        notes = [ax.text(0, -1.55, "", ha="center", fontsize=9) for ax in axes]

        def update(place: int) -> str:
            row = _row(place).tolist()
            for pair, (hand, note) in enumerate(zip(hands, notes, strict=True)):
                sine, cosine = row[2 * pair : 2 * pair + 2]
                hand.set_data([0, cosine], [0, sine])
                note.set_text(f"sin {sine:.2f}\ncos {cosine:.2f}")
            numbers = ", ".join(f"{number + 0.0:.2f}" for number in row)
            return say("Place {place}: {numbers}.", place=place, numbers=numbers)

        return update

    return live(
        draw,
        alt=(
            "Four clocks over the eight numbers of a place, a sine and a cosine under each. From "
            "place to place the first hand turns by a radian, each later one ten times less."
        ),
        size=(8.0, 2.6),
        play="place",
        pace=0.5,
        place=(0, 99, 1, 7),
    )


def some_places_on() -> Explorer:
    """Show by which angle each clock turns when one moves on, from wherever one starts.

    Example:
        >>> some_places_on().frame(start=50, on=5).caption
        'From 50 to 55 the four hands turn by 5, 0.5, 0.05, 0.005 radians, as from 0 to 5.'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        axes = fig.subplots(1, _D_MODEL // 2)
        hands = [clock_face(ax, f"place / {10**i:,}") for i, ax in enumerate(axes)]
        ghosts = [ax.plot([0, 1], [0, 0], color=NEUTRAL, linewidth=2.5)[0] for ax in axes]
        arcs = [ax.plot([], [], color=SERIES[0], linewidth=2)[0] for ax in axes]

        def update(start: int, on: int) -> str:
            turns = [on / 10**pair for pair in range(_D_MODEL // 2)]
            for pair, turn in enumerate(turns):
                first = start / 10**pair
                for hand, angle in ((ghosts[pair], first), (hands[pair], first + turn)):
                    hand.set_data([0, math.cos(angle)], [0, math.sin(angle)])
                way = torch.linspace(first, first + min(turn, 2 * math.pi), 60)
                arcs[pair].set_data((0.45 * way.cos()).numpy(), (0.45 * way.sin()).numpy())
            return say(
                "From {start} to {end} the four hands turn by {turns} radians, as from 0 to {on}.",
                start=start,
                end=start + on,
                turns=", ".join(f"{turn:g}" for turn in turns),
                on=on,
            )

        return update

    return live(
        draw,
        alt=(
            "Four clocks with a grey hand where one starts and a coloured one some places on. The "
            "angle between them depends on the number of places and on the clock, not on the start."
        ),
        size=(8.0, 2.3),
        start=([0, 3, 50], 3),
        on=(0, 10, 1, 5),
        labels={"on": "places on"},
    )
