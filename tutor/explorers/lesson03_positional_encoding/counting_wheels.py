"""Counting in binary: each digit is the half in which a clock's hand is, its height a wave."""

import math
from typing import Any, NamedTuple

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, INK, NEUTRAL, mixed
from tutor.display.style import SMALL
from tutor.explorers.lesson03_positional_encoding.clock_face import (
    SINE,
    add_hand,
    clock_face,
    turn_hand,
)
from tutor.say import say

_DIGITS = 4
_POSITIONS = 2**_DIGITS


class _Row(NamedTuple):
    """One digit with its clock: what moves, and what is shown of it."""

    period: int
    tiles: list[Rectangle]
    digits: list[Text]
    wave: Line2D
    dot: Line2D
    across: tuple[Line2D, Line2D]
    hand: Line2D


def counting_wheels() -> Explorer:
    """Count in binary, and let each digit be the half in which a clock's hand is.

    Example:
        >>> counting_wheels().frame(position=6).caption
        'Position 6 is 0110 in binary. The clock of the ones turns once in 2 positions, of the \
eights in 16.'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        grid = fig.subplots(_DIGITS, 2, width_ratios=[6.2, 1])
        rows = [_row(2 ** (n + 1), wide, face) for n, (wide, face) in enumerate(grid)]
        names = (say("ones"), say("twos"), say("fours"), say("eights"))
        for (wide, _), name in zip(grid, names, strict=True):
            wide.set_ylabel(name, rotation=0, labelpad=24, va="center")
        grid[-1][0].set_xticks(range(_POSITIONS))
        grid[-1][0].set_xlabel(say("position"))

        def update(position: int, shown: str) -> str:
            for row in rows:
                _move(row, position, digits=shown != "clocks", clock=shown != "digits")
            return say(
                "Position {position} is {binary} in binary. The clock of the ones turns once in 2 "
                "positions, of the eights in {longest}.",
                position=position,
                binary=f"{position:0{_DIGITS}b}",
                longest=_POSITIONS,
            )

        return update

    return live(
        draw,
        alt=say(
            "Four rows, for ones, twos, fours and eights. In each a row of digits jumps between 0 "
            "and 1. Below it a wave is above its middle where the digit is 0, and a clock's hand "
            "is as high as the wave; 0 stands beside the upper half of the clock, 1 beside the "
            "lower. Each row is twice as slow as the one above."
        ),
        size=(8.0, 3.9),
        play="position",
        position=(0, _POSITIONS - 1, 1, 5),
        shown=(
            [(say("digits"), "digits"), (say("clocks"), "clocks"), (say("both"), "both")],
            "both",
        ),
    )


def _row(period: int, wide: Axes, face: Axes) -> _Row:
    tiles, digits = [], []
    for position in range(_POSITIONS):
        one = position // (period // 2) % 2
        tile = Rectangle((position, 1.2), 1, 0.9, edgecolor="none", facecolor=mixed(NEUTRAL, 0.2))
        wide.add_patch(tile)
        tiles.append(tile)
        middle = (position + 0.5, 1.65)  # apart from the wave, whose sign is no digit
        digits.append(wide.text(*middle, str(one), ha="center", va="center", zorder=5))
    times = torch.linspace(0, _POSITIONS, 1200)
    heights = torch.sin(2 * math.pi * times / period)
    (wave,) = wide.plot(times.numpy(), heights.numpy(), color=SINE, linewidth=1.8)
    wide.axhline(0, color=mixed(NEUTRAL, 0.5), linewidth=0.8)
    wide.set(xlim=(0, _POSITIONS), ylim=(-1.2, 2.1), xticks=[], yticks=[])
    wide.spines[["left", "bottom"]].set_visible(False)
    clock_face(face)
    face.set(ylim=wide.get_ylim())  # so that a hand is as high as its wave
    for digit, height in (("0", 0.6), ("1", -0.6)):  # above the middle and below it
        face.text(1.6, height, digit, ha="center", va="center", fontsize=SMALL, color=INK)
    look: dict[str, Any] = {"color": HIGHLIGHT, "linestyle": ":", "linewidth": 1.2}
    across = wide.plot([0, _POSITIONS], [0, 0], **look)[0], face.plot([-1.25, 1], [0, 0], **look)[0]
    (dot,) = wide.plot([0], [0], "o", color=HIGHLIGHT, markersize=7, clip_on=False)
    return _Row(period, tiles, digits, wave, dot, across, add_hand(face))


def _move(row: _Row, position: int, *, digits: bool, clock: bool) -> None:
    angle = 2 * math.pi * position / row.period
    height = math.sin(angle)
    turn_hand(row.hand, angle)
    row.dot.set_data([position], [height])
    row.across[0].set_data([position, _POSITIONS], [height, height])
    row.across[1].set_data([-1.25, math.cos(angle)], [height, height])
    for artist in (row.wave, row.dot, *row.across, row.hand):
        artist.set_visible(clock)
    for n, (tile, digit) in enumerate(zip(row.tiles, row.digits, strict=True)):
        tile.set(visible=digits, facecolor=mixed(HIGHLIGHT if n == position else NEUTRAL, 0.25))
        digit.set(visible=digits, fontweight="bold" if n == position else "normal", color=INK)
