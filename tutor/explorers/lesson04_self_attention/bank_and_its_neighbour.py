"""The word before *bank* exchanged: where it looks, and how far the two rows part."""

import math
from collections.abc import Mapping
from typing import Any

import torch.nn.functional as F
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.lettering import short
from tutor.display.palette import ATTENTION, NEUTRAL
from tutor.explorers.lesson04_self_attention.looks_of_bank import BankArcs, weights_from
from tutor.models.minilm import (
    stored_bank,
)
from tutor.say import say

FRAME = "He stood by the {} bank"
FILLERS = ("river", "savings", "muddy", "data", "blood", "left")


def bank_and_its_neighbour() -> Explorer:
    """Swap the word before *bank*: where does it look, and how far do the two rows part?

    Example:
        >>> bank_and_its_neighbour().frame(before="savings").caption
        'In head 0.4 bank looks at savings: 0.65. Cosine with the river bank after 6 layers: 0.83'
    """
    banks = {filler: stored_bank()[FRAME.format(filler)] for filler in FILLERS}
    cosines = {
        filler: F.cosine_similarity(bank.states, banks["river"].states, dim=-1).tolist()
        for filler, bank in banks.items()
    }

    def draw(fig: Figure, **_start: Any) -> Update:
        looks = BankArcs(Diagram(fig), len(banks["river"].tokens), y=5.0)
        lines = _cosine_lines(fig.add_axes((0.1, 0.135, 0.86, 0.285)), cosines)

        def update(before: str) -> str:
            looks.show(banks[before])
            for filler, line in lines.items():
                chosen = filler == before
                line.set(color=ATTENTION if chosen else NEUTRAL, zorder=3 if chosen else 2)
                line.set_linewidth(3.0 if chosen else 0.8)
            return say(
                "In head 0.4 bank looks at {word}: {weight}. Cosine with the river bank after 6 "
                "layers: {cosine}",
                word=before,
                weight=short(weights_from(banks[before])[banks[before].position - 1]),
                cosine=short(cosines[before][-1]),
            )

        return update

    return live(
        draw,
        alt=(
            "A sentence of eight tiles; from bank arcs go to all words, each as wide as its share "
            "of bank's attention. Below, a line for each word that can stand before bank: how "
            "alike its bank is to the river bank, from 1 before the first layer to less above."
        ),
        size=(8.0, 3.9),
        labels={"before": "the word before bank"},
        before=list(FILLERS),
    )


def _cosine_lines(ax: Axes, cosines: Mapping[str, list[float]]) -> dict[str, Line2D]:
    ax.set(xlim=(-0.15, 6.9), ylim=(0.76, 1.02), xlabel="after so many layers")
    ax.set_title("cosine with bank in “the river bank”", fontsize=11)
    ax.grid(visible=True, axis="y")
    lines = {}
    for filler, values in cosines.items():
        (lines[filler],) = ax.plot(range(len(values)), values, marker=".")
    y = math.inf
    for filler in sorted(cosines, key=lambda name: -cosines[name][-1]):
        y = min(y - 0.028, cosines[filler][-1])  # no two names on each other
        ax.text(6.12, y, filler, va="center", fontsize=9)
    return lines
