"""The toy language of lesson 9, small enough to see all its sentences as one tree."""

import torch
from jaxtyping import Float
from matplotlib.axes import Axes
from torch import Tensor

from tutor.display.palette import HIGHLIGHT, INK, NEUTRAL
from tutor.language_model import TrigramStep
from tutor.say import data, say

Ids = tuple[int, ...]
"""A beginning of a sentence, its <bos> left out."""
LENGTH = 5  # words a sentence may have, <eos> counted
_LEAST = -6.0  # below this sum of log-probabilities a beginning has no chance
TOY_WORDS = ("<bos>", "<eos>", "the", "a", "cat", "dog", "bird", "sat", "down")


def toy_language() -> Float[Tensor, "before last next"]:
    """Make the lesson's toy: log-probabilities of each next word, given the last two.

    Of its sentences the most likely, "a dog", has 0.4 · 0.9 = 0.36; greedy search starts with
    "the" (0.6) and ends in "the cat" with 0.6 · 0.4 = 0.24.

    Example:
        >>> toy = toy_language().exp()
        >>> the, a, cat, dog = (TOY_WORDS.index(word) for word in ("the", "a", "cat", "dog"))
        >>> round((toy[0, 0, the] * toy[0, the, cat]).item(), 2)
        0.24
        >>> round((toy[0, 0, a] * toy[0, a, dog]).item(), 2)
        0.36
    """
    row: dict[tuple[str, str], dict[str, float]] = {
        ("<bos>", "<bos>"): {"the": 0.6, "a": 0.4},
        ("<bos>", "the"): {"cat": 0.4, "dog": 0.38, "bird": 0.22},
        ("<bos>", "a"): {"dog": 0.9, "cat": 0.1},
        ("the", "dog"): {"sat": 1.0},
        ("dog", "sat"): {"down": 1.0},
    }
    table = torch.zeros(len(TOY_WORDS), len(TOY_WORDS), len(TOY_WORDS))
    table[:, :, TrigramStep.eos_id] = 1.0  # where nothing is said, the sentence ends
    for (before, last), following in row.items():
        context = TOY_WORDS.index(before), TOY_WORDS.index(last)
        table[context] = 0.0
        for word, probability in following.items():
            table[(*context, TOY_WORDS.index(word))] = probability
    return (table + 1e-9).log()


class SentenceTree:
    """All beginnings of the toy's sentences with their probabilities, from <bos> at the left."""

    def __init__(self, ax: Axes) -> None:
        """Draw a line and a label for each beginning."""
        totals = _all_beginnings()
        heights = _places(totals)
        ax.set(xlim=(-0.15, LENGTH + 0.55), ylim=(min(heights.values()) - 0.6, 0.7))
        ax.axis("off")
        roots = [height for ids, height in heights.items() if len(ids) == 1]
        root = sum(roots) / len(roots)
        ax.text(0, root, say("<bos>"), ha="right", va="center")
        self._lines, self._labels = {}, {}
        for ids, height in heights.items():
            left = 0.05 if len(ids) == 1 else len(ids) - 0.6  # where the parent's text has ended
            start = heights.get(ids[:-1], root)
            (self._lines[ids],) = ax.plot([left, len(ids) - 0.3], [start, height])
            text = f"{TOY_WORDS[ids[-1]]} {torch.tensor(totals[ids]).exp():.2f}"
            self._labels[ids] = ax.text(len(ids) - 0.27, height, data(text), va="center")

    def show(self, kept: set[Ids], best: Ids) -> None:
        """Make the beginnings that were kept bold, and colour the way to the best sentence."""
        for ids, line in self._lines.items():
            is_kept, label = ids in kept, self._labels[ids]
            colour = HIGHLIGHT if best[: len(ids)] == ids else INK if is_kept else NEUTRAL
            line.set(color=colour, linewidth=2.5 if is_kept else 0.8)
            label.set(color=colour, fontweight="bold" if is_kept else "normal")


def _all_beginnings() -> dict[Ids, float]:
    """Give every beginning that has a chance, with the sum of its log-probabilities."""
    table = toy_language()
    found: dict[Ids, float] = {}
    unfinished: dict[Ids, float] = {(): 0.0}
    for _ in range(LENGTH):
        longer = {
            (*ids, word): total + new
            for ids, total in unfinished.items()
            for word, new in enumerate(table[(0, 0, *ids)[-2:]].tolist())
        }
        likely = {ids: total for ids, total in longer.items() if total > _LEAST}
        found |= likely
        unfinished = {ids: t for ids, t in likely.items() if ids[-1] != TrigramStep.eos_id}
    return found


def _places(beginnings: dict[Ids, float]) -> dict[Ids, float]:
    """Give each beginning a height: leaves side by side, a parent in the middle of its children."""
    leaves = sorted(ids for ids in beginnings if ids[-1] == TrigramStep.eos_id)
    heights = {ids: -float(place) for place, ids in enumerate(leaves)}
    for ids in sorted(beginnings, key=lambda ids: -len(ids)):
        if ids not in heights:
            below = [heights[other] for other in heights if other[:-1] == ids]
            heights[ids] = sum(below) / len(below) if below else 0.0
    return heights
