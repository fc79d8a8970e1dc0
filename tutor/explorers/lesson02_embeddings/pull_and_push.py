"""One pair of skip-gram in numbers: pulled together, and the others pushed away."""

from typing import Any

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, INK, PAPER, SERIES, mixed
from tutor.display.style import TITLE
from tutor.say import data, say

_WORD, _TRUE = "tea", "cold"
_CONTEXTS = ("cold", "drinks", "cat", "rome", "on")
_ROW = torch.tensor([1.3, 0.5])
_TABLE = torch.tensor([[0.2, 0.85], [1.0, -0.15], [0.1, -0.95], [-1.15, -0.3], [-0.75, 0.6]])
_STEPS, _RATE = 10, 0.2
_SHORTEST = 0.2  # an arrow shorter than its own head would point the wrong way

_OVER = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.6}  # an arrow


def pull_and_push() -> Explorer:
    """Take steps on one true pair, and show what each context word's row is given.

    Example:
        >>> pull_and_push().frame(step=0, arrows="shown").caption
        'Step 0: cold has probability 0.29 and is pulled by 0.71; drinks is pushed by 0.50.'
    """
    film = _steps()
    place = _CONTEXTS.index(_TRUE)

    def draw(fig: Figure, **_start: Any) -> Update:
        plane, chances = fig.subplots(1, 2, width_ratios=[1.25, 1])
        _set_plane(plane)
        look = {"arrowstyle": "-|>", "linewidth": 2.4, "mutation_scale": 16}
        mine = plane.annotate("", (1, 0), (0, 0), arrowprops=look | {"color": SERIES[0]})
        name = plane.text(
            0, 0, data(_WORD), fontsize=TITLE, color=SERIES[0], ha="left", va="bottom"
        )
        dots = [
            plane.plot([], [], "o", color=HIGHLIGHT if word == _TRUE else INK, markersize=8)[0]
            for word in _CONTEXTS
        ]
        names = [
            plane.text(
                0, 0, data(word), fontsize=TITLE, ha="center", va="top", bbox=_OVER, zorder=5
            )
            for word in _CONTEXTS
        ]
        moves = [
            plane.annotate(
                "",
                (1, 0),
                (0, 0),
                arrowprops=look
                | {"color": dot.get_color(), "mutation_scale": 10, "shrinkA": 0, "shrinkB": 0},
            )
            for dot in dots
        ]
        bars, said = _set_chances(chances)

        def update(step: int, arrows: str) -> str:
            row, table, probabilities = film[step]
            mine.xy = tuple(row.tolist())
            name.set_position((row + 0.05).tolist())
            given = -probabilities
            given[place] += 1
            for n, chance in enumerate(probabilities.tolist()):
                x, y = table[n].tolist()
                dots[n].set_data([x], [y])
                names[n].set_position((x, y + (0.46 if y > 0 else -0.28)))
                moves[n].set_position((x, y))
                move = 0.8 * given[n] * row
                moves[n].xy = tuple((table[n] + move).tolist())
                moves[n].set_visible(arrows == "shown" and move.norm().item() > _SHORTEST)
                bars[n].set_width(chance)
                said[n].set(text=_told(chance, n == place, arrows), x=chance + 0.02)
            return _caption(step, probabilities, arrows)

        return update

    return live(
        draw,
        alt=say(
            "Left, a plane: an arrow for the word's row, and a dot for the context row of each of "
            "five words. Right, the probability of each as context. With arrows shown, the true "
            "context moves along the word's arrow, the others against it, each by its probability."
        ),
        size=(8.0, 3.2),
        play="step",
        step=(0, _STEPS, 1, 0),
        arrows=([(say("hidden"), "hidden"), (say("shown"), "shown")], "shown"),
    )


def _steps() -> list[tuple[Tensor, Tensor, Tensor]]:
    """Give both tables' rows before each step, with the probabilities that the softmax makes."""
    row, table = _ROW.double(), _TABLE.double()
    right = torch.zeros(len(_CONTEXTS), dtype=torch.float64)
    right[_CONTEXTS.index(_TRUE)] = 1
    film = []
    for _ in range(_STEPS + 1):
        probabilities = torch.softmax(table @ row, dim=0)
        film.append((row, table, probabilities))
        given = right - probabilities  # what the loss gives each score, turned round
        row, table = row + _RATE * given @ table, table + _RATE * given[:, None] * row
    return film


def _set_plane(ax: Axes) -> None:
    ax.set(xlim=(-2.6, 3.0), ylim=(-1.7, 2.0), aspect="equal", xticks=[0], yticks=[0])
    ax.set_xticklabels([])
    ax.set_yticklabels([])
    ax.grid(visible=True)
    ax.set_title(say("row of {word}, and context rows", word=_WORD))


def _set_chances(ax: Axes) -> tuple[list[Any], list[Any]]:
    colours = [mixed(HIGHLIGHT if word == _TRUE else INK, 0.4) for word in _CONTEXTS]
    bars = ax.barh(range(len(_CONTEXTS)), [0.0] * len(_CONTEXTS), color=colours, height=0.6)
    said = [ax.text(0, n, "", va="center") for n in range(len(_CONTEXTS))]
    ax.set(xlim=(0, 2.0), ylim=(len(_CONTEXTS) - 0.5, -0.5), xticks=[])
    ax.set_yticks(range(len(_CONTEXTS)), labels=[data(word) for word in _CONTEXTS])
    ax.spines["bottom"].set_visible(False)
    ax.set_title(say("probability as context of {word}", word=_WORD))
    return [*bars], said


def _told(chance: float, true: bool, arrows: str) -> str:
    if arrows == "hidden":
        return f"{chance:.2f}"
    if true:
        return say("{chance:.2f}: pulled by {by:.2f}", chance=chance, by=1 - chance)
    return say("{chance:.2f}: pushed by {chance:.2f}", chance=chance)


def _caption(step: int, probabilities: Tensor, arrows: str) -> str:
    true = probabilities[_CONTEXTS.index(_TRUE)].item()
    other, most = max(
        zip(_CONTEXTS, probabilities.tolist(), strict=True),
        key=lambda pair: -1.0 if pair[0] == _TRUE else pair[1],
    )
    if arrows == "hidden":
        return say(
            "Step {step}: {word} has probability {true:.2f}.", step=step, word=_TRUE, true=true
        )
    return say(
        "Step {step}: {word} has probability {true:.2f} and is pulled by {by:.2f}; {other} is "
        "pushed by {most:.2f}.",
        step=step,
        word=_TRUE,
        true=true,
        by=1 - true,
        other=other,
        most=most,
    )
