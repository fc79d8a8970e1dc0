"""What MiniLM makes of two sentences with the same words, with its positions and without."""

import textwrap
from typing import Any

from matplotlib.figure import Figure

from tutor.claims.runs import load_sweep
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import SERIES, mixed
from tutor.display.style import TITLE
from tutor.say import data, say

# As in tools/results/swapped_words.py.
_PAIRS = {
    "tea": ("Mina gave Joon tea", "Joon gave Mina tea"),
    "Apple": ("Samsung loves Apple", "Apple loves Samsung"),
    "TOEFL": (
        "Although I did not get 95 in my last TOEFL, I could get into the PhD programme",
        "Although I did get 95 in my last TOEFL, I could not get into the PhD programme",
    ),
    "other": ("Mina gave Joon tea", "The bank raised its rates"),
}
_LINE = 46  # letters of a line
_ROWS = (0.0, 1.0, 2.3, 3.6)  # where each pair stands; the long ones need more room


def who_gave_whom() -> Explorer:
    """Compare pairs of sentences as MiniLM reads them, with its positions and without.

    Example:
        >>> who_gave_whom().frame(positions=False).caption
        'Cosines: 1.00, 1.00, 1.00; other words: 0.17.'
    """
    runs = load_sweep("swapped_words").runs

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        bars = ax.barh(_ROWS, [0.0] * len(_PAIRS), height=0.5)
        said = [ax.text(0, row, "", va="center", fontsize=TITLE) for row in _ROWS]
        for row, pair in zip(_ROWS, _PAIRS.values(), strict=True):
            text = "\n".join(textwrap.fill(sentence, _LINE) for sentence in pair)
            ax.text(-0.03, row, data(text), va="center", ha="right", linespacing=1.25)
        ax.text(0, -0.7, say("cosine of the two vectors"))
        for bar, name in zip(bars, _PAIRS, strict=True):
            bar.set_color(mixed(SERIES[1 if name == "other" else 0], 0.6))
        ax.set(xlim=(-1.6, 1.2), ylim=(_ROWS[-1] + 0.5, -0.8), xticks=[], yticks=[])
        ax.axis("off")

        def update(positions: bool) -> str:
            cosines = [
                runs.at(pair=pair, positions=positions).highest("sentences") for pair in _PAIRS
            ]
            for bar, number, cosine in zip(bars, said, cosines, strict=True):
                bar.set_width(cosine)
                number.set(text=f"{cosine:.2f}", x=cosine + 0.02)
            return say(
                "Cosines: {same}; other words: {other:.2f}.",
                same=", ".join(f"{cosine:.2f}" for cosine in cosines[:-1]),
                other=cosines[-1],
            )

        return update

    return live(
        draw,
        alt=say(
            "Four pairs of sentences, each with a bar: the cosine of their two vectors. Three "
            "pairs have the same words in another order, and bars near 1, or at 1 without "
            "positions; the fourth has other words and a short bar."
        ),
        size=(8.0, 3.3),
        positions=True,
        labels={"positions": say("with positions")},
    )
