"""Heads of the letter model switched off, and what the others still know."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from matplotlib.figure import Figure
from torch import Tensor

from tutor.display.controls import as_said
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import ATTENTION, NEUTRAL, colour_map
from tutor.explorers.lesson05_multi_head_attention.letter_heads import (
    copying,
    looking_back,
    means,
    right_without,
)
from tutor.say import later, say
from tutor.training.letters import (
    HEADS,
    LAYERS,
    Head,
    ids_of,
    load_letters,
    repeated,
    scores_of,
    switched_off,
    text_of,
    weights_of,
)

_ALL = [(layer, head) for layer in range(LAYERS) for head in range(HEADS)]
_SHOWN = 24  # letters
_MOST = 48  # of those that are typed, the last
_STRETCHES = [8, 12, 16]


class _Reading(NamedTuple):
    """A text that the model has read: its weights, and what it expects next."""

    text: str
    weights: Tensor
    next_letter: Tensor


@torch.inference_mode()
def _read(text: str, off: tuple[Head, ...]) -> _Reading:
    model, ids = load_letters(), ids_of(text)
    with switched_off(model, off, means()):
        weights = weights_of(model, ids)[:, 0]  # (layers, heads, T, T)
        chances = torch.softmax(scores_of(model, ids)[0, -1], dim=-1)
    return _Reading(text, weights, chances)


def switchboard() -> Explorer:
    """Switch heads of the letter model off: what do the others still know?

    Example:
        >>> switchboard().frame(off="nothing").caption.startswith("Off: nothing. Right")
        True
    """
    switches = _switches()

    def draw(fig: Figure, **_start: Any) -> Update:
        maps = [_HeadMap(fig, layer, head) for layer, head in _ALL]
        ax = fig.add_axes((0.72, 0.14, 0.26, 0.72))
        bars = ax.barh(range(5), [0.0] * 5, color=ATTENTION)
        names = [ax.text(0, place, "", va="center") for place in range(5)]
        ax.set(xlim=(0, 1.45), ylim=(4.6, -0.6), xticks=[0, 0.5, 1], yticks=[])
        ax.set_title(say("the next letter"))

        def update(off: str, stretch: int, typed: str) -> str:
            heads = switches[off]
            try:
                read = _read(typed.strip().lower()[-_MOST:] or _pattern(stretch), heads)
            except ValueError:
                read = _Reading("", torch.zeros(LAYERS, HEADS, 2, 2), torch.zeros(27))
            for picture, (layer, head) in zip(maps, _ALL, strict=True):
                picture.show(read.weights[layer, head], read.text, (layer, head) in heads)
            best = read.next_letter.topk(5)
            for bar, name, chance, number in zip(
                bars, names, best.values.tolist(), best.indices, strict=True
            ):
                bar.set_width(chance)
                shown = f"{text_of(number[None])} {chance:.2f}" if read.text else ""
                name.set(text=shown, x=chance + 0.02)
            if not read.text:
                return say("Only the letters a to z, please.")
            return say(
                "Off: {off}. Right from the second round on: {right}. After {end} it expects "
                "{letter}",
                off=off,
                right=f"{right_without(heads, stretch):.2f}",
                end=read.text[-3:],
                letter=text_of(best.indices[:1]),
            )

        return update

    return live(
        draw,
        alt=say(
            "Two rows of four small maps, one for each head of a letter model: a row for each "
            "letter that looks, a column for each looked at. Some heads of the upper row have "
            "a line one below the diagonal; some of the lower row have lines one stretch further "
            "left. At the right bars: which letter the model expects next."
        ),
        size=(8.0, 2.5),
        labels={
            "off": say("switched off"),
            "stretch": say("letters a round"),
            "typed": say("your own letters"),
        },
        kept={"stretch": [12]},
        off=as_said(switches),
        stretch=(_STRETCHES, 12),
        typed="",
    )


class _HeadMap:
    """One head's small map; grey once the head is off."""

    def __init__(self, fig: Figure, layer: int, head: int) -> None:
        self._name = f"{layer}.{head}"
        self._ax = fig.add_axes((0.01 + 0.165 * head, 0.52 - 0.5 * layer, 0.155, 0.38))
        self._ax.set(xticks=[], yticks=[])
        self._ax.set_title("", pad=3)
        self._image = self._ax.imshow(
            np.zeros((2, 2)), cmap=colour_map("attention"), vmin=0, vmax=1, extent=(0, 1, 1, 0)
        )

    def show(self, weights: Tensor, text: str, off: bool) -> None:
        """Show the weights on a text."""
        self._image.set(data=weights.numpy(), cmap=colour_map("neutral" if off else "attention"))
        title = say("{head} off", head=self._name) if off else self._name
        self._ax.title.set(text=title, color=NEUTRAL if off else ATTENTION)


def _switches() -> dict[str, tuple[Head, ...]]:
    """Give the sets of heads that can be switched off, by their labels."""
    back, copies = looking_back(), copying()
    rest_below = tuple((0, head) for head in range(HEADS) if (0, head) not in back)
    sets: dict[str, tuple[Head, ...]] = {later("nothing"): ()}
    sets |= {_names([head]): (head,) for head in _ALL}
    sets |= {_names(heads): heads for heads in (back, rest_below, copies) if len(heads) > 1}
    return sets


def _names(heads: Sequence[Head]) -> str:
    return ", ".join(f"{layer}.{head}" for layer, head in heads)


def _pattern(stretch: int) -> str:
    return text_of(repeated(1, stretch, _SHOWN, torch.Generator().manual_seed(8))[0])
