"""What the paper won, and what it cost: its Table 2 as a picture (lesson 8)."""

from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tutor.display.palette import ATTENTION, INK, SERIES
from tutor.display.plots import Picture
from tutor.display.style import SMALL
from tutor.say import later, say


class Row(NamedTuple):
    """A row of Table 2.

    Attributes:
        model: its name.
        bleu: for English to German and to French.
        flops: of training, likewise.
        ours: it is a Transformer.
        ensemble: several models speak together.
    """

    model: str
    bleu: tuple[float, float]
    flops: tuple[float, float]
    ours: bool = False
    ensemble: bool = False


BIG = Row(later("Transformer big"), (28.4, 41.8), (2.3e19, 2.3e19), ours=True)
# Source: "Attention Is All You Need", Table 2. The Transformers' cost stands there once for both.
TABLE_2 = (
    Row(later("Transformer base"), (27.3, 38.1), (3.3e18, 3.3e18), ours=True),
    BIG,
    Row(later("ConvS2S"), (25.16, 40.46), (9.6e18, 1.5e20)),
    Row(later("GNMT + RL"), (24.6, 39.92), (2.3e19, 1.4e20)),
    Row(later("MoE"), (26.03, 40.56), (2.0e19, 1.2e20)),
    Row(later("ConvS2S"), (26.36, 41.29), (7.7e19, 1.2e21), ensemble=True),
    Row(later("GNMT + RL"), (26.30, 41.16), (1.8e20, 1.1e21), ensemble=True),
)
_LANGUAGES = (later("English to German"), later("English to French"))
# Where a name stands beside its point, in points, and which of its sides is there.
_PLACES = {
    ("Transformer base", False): ((-5, 7), "left", "bottom"),
    ("MoE", False): ((-7, 0), "right", "center"),
    ("ConvS2S", False): ((7, 0), "left", "center"),
    ("GNMT + RL", False): ((0, -7), "center", "top"),
    ("GNMT + RL", True): ((8, -3), "left", "top"),
}
_ABOVE = ((0, 7), "center", "bottom")


def bleu_and_cost() -> Picture:
    """Draw Table 2: BLEU against the cost of training, for both pairs of languages."""

    def draw(fig: Figure) -> str:
        for side, ax in enumerate(fig.subplots(1, 2)):
            _draw_side(ax, side)
        ahead = ", ".join(_ahead(side) for side in range(len(_LANGUAGES)))
        return say("Transformer big against the best other: {ahead}.", ahead=ahead)

    return Picture(
        draw,
        alt=say(
            "BLEU against floating-point operations of training, on a logarithmic axis, for two "
            "pairs of languages. The big Transformer lies highest in both. To German the base "
            "model, too, lies above all others, the ensembles among them, and left of all of them; "
            "to French it is the cheapest and has the lowest BLEU."
        ),
        size=(8.0, 3.2),
    )


def _draw_side(ax: Axes, side: int) -> None:
    for row in TABLE_2:
        colour = ATTENTION if row.ours else SERIES[0]
        x, y = row.flops[side], row.bleu[side]
        fill = "none" if row.ensemble else colour
        ax.scatter(x, y, s=60 if row.ours else 40, facecolor=fill, edgecolor=colour, linewidth=1.6)
        offset, ha, va = _PLACES.get((row.model, row.ensemble), _ABOVE)
        ax.annotate(
            say("{model}\nensemble", model=row.model) if row.ensemble else say(row.model),
            (x, y),
            offset,
            textcoords="offset points",
            ha=ha,
            va=va,
            fontsize=SMALL,
            color=INK,
        )
    low, high = (23.5, 29.4) if side == 0 else (37.4, 42.6)
    ax.set(xscale="log", xlim=(8e17, 1e22), ylim=(low, high), title=say(_LANGUAGES[side]))
    ax.set(xlabel=say("FLOPs of training"), ylabel=say("BLEU") if side == 0 else "")
    ax.grid(visible=True)


def _ahead(side: int) -> str:
    """Say how far the big Transformer is above the best of the others, and at what cost."""
    best = max((row for row in TABLE_2 if not row.ours), key=lambda row: row.bleu[side])
    return say(
        "{languages} {more} BLEU more at 1/{times} of the cost",
        languages=say(_LANGUAGES[side]),
        more=f"{BIG.bleu[side] - best.bleu[side]:.1f}",
        times=f"{best.flops[side] / BIG.flops[side]:.2g}",
    )
