"""The words nearest to a word in the GloVe table, beside what two words usually have."""

from typing import Any

import torch
import torch.nn.functional as F
from matplotlib.figure import Figure
from torch import Tensor

from tutor.data.glove import load_glove
from tutor.display.controls import as_data, as_said
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, NEUTRAL, SERIES, mixed
from tutor.display.style import SMALL
from tutor.embedding import cosine_similarities
from tutor.say import data, later, say

_SHOWN = 8
_COMMON = 2000  # the most common words: hot and cold are among them
_WORDS = ("king", "cat", "paris", "monday", "good", "hot", "seven", "bank", "red", "apple")


def closeness(measure: str, query: Tensor, table: Tensor) -> Tensor:
    """Measure how close each row is to the query: larger is closer.

    Example:
        >>> closeness("distance", torch.zeros(2), torch.tensor([[3.0, 4.0]]))
        tensor([-5.])
    """
    if measure == "cosine":
        return cosine_similarities(query, table)
    if measure == "dot product":
        return table @ query
    return -(table - query).norm(dim=-1)


def neighbours() -> Explorer:
    """Show the words nearest to a word in the GloVe table, beside what two words usually have.

    Example:
        >>> neighbours().frame(word="hot").caption
        'nearest to hot: cool 0.86, cold 0.80, mix 0.77; two words at random: 0.22 ± 0.17, \
two common words: 0.43 ± 0.16'
    """
    words, table = load_glove()
    mean, deviation = usual_cosine(table)
    common, common_deviation = usual_cosine(table[:_COMMON])

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        ax.axvspan(mean - deviation, mean + deviation, color=mixed(NEUTRAL, 0.25), zorder=0)
        for usual, name in ((mean, say("two words")), (common, say("two common words"))):
            ax.axvline(usual, color=HIGHLIGHT, linewidth=1.6, linestyle="--", zorder=3)
            ax.text(usual, -0.75, f"{name}: {usual:.2f}", ha="center", va="bottom", fontsize=SMALL)
        bars = ax.barh(range(_SHOWN), [0.0] * _SHOWN, color=mixed(SERIES[0], 0.6), height=0.62)
        names = [
            ax.text(-0.02, place, "", va="center", ha="right", transform=ax.get_yaxis_transform())
            for place in range(_SHOWN)
        ]
        ax.set(xlim=(0, 1.02), ylim=(_SHOWN - 0.5, -0.5), xlabel=say("cosine with the chosen word"))
        ax.set_yticks([])
        room = "m" * 8  # for the longest word: the layout is settled with the first picture
        ax.text(-0.02, 0, data(room), alpha=0, ha="right", transform=ax.get_yaxis_transform())

        def update(word: str, measure: str) -> str:
            query = table[words.index(word)]
            best = closeness(measure, query, table).topk(_SHOWN + 1).indices.tolist()
            found = [row for row in best if words[row] != word][:_SHOWN]
            cosines = cosine_similarities(query, table)
            for bar, name, row in zip(bars, names, found):
                bar.set_width(max(0.0, cosines[row].item()))
                name.set_text(data(words[row]))
            return say(
                "nearest to {word}: {first}; two words at random: {mean:.2f} ± {deviation:.2f}, "
                "two common words: {common:.2f} ± {around:.2f}",
                word=word,
                first=", ".join(f"{words[row]} {cosines[row]:.2f}" for row in found[:3]),
                mean=mean,
                deviation=deviation,
                common=common,
                around=common_deviation,
            )

        return update

    return live(
        draw,
        alt=say(
            "The eight words nearest to the chosen one, with their cosines as bars; dashed lines "
            "at the mean cosine of two words at random and of two of the 2,000 most common. By "
            "cosine they are words of the same kind; by dot product words with long rows come "
            "forward, whatever their kind."
        ),
        size=(8.0, 3.0),
        word=(as_data(_WORDS), "hot"),
        measure=(
            as_said([later("cosine"), later("dot product"), later("distance")]),
            "cosine",
        ),
    )


def usual_cosine(table: Tensor, pairs: int = 20_000) -> tuple[float, float]:
    """Give the mean and the standard deviation of the cosines of rows drawn at random.

    Example:
        >>> mean, deviation = usual_cosine(torch.eye(2), pairs=100)
        >>> 0.3 < mean < 0.7
        True
    """
    drawn = torch.randint(len(table), (2, pairs), generator=torch.Generator().manual_seed(2))
    first, second = F.normalize(table.double(), dim=1)[drawn]
    cosines = (first * second).sum(1)
    return cosines.mean().item(), cosines.std().item()
