"""Lesson 5's film of the split: a row of numbers is cut into blocks, then turned into heads."""

import math
from typing import Any

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import SERIES
from tutor.display.parts import Point, glide
from tutor.say import say

_TOKENS, _HEADS, _WIDTH = 2, 2, 2
_NUMBERS = [11, 12, 13, 14, 21, 22, 23, 24]


def cut_then_turn() -> Explorer:
    """Cut two tokens into blocks and turn tokens and heads, or forget to turn.

    Example:
        >>> cut_then_turn().frame(step=2.0).caption
        '(h, T, d): turned. Head 0: [11, 12], [21, 22]; head 1: [13, 14], [23, 24]'
        >>> cut_then_turn().frame(step=2.0, forget=True).caption
        '(h, T, d): not turned. Head 0: [11, 12], [13, 14]; head 1: [21, 22], [23, 24]'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        tiles = [
            d.box(str(number), (0, 0), width=1.0, kind=SERIES[number // 10 - 1])
            for number in _NUMBERS
        ]
        tokens = [
            d.words(say("token {number}", number=place + 1), (_group_x(place), 4.5))
            for place in range(_TOKENS)
        ]
        heads = [
            d.words(say("head {place}", place=place), (_group_x(place), 4.5))
            for place in range(_HEADS)
        ]

        def update(step: float, forget: bool) -> str:
            for place, tile in enumerate(tiles):
                tile.move(*_on_the_way(place, step, forget))
            for label in tokens:
                label.show(step == 1)
            for label in heads:
                label.show(step == 2)
            return _caption(step, forget)

        return update

    return live(
        draw,
        alt=say(
            "Eight numbers, four of each of two tokens, each token in its colour. First in one "
            "row, then a group for each token, its two blocks one below the other, then a group "
            "for each head: turned, with one block of every token; not turned, all of one token."
        ),
        size=(8.0, 2.4),
        labels={"forget": say("forget to turn")},
        play="step",
        pace=0.4,
        kept={"step": [0.0, 1.0, 2.0]},
        step=(0.0, 2.0, 0.25, 1.0),
        forget=False,
    )


def _on_the_way(place: int, step: float, forget: bool) -> Point:
    """Where one of the eight numbers is: in memory at 0, with its token at 1, its head at 2."""
    token, block, feature = place // 4, place // 2 % 2, place % 2
    memory = (2.0 + 1.7 * place, 2.6)
    cut = _place_of(token, block, feature)
    turned = cut if forget else _place_of(block, token, feature)
    if step <= 1:
        return glide(memory, cut, step)
    x, y = glide(cut, turned, step - 1)
    aside = math.sin(math.pi * (step - 1)) * (turned[0] - cut[0]) / 6  # they pass each other
    return x, y - aside


def _place_of(group: int, row: int, feature: int) -> Point:
    return _group_x(group) - 0.55 + 1.1 * feature, _row_y(row)


def _group_x(group: int) -> float:
    return 5.4 + 5.2 * group


def _row_y(row: int) -> float:
    return 3.4 - 1.6 * row


def _caption(step: float, forget: bool) -> str:
    if step < 2:
        numbers = " ".join(map(str, _NUMBERS))
        if step < 1:
            return say("In memory: {numbers}", numbers=numbers)
        return say("(T, h, d): cut after every second number, {numbers}", numbers=numbers)
    blocks = [_NUMBERS[place : place + _WIDTH] for place in range(0, len(_NUMBERS), _WIDTH)]
    first, second = (blocks[:2], blocks[2:]) if forget else (blocks[::2], blocks[1::2])
    rows = {"a": first[0], "b": first[1], "c": second[0], "d": second[1]}
    if forget:
        return say("(h, T, d): not turned. Head 0: {a}, {b}; head 1: {c}, {d}", **rows)
    return say("(h, T, d): turned. Head 0: {a}, {b}; head 1: {c}, {d}", **rows)
