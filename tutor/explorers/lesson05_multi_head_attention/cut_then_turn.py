"""Lesson 5's film of the split: a row of numbers is cut into blocks, then turned into heads."""

import math
from typing import Any

from matplotlib.figure import Figure

from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import SERIES
from tutor.display.parts import Point, glide
from tutor.display.style import TITLE
from tutor.say import say

_NUMBERS = [11, 12, 13, 14, 21, 22, 23, 24]
_LANES = ((4.0, False), (12.0, True))  # the middle of each film, and whether it forgets to turn
_PARTS = (-1.9, 1.9)  # of a lane: the first token or head, and the second


def cut_then_turn() -> Explorer:
    """Cut two tokens into blocks; at the left they are turned, at the right that is forgotten.

    Example:
        >>> cut_then_turn().caption
        'Head 0: turned [11, 12], [21, 22]; not turned [11, 12], [13, 14]'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        tiles, tokens, heads = [], [], []
        for x, forgets in _LANES:
            title = say("turn forgotten") if forgets else say("turned")
            d.words(title, (x, 4.4), size=TITLE)
            tiles.append(
                [
                    d.box(str(number), (x, 0), width=0.9, kind=SERIES[number // 10 - 1])
                    for number in _NUMBERS
                ]
            )
            for place, part in enumerate(_PARTS):
                at = (x + part, 3.5)
                tokens.append(d.words(say("token {number}", number=place + 1), at))
                heads.append(d.words(say("head {place}", place=place), at))

        def update(step: float) -> str:
            for (x, forgets), lane in zip(_LANES, tiles, strict=True):
                for place, tile in enumerate(lane):
                    aside, y = _on_the_way(place, step, forgets)
                    tile.move(x + aside, y)
            for label in tokens:
                label.show(step == 1)
            for label in heads:
                label.show(step == 2)
            return _caption(step)

        return update

    return live(
        draw,
        alt=say(
            "The same eight numbers twice, four of each of two tokens, each token in its colour. "
            "First in one row, then a group for each token, its two blocks one below the other, "
            "then a group for each head: at the left turned, with one block of every token; at "
            "the right not turned, all of one token."
        ),
        size=(8.0, 2.4),
        play="step",
        pace=0.4,
        kept={"step": [0.0, 1.0, 2.0]},
        step=(0.0, 2.0, 0.25, 2.0),
    )


def _on_the_way(place: int, step: float, forgets: bool) -> Point:
    """Where one of the eight numbers is: in memory at 0, with its token at 1, its head at 2."""
    token, block, feature = place // 4, place // 2 % 2, place % 2
    memory = (0.96 * (place - 3.5), 1.95)
    cut = _place_of(token, block, feature)
    turned = cut if forgets else _place_of(block, token, feature)
    if step <= 1:
        return glide(memory, cut, step)
    x, y = glide(cut, turned, step - 1)
    aside = math.sin(math.pi * (step - 1)) * (turned[0] - cut[0]) / 6  # they pass each other
    return x, y - aside


def _place_of(part: int, row: int, feature: int) -> Point:
    return _PARTS[part] - 0.5 + feature, 2.6 - 1.3 * row


def _caption(step: float) -> str:
    numbers = " ".join(map(str, _NUMBERS))
    if step < 1:
        return say("In memory: {numbers}", numbers=numbers)
    if step < 2:
        return say("(T, h, d): cut after every second number, {numbers}", numbers=numbers)
    first, second, third = _NUMBERS[:2], _NUMBERS[2:4], _NUMBERS[4:6]
    return say(
        "Head 0: turned {first}, {third}; not turned {first}, {second}",
        first=first,
        second=second,
        third=third,
    )
