"""A word in dozens of sentences: from one point it parts, layer by layer, into two senses."""

from typing import Any

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from torch import Tensor

from tutor.display.controls import as_data
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import NEUTRAL, PAPER, mixed, readable
from tutor.display.regions import touch_along
from tutor.display.style import TITLE
from tutor.explorers.lesson04_self_attention.stored_senses import (
    COLOURS,
    Sense,
    sense_name,
    stored_senses,
)
from tutor.say import say

LAYERS = 6
_MOST = 20  # sentences of a sense


def meaning_moves() -> Explorer:
    """Follow a word in its sentences through MiniLM's layers.

    Example:
        >>> meaning_moves().frame(layers=1).caption
        'After 1 layer: 35 of 40 sentences with bank are on the side of their sense'
    """
    words = stored_senses()

    def draw(fig: Figure, **_start: Any) -> Update:
        left, right = fig.subplots(1, 2, width_ratios=(1.25, 1.0))
        tracks, plane = _Tracks(left), _Plane(right)
        touch_along(left, y=("layers", range(LAYERS + 1)))
        examples = fig.suptitle(_examples(words["bank"]))

        def update(word: str, layers: int) -> str:
            pair = words[word]
            examples.set_text(_examples(pair))
            tracks.show(pair, layers)
            plane.show(pair, layers)
            return _caption(word, layers, on_their_side(pair, layers))

        return update

    return live(
        draw,
        alt=say(
            "At the left a line for each sentence, growing upward from one point as layers are "
            "passed: those of one sense of the word go to the right, those of the other to the "
            "left. At the right the same sentences as dots in a plane, whose horizontal axis is "
            "that of the lines. Above, the most typical sentence of each sense."
        ),
        size=(8.0, 4.0),
        labels={"layers": say("after so many layers")},
        play="layers",
        pace=0.7,
        word=as_data(words),
        layers=(0, LAYERS, 1, LAYERS),
    )


def on_their_side(pair: tuple[Sense, Sense], layers: int) -> tuple[int, int]:
    """Count the sentences whose word lies on the side of its sense, and all of them.

    Example:
        >>> on_their_side(stored_senses()["bank"], 6)
        (39, 40)
    """
    first, second = (sense.places[:, layers, 0] for sense in pair)
    return int((first > 0).sum() + (second < 0).sum()), len(first) + len(second)


def _caption(word: str, layers: int, counts: tuple[int, int]) -> str:
    right, count = counts
    if layers == 1:
        return say(
            "After 1 layer: {right} of {count} sentences with {word} are on the side of their "
            "sense",
            right=right,
            count=count,
            word=word,
        )
    return say(
        "After {layers} layers: {right} of {count} sentences with {word} are on the side of their "
        "sense",
        layers=layers,
        right=right,
        count=count,
        word=word,
    )


def _examples(pair: tuple[Sense, Sense]) -> str:
    first, second = (
        say("{sense}: {example}", sense=sense_name(sense), example=sense.sentences[0])
        for sense in pair
    )
    return f"{second}\n{first}"


def _reach(places: Tensor) -> float:
    """Say how far the limits must lie."""
    return 1.08 * places.abs().max().item()


class _Tracks:
    """A line for each sentence: across, its place on the axis; upward, the layers passed."""

    def __init__(self, ax: Axes) -> None:
        self._ax = ax
        ax.set(ylim=(-0.3, LAYERS + 1.0), yticks=range(LAYERS + 1))
        ax.set(xlabel=say("place on the axis"), ylabel=say("layers passed"))
        ax.axvline(0, color=mixed(NEUTRAL, 0.6), linewidth=0.8)
        self._lines = _many(ax, share=0.75, linewidth=1.0)
        self._ends = _many(ax, marker="o", markersize=3.5)
        self._means = [ax.plot([], [], color=c, linewidth=3.5, zorder=4)[0] for c in COLOURS]
        self._names = [
            ax.text(
                x,
                0.94,
                "",
                ha="center",
                fontsize=TITLE,
                color=readable(colour),
                transform=ax.transAxes,
            )
            for x, colour in zip((0.78, 0.22), COLOURS, strict=True)
        ]

    def show(self, pair: tuple[Sense, Sense], layers: int) -> None:
        """Draw the tracks as far as so many layers."""
        depths = torch.arange(layers + 1)
        reach = _reach(torch.cat([sense.places[..., 0] for sense in pair]))
        self._ax.set_xlim(-reach, reach)
        for sense, lines, ends, mean, name in zip(
            pair, self._lines, self._ends, self._means, self._names, strict=True
        ):
            places = sense.places[:, : layers + 1, 0]  # (sentences, depths passed)
            for row, (line, end) in enumerate(zip(lines, ends, strict=True)):
                track = places[row : row + 1].flatten()  # nothing, if there is no such sentence
                line.set_data(track, depths[: len(track)])
                end.set_data(track[-1:], depths[: len(track)][-1:])
            mean.set_data(places.mean(dim=0), depths)
            name.set_text(sense_name(sense))


class _Plane:
    """The same sentences as dots: across, their place; upward, on the second component."""

    def __init__(self, ax: Axes) -> None:
        self._ax = ax
        ax.set(xlabel=say("place on the axis"), ylabel=say("second component"))
        ax.axvline(0, color=mixed(NEUTRAL, 0.6), linewidth=0.8)
        self._tails = _many(ax, linewidth=1.0, color=mixed(NEUTRAL, 0.5))
        self._dots = _many(ax, marker="o", markersize=7, markeredgecolor=PAPER)

    def show(self, pair: tuple[Sense, Sense], layers: int) -> None:
        """Put each dot where its sentence is after so many layers, with the way it came."""
        reach = _reach(torch.cat([sense.places for sense in pair]))
        self._ax.set(xlim=(-reach, reach), ylim=(-reach, reach))
        for sense, tails, dots in zip(pair, self._tails, self._dots, strict=True):
            for row, (tail, dot) in enumerate(zip(tails, dots, strict=True)):
                way = _way(sense, row, layers)
                tail.set_data(way[:, 0], way[:, 1])
                dot.set_data(way[-1:, 0], way[-1:, 1])


def _way(sense: Sense, row: int, layers: int) -> Tensor:
    return sense.places[row : row + 1, : layers + 1].flatten(0, 1)


def _many(ax: Axes, share: float = 1.0, **look: Any) -> list[list[Line2D]]:
    """Make a line for each sentence; mixed colours, unlike alpha, are few, so the file is small."""
    return [
        [ax.plot([], [], **{"color": mixed(colour, share), **look})[0] for _ in range(_MOST)]
        for colour in COLOURS
    ]
