"""Where the heads of a real language model look, on two stored texts or a typed one (lesson 9)."""

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from tutor.display.controls import as_data
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, colour_map
from tutor.display.regions import touch_cells
from tutor.models.minilm import AttentionMap
from tutor.models.smollm import CONFIG
from tutor.models.smollm_excerpt import head_map, stored_heads
from tutor.say import data, say

_MOST = 20  # tokens that can be read at the edge of the map


def heads_of_a_speaker(*texts: str) -> Explorer:
    """Show one head's weights, and for all 270 how much lies on a text's first token.

    Args:
        texts: sentences of your own, which need the model itself.

    Example:
        >>> heads_of_a_speaker().frame(layer=18, head=6).caption[:15]
        'Head 18.6: last'

    Raises:
        MissingModelError: a text is not stored and the model not installed.
    """
    maps = {text: _cut(head_map(text)) for text in (*texts, *reversed(stored_heads()))}

    def draw(fig: Figure, **_start: Any) -> Update:
        left = fig.add_axes((0.15, 0.26, 0.36, 0.72))  # room for the longest tokens
        right = fig.add_axes((0.62, 0.15, 0.36, 0.75))
        image = left.imshow(
            np.zeros((2, 2)), cmap=colour_map("attention"), vmin=0, vmax=1, extent=(0, 1, 1, 0)
        )
        left.set(xlabel=say("is looked at"), ylabel=say("who asks"))
        left.tick_params(axis="x", rotation=90)
        overview = right.imshow(
            np.zeros((CONFIG.layers, CONFIG.heads)),
            cmap=colour_map("attention"),
            vmin=0,
            vmax=1,
            aspect="auto",
        )
        right.set(xlabel=say("head"), ylabel=say("layer"), title=say("weight on the first token"))
        touch_cells(
            overview, rows=("layer", range(CONFIG.layers)), columns=("head", range(CONFIG.heads))
        )
        frame = Rectangle((0, 0), 1, 1, fill=False, edgecolor=HIGHLIGHT, linewidth=2.5)
        right.add_patch(frame)

        def update(text: str, layer: int, head: int) -> str:
            found = maps[text]
            count = len(found.tokens)
            middles = [(place + 0.5) / count for place in range(count)]
            names = [piece.strip()[:9] for piece in found.tokens]
            image.set_data(found.weights[layer, head].numpy())
            left.set_xticks(middles, [*map(data, names)])
            left.set_yticks(middles, [*map(data, names)])
            on_first = found.weights[:, :, 1:, 0].mean(-1)  # (layers, heads)
            overview.set_data(on_first.numpy())
            frame.set_xy((head - 0.5, layer - 0.5))
            last = found.weights[layer, head, -1]
            return say(
                "Head {layer}.{head}: last token looks most at {token} ({share:.2f}); mean of the "
                "rows on the first token {first:.2f}, of all heads {mean:.2f}",
                layer=layer,
                head=head,
                token=names[int(last.argmax())],
                share=last.max().item(),
                first=on_first[layer, head].item(),
                mean=on_first.mean().item(),
            )

        return update

    return live(
        draw,
        alt=say(
            "At the left one head's weights, a row for each token of the text that asks; at the "
            "right all layers and heads, darker where more weight lies on the text's first token."
        ),
        size=(8.0, 4.0),
        tour={
            say("as it starts"): {},
            say("head 18.6"): {"layer": 18, "head": 6},
            say("head 16.0"): {"layer": 16, "head": 0},
            say("head 20.3"): {"layer": 20, "head": 3},
        },
        text=as_data(maps),
        layer=(0, CONFIG.layers - 1, 1, 18),
        head=(0, CONFIG.heads - 1, 1, 6),
    )


def _cut(found: AttentionMap) -> AttentionMap:
    return AttentionMap(found.tokens[:_MOST], found.weights[..., :_MOST, :_MOST])
