"""What attention makes of order: words exchanged, rows shuffled, and a mask that tells."""

from typing import Any

from matplotlib.figure import Figure

from tutor.claims.runs import load_sweep
from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import INK, NEUTRAL, SERIES
from tutor.display.parts import glide
from tutor.display.plots import Picture
from tutor.say import say

_WORDS = ("Mina", "gave", "Joon", "hot", "tea")
_ORDERS = {
    "as it stands": (0, 1, 2, 3, 4),
    "two words exchanged": (2, 1, 0, 3, 4),
    "backwards": (4, 3, 2, 1, 0),
}


def crossing() -> Explorer:
    """Let five words cross over on their way into attention, and their outputs come out.

    Example:
        >>> crossing().frame(order="backwards", step=3).caption
        'In: tea hot Joon gave Mina. Out, in the same order: the output of each of these words.'
    """
    across = [2.4 + 2.8 * place for place in range(len(_WORDS))]

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        attention = d.box("attention", (8, 3.3), width=13, height=0.9, kind="attention")
        words = [
            d.box(word, (x, 1), width=1.7, kind=colour)
            for word, x, colour in zip(_WORDS, across, SERIES, strict=False)
        ]
        outputs = [
            d.box(say("out"), (x, 5.4), width=1.7, kind=colour)
            for x, colour in zip(across, SERIES, strict=False)
        ]
        inward = [d.link(word, (word.at[0], attention.bottom[1])) for word in words]
        outward = [
            d.link((x, attention.top[1]), out) for x, out in zip(across, outputs, strict=True)
        ]

        def update(order: str, step: int) -> str:
            places = [_ORDERS[order].index(number) for number in range(len(_WORDS))]
            for number, place in enumerate(places):
                share = min(1.0, step / 2)
                x, y = glide((across[number], 1.0), (across[place], 1.0), share)
                words[number].move(x, y)
                outputs[number].move(across[place], 5.4)
                outward[number].start = (across[place], attention.top[1])
                outward[number].follow()
                for part in (inward[number], outward[number], outputs[number]):
                    part.show(step == 3)
                inward[number].show(step >= 2)
                inward[number].end = (x, attention.bottom[1])
                inward[number].follow()
            entered = " ".join(_WORDS[number] for number in _ORDERS[order])
            if step < 3:
                return say("Step {step} of 3. In: {words}.", step=step, words=entered)
            return say(
                "In: {words}. Out, in the same order: the output of each of these words.",
                words=entered,
            )

        return update

    return live(
        draw,
        alt=(
            "Five words cross over to a new order, go through attention, and their outputs stand "
            "in the new order, each with the colour of its word."
        ),
        size=(8.0, 3.1),
        play="step",
        order=(list(_ORDERS), "backwards"),
        step=(0, 3, 1, 0),
    )


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
        names = [
            say("layers: {layers}\n{seen}", layers=layers, seen=_seen(mask))
            for layers, mask in columns
        ]
        ax.set_xticks(range(len(columns)), names)
        ax.set(ylim=(0, 1.08), ylabel="share right")
        return say(
            "Share right, in the order of the bars: {shares}.",
            shares=", ".join(f"{mean:.2f}" for mean in means),
        )

    return Picture(
        draw,
        alt=(
            "Four bars: one layer or two, all words seen or only earlier ones. Three stand at a "
            "half, the height of a coin's toss; two layers with a mask stand at 1."
        ),
        size=(8.0, 3.0),
    )


def _seen(mask: bool) -> str:
    return say("earlier words seen") if mask else say("all words seen")
