"""Lesson 4's stills and its growing table: drawers, two sentences on top of each other, n × n."""

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from torch import Tensor

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.lettering import short
from tutor.display.plots import Picture
from tutor.say import say


def drawers(query: Tensor, keys: Tensor, values: Tensor, weights: Tensor) -> Picture:
    """Show a look-up that takes a little from every drawer.

    Args:
        query: (d_k,), what is looked for.
        keys: (drawers, d_k), what stands on each drawer.
        values: (drawers,), what lies in each.
        weights: (drawers,), how much is taken from each.
    """

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        card = d.box(_row(query), (2.0, 1.95), kind="query", name="query")
        d.words("query", (2.0, 2.7), colour="query")
        result = d.box(short((weights @ values).item()), (13.4, 1.95), kind="value", name="output")
        d.words("output", (15.3, 1.95), colour="value")
        d.words("on the drawer: key", (6.6, 3.85), colour="key")
        d.words("inside: value", (9.6, 3.85), colour="value")
        for place, (key, value, weight) in enumerate(zip(keys, values, weights)):
            y = 3.1 - 1.15 * place
            front = d.box(_row(key), (6.6, y), kind="key", width=2.8, name=f"key {place + 1}")
            inside = d.box(short(value.item(), 0), (9.6, y), kind="value", width=1.6)
            d.link(card, front)
            share = weight.item()
            d.link(inside, result, weight=share, kind="attention", words=short(share))
        return say(
            "weights {weights} of the values {values} give {output}",
            weights=_row(weights, 2),
            values=_row(values),
            output=short((weights @ values).item()),
        )

    return Picture(
        draw,
        alt=(
            "A query meets the keys on three drawers; arrows as wide as the weights bring what is "
            "inside together."
        ),
        size=(8.0, 2.1),
    )


def _row(numbers: Tensor, decimals: int | None = None) -> str:
    form = "g" if decimals is None else f".{decimals}f"
    return f"[{', '.join(format(number, form) for number in numbers.tolist())}]"


def growing_table() -> Explorer:
    """Let a sentence grow and count the scores that all its pairs of tokens need.

    Example:
        >>> growing_table().frame(n=32).caption
        'tokens: 32; scores, one for each pair: 1,024'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.add_axes((0.02, 0.02, 0.96, 0.96))
        ax.set(xlim=(-0.5, 64.5), ylim=(64.5, -0.5), aspect="equal")
        ax.axis("off")
        mesh = ax.imshow(np.ones((1, 1)), cmap="Purples", vmin=0, vmax=2, extent=(0, 1, 1, 0))

        def update(n: int) -> str:
            checks = 0.6 + 0.4 * (np.indices((n, n)).sum(axis=0) % 2)
            mesh.set(data=checks, extent=(0, n, n, 0))
            return say("tokens: {n}; scores, one for each pair: {pairs:,}", n=n, pairs=n * n)

        return update

    return live(
        draw,
        alt=(
            "A square of n rows and n columns, one cell for each pair of tokens; twice as many "
            "tokens make it four times as large."
        ),
        size=(2.3, 2.3),
        play="n",
        n=([4, 8, 16, 32, 64], 16),
    )
