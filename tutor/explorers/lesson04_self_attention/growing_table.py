"""A growing sentence, and the scores that all its pairs of tokens need."""

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from tutor.display.explorer import Explorer, Update, live
from tutor.say import say


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
        alt=say(
            "A square of n rows and n columns, one cell for each pair of tokens; twice as many "
            "tokens make it four times as large."
        ),
        size=(2.3, 2.3),
        play="n",
        n=([4, 8, 16, 32, 64], 16),
    )
