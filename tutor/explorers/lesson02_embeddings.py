"""The pictures of lesson 2: here a word's neighbours, random directions, and a map of words."""

from typing import Any

import torch
import torch.nn.functional as F
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor

from tutor.data.glove import load_glove
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, NEUTRAL, SERIES, mixed
from tutor.display.plots import Picture
from tutor.embedding import cosine_similarities
from tutor.explorers.bank import bank_at_each_depth
from tutor.explorers.subwords import TEXT, merges_step_by_step, real_pieces, vocabulary_sizes
from tutor.explorers.word_rows import (
    picking_a_row,
    rows_that_learn,
    two_arrows,
    window_over_a_sentence,
)
from tutor.explorers.word_tables import a_word_of_your_own, training_a_table
from tutor.say import say

_SHOWN = 8
_WORDS = ("king", "cat", "paris", "monday", "good", "hot", "seven", "bank", "red", "apple")
_WIDTHS = (2, 4, 8, 16, 64, 128, 512)


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
        'nearest to hot: cool 0.86, cold 0.80, mix 0.77; two words at random: 0.22 ± 0.17'
    """
    words, table = load_glove()
    mean, deviation = usual_cosine(table)
    common, _ = usual_cosine(table[:1000])

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        ax.axvspan(mean - deviation, mean + deviation, color=mixed(NEUTRAL, 0.25), zorder=0)
        for usual, name in ((mean, say("two words")), (common, say("two common words"))):
            ax.axvline(usual, color=HIGHLIGHT, linewidth=1.6, linestyle="--", zorder=3)
            ax.text(usual, -0.75, f"{name}: {usual:.2f}", ha="center", va="bottom", fontsize=9.5)
        bars = ax.barh(range(_SHOWN), [0.0] * _SHOWN, color=mixed(SERIES[0], 0.6), height=0.62)
        names = [
            ax.text(-0.02, place, "", va="center", ha="right", transform=ax.get_yaxis_transform())
            for place in range(_SHOWN)
        ]
        ax.set(xlim=(0, 1.02), ylim=(_SHOWN - 0.5, -0.5), xlabel="cosine with the chosen word")
        ax.set_yticks([])
        room = "m" * 8  # for the longest word: the layout is settled with the first picture
        ax.text(-0.02, 0, room, alpha=0, ha="right", transform=ax.get_yaxis_transform())

        def update(word: str, measure: str) -> str:
            query = table[words.index(word)]
            best = closeness(measure, query, table).topk(_SHOWN + 1).indices.tolist()
            found = [row for row in best if words[row] != word][:_SHOWN]
            cosines = cosine_similarities(query, table)
            for bar, name, row in zip(bars, names, found):
                bar.set_width(max(0.0, cosines[row].item()))
                name.set_text(words[row])
            return say(
                "nearest to {word}: {first}; two words at random: {mean:.2f} ± {deviation:.2f}",
                word=word,
                first=", ".join(f"{words[row]} {cosines[row]:.2f}" for row in found[:3]),
                mean=mean,
                deviation=deviation,
            )

        return update

    return live(
        draw,
        alt=(
            "The eight words nearest to the chosen one, with their cosines as bars; dashed lines "
            "at the mean cosine of two words at random and of two of the thousand commonest. By "
            "cosine they are words of the same kind; by dot product words with long rows come "
            "forward, whatever their kind."
        ),
        size=(8.0, 3.0),
        word=(list(_WORDS), "hot"),
        measure=(["cosine", "dot product", "distance"], "cosine"),
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


def random_directions() -> Explorer:
    """Show how the cosines of random vectors gather around 0 as they become wider."""
    generator = torch.Generator().manual_seed(2)
    edges = torch.linspace(-1, 1, 41)
    cosines = {}
    for width in _WIDTHS:
        a, b = torch.randn(2, 4000, width, generator=generator)
        cosines[width] = F.cosine_similarity(a, b, dim=-1)

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        middles = ((edges[:-1] + edges[1:]) / 2).tolist()
        bars = ax.bar(middles, [0.0] * len(middles), width=0.048, color=SERIES[0])
        ax.set(xlim=(-1, 1), ylim=(0, 0.4), xlabel="cosine of two random vectors", ylabel="share")

        def update(d_model: int) -> str:
            counts = torch.histogram(cosines[d_model], edges).hist / len(cosines[d_model])
            for bar, share in zip(bars, counts.tolist()):
                bar.set_height(share)
            spread = cosines[d_model].std().item()
            return (
                f"d_model {d_model}: spread of the cosines {spread:.2f}, 1/√d = {d_model**-0.5:.2f}"
            )

        return update

    return live(
        draw,
        alt=(
            "A histogram of the cosines of 4,000 pairs of random vectors. In two dimensions it is "
            "highest at both ends, in four it is broad, and the more dimensions there are, the "
            "closer all cosines lie to 0."
        ),
        size=(7.0, 3.2),
        d_model=(list(_WIDTHS), 4),
    )


def map_of_words() -> Picture:
    """Show some words of the GloVe table in the plane of their two widest directions."""
    groups: dict[str, tuple[str, ...]] = {
        "countries": ("france", "germany", "japan", "korea", "italy"),
        "capitals": ("paris", "berlin", "tokyo", "seoul", "rome"),
        "numbers": ("two", "three", "four", "five", "six"),
        "days": ("monday", "tuesday", "wednesday", "thursday", "friday"),
        "animals": ("cat", "dog", "horse", "bird", "fish"),
    }

    sides = dict.fromkeys(("germany", "rome", "fish", "horse"), "left") | {"berlin": "below"}
    crowds = {"numbers": "two … six", "days": "monday … friday"}  # no room for a name at each

    def draw(fig: Figure) -> str:
        words, table = load_glove()
        chosen = [word for group in groups.values() for word in group]
        rows = table[torch.tensor([words.index(word) for word in chosen])]  # (25, 50)
        rows = rows - rows.mean(0)
        _, sizes, directions = torch.linalg.svd(rows, full_matrices=False)
        signs = directions[:2].sum(1).sign()  # a direction and its opposite are equally right
        flat = rows @ directions[:2].T * signs  # (25, 2)
        ax = fig.subplots()
        for number, group in enumerate(groups):
            points = flat[5 * number : 5 * number + 5]
            ax.scatter(*points.T.numpy(), color=SERIES[number], label=group)
            if group in crowds:
                _name(ax, crowds[group], points.mean(0).tolist(), distance=12)
                continue
            for word, point in zip(groups[group], points.tolist()):
                _name(ax, word, point, side=sides.get(word, "right"))
        ax.legend(loc="upper right", fontsize=9)
        ax.margins(0.1)
        ax.set_xticks([])
        ax.set_yticks([])
        kept = (sizes[:2].square().sum() / sizes.square().sum()).item()
        caption = f"two of fifty directions hold {kept:.2f} of the spread of these words"
        ax.set_title(caption)
        return caption

    return Picture(
        draw,
        alt=(
            "Twenty-five words as points in a plane. Countries, capitals, numbers, days and "
            "animals lie in groups; capitals lie near the countries, the European ones below and "
            "the Asian ones above."
        ),
        size=(7.5, 4.0),
    )


def _name(
    ax: Axes, word: str, point: list[float], side: str = "right", distance: float = 5
) -> None:
    shift, across, upright = {
        "right": ((distance, 0), "left", "center"),
        "left": ((-distance, 0), "right", "center"),
        "below": ((0, -distance), "center", "top"),
    }[side]
    ax.annotate(
        word,
        (point[0], point[1]),
        xytext=shift,
        textcoords="offset points",
        ha=across,
        va=upright,
        fontsize=9,
    )


EXPLORERS = (
    picking_a_row,
    merges_step_by_step,
    real_pieces,
    two_arrows,
    window_over_a_sentence,
    training_a_table,
    a_word_of_your_own,
    neighbours,
    rows_that_learn,
    bank_at_each_depth,
    random_directions,
)
__all__ = ["EXPLORERS", "TEXT", "map_of_words", "vocabulary_sizes"]
