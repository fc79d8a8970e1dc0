"""The weights of a sentence in several orders, with positions and without."""

from typing import Any

import torch
from matplotlib.figure import Figure
from torch import Tensor

from tutor.attention import scaled_dot_product_attention
from tutor.display.controls import as_said
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import colour_map
from tutor.position import sinusoidal_encoding
from tutor.say import data, later, say

SENTENCE = ("your", "cat", "is", "a", "lovely", "cat")
_ORDERS = {
    later("as it stands"): (0, 1, 2, 3, 4, 5),
    later("the two cats exchanged"): (0, 5, 2, 3, 4, 1),
    later("backwards"): (5, 4, 3, 2, 1, 0),
    later("two words exchanged"): (0, 1, 4, 3, 2, 5),
}


def attend_to_sentence(order: tuple[int, ...], positions: bool) -> tuple[Tensor, Tensor]:
    """Run self-attention over the sentence in an order; give outputs (6, 8) and weights (6, 6).

    Example:
        >>> output, weights = attend_to_sentence((0, 1, 2, 3, 4, 5), positions=False)
        >>> bool(torch.equal(weights[1], weights[5]))  # the two cats
        True
    """
    generator = torch.Generator().manual_seed(3)
    words = sorted(set(SENTENCE))
    table = torch.randn(len(words), 8, generator=generator, dtype=torch.float64)
    W_q, W_k, W_v = torch.randn(3, 8, 8, generator=generator, dtype=torch.float64) / 8**0.5
    x = torch.stack([table[words.index(SENTENCE[place])] for place in order])  # (6, 8)
    if positions:
        x = x + sinusoidal_encoding(len(order), 8, dtype=torch.float64)
    return scaled_dot_product_attention(x @ W_q, x @ W_k, x @ W_v)


def shuffle_the_words() -> Explorer:
    """Show the weights of a sentence in several orders, with positions and without."""

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        size = len(SENTENCE)
        picture = ax.imshow(
            torch.zeros(size, size).numpy(), cmap=colour_map("attention"), vmin=0, vmax=0.6
        )
        cells = [
            [ax.text(key, query, "", ha="center", va="center") for key in range(size)]
            for query in range(size)
        ]
        ax.set_xticks(range(size), [*map(data, SENTENCE)])
        ax.set_yticks(range(size), [*map(data, SENTENCE)])
        ax.set(xlabel=say("looked at"), ylabel=say("asks"), title=say("weights"))

        def update(order: str, positions: bool) -> str:
            places = _ORDERS[order]
            output, weights = attend_to_sentence(places, positions)
            picture.set_data(weights.numpy())
            for query, row in enumerate(weights.tolist()):
                for key, weight in enumerate(row):
                    cells[query][key].set_text(f"{weight:.2f}".removeprefix("0"))
            words = [SENTENCE[place] for place in places]
            ax.set_xticks(range(size), [*map(data, words)])
            ax.set_yticks(range(size), [*map(data, words)])
            straight, _ = attend_to_sentence(_ORDERS["as it stands"], positions)
            change = (output - straight[list(places)]).abs().max().item()
            cats = (output[words.index("cat")] - output[size - 1 - words[::-1].index("cat")]).abs()
            return say(
                "a word's output differs from that in the first order by up to {change}; "
                "the two cats differ by {cats}",
                change=f"{change:.2f}",
                cats=f"{cats.max():.2f}",
            )

        return update

    return live(
        draw,
        alt=say(
            "A six by six map of attention weights with the sentence's words at its sides. Without "
            "positions both cats have the same row and an output only moves with its word; with "
            "positions they differ."
        ),
        size=(6.0, 4.0),
        order=(as_said(_ORDERS), "as it stands"),
        positions=False,
    )
