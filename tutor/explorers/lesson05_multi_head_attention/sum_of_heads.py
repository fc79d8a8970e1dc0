"""The worked example with two heads, of which one can be taken out."""

from typing import Any

import torch
from matplotlib.figure import Figure

from tutor.attention import scaled_dot_product_attention
from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.explorers.worked_example import W_K, W_Q, W_V, WORDS, X
from tutor.say import say

# The worked example's second head and its output projection; the first head is lesson 4's.
W_Q1 = torch.tensor([[0.0, 1, 0], [1, 0, 0], [0, 0, 0], [1, 0, 1]])
W_K1 = torch.tensor([[1.0, 0, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0]])
W_V1 = torch.tensor([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]])
W_O = torch.tensor(
    [[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 1, 0, 0], [1, 0, 0, 0]]
)

_BECOMES = {
    (True, True): "River becomes {row} with both heads",
    (True, False): "River becomes {row} with head 0 alone",
    (False, True): "River becomes {row} with head 1 alone",
    (False, False): "River becomes {row} with no head",
}


def sum_of_heads() -> Explorer:
    """Take a head out of the worked example and see what is left of the output.

    Example:
        >>> sum_of_heads().frame(head_0=True, head_1=False).caption
        'River becomes 2.00, 7.81, 0.27, 0.00 with head 0 alone'
    """
    shares = [
        scaled_dot_product_attention(X @ W_q, X @ W_k, X @ W_v)[0] @ rows  # (3, 3) @ (3, 4)
        for W_q, W_k, W_v, rows in ((W_Q, W_K, W_V, W_O[:3]), (W_Q1, W_K1, W_V1, W_O[3:]))
    ]

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        tokens = list(WORDS)
        look: dict[str, Any] = {"kind": "value", "limit": 10, "decimals": 2, "cell": (0.92, 0.85)}
        maps = [
            d.matrix(shares[0], name=name, rows=rows, **look)
            for name, rows in (
                (say("from head 0"), tokens),
                (say("from head 1"), []),
                (say("output"), []),
            )
        ]
        d.row(maps[0], "+", maps[1], "=", maps[2], at=(8, 2.0))

        def update(head_0: bool, head_1: bool) -> str:
            kept = [share * on for share, on in zip(shares, (head_0, head_1), strict=True)]
            output = kept[0] + kept[1]  # (3, 4)
            for matrix, numbers in zip(maps, (*kept, output), strict=True):
                matrix.set(numbers)
            row = ", ".join(f"{number:.2f}" for number in output[1].tolist())
            return say(_BECOMES[head_0, head_1], row=row)

        return update

    return live(
        draw,
        alt=say(
            "Three small maps: what head 0 adds to the output, what head 1 adds, and their sum, "
            "the output. A head that is taken out adds zeros, and the other's numbers stay."
        ),
        size=(8.0, 2.2),
        head_0=True,
        head_1=True,
    )
