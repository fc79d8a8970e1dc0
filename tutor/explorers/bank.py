"""Real sentences with *bank* (lessons 2 and 4): where it looks, and what becomes of its row."""

import math
from collections.abc import Mapping
from typing import Any

import torch
import torch.nn.functional as F
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.lettering import short
from tutor.display.palette import ATTENTION, NEUTRAL
from tutor.say import say
from tutor.training.pretrained import (
    INSTALL,
    WordInContext,
    is_installed,
    stored_bank,
    word_in_context,
)

LAYER, HEAD = 0, 4
FRAME = "He stood by the {} bank"
FILLERS = ("river", "savings", "muddy", "data", "blood", "left")
LESSON_2 = (
    "He sat by the bank of the river",
    "He sat by the bank of the stream",
    "He ran to the bank for the money",
    "He ran to the bank for a loan",
)
_MOST_TOKENS = 12


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
        looks = Looks(Diagram(fig), len(banks["river"].tokens), y=5.0)
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
                weight=short(_weights(banks[before])[banks[before].position - 1]),
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


def bank_in_sentences() -> Explorer:
    """See where *bank* looks in lesson 2's sentences, or in one of the reader's own.

    Example:
        >>> bank_in_sentences().frame(sentence="He ran to the bank for the money").caption
        'In head 0.4 bank looks most at “[CLS]”: 0.24. Of the words it looks most at “the”: 0.15'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        looks = Looks(Diagram(fig), _MOST_TOKENS, y=1.6)

        def update(sentence: str, typed: str) -> str:
            wanted = typed.strip() or sentence
            if wanted not in stored_bank() and not is_installed():
                looks.clear()
                return say("For a sentence of your own: {how}", how=INSTALL)
            try:
                found = stored_bank().get(wanted) or word_in_context("bank", wanted)
            except ValueError:  # the explorer goes on with the next sentence
                looks.clear()
                return say("The word bank is not in this sentence.")
            looks.show(found)
            weights = _weights(found)
            most = max(range(1, len(weights) - 1), key=lambda place: weights[place])
            return say(
                "In head 0.4 bank looks most at “{first}”: {share}. Of the words it looks most at "
                "“{word}”: {weight}",
                first=found.tokens[weights.index(max(weights))],
                share=short(max(weights)),
                word=found.tokens[most],
                weight=short(weights[most]),
            )

        return update

    return live(
        draw,
        alt=(
            "The words of a sentence as tiles; from bank arcs go to all of them, each as wide as "
            "its share of bank's attention in one head."
        ),
        size=(8.0, 2.6),
        columns=1,
        labels={"typed": "your own, with the word bank"},
        sentence=list(LESSON_2),
        typed="",
    )


def bank_at_each_depth() -> Explorer:
    """Compare *bank* with itself in four sentences, layer by layer.

    Example:
        >>> bank_at_each_depth().frame(depth=0).caption
        'Depth 0: within a sense 1.00 and 1.00, across from 1.00 to 1.00'
    """
    states = torch.stack([stored_bank()[sentence].states for sentence in LESSON_2])
    unit = F.normalize(states.double(), dim=-1)  # (4, depths, D)
    names = ("river", "stream", "money", "loan")

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        for row, sentence in enumerate(LESSON_2):
            d.words(sentence, (3.7, 3.83 - 0.85 * row), size=11)
        table = d.matrix(
            torch.eye(4),
            at=(11.9, 2.55),
            name="cosine of\nbank and bank",
            rows=names,
            columns=names,
            cell=(1.4, 0.85),
            decimals=2,
            limit=1.6,
        )

        def update(depth: int) -> str:
            cosines = unit[:, depth] @ unit[:, depth].T
            table.set(cosines)
            across = cosines[:2, 2:]
            return say(
                "Depth {depth}: within a sense {first:.2f} and {second:.2f}, across from {low:.2f} "
                "to {high:.2f}",
                depth=depth,
                first=cosines[0, 1].item(),
                second=cosines[2, 3].item(),
                low=across.min().item(),
                high=across.max().item(),
            )

        return update

    return live(
        draw,
        alt=(
            "Four sentences with the word bank, and a square of sixteen numbers: how alike the "
            "vectors of bank are in each two of them, after so many layers."
        ),
        size=(8.0, 2.9),
        play="depth",
        depth=(0, unit.size(1) - 1, 1, 0),
    )


class Looks:
    """A row of words, and ribbons from one of them as wide as its attention to each.

    Attributes:
        found: the word it shows, in its sentence; None while it shows nothing.
    """

    def __init__(self, diagram: Diagram, most: int, y: float) -> None:
        self._middle, self._y = diagram.width / 2, y
        self._step = min(1.9, (diagram.width - 0.3) / most)
        tile = {"width": self._step - 0.15, "height": 0.7}
        self._asking = diagram.box("", (0.0, y), **tile)  # hidden: where ribbons begin
        self._tokens = [diagram.box("", (0.0, y), **tile) for _ in range(most)]
        self._numbers = [diagram.words("", (0.0, y - 0.65), size=10.5) for _ in range(most)]
        self._ribbons = [diagram.ribbon(self._asking, token, 0.0) for token in self._tokens]
        self._asking.show(False)
        self.found: WordInContext | None = None
        self.clear()

    def clear(self) -> None:
        """Show nothing."""
        self.found = None
        for part in (*self._tokens, *self._numbers, *self._ribbons):
            part.show(False)

    def show(self, found: WordInContext) -> None:
        """Show where a word looks; what has no room is left out."""
        self.clear()
        self.found = found
        tokens = found.tokens[: len(self._tokens)]
        first = self._middle - self._step * (len(tokens) - 1) / 2
        self._asking.move(first + self._step * found.position, self._y)
        weights = _weights(found)
        for place, (token, weight) in enumerate(zip(tokens, weights)):
            self._put(place, first + self._step * place, token, weight, place == found.position)

    def _put(self, place: int, x: float, token: str, weight: float, asks: bool) -> None:
        tile, number, ribbon = self._tokens[place], self._numbers[place], self._ribbons[place]
        for part, y in ((tile, self._y), (number, self._y - 0.65)):
            part.show()
            part.move(x, y)
        tile.write(token if len(token) <= 12 else f"{token[:11]}…")
        tile.light(asks)
        number.write(short(weight))
        ribbon.show(not asks)
        ribbon.set(weight)


def _weights(found: WordInContext) -> list[float]:
    weights: list[float] = found.weights[LAYER, HEAD].tolist()
    return weights


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
