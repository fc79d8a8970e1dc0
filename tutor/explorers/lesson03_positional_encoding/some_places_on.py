"""By which angle each clock turns when one moves some places on."""

import math
from typing import Any

import torch
from matplotlib.figure import Figure

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import NEUTRAL, SERIES
from tutor.explorers.lesson03_positional_encoding.clock_face import clock_face
from tutor.explorers.lesson03_positional_encoding.one_clock_a_pair import D_MODEL
from tutor.say import say


def some_places_on() -> Explorer:
    """Show by which angle each clock turns when one moves on, from wherever one starts.

    Example:
        >>> some_places_on().frame(start=50, on=5).caption
        'From 50 to 55 the four hands turn by 5, 0.5, 0.05, 0.005 radians, as from 0 to 5.'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        axes = fig.subplots(1, D_MODEL // 2)
        hands = [clock_face(ax, f"place / {10**i:,}") for i, ax in enumerate(axes)]
        ghosts = [ax.plot([0, 1], [0, 0], color=NEUTRAL, linewidth=2.5)[0] for ax in axes]
        arcs = [ax.plot([], [], color=SERIES[0], linewidth=2)[0] for ax in axes]

        def update(start: int, on: int) -> str:
            turns = [on / 10**pair for pair in range(D_MODEL // 2)]
            for pair, turn in enumerate(turns):
                first = start / 10**pair
                for hand, angle in ((ghosts[pair], first), (hands[pair], first + turn)):
                    hand.set_data([0, math.cos(angle)], [0, math.sin(angle)])
                way = torch.linspace(first, first + min(turn, 2 * math.pi), 60)
                arcs[pair].set_data((0.45 * way.cos()).numpy(), (0.45 * way.sin()).numpy())
            return say(
                "From {start} to {end} the four hands turn by {turns} radians, as from 0 to {on}.",
                start=start,
                end=start + on,
                turns=", ".join(f"{turn:g}" for turn in turns),
                on=on,
            )

        return update

    return live(
        draw,
        alt=(
            "Four clocks with a grey hand where one starts and a coloured one some places on. The "
            "angle between them depends on the number of places and on the clock, not on the start."
        ),
        size=(8.0, 2.3),
        start=([0, 3, 50], 3),
        on=(0, 10, 1, 5),
        labels={"on": "places on"},
    )
