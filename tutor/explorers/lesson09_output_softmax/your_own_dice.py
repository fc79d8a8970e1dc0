"""Dice of the reader's own: one way through a stored tree of 2,187 texts (lesson 9)."""

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tutor.display.controls import as_data
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, INK, NEUTRAL, PAPER
from tutor.explorers.lesson09_output_softmax.pieces_on_a_page import Lines, as_label
from tutor.models.raw_tokens import as_text, readable_pieces
from tutor.models.smollm_dice import CHOICES, DEPTH, Tree, prompts
from tutor.output import temperature_softmax
from tutor.say import data, say

_TEMPERATURES = [0.1, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 5.0]
_LONGEST = 12  # letters of a token that have room


def drawn_way(tree: Tree, T: float, throw: int) -> list[int]:
    """Draw one of the three tokens seven times; the same throw gives the same dice.

    Example:
        >>> tree = Tree("Once upon a time, there was a")
        >>> drawn_way(tree, 0.01, throw=1)
        [0, 0, 0, 0, 0, 0, 0]
    """
    way: list[int] = []
    for die in torch.rand(DEPTH, generator=torch.Generator().manual_seed(throw)).tolist():
        shares = temperature_softmax(tree.choices(way)[1], T)
        way.append(min(int((shares.cumsum(0) < die).sum()), CHOICES - 1))
    return way


def your_own_dice() -> Explorer:
    """Throw dice of your own: at each of seven tokens one of the three most likely is drawn.

    Example:
        >>> your_own_dice().frame(throw=1).caption[:18]
        'One of 2,187 texts'
    """
    tree_of = cache(Tree)

    def draw(fig: Figure, **_start: Any) -> Update:
        page = Lines(fig, (0.01, 0.84, 0.98, 0.14), lines=1, pieces=DEPTH)
        fan = _Fan(fig.add_axes((0.01, 0.02, 0.98, 0.8)))

        def update(prompt: str, T: float, throw: int) -> str:
            tree = tree_of(prompt)
            way = drawn_way(tree, T, throw)
            chosen, chance, held = [], 1.0, []
            for at, branch in enumerate(way):
                tokens, log_probs = tree.choices(way[:at])
                shares = temperature_softmax(log_probs, T).tolist()
                fan.show(at, way[at - 1] if at else 1, branch, tokens, shares)
                chosen.append(tokens[branch])
                chance *= shares[branch]
                held.append(log_probs.exp().sum().item())
            page.write(prompt, readable_pieces(chosen), -1)
            return say(
                "One of 2,187 texts, which comes once in {times:,} throws; cut off at each token: "
                "{cut:.2f} on average",
                times=_rounded(1 / chance),
                cut=1 - sum(held) / DEPTH,
            )

        return update

    return live(
        draw,
        alt=say(
            "A prompt and the seven tokens drawn behind it. Below, a column for each of them: the "
            "three that could have come, each with its probability, the drawn one in colour, and "
            "lines from it to the three after it."
        ),
        size=(8.0, 3.4),
        kept={"T": [0.3, 1.0, 5.0], "throw": [1, 2, 3, 4, 5, 6, 7, 8]},
        prompt=as_data(prompts()[::-1]),
        T=(_TEMPERATURES, 1.0),
        throw=(1, 100, 1, 1),
    )


class _Fan:
    """Seven columns of three tokens, and the lines between."""

    def __init__(self, ax: Axes) -> None:
        ax.set(xlim=(-0.5, DEPTH - 0.5), ylim=(CHOICES - 0.4, -0.6))
        ax.axis("off")
        self.words = [[self._word(ax, at, n) for n in range(CHOICES)] for at in range(DEPTH)]
        self.lines = [
            [ax.plot([at - 0.75, at - 0.27], [1, n], color=NEUTRAL)[0] for n in range(CHOICES)]
            if at
            else []
            for at in range(DEPTH)
        ]

    @staticmethod
    def _word(ax: Axes, at: int, row: int) -> Any:
        word = ax.text(at, row, "", ha="center", va="center", parse_math=False)
        word.set_bbox({"facecolor": PAPER, "edgecolor": "none", "pad": 1.5})  # over the lines
        return word

    def show(
        self, at: int, before: int, chosen: int, tokens: Sequence[bytes], shares: Sequence[float]
    ) -> None:
        for n, (token, share) in enumerate(zip(tokens, shares, strict=True)):
            taken = n == chosen
            label = as_label(as_text(token))[:_LONGEST]
            self.words[at][n].set(
                text=f"{data(label)}\n{share:.2f}", color=HIGHLIGHT if taken else INK
            )
            self.words[at][n].set_fontweight("bold" if taken else "normal")
        for n, line in enumerate(self.lines[at]):
            taken = n == chosen
            line.set_ydata([before, n])
            line.set(color=HIGHLIGHT if taken else NEUTRAL, linewidth=2.5 if taken else 0.8)


def _rounded(number: float) -> int:
    """Keep two digits.

    Example:
        >>> _rounded(1234.5), _rounded(7.4)
        (1200, 7)
    """
    step = 10 ** max(0, math.floor(math.log10(number)) - 1)
    return round(number / step) * step
