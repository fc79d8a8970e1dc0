"""Three tokens whose numbers can be changed, and who then looks at whom."""

import math
from typing import Any

import torch
from matplotlib.figure import Figure
from torch import Tensor

from tutor.attention import dot_product_scores, scaled_dot_product_attention
from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.lettering import short
from tutor.explorers.worked_example import W_K, W_Q, W_V, WORDS, X
from tutor.say import data, say


def edit_the_tokens() -> Explorer:
    """Change the numbers of the three tokens and watch who looks at whom.

    Example:
        >>> edit_the_tokens().caption
        'Weights: the 0.14 0.43 0.43 | river 0.0009 0.91 0.09 | bank 0.01 0.75 0.24'
    """
    names = [f"x{row}{column}" for row in (1, 2, 3) for column in (1, 2, 3, 4)]

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        zero = torch.zeros(3, 3)
        cell = (1.0, 0.85)
        matrices = [
            d.matrix(X, name="X", kind="signed", limit=2, decimals=1, rows=WORDS, cell=cell),
            d.matrix(zero, name="Q Kᵀ / √3", kind="signed", limit=24, decimals=1, cell=cell),
            d.matrix(zero, name=say("weights"), kind="attention", decimals=2, cell=cell),
            d.matrix(zero, name=say("output"), kind="signed", limit=12, decimals=1, cell=cell),
        ]
        d.row(*matrices, at=(8, 1.9))

        def update(**cells: float) -> str:
            x = torch.tensor([cells[name] for name in names]).view(3, 4)
            scaled, weights, output = _attention_of(x)
            for matrix, numbers in zip(matrices, (x, scaled, weights, output), strict=True):
                matrix.set(numbers)
            return say("Weights: {rows}", rows=" | ".join(map(_row_text, WORDS, weights)))

        return update

    start = zip(names, X.flatten().tolist(), strict=True)
    sliders: dict[str, Any] = {name: (-2.0, 2.0, 0.5, value) for name, value in start}
    return live(
        draw,
        alt=say(
            "Four small maps side by side: the three tokens, their scaled scores, the weights and "
            "the outputs. Each row of weights sums to 1; editing one token changes its row, as it "
            "asks differently, and its column, as the others see it differently."
        ),
        size=(8.0, 2.2),
        columns=4,
        labels={name: f"x{name[1]},{name[2]}" for name in names},
        tour={
            say("as worked out"): {},
            say("x1,2 is 2"): {"x12": 2.0},
            say("the is like bank"): dict.fromkeys(names[:4], 1.0),
            say("all words are alike"): dict.fromkeys(names, 1.0),
            say("river has other signs"): {"x22": -2.0, "x24": -2.0},
        },
        **sliders,
    )


def _attention_of(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return scaled scores, weights and outputs of the worked example's matrices for tokens x."""
    q, k, v = x @ W_Q, x @ W_K, x @ W_V  # each (3, 3)
    output, weights = scaled_dot_product_attention(q, k, v)
    return dot_product_scores(q, k) / math.sqrt(k.size(-1)), weights, output


def _row_text(word: str, weights: Tensor) -> str:
    return " ".join([data(word), *(short(weight) for weight in weights.tolist())])
