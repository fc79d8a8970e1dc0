"""Lesson 4's picture of a matrix: a plane that is turned, stretched or flattened."""

import math
from typing import Any

import numpy as np
import torch
from matplotlib.figure import Figure
from torch import Tensor

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import NEUTRAL, PAPER, QUERY, SERIES, mixed
from tutor.say import data, say

WORDS = {"river": (3.0, 1.0), "bank": (1.0, 3.0), "savings": (-2.0, 1.0)}
WAYS: dict[str, Tensor] = {
    "turn": torch.tensor([[0.0, 1.0], [-1.0, 0.0]]),
    "stretch": torch.tensor([[1.5, 0.0], [0.0, 0.5]]),
    "flatten": torch.tensor([[0.5, 0.5], [0.5, 0.5]]),
}
_REACH = 4
_SIDES = {"river": 1, "bank": -1, "savings": -1}  # flattened, river and bank are one point
_MARKS: tuple[dict[str, Any], ...] = (
    {"marker": "o", "markersize": 9},
    {"marker": "s", "markersize": 16, "fillstyle": "none"},
    {"marker": "^", "markersize": 11},
)


def turning_space() -> Explorer:
    """Let a matrix take hold of a plane: every row (x, y) moves to (x, y) W.

    Example:
        >>> turning_space().frame(matrix="flatten", share=1.0).caption
        'river (3, 1) → (2, 2), bank (1, 3) → (2, 2), savings (-2, 1) → (-0.5, -0.5)'
    """
    rows = torch.tensor(list(WORDS.values()))  # (3, 2)

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        ax.set(xlim=(-6.2, 6.2), ylim=(-4.2, 4.2), aspect="equal")
        ax.axhline(0, color=mixed(NEUTRAL, 0.6), linewidth=0.8)
        ax.axvline(0, color=mixed(NEUTRAL, 0.6), linewidth=0.8)
        grid = [ax.plot([], [], color=mixed(QUERY, 0.35), linewidth=0.9)[0] for _ in _grid()]
        dots = [
            ax.plot([], [], color=colour, mew=2, zorder=4, **look)[0]
            for look, colour in zip(_MARKS, SERIES)
        ]
        paper = {"facecolor": PAPER, "edgecolor": "none", "pad": 1.5}
        names = [
            ax.text(0, 0, data(word), ha="left" if side > 0 else "right", va="center", bbox=paper)
            for word, side in _SIDES.items()
        ]

        def update(matrix: str, share: float) -> str:
            W = part_of(WAYS[matrix], share, turns=matrix == "turn")
            for line, points in zip(grid, _grid(), strict=True):
                line.set_data(*(points @ W.numpy()).T)
            moved = rows @ W
            for word, dot, name, (x, y) in zip(WORDS, dots, names, moved.tolist(), strict=True):
                dot.set_data([x], [y])
                name.set_position((x + 0.5 * _SIDES[word], y))
            pairs = zip(WORDS, rows.tolist(), moved.tolist(), strict=True)
            return ", ".join(
                f"{data(word)} {_point(before)} → {_point(after)}" for word, before, after in pairs
            )

        return update

    return live(
        draw,
        alt=say(
            "A plane with a grid and three words as dots. As a matrix takes hold, the grid turns, "
            "is stretched along one direction, or is flattened to a line, and the dots go with it."
        ),
        size=(6.2, 3.5),
        labels={"share": say("how far")},
        play="share",
        pace=0.2,
        matrix=(
            [(say("turn"), "turn"), (say("stretch"), "stretch"), (say("flatten"), "flatten")],
            "flatten",
        ),
        share=(0.0, 1.0, 0.1, 1.0),
    )


def part_of(matrix: Tensor, share: float, turns: bool) -> Tensor:
    """Give a matrix on the way from one that changes nothing to the given one.

    Example:
        >>> part_of(WAYS["flatten"], 1.0, turns=False)
        tensor([[0.5000, 0.5000],
                [0.5000, 0.5000]])
    """
    if turns:  # on the way a turn is a smaller turn, not a shrunken one
        angle = share * math.pi / 2
        cos, sin = math.cos(angle), math.sin(angle)
        return torch.tensor([[cos, sin], [-sin, cos]])
    return (1 - share) * torch.eye(2) + share * matrix


def _grid() -> list[np.ndarray]:
    places = np.arange(-_REACH, _REACH + 1.0)
    ends = np.array([-_REACH, _REACH], dtype=float)
    across = [np.stack([ends, np.full(2, place)], axis=1) for place in places]
    up = [np.stack([np.full(2, place), ends], axis=1) for place in places]
    return across + up


def _point(row: list[float]) -> str:
    return "(" + ", ".join(f"{round(number, 1) + 0.0:g}" for number in row) + ")"
