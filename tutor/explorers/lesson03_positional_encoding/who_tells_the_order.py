"""Who tells which of two words came first, by layers and mask."""

from matplotlib.figure import Figure

from tutor.claims.runs import load_sweep
from tutor.display.palette import INK, NEUTRAL, SERIES
from tutor.display.plots import Picture
from tutor.say import say


def who_tells_the_order() -> Picture:
    """Draw who tells which of two words came first, by layers and mask."""
    runs = load_sweep("order_under_mask").runs.at(width=32)
    columns = [(layers, mask) for layers in (1, 2) for mask in (False, True)]

    def draw(fig: Figure) -> str:
        ax = fig.subplots()
        means = []
        for place, (layers, mask) in enumerate(columns):
            shares = runs.at(layers=layers, mask=mask).numbers("right")
            means.append(sum(shares) / len(shares))
            ax.bar(place, means[-1], color=SERIES[1 if mask else 0], width=0.6)
            ax.plot([place] * len(shares), shares, ".", color=INK)
        ax.axhline(0.5, color=NEUTRAL, linestyle="--")
        names = [_told(layers, mask) for layers, mask in columns]
        ax.set_xticks(range(len(columns)), names)
        ax.set(ylim=(0, 1.08), ylabel=say("accuracy"))
        return say(
            "Accuracy, in the order of the bars: {shares}.",
            shares=", ".join(f"{mean:.2f}" for mean in means),
        )

    return Picture(
        draw,
        alt=say(
            "Four bars: one layer or two, without a mask and with one. Three are at a half, the "
            "height of a coin's toss; two layers with a mask are at 1."
        ),
        size=(8.0, 3.0),
    )


def _told(layers: int, mask: bool) -> str:
    if mask:
        return say("layers: {layers}\nwith a mask", layers=layers)
    return say("layers: {layers}\nwithout a mask", layers=layers)
