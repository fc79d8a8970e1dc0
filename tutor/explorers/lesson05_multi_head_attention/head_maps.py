"""Pictures of a real model's heads, for lesson 5: one head's map, several, all 72 at a glance."""

from collections.abc import Sequence

import numpy as np
import torch
import torch.nn.functional as F
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch import Tensor

from tutor.display.palette import HIGHLIGHT, colour_map
from tutor.display.regions import touch_cells
from tutor.display.style import SMALL
from tutor.models.minilm import CONFIG, AttentionMap
from tutor.say import data, say

LAYERS, HEADS = CONFIG.layers, CONFIG.heads
_MOST_TOKENS = 24
_ROOM = 160  # points: as high as the map is


class HeadPicture:
    """One head's map with the words at its edges, and the overview of all heads."""

    def __init__(self, fig: Figure) -> None:
        """Place the map, a pool of labels for its words, and the overview."""
        self._ax = fig.add_axes((0.13, 0.27, 0.375, 0.7))
        blank = np.zeros((2, 2))
        self._image = self._ax.imshow(
            blank, cmap=colour_map("attention"), vmin=0, vmax=1, extent=(0, 1, 1, 0)
        )
        self._ax.set(xticks=[], yticks=[])
        place = self._ax.transAxes
        self._rows = [
            self._ax.text(-0.02, 0, "", ha="right", va="center", transform=place)
            for _ in range(_MOST_TOKENS)
        ]
        self._columns = [
            self._ax.text(0, -0.02, "", ha="center", va="top", rotation=90, transform=place)
            for _ in range(_MOST_TOKENS)
        ]
        overview = fig.add_axes((0.53, 0.2, 0.45, 0.7))
        edges = (-0.5, HEADS - 0.5, LAYERS - 0.5, -0.5)
        self._overview = overview.imshow(
            np.zeros((2, 2)), cmap=colour_map("attention"), vmin=0, vmax=1, extent=edges
        )
        label_heads(overview, say("all 72 heads"))
        touch_cells(self._overview, rows=("layer", range(LAYERS)), columns=("head", range(HEADS)))
        self._frame = Rectangle((0, 0), 1, 1, fill=False, edgecolor=HIGHLIGHT, linewidth=3)
        overview.add_patch(self._frame)

    def show(self, found: AttentionMap, layer: int, head: int) -> str:
        """Show a sentence's map and return the caption."""
        self._put(found.tokens, found.weights[layer, head])
        on_first = _share_on_cls(found.weights)  # (layers, heads)
        self._mark(_side_by_side(found.weights), layer, head)
        between = found.weights[layer, head, 1:-1, 1:-1]  # words alone
        asking, looked_at = divmod(int(between.argmax()), between.size(1))
        words = found.tokens[1:-1]
        return say(
            "Head {head}: largest weight between words: {asking} → {looked_at} {weight}. "
            "On [CLS]: {share} of its weight",
            head=f"{layer}.{head}",
            asking=words[asking],
            looked_at=words[looked_at],
            weight=short_number(between.max().item()),
            share=short_number(on_first[layer, head].item()),
        )

    def show_nothing(self, layer: int, head: int) -> None:
        """Empty the map where there is no sentence to show."""
        self._put([], torch.zeros(2, 2))
        self._mark(torch.zeros(2, 2), layer, head)

    def _put(self, tokens: Sequence[str], weights: Tensor) -> None:
        self._image.set_data(weights.numpy())
        size = min(SMALL, 0.83 * _ROOM / max(1, len(tokens)))
        labels = [*tokens, *[""] * (_MOST_TOKENS - len(tokens))]
        for place, (row, column, token) in enumerate(
            zip(self._rows, self._columns, labels, strict=True)
        ):
            middle = (place + 0.5) / max(1, len(tokens)) if token else 0.5
            row.set(text=data(token), y=1 - middle, fontsize=size)
            column.set(text=data(token), x=middle, fontsize=size)

    def _mark(self, maps: Tensor, layer: int, head: int) -> None:
        self._overview.set_data(maps.numpy())
        self._frame.set_xy((head - 0.5, layer - 0.5))


def _side_by_side(weights: Tensor) -> Tensor:
    """Lay all maps (layers, heads, T, T) out as one, a row of them for each layer, with gaps."""
    spaced = F.pad(weights, (1, 1, 1, 1))  # (layers, heads, T + 2, T + 2)
    return spaced.permute(0, 2, 1, 3).flatten(2).flatten(0, 1)


def cut(found: AttentionMap) -> AttentionMap:
    """Keep what has room in the picture: the first tokens, each at most 12 letters."""
    tokens = [token if len(token) <= 12 else f"{token[:11]}…" for token in found.tokens]
    n = _MOST_TOKENS
    return AttentionMap(tokens[:n], found.weights[..., :n, :n])


def _share_on_cls(weights: Tensor) -> Tensor:
    """Return for each head the mean weight that the words, without the edges, put on [CLS]."""
    return weights[:, :, 1:-1, 0].mean(dim=-1)  # (layers, heads)


def label_heads(ax: Axes, title: str) -> None:
    """Number the layers and heads of an overview of all 72."""
    ax.set(xlabel=say("head"), ylabel=say("layer"), title=title)
    ax.set_xticks(range(HEADS))
    ax.set_yticks(range(LAYERS))
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def short_number(number: float) -> str:
    """Write a share with two digits, and without the 0 before the point."""
    return f"{number:.2f}".removeprefix("0")
