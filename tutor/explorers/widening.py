"""Lesson 6: what one line cannot part, how a token is widened, and a window one word wide."""

import math
from functools import cache
from typing import Any

import numpy as np
import torch
from matplotlib.figure import Figure
from torch import Tensor

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, INK, colour_map
from tutor.explorers.worked_example import WORDS, X
from tutor.layers import FeedForward
from tutor.say import say

# (good?, not?) -> is it praise?
_CORNERS = {"bad": (0, 0, 0), "good": (1, 0, 1), "not bad": (0, 1, 1), "not good": (1, 1, 0)}


def one_line_or_two() -> Explorer:
    """Turn a line, or a fold, through four verdicts: how many stand on the wrong side?

    Example:
        >>> one_line_or_two().frame(turn=135).caption
        'One line: 1 of 4 on the wrong side'
        >>> one_line_or_two().frame(turn=135, fold=True).caption
        'ReLU left and right of a fold: 0 of 4 on the wrong side'
    """
    grid = torch.linspace(-0.4, 1.4, 91)
    ys, xs = torch.meshgrid(grid, grid, indexing="ij")

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        ax.set(xlim=(-0.4, 1.4), ylim=(-0.4, 1.4), aspect="equal")
        ax.set_xticks([0, 1], ["no", "yes"])
        ax.set_yticks([0, 1], ["no", "yes"])
        ax.set(xlabel='says "good"', ylabel='says "not"')
        shade = ax.imshow(
            np.zeros((91, 91)),
            extent=(-0.4, 1.4, -0.4, 1.4),
            origin="lower",
            cmap=colour_map("value"),
            vmin=0,
            vmax=2.2,
        )
        for name, (x, y, praise) in _CORNERS.items():
            ax.plot(x, y, "o" if praise else "X", color=INK, markersize=11)
            ax.annotate(name, (x, y), (0, 11), textcoords="offset points", ha="center", fontsize=11)
        wrong = {
            name: ax.plot(x, y, "o", color=HIGHLIGHT, markersize=20, fillstyle="none", mew=2.5)[0]
            for name, (x, y, _) in _CORNERS.items()
        }

        def update(turn: int, fold: bool) -> str:
            shade.set_data((_verdict(xs, ys, turn, fold) > 0.5).double().numpy())
            missed = 0
            for name, (x, y, praise) in _CORNERS.items():
                found = float(_verdict(torch.tensor(x), torch.tensor(y), turn, fold)) > 0.5
                wrong[name].set_visible(found != bool(praise))
                missed += found != bool(praise)
            if fold:
                return say(
                    "ReLU left and right of a fold: {missed} of 4 on the wrong side", missed=missed
                )
            return say("One line: {missed} of 4 on the wrong side", missed=missed)

        return update

    return live(
        draw,
        alt=(
            "A square whose corners are bad, good, not bad and not good; praise is a dot, blame a "
            "cross. The plane is parted by one line, or by a fold with two lines; what the shade "
            "says wrongly has a ring. No single line leaves fewer than one ring."
        ),
        size=(8.0, 2.7),
        labels={"turn": "turn", "fold": "two detectors with ReLU"},
        turn=(0, 165, 15, 60),
        fold=False,
    )


def _verdict(x: Tensor, y: Tensor, turn: int, fold: bool) -> Tensor:
    """Give the height over a place: of a tilted plane, or of one folded upwards along a line."""
    angle = math.radians(turn)
    along = math.cos(angle) * (x - 0.5) + math.sin(angle) * (y - 0.5)
    return torch.relu(along) + torch.relu(-along) if fold else along + 0.3


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
        tokens = d.matrix(X, name="tokens", rows=words, kind="signed", cell=(0.68, 0.85), **look)
        hidden = d.matrix(
            torch.zeros(3, 12), name="12 detectors", kind="signed", cell=(0.38, 0.85), **look
        )
        found = d.matrix(
            torch.zeros(3, 4), name="found", kind="signed", cell=(0.76, 0.85), limit=1.0, decimals=1
        )
        d.row(tokens, "W₁, ReLU →", hidden, "W₂ →", found, at=(8, 1.9))

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
        alt=(
            "Three words as rows of four numbers; W₁ and ReLU make twelve numbers of each, about "
            "half of them 0; W₂ makes four again. Frames mark the changed word's row in all three."
        ),
        size=(8.0, 2.2),
        labels={"change": "changed word"},
        change=(["none", *WORDS], "none"),
    )


def window() -> Explorer:
    """Slide a window along a sentence: which words does a place of the result come from?

    Example:
        >>> window().frame(place=3, width=1).caption
        'Place 3, window of 1: it sees bank'
    """
    sentence = ["he", "saw", "bank", "after", "bank"]

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        below = d.tokens(sentence, at=(8, 0.8), step=2.4)
        above = [d.box(f"{n}", (w.at[0], 3.6), width=1.1) for n, w in enumerate(below, 1)]
        frame = {
            width: [
                d.frame(below[max(0, n - width // 2) : n + width // 2 + 1], pad=0.2)
                for n in range(5)
            ]
            for width in (1, 3)
        }
        links = [[d.link(word, box, kind=HIGHLIGHT) for word in below] for box in above]

        def update(place: int, width: int) -> str:
            reach = width // 2
            seen = [n for n in range(5) if abs(n - place + 1) <= reach]
            for at, row in enumerate(links):
                above[at].light(at == place - 1)
                for n, link in enumerate(row):
                    link.show(at == place - 1 and n in seen)
                for other in (1, 3):
                    frame[other][at].show(other == width and at == place - 1)
            return say(
                "Place {place}, window of {width}: it sees {words}",
                place=place,
                width=width,
                words=", ".join(sentence[n] for n in seen),
            )

        return update

    return live(
        draw,
        alt=(
            "A sentence below, the places of the result above. A frame slides along the sentence; "
            "arrows lead from the words in it to the lit place. One word wide, each place comes "
            "from its own word."
        ),
        size=(8.0, 2.2),
        play="place",
        place=(1, 5, 1, 3),
        width=([1, 3], 1),
    )
