"""Greedy search going round in a loop, each word with its probability."""

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import HIGHLIGHT, SERIES, mixed
from tutor.display.regions import touch_along
from tutor.display.style import SMALL
from tutor.explorers.lesson09_output_softmax.stored_texts import UNSURE
from tutor.models.smollm_excerpt import written
from tutor.say import data, say

_LOOP = 8  # pieces a turn of the loop has


def the_loop() -> Explorer:
    """Show greedy search's turns one below the other, each word with its probability.

    Example:
        >>> the_loop().frame(turn=1).caption
        "Turn 1: ' to' has probability 0.41 (by turns: 0.41)"
    """
    text = written(UNSURE, "greedy")
    start = text.pieces.index(" I")
    turns = (len(text.pieces) - start) // _LOOP
    shares = text.log_probs[start : start + turns * _LOOP].exp().view(turns, _LOOP).numpy()
    pieces = text.pieces[start : start + _LOOP]

    def draw(fig: Figure, **_start: Any) -> Update:
        left, right = fig.subplots(1, 2, width_ratios=[3, 1.3])
        left.set(xlim=(-0.5, _LOOP - 0.5), ylim=(turns - 0.5, -0.5), ylabel=say("turn"))
        left.set_xticks(range(_LOOP), [data(piece.strip()) for piece in pieces])
        left.xaxis.tick_top()
        left.set_yticks([])
        left.tick_params(length=0)
        left.yaxis.labelpad = 22
        left.spines[:].set_visible(False)
        rows = [_shaded_row(left, turn, row) for turn, row in enumerate(shares)]
        of_to = shares[:, pieces.index(" to")]
        (line,) = right.plot([], [], marker="o", color=HIGHLIGHT)
        right.set(
            xlim=(0.5, turns + 0.5),
            ylim=(0, 1.03),
            xlabel=say("turn"),
            title=say("probability of to"),
        )
        right.set_xticks(range(1, turns + 1, 3))
        touch_along(left, y=("turn", range(1, turns + 1)), at=range(turns))
        touch_along(right, x=("turn", range(1, turns + 1)))

        def update(turn: int) -> str:
            for number, row in enumerate(rows, 1):
                for part in row:
                    part.set_visible(number <= turn)
            line.set_data(range(1, turn + 1), of_to[:turn])
            return say(
                "Turn {turn}: ' to' has probability {share:.2f} (by turns: {shares})",
                turn=turn,
                share=float(of_to[turn - 1]),
                shares=", ".join(f"{share:.2f}" for share in of_to[:turn]),
            )

        return update

    return live(
        draw,
        alt=say(
            "The same sentence again and again, a line per turn, each word on a ground that is "
            "darker if it was more likely; at the right the probability of one of its words, by "
            "turns."
        ),
        size=(8.0, 3.4),
        play="turn",
        turn=(1, turns, 1, turns),
    )


def _shaded_row(ax: Axes, turn: int, shares: Sequence[float]) -> list[Any]:
    """Draw one turn: its number, and a tile for each piece with its probability."""
    parts: list[Any] = [ax.text(-0.65, turn, str(turn + 1), ha="right", va="center")]
    for column, share in enumerate(shares):
        tile = Rectangle(
            (column - 0.48, turn - 0.44), 0.96, 0.88, facecolor=mixed(SERIES[0], 0.75 * share)
        )
        parts.append(ax.add_patch(tile))
        parts.append(ax.text(column, turn, _short(share), ha="center", va="center", fontsize=SMALL))
    return parts


def _short(share: float) -> str:
    return f"{share:.2f}".removeprefix("0")
