"""The worked example sent through a feed-forward layer, with one word changed."""

from functools import cache
from typing import Any

import torch
from matplotlib.figure import Figure

from tutor.display.controls import as_data
from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.explorers.worked_example import WORDS, X
from tutor.layers import FeedForward
from tutor.say import data, say


@cache
def _layer() -> FeedForward:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(6)
        return FeedForward(d_model=4, d_ff=12)


def widening() -> Explorer:
    """Send the worked example through a feed-forward layer, with one word changed.

    Example:
        >>> widening().frame(change="bank").caption
        'Changed word: bank. Changed rows: bank'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        words = list(WORDS)
        look: dict[str, Any] = {"limit": 2.0, "decimals": 1}
        tokens = d.matrix(
            X, name=say("tokens"), rows=words, kind="signed", cell=(0.68, 0.85), **look
        )
        hidden = d.matrix(
            torch.zeros(3, 12), name=say("12 detectors"), kind="signed", cell=(0.38, 0.85), **look
        )
        found = d.matrix(
            torch.zeros(3, 4),
            name=say("found"),
            kind="signed",
            cell=(0.76, 0.85),
            limit=1.0,
            decimals=1,
        )
        d.row(tokens, data("W₁, ReLU →"), hidden, "W₂ →", found, at=(8, 1.9))

        @torch.no_grad()
        def update(change: str) -> str:
            x = X.clone()
            if change != "none":
                x[words.index(change)] = torch.tensor([2.0, -1.0, 0.0, -2.0])
            layer = _layer()
            detectors = layer.W_1(x).relu()  # (3, 12)
            tokens.set(x)
            hidden.set(detectors)
            found.set(layer.W_2(detectors).round(decimals=1) + 0.0)
            before = layer(X)
            rows = [w for w, a, b in zip(words, layer(x), before) if not torch.equal(a, b)]
            for matrix in (tokens, hidden, found):
                matrix.mark(row=words.index(change) if change != "none" else None)
            if not rows:
                return say(
                    "Detectors at 0: {dark} of {all}",
                    dark=int((detectors == 0).sum()),
                    all=detectors.numel(),
                )
            return say(
                "Changed word: {word}. Changed rows: {rows}", word=change, rows=", ".join(rows)
            )

        return update

    return live(
        draw,
        alt=say(
            "Three words as rows of four numbers; W₁ and ReLU make twelve numbers of each, about "
            "half of them 0; W₂ makes four again. Frames mark the changed word's row in all three."
        ),
        size=(8.0, 2.2),
        labels={"change": say("changed word")},
        change=([(say("none"), "none"), *as_data(WORDS)], "none"),
    )
