"""Who learns to follow chains of cards: every training, by reader (lesson 8)."""

import torch
from matplotlib.figure import Figure

from tutor.claims.runs import Runs, load_sweep
from tutor.data.chains import NAMES, TWO_STEPS, deal
from tutor.display.palette import NEUTRAL, SERIES
from tutor.display.plots import Picture
from tutor.display.style import SMALL
from tutor.explorers.lesson08_full_transformer.follow_the_chain import CARDS, CHAINS
from tutor.say import say

_SOLVED = 0.99
_READERS = {
    "1 layer": "1 layer",
    "2 layers": "2 layers",
    "3 layers": "3 layers",
    "GRU + 1 layer": "GRU + 1 layer",
    "GRU + 2 layers": "GRU + 2 layers",
}


def commonest_end() -> float:
    """Return how often the most common last letter of a hand answers a two-step question.

    Example:
        >>> round(commonest_end(), 2)
        0.41
    """
    dealt = deal(512, CHAINS, torch.Generator().manual_seed(1000))
    asked = dealt.steps[:, CARDS:, 1] == TWO_STEPS
    ends = torch.nn.functional.one_hot(dealt.answers, len(NAMES)) * asked[..., None]
    return ends.sum(1).max(-1).values.sum().item() / asked.sum().item()


def chains_tried() -> Picture:
    """Show every training's share of two-step questions, by reader."""
    runs = load_sweep("chains").runs
    readers = runs.values_of("reader")

    def draw(fig: Figure) -> str:
        ax = fig.subplots()
        guess = commonest_end()
        ax.axvline(guess, color=NEUTRAL, linestyle="--", linewidth=1)
        ax.text(
            guess + 0.01,
            -0.72,
            say("always the hand's most common last letter"),
            va="center",
            fontsize=SMALL,
        )
        for row, reader in enumerate(readers):
            shares = runs.at(reader=reader).numbers("two steps")
            ax.scatter(shares, _spread(row, len(shares)), s=26, color=SERIES[0], alpha=0.6)
            ax.text(1.04, row, _counted(runs.at(reader=reader)), va="center")
        ax.set_yticks(range(len(readers)), [say(_READERS[reader]) for reader in readers])
        ax.set(xlim=(0.3, 1.3), ylim=(len(readers) - 0.5, -1.0))
        ax.set_xticks([0.4, 0.6, 0.8, 1.0])
        ax.set_xlabel(say("share of two-step questions right; a dot is a training run"))
        counts = ", ".join(
            f"{_READERS[reader]} {_counted(runs.at(reader=reader))}" for reader in readers
        )
        return say("Trainings that follow the chain: {counts}.", counts=counts)

    return Picture(
        draw,
        alt=say(
            "A row of dots for each reader, one for each training run. With one layer, a GRU below "
            "it or not, all dots lie on the dashed line of the most common last letter. Two layers "
            "and three have most dots at 1 and some on the line; a GRU below two layers has one "
            "dot at 1 and the others on the line. Between the two there are none."
        ),
        size=(8.0, 2.9),
    )


def _spread(row: int, count: int) -> list[float]:
    """Put dots that would lie on each other side by side."""
    return [row + 0.6 * (place / max(1, count - 1) - 0.5) for place in range(count)]


def _counted(runs: Runs) -> str:
    solved = sum(share > _SOLVED for share in runs.numbers("two steps"))
    return say("{solved} of {all}", solved=solved, all=len(runs))
