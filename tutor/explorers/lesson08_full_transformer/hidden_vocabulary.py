"""Ten printed parameter counts and the vocabularies that each leaves open (lesson 8)."""

from functools import cache
from typing import Any

import torch
from matplotlib.figure import Figure

from tutor.config import TransformerConfig
from tutor.display.explorer import Explorer, Update, live
from tutor.display.lettering import typeset
from tutor.display.palette import ATTENTION, HIGHLIGHT, INK, NEUTRAL, SERIES, mixed
from tutor.display.style import SMALL
from tutor.say import say
from tutor.transformer import Transformer

# Table 3 of the paper, last column: what differs from base, and parameters in millions.
TABLE_3: dict[str, tuple[dict[str, Any], int]] = {
    "base": ({}, 65),
    "(B) d_k 16": ({"d_k": 16}, 58),
    "(B) d_k 32": ({"d_k": 32}, 60),
    "(C) N 2": ({"layers": 2}, 36),
    "(C) N 4": ({"layers": 4}, 50),
    "(C) N 8": ({"layers": 8}, 80),
    "(C) D 256": ({"d_model": 256, "d_k": 32, "d_v": 32}, 28),
    "(C) D 1024": ({"d_model": 1024, "d_k": 128, "d_v": 128}, 168),
    "(C) d_ff 1024": ({"d_ff": 1024}, 53),
    "(C) d_ff 4096": ({"d_ff": 4096}, 90),
}
STATED = 37_000
_AXIS = (34_500, 46_500)


@cache
def words_that_fit() -> dict[str, tuple[float, float]]:
    """Give for each row of Table 3 the fewest and the most words that print its number.

    Example:
        >>> [round(words) for words in words_that_fit()["base"]]
        [39769, 41722]

    Source: "Attention Is All You Need", Table 3.
    """
    fitting = {}
    for row, (changes, printed) in TABLE_3.items():
        with torch.device("meta"):  # shapes without numbers: only their count is asked for
            model = Transformer(TransformerConfig.paper_base(1, **changes))
        d_model = model.config.d_model
        rest = sum(p.numel() for p in model.parameters()) - d_model  # all but the table
        low, high = (((printed + half) * 1e6 - rest) / d_model for half in (-0.5, 0.5))
        fitting[row] = (low, high)
    return fitting


def hidden_vocabulary() -> Explorer:
    """Let the rows of Table 3 fall in one by one, and see which vocabularies fit all of them.

    Example:
        >>> hidden_vocabulary().frame(rows=10).caption
        '10 rows fit 40,931 to 41,161 words; 37,000 is not among them.'
    """
    ranges = words_that_fit()

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        strip = ax.axvspan(*_AXIS, color=mixed(ATTENTION, 0.35), linewidth=0, zorder=0)
        ax.axvline(STATED, color=HIGHLIGHT, linestyle="--", linewidth=1.5)
        ax.text(STATED - 150, 9.4, say("the paper:\nabout 37,000"), ha="right", va="bottom")
        bars = []
        for place, (low, high) in enumerate(ranges.values()):
            (bar,) = ax.plot([low, high], [place, place], color=SERIES[0], linewidth=6)
            bar.set_solid_capstyle("butt")
            bars.append(bar)
        names = [
            typeset(say("{row}: {printed} million", row=row, printed=printed))
            for row, (_, printed) in TABLE_3.items()
        ]
        ax.set_yticks(range(len(names)), names, fontsize=SMALL)
        ax.set(xlim=_AXIS, ylim=(len(names) - 0.4, -0.6), xlabel=say("words in the vocabulary"))
        ticks = range(35_000, 46_001, 1000)
        ax.set_xticks(ticks, [f"{tick:,}" if tick % 2000 == 1000 else "" for tick in ticks])
        ax.grid(visible=True, axis="x", color=mixed(NEUTRAL, 0.3))
        ax.tick_params(colors=INK)

        def update(rows: int) -> str:
            for place, bar in enumerate(bars):
                bar.set_visible(place < rows)
            seen = [*ranges.values()][:rows]
            low = max((low for low, _ in seen), default=_AXIS[0])
            high = min((high for _, high in seen), default=_AXIS[1])
            strip.set_bounds(low, 0, high - low, 1)
            return _caption(rows, low, high)

        return update

    return live(
        draw,
        alt=say(
            "A bar for each row of Table 3: the vocabularies with which our count is printed as "
            "the paper's number. A strip marks what fits all bars shown; it narrows from row to "
            "row, lies near 41,000, and a dashed line at 37,000 is left of every bar."
        ),
        size=(8.0, 3.3),
        play="rows",
        rows=(0, len(TABLE_3), 1, len(TABLE_3)),
    )


def _caption(rows: int, low: float, high: float) -> str:
    if rows == 0:
        return say("0 rows: any vocabulary fits.")
    words = {"low": f"{low:,.0f}", "high": f"{high:,.0f}", "stated": f"{STATED:,}"}
    if rows == 1:
        return say("1 row fits {low} to {high} words; {stated} is not among them.", **words)
    return say(
        "{rows} rows fit {low} to {high} words; {stated} is not among them.", rows=rows, **words
    )
