"""Three sentences padded, and the table of each: who may look at whom."""

from typing import Any

import matplotlib.patches as patches
import torch
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from torch import Tensor

from tutor.display.controls import as_said
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import ATTENTION, INK, NEUTRAL
from tutor.display.style import SMALL
from tutor.explorers.lesson07_masking.cells_of_masks import (
    HIDDEN,
    PADDING,
    UNUSED,
    coloured,
    draw_cells,
)
from tutor.mask import causal_keep, padding_keep
from tutor.say import data, later, say

_BATCH = (
    ["the", "cat", "that", "I", "saw", "sleeps"],
    ["you", "read", "this", "long", "sentence", "now"],
    ["I", "love", "her", "and", "she", "knows"],
)
_MASKS = (
    *(later("padding and look-ahead"), later("padding only")),
    *(later("look-ahead only"), later("none")),
)


def padded_batch() -> Explorer:
    """Pad three sentences and see the table of each: who may look at whom.

    Example:
        >>> padded_batch().frame(pads_1=0, pads_2=2, pads_3=3).caption
        'Words 6, 4, 3. Open cells: 21, 18, 15 of 36; in rows of words: 21, 10, 6.'
    """
    time = len(_BATCH[0])

    def draw(fig: Figure, **_start: Any) -> Update:
        axes = fig.subplots(1, 3)
        tables = [_Sentence(ax, number, time) for number, ax in enumerate(axes)]
        _explain_colours(fig)

        def update(pads_1: int, pads_2: int, pads_3: int, mask: str) -> str:
            words = time - torch.tensor([pads_1, pads_2, pads_3])
            real = torch.arange(time) < words[:, None]  # (B, T)
            keep = _keep_of(mask, real)  # (B, T, T)
            for table, sentence, own_keep in zip(tables, real, keep, strict=True):
                table.show(sentence, own_keep, padding_is_hidden="padding" in mask)
            used = (keep & real[:, :, None]).sum((1, 2))
            return say(
                "Words {words}. Open cells: {opened} of {cells}; in rows of words: {used}.",
                words=_listed(words),
                opened=_listed(keep.sum((1, 2))),
                cells=time * time,
                used=_listed(used),
            )

        return update

    pads: dict[str, Any] = {
        f"pads_{number}": (0, time - 1, 1, start) for number, start in ((1, 0), (2, 2), (3, 3))
    }
    return live(
        draw,
        alt=say(
            "Three tables side by side, one for each sentence of the batch; rows ask, columns are "
            "looked at. Padding empties columns, never rows; the look-ahead mask empties the "
            "triangle above the diagonal. Rows of padding are pale: nobody reads them."
        ),
        size=(8.0, 3.9),
        columns=4,
        labels={name: say("pads {number}", number=name[-1]) for name in pads},
        kept={"pads_1": [3, 5], "pads_2": [0], "pads_3": [0]},
        **pads,
        mask=as_said(_MASKS),
    )


class _Sentence:
    """The table of one sentence of `padded_batch`, with its words at both edges."""

    def __init__(self, ax: Axes, number: int, time: int) -> None:
        self._words = _BATCH[number]
        self._cells = draw_cells(ax, time, title=say("Sentence {number}", number=number + 1))
        ax.set(xlabel="", ylabel="", xticks=[], yticks=[])
        places = range(time)
        self._asking = [ax.text(-0.7, place, "", ha="right", va="center") for place in places]
        self._seen = [
            ax.text(place, time - 0.25, data("sentence"), ha="center", va="top", rotation=90)
            for place in places
        ]
        for text in self._asking:
            text.set_text(data("sentence"))  # the longest word: its room is kept

    def show(self, real: Tensor, keep: Tensor, *, padding_is_hidden: bool) -> None:
        """Colour the table of a sentence with these real tokens, and write its words."""
        colours = coloured(keep, ATTENTION, HIDDEN)
        colours[~real[:, None] & keep] = torch.tensor(to_rgb(UNUSED))
        if padding_is_hidden:
            colours[:, ~real] = torch.tensor(to_rgb(PADDING))
        self._cells.set_data(colours.numpy())
        for place, word in enumerate(self._words):
            for text in (self._asking[place], self._seen[place]):
                text.set_text(data(word) if real[place] else say("pad"))
                text.set_color(INK if real[place] else NEUTRAL)


def _keep_of(mask: str, real: Tensor) -> Tensor:
    """Return who may look where in each sentence, (B, T, T)."""
    batch, time = real.shape
    keep = torch.ones(batch, time, time, dtype=torch.bool)
    if "padding" in mask:
        keep = keep & padding_keep(real.long(), pad_id=0)[:, 0]  # (B, 1, T), over all queries
    if "look-ahead" in mask:
        keep = keep & causal_keep(time)  # (T, T), over all sentences
    return keep


def _explain_colours(fig: Figure) -> None:
    meanings = {
        say("may look"): ATTENTION,
        say("row of a pad: not used"): UNUSED,
        say("hidden: future"): HIDDEN,
        say("hidden: padding"): PADDING,
    }
    handles = [patches.Patch(color=colour, label=name) for name, colour in meanings.items()]
    fig.legend(handles=handles, loc="outside lower center", ncols=4, fontsize=SMALL)


def _listed(numbers: Tensor) -> str:
    return ", ".join(str(number) for number in numbers.tolist())
