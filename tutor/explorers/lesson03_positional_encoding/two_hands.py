"""Rotary positions: a query and a key turned by one clock, and their score."""

import math
from typing import Any

import torch
from matplotlib.figure import Figure
from matplotlib.patches import Wedge

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, INK, KEY, QUERY
from tutor.explorers.lesson03_positional_encoding.clock_face import clock_face
from tutor.position import rotate_by_position
from tutor.say import say

_RATE = 0.5  # radians a place
_FARTHEST = 20


def _score(distance: int, clocks: int) -> float:
    """Give the score of a query and a key alike, so many places apart."""
    if clocks == 1:
        return math.cos(_RATE * distance)
    ones = torch.tensor([[1.0, 0.0] * clocks], dtype=torch.float64)
    query, key = (rotate_by_position(ones, torch.tensor([p])) for p in (distance, 0))
    return (query @ key.T).item() / clocks


def two_hands() -> Explorer:
    """Turn a query and a key by their places, and show what their score depends on.

    Example:
        >>> two_hands().frame(m=7, n=6, slide=5).caption
        'Query at 12, key at 11, distance 1: the hands are 0.5 radians apart, score 0.878.'
    """
    distances = range(-_FARTHEST, _FARTHEST + 1)

    def draw(fig: Figure, **_start: Any) -> Update:
        dial, curve = fig.subplots(1, 2, width_ratios=[1, 1.6])
        query = clock_face(dial, "one clock, 0.5 radians a place")
        (key,) = dial.plot([0, 1], [0, 0], color=KEY, linewidth=2.5)
        query.set_color(QUERY)
        wedge = dial.add_patch(Wedge((0, 0), 0.4, 0, 30, color=HIGHLIGHT, alpha=0.4))
        names = [dial.text(0, 0, name, ha="center", va="center") for name in ("q", "k")]
        (line,) = curve.plot([], [], color=INK)
        (here,) = curve.plot([], [], "o", color=HIGHLIGHT, markersize=11)
        curve.set(xlim=(-_FARTHEST, _FARTHEST), ylim=(-1.1, 1.1), xlabel="distance m − n")
        curve.set_title("score", fontsize=10)
        curve.grid(visible=True)

        def update(m: int, n: int, slide: int, clocks: int) -> str:
            at, seen = m + slide, n + slide
            for hand, name, place in zip((query, key), names, (at, seen), strict=True):
                angle = _RATE * place
                hand.set_data([0, math.cos(angle)], [0, math.sin(angle)])
                name.set_position((1.12 * math.cos(angle), 1.12 * math.sin(angle)))
            low, high = sorted((math.degrees(_RATE * at), math.degrees(_RATE * seen)))
            wedge.set(theta1=low, theta2=high)
            line.set_data([*distances], [_score(d, clocks) for d in distances])
            here.set_data([m - n], [_score(m - n, clocks)])
            return say(
                "Query at {at}, key at {seen}, distance {distance}: the hands are {apart:g} "
                "radians apart, score {score:.3f}.",
                at=at,
                seen=seen,
                distance=m - n,
                apart=abs(_RATE * (m - n)),
                score=_score(m - n, clocks),
            )

        return update

    return live(
        draw,
        alt=(
            "Left, a dial with two hands, the query and the key, and the angle between them. "
            "Right, the score against their distance. Sliding both along the sentence turns both "
            "hands; angle and score stay."
        ),
        size=(8.0, 3.0),
        columns=4,
        kept={"m": [3, 7, 12], "n": [3, 6, 11], "slide": [0, 5, 10]},
        m=(0, 20, 1, 7),
        n=(0, 20, 1, 6),
        slide=(0, 10, 1, 0),
        clocks=[("one clock", 1), ("four clocks", 4)],
        labels={"slide": "slide both"},
    )
