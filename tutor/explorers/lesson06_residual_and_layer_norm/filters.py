"""Filters of a convolution, slid along a sentence: each gives a row of the result."""

from typing import Any

import torch
import torch.nn.functional as F
from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.regions import touch_cells
from tutor.say import say

SENTENCE = ("he", "saw", "bank", "after", "bank")
FEATURES, FILTERS = 4, 5


def filters() -> Explorer:
    """Slide filters of width 1 or 3 along a sentence: what does a number of the result come from?

    Example:
        >>> filters().caption
        'Filter 1 at place 3, window of 1: its number comes from bank'
    """
    generator = torch.Generator().manual_seed(2)
    tokens = torch.randint(-2, 3, (FEATURES, len(SENTENCE)), generator=generator).float()
    weights = torch.randint(-1, 2, (FILTERS, FEATURES, 3), generator=generator).float()

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        look: dict[str, Any] = {"kind": "signed", "decimals": 0, "limit": 6.0}
        chosen = d.matrix(
            torch.zeros(FEATURES, 3), name=say("one filter"), cell=(0.6, 0.62), **look
        )
        given = d.matrix(tokens, name=say("tokens"), columns=SENTENCE, cell=(0.95, 0.62), **look)
        found = d.matrix(
            torch.zeros(FILTERS, len(SENTENCE)),
            name=say("results"),
            rows=[say("filter {n}", n=n) for n in range(1, FILTERS + 1)],
            columns=SENTENCE,
            cell=(0.95, 0.6),
            **look,
        )
        touch_cells(
            found,
            rows=("filter", range(1, FILTERS + 1)),
            columns=("place", range(1, len(SENTENCE) + 1)),
        )
        d.row(chosen, "×", given, "→", found, at=(8, 2.7))
        narrow = d.matrix(
            torch.zeros(FEATURES, 1), chosen.at, name=say("one filter"), cell=(0.6, 0.62), **look
        )

        def update(filter: int, place: int, width: int) -> str:
            kernel = weights.clone()
            if width == 1:
                kernel[:, :, [0, 2]] = 0.0
            chosen.set(kernel[filter - 1])
            narrow.set(kernel[filter - 1, :, 1:2])
            chosen.show(width == 3)
            narrow.show(width == 1)
            found.set(F.conv1d(tokens[None], kernel, padding=1)[0])
            reach = width // 2
            seen = [n for n in range(len(SENTENCE)) if abs(n - place + 1) <= reach]
            given.dim(columns=[n for n in range(len(SENTENCE)) if n not in seen])
            found.mark(row=filter - 1, column=place - 1)
            return say(
                "Filter {filter} at place {place}, window of {width}: its number comes from "
                "{words}",
                filter=filter,
                place=place,
                width=width,
                words=", ".join(SENTENCE[n] for n in seen),
            )

        return update

    return live(
        draw,
        alt=say(
            "A filter, a small table of weights, slides along the tokens of a sentence, whose "
            "features stand in columns. At each place it gives one number, and each filter gives "
            "a row of them. With a window of 1 a number comes from one token alone."
        ),
        size=(8.0, 2.9),
        play="place",
        kept={"filter": [1, 2, FILTERS]},
        filter=(1, FILTERS, 1, 1),
        place=(1, len(SENTENCE), 1, 3),
        width=([1, 3], 1),
    )
