"""Lesson 5's switchboard: the eight heads of a small model that goes on with a pattern."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import torch
from matplotlib.figure import Figure
from torch import Tensor

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import ATTENTION, NEUTRAL, colour_map
from tutor.display.plots import Picture
from tutor.say import say
from tutor.training.letters import (
    HEADS,
    LAYERS,
    Head,
    ids_of,
    load_letters,
    looks_of,
    mean_outputs,
    repeated,
    scores_of,
    share_right,
    switched_off,
    text_of,
    weights_of,
)

_ALL = [(layer, head) for layer in range(LAYERS) for head in range(HEADS)]
_SHOWN = 24  # letters
_MOST = 48  # of those that are typed, the last
_STRETCHES = [8, 12, 16]
_A_LOT = 0.3  # of a head's weight


@cache
def looking_back() -> tuple[Head, ...]:
    """Give the heads of the first layer that look at the letter before."""
    back = looks_of(load_letters()).back[0].tolist()
    return tuple((0, head) for head, share in enumerate(back) if share > _A_LOT)


@cache
def copying() -> tuple[Head, ...]:
    """Give the heads of the second layer that look behind the same letter's last appearance."""
    behind = looks_of(load_letters()).behind[1].tolist()
    return tuple((1, head) for head, share in enumerate(behind) if share > _A_LOT)


@cache
def right_without(heads: tuple[Head, ...], stretch: int = 12) -> float:
    """Give the share of letters foretold, from the second round on, with some heads off.

    Example:
        >>> right_without(()) > 0.95
        True
    """
    model = load_letters()
    with switched_off(model, heads, _means()):
        return share_right(lambda ids: scores_of(model, ids), stretch)


@cache
def behind_without(heads: tuple[Head, ...]) -> list[float]:
    """Give what each head of layer 1 puts on what followed the same letter, with some heads off."""
    model = load_letters()
    with switched_off(model, heads, _means()):
        behind: list[float] = looks_of(model).behind[1].tolist()
    return [round(share, 2) for share in behind]


@cache
def _means() -> dict[str, Tensor]:
    return mean_outputs(load_letters())


class _Reading(NamedTuple):
    """A text that the model has read: its weights, and what it expects next."""

    text: str
    weights: Tensor
    next_letter: Tensor


@torch.inference_mode()
def _read(text: str, off: tuple[Head, ...]) -> _Reading:
    model, ids = load_letters(), ids_of(text)
    with switched_off(model, off, _means()):
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
        names = [ax.text(0, place, "", va="center", fontsize=11) for place in range(5)]
        ax.set(xlim=(0, 1.45), ylim=(4.6, -0.6), xticks=[0, 0.5, 1], yticks=[])
        ax.set_title("the next letter", fontsize=11)

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
        alt=(
            "Two rows of four small maps, one for each head of a letter model: a row for each "
            "letter that looks, a column for each looked at. Some heads of the upper row have "
            "a line one below the diagonal; some of the lower row have lines one stretch further "
            "left. At the right bars: which letter the model expects next."
        ),
        size=(8.0, 2.5),
        labels={"off": "switched off", "stretch": "letters a round", "typed": "your own letters"},
        kept={"stretch": [12]},
        off=list(switches),
        stretch=(_STRETCHES, 12),
        typed="",
    )


class _HeadMap:
    """One head's small map; grey once the head is off."""

    def __init__(self, fig: Figure, layer: int, head: int) -> None:
        self._name = f"{layer}.{head}"
        self._ax = fig.add_axes((0.01 + 0.165 * head, 0.53 - 0.5 * layer, 0.155, 0.4))
        self._ax.set(xticks=[], yticks=[])
        self._image = self._ax.imshow(
            np.zeros((2, 2)), cmap=colour_map("attention"), vmin=0, vmax=1, extent=(0, 1, 1, 0)
        )

    def show(self, weights: Tensor, text: str, off: bool) -> None:
        """Show the weights on a text."""
        self._image.set(data=weights.numpy(), cmap=colour_map("neutral" if off else "attention"))
        title = say("{head} off", head=self._name) if off else self._name
        self._ax.set_title(title, fontsize=10, color=NEUTRAL if off else ATTENTION, pad=3)


def _switches() -> dict[str, tuple[Head, ...]]:
    """Give the sets of heads that can be switched off, by their labels."""
    back, copies = looking_back(), copying()
    rest_below = tuple((0, head) for head in range(HEADS) if (0, head) not in back)
    sets: dict[str, tuple[Head, ...]] = {"nothing": ()}
    sets |= {_names([head]): (head,) for head in _ALL}
    sets |= {_names(heads): heads for heads in (back, rest_below, copies) if len(heads) > 1}
    return sets


def _names(heads: Sequence[Head]) -> str:
    return ", ".join(f"{layer}.{head}" for layer, head in heads)


def _pattern(stretch: int) -> str:
    return text_of(repeated(1, stretch, _SHOWN, torch.Generator().manual_seed(8))[0])


def circuit() -> Picture:
    """Draw how two heads, one after the other, go on with a pattern."""

    def draw(fig: Figure) -> str:
        d = Diagram(fig)
        letters = d.tokens(
            ["e", "v", "b", "x", "n", "u", "y", "g", "e", "v", "b", "?"], at=(8, 1.5), step=1.2
        )
        x, earlier, last = letters[3], letters[2], letters[10]
        label = d.box("after b", (x.top[0], 2.9), width=1.9, kind="value", size=10)
        d.words("layer 0 asks: what stands before me?", (4.3, 4.6), size=11, colour="query")
        d.words("layer 1 asks: where is “after b”?", (11.6, 4.6), size=11, colour="query")
        d.link(earlier, label, kind="value", via=[(earlier.top[0], 2.9)])
        d.link(label, last, kind="attention", via=[(last.top[0], 2.9)])
        letters[11].write("x")
        letters[11].light()
        last.light()
        d.words("the last b finds x, and x is what it brings", (8, 0.4), size=11)
        return say("layer 0 writes “after b” beside x; layer 1 finds it and brings x")

    return Picture(
        draw,
        alt=(
            "Letters in a row, e v b x n u y g e v b. In layer 0 an arrow brings “after b” to the "
            "first x; in layer 1 the last b finds that label, and x comes next."
        ),
        size=(8.0, 2.5),
    )
