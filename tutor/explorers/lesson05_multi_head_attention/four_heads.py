"""Four of MiniLM's heads side by side."""

from matplotlib.figure import Figure
from torch import Tensor

from tutor.display.palette import colour_map
from tutor.display.plots import Picture
from tutor.explorers.lesson05_multi_head_attention.head_maps import short_number
from tutor.models.minilm import stored_attention
from tutor.say import data, say


def four_heads() -> Picture:
    """Show four of MiniLM's heads on one stored sentence, side by side."""
    tokens, weights = _words("Your cat is a lovely cat")
    chosen = ((0, 2), (1, 8), (2, 9), (3, 1))

    def draw(fig: Figure) -> str:
        axes = fig.subplots(1, 4)
        for ax, (layer, head) in zip(axes, chosen, strict=True):
            ax.imshow(weights[layer, head].numpy(), cmap=colour_map("attention"), vmin=0, vmax=1)
            ax.set_title(say("head {layer}.{head}", layer=layer, head=head))
            ax.set_xticks(range(len(tokens)), map(data, tokens), rotation=90)
            ax.set_yticks(range(len(tokens)), map(data, tokens) if ax is axes[0] else [])
        rows = [(layer, head, weights[layer, head, 2]) for layer, head in chosen]
        places = ", ".join(_most(f"{layer}.{head}", tokens, row) for layer, head, row in rows)
        return say("The first cat (place 2) looks most, in head {places}", places=places)

    return Picture(
        draw,
        alt=say(
            "Four maps of the same sentence: one head has its weight on the line below the "
            "diagonal, one above it, one where cat meets cat; the fourth has no such rule."
        ),
        size=(8.0, 2.7),
    )


def _most(head: str, tokens: list[str], row: Tensor) -> str:
    """Say where a row of weights is largest."""
    place = int(row.argmax())
    return say(
        "{head} at {word} (place {place}, {weight})",
        head=head,
        word=tokens[place],
        place=place,
        weight=short_number(row.max().item()),
    )


def _words(sentence: str) -> tuple[list[str], Tensor]:
    found = stored_attention()[sentence]
    return found.tokens, found.weights
