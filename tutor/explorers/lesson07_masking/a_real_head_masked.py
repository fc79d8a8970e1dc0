"""Lesson 7's picture of a mask on a real model's head: what a query loses, and who gets it."""

import math
from typing import Any

import torch
from matplotlib.figure import Figure
from torch import Tensor

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import NEUTRAL
from tutor.display.regions import touch_cells
from tutor.display.style import SMALL
from tutor.mask import causal_keep
from tutor.models.minilm import stored_attention
from tutor.say import data, say

SENTENCE, LAYER, HEAD = "Your cat is a lovely cat", 2, 9
_FIRST_CAT = 2
_FULL = 3.8  # units: a weight of 1


def a_real_head_masked() -> Explorer:
    """Hide the future in one of MiniLM's heads and watch a query's weights be shared out anew.

    Example:
        >>> a_real_head_masked().caption
        'cat (token 2) sees 3 of 8: [CLS] .64, your .00, cat .36'
    """
    tokens, free = head_weights()
    masked = hide_future(free)
    count = len(tokens)

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        look = {"rows": tokens, "columns": tokens, "cell": (0.5, 0.5), "limit": 1.0}
        name = say("head {layer}.{head}", layer=LAYER, head=HEAD)
        table = d.matrix(free.numpy(), (4.4, 3.55), name=name, kind="attention", **look)
        touch_cells(table, rows=("query", range(count)))
        feet = [(8.6 + 0.95 * key, 1.8) for key in range(count)]
        before = [d.bar(foot, width=0.72, full=_FULL, kind=NEUTRAL) for foot in feet]
        for bar in before:
            bar.patch.set(fill=False, linestyle="--")
        bars = [
            d.bar(foot, width=0.6, full=_FULL, name=token)
            for foot, token in zip(feet, tokens, strict=True)
        ]
        for (x, y), token in zip(feet, tokens, strict=True):
            d.words(data(token), (x, y - 0.75), rotation=90)
        d.words(say("dashed: without the mask"), (12.0, 0.35), size=SMALL)

        def update(query: int, look_ahead: bool) -> str:
            weights = masked if look_ahead else free
            table.set(weights.numpy())
            table.mark(row=query)
            for key in range(count):
                before[key].set(free[query, key].item())
                share = weights[query, key].item()
                bars[key].set(share, _short(share) if share else "")
            seen = int((weights[query] > 0).sum())
            return say(
                "{word} (token {query}) sees {seen} of {count}: {shares}",
                word=tokens[query],
                query=query,
                seen=seen,
                count=count,
                shares=", ".join(
                    f"{tokens[key]} {_short(weights[query, key].item())}" for key in range(seen)
                ),
            )

        return update

    return live(
        draw,
        alt=say(
            "Left, the map of a real head over eight tokens, a frame round the row that asks. "
            "Right, that row as bars: dashed as the head has them, filled as the mask leaves them. "
            "What the future had is shared out among the tokens up to the query."
        ),
        size=(8.0, 3.2),
        query=(
            [*((f"{place} {data(token)}", place) for place, token in enumerate(tokens))],
            _FIRST_CAT,
        ),
        look_ahead=True,
        labels={"look_ahead": say("look-ahead mask")},
    )


def head_weights() -> tuple[list[str], Tensor]:
    """Return the tokens of the sentence and the head's weights, (T, T).

    Example:
        >>> tokens, weights = head_weights()
        >>> tokens[2], weights.shape
        ('cat', torch.Size([8, 8]))
    """
    found = stored_attention()[SENTENCE]
    return list(found.tokens), found.weights[LAYER, HEAD].double()


def hide_future(weights: Tensor) -> Tensor:
    """Return the weights as a look-ahead mask would have left them.

    Softmax's weights are the scores but for a number a row, so that their logarithms are masked as
    the scores would have been.

    Example:
        >>> hide_future(torch.tensor([[0.2, 0.8], [0.5, 0.5]]))
        tensor([[1.0000, 0.0000],
                [0.5000, 0.5000]])
    """
    scores = weights.log().masked_fill(~causal_keep(weights.size(-1)), -math.inf)
    return torch.softmax(scores, dim=-1)


def _short(share: float) -> str:
    return f"{share:.2f}".removeprefix("0")
