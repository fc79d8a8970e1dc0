"""Rotary positions: two words slide along a sentence together, and their score stays."""

import math
from typing import Any, NamedTuple

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text

from tutor.display.controls import as_data
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, KEY, NEUTRAL, QUERY, mixed, readable
from tutor.display.style import SMALL, TITLE
from tutor.explorers.lesson03_positional_encoding.clock_face import (
    add_arc,
    add_hand,
    bend_arc,
    clock_face,
    turn_hand,
    two_digits,
)
from tutor.explorers.lesson03_positional_encoding.one_clock_a_pair import (
    D_MODEL,
    DIVISORS,
    PAIRS,
    clock_title,
)
from tutor.position import rotate_by_position
from tutor.say import data, say

_SENTENCE = ("Mina", "gave", "Joon", "hot", "tea")
_BEFORE = ("On", "Monday", "in", "a", "small", "café", "near", "the", "river")
_ASKS = len(_SENTENCE) - 1  # its last word
_PLACES = len(_BEFORE) + len(_SENTENCE)
_RADIUS = 0.5  # of the arcs
_UNDER = -1.6  # where a clock's share of the score is written


class _Clock(NamedTuple):
    """One pair of features: the key's hand, the query's, and the angle between them."""

    key: Line2D
    query: Line2D
    arc: Line2D
    said: Text


def slide_together() -> Explorer:
    """Put words in front of a sentence: two of its words slide on together, their score stays.

    Example:
        >>> slide_together().frame(before=5, key="hot").caption
        'Query tea at 9, key hot at 8, 1 apart: score 0.54 + 1.00 + 1.00 + 1.00 = 3.54.'
    """
    alike = torch.tensor([[1.0, 0.0] * PAIRS], dtype=torch.float64)  # query and key before a turn
    turned = rotate_by_position(alike.expand(_PLACES, D_MODEL))  # (places, D)

    def draw(fig: Figure, **_start: Any) -> Update:
        grid = fig.add_gridspec(
            2, PAIRS + 1, height_ratios=[1, 2.6], width_ratios=[1] * PAIRS + [0.48]
        )
        words = _sentence(fig.add_subplot(grid[0, :]))
        clocks = [_clock(fig.add_subplot(grid[1, pair]), pair) for pair in range(PAIRS)]
        total = _total(fig.add_subplot(grid[1, PAIRS]))

        def update(before: int, key: str) -> str:
            at, seen = before + _ASKS, before + _SENTENCE.index(key)
            _write(words, before, at, seen)
            shares = (turned[at] * turned[seen]).unflatten(0, (PAIRS, 2)).sum(-1).tolist()
            for clock, divisor, share in zip(clocks, DIVISORS, shares, strict=True):
                turn_hand(clock.query, at / divisor)
                turn_hand(clock.key, seen / divisor)
                bend_arc(clock.arc, seen / divisor, at / divisor, _RADIUS)
                clock.said.set_text(two_digits(share))
            total.set_text(two_digits(math.fsum(shares)))
            return say(
                "Query {asks} at {at}, key {key} at {seen}, {apart} apart: score {sum} = {score}.",
                asks=_SENTENCE[_ASKS],
                at=at,
                key=key,
                seen=seen,
                apart=at - seen,
                sum=" + ".join(map(two_digits, shares)),
                score=two_digits(math.fsum(shares)),
            )

        return update

    return live(
        draw,
        alt=say(
            "A sentence with the numbers of its positions, the query's word and the key's marked. "
            "Under it four clocks, each with a hand for the key and one for the query. Words put "
            "in front turn both hands alike, so that the angles between them, and the score, stay."
        ),
        size=(8.0, 3.6),
        play="before",
        before=(0, len(_BEFORE), 1, 0),
        key=(as_data(_SENTENCE[:-1]), "hot"),
        labels={"before": say("words in front")},
    )


def _sentence(ax: Axes) -> list[tuple[Text, Text]]:
    """Draw the positions of a sentence; give each one's word and number."""
    ax.set(xlim=(-0.5, _PLACES - 0.5), ylim=(-1.2, 1))
    ax.set_axis_off()
    return [
        (
            ax.text(x, 0.2, "", ha="center", va="center", fontsize=SMALL),
            ax.text(x, -0.95, "", ha="center", va="center", fontsize=SMALL),
        )
        for x in range(_PLACES)
    ]


def _write(words: list[tuple[Text, Text]], before: int, at: int, seen: int) -> None:
    written = (*_BEFORE[:before], *_SENTENCE)
    for place, (word, number) in enumerate(words):
        colour = {at: QUERY, seen: KEY}.get(place)
        there = place < len(written)
        word.set(text=data(written[place]) if there else "", visible=there)
        word.set_bbox(
            {
                "boxstyle": "round,pad=0.35",
                "linewidth": 1.4,
                "facecolor": mixed(colour or NEUTRAL, 0.3 if colour else 0.08),
                "edgecolor": colour or mixed(NEUTRAL, 0.4),
            }
        )
        number.set(text=str(place) if there else "", color=readable(colour or NEUTRAL))
        number.set_fontweight("bold" if colour else "normal")


def _clock(ax: Axes, pair: int) -> _Clock:
    clock_face(ax, clock_title(pair))
    arc = add_arc(ax, HIGHLIGHT, _RADIUS)
    said = ax.text(0, _UNDER, "", ha="center", va="center", fontsize=TITLE)
    ax.text(1.6, _UNDER, "+" if pair < PAIRS - 1 else "=", ha="center", va="center", fontsize=TITLE)
    return _Clock(add_hand(ax, KEY), add_hand(ax, QUERY), arc, said)


def _total(ax: Axes) -> Text:
    ax.set(xlim=(-0.6, 0.6), ylim=(-1.25, 1.25), aspect="equal")
    ax.set_axis_off()
    ax.set_title(say("score"))
    return ax.text(0, _UNDER, "", ha="center", va="center", fontsize=TITLE, fontweight="bold")
