"""Two banks on their way up through MiniLM: what each sub-layer adds, and the two without it."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from tutor.claims.runs import load_sweep
from tutor.data.files import load_results
from tutor.display.controls import as_said
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import ATTENTION, HIGHLIGHT, INK, NEUTRAL, SERIES, mixed
from tutor.display.regions import touch_along
from tutor.display.style import LABEL
from tutor.say import later, say, say_as

_TEN_WORDS = later("ten words, mean of 310 sentences")
_SUB_LAYERS = 12
_APART = 0.02  # bars that are nearer look like one


class Side(NamedTuple):
    """One of the two words: its sense, where it ends, and what its place is the sum of."""

    name: str
    end: float
    bars: Sequence[float]  # of what went in, then of each sub-layer
    without: Sequence[float]  # where it ends without each


def running_sum() -> Explorer:
    """Add what each sub-layer adds to two *bank*s, and switch each off in turn.

    Example:
        >>> running_sum().caption
        'All sub-layers on: the two end 1.87 apart'
        >>> running_sum().frame(off=1).caption
        "Layer 0's attention: its bars make 0.03 of the distance 1.87. Without it 0.92 is left"
    """
    pairs = {
        say("{first} … {second}", first=_start(sides["river"]), second=_start(sides["money"])): (
            stored_side(say_as("sense", "river"), sides["river"]),
            stored_side(say_as("sense", "money"), sides["money"]),
        )
        for sides in load_results("running_sum")["values"]["pairs"].values()
    }
    pairs[_TEN_WORDS] = ten_words()

    def draw(fig: Figure, **_start: Any) -> Update:
        sums, alone = fig.subplots(1, 2, sharey=True)
        picture = _Picture(sums, alone)
        for ax in (sums, alone):
            touch_along(ax, y=("off", range(_SUB_LAYERS + 1)))

        def update(pair: str, off: int) -> str:
            sides = pairs[pair]
            picture.show(sides, off)
            return _caption(sides, off)

        return update

    return live(
        draw,
        alt=say(
            "Two running sums rise from the middle, the river's bank to the right and the money's "
            "to the left, with a bar for what each of twelve sub-layers adds; where the two lie "
            "close, the river's is above. The last layer's bars are the longest. Beside it a "
            "line for each sub-layer that was switched off, between the places where the two then "
            "end; the grey line on top is that of all on."
        ),
        size=(8.0, 3.9),
        labels={"pair": say("sentences"), "off": say("switched off")},
        play="off",
        pace=0.8,
        pair=as_said(pairs),
        off=(0, _SUB_LAYERS, 1, 0),
    )


def ten_words() -> tuple[Side, Side]:
    """Give the means over ten words and their unseen sentences, as two sides of one distance.

    Example:
        >>> round(sum(ten_words()[0].bars), 6)
        1.0
    """
    runs = load_sweep("sub_layers_off").runs
    bars, lost = (
        [_mean(runs.at(sub_layer=name).numbers(number)) for name in runs.values_of("sub_layer")]
        for number in ("bar", "lost")
    )
    right = [1 - sum(bars), *bars]
    ends = [1 - share for share in lost]
    return (
        Side(say("first sense"), 1.0, right, ends),
        Side(say("second sense"), -1.0, [-b for b in right], [-end for end in ends]),
    )


def stored_side(name: str, side: dict[str, Any]) -> Side:
    """Take one of a stored pair.

    Example:
        >>> pair = load_results("running_sum")["values"]["pairs"]["heron, government"]
        >>> stored_side("river", pair["river"]).end
        0.904
    """
    return Side(name, side["end"], side["bars"], side["without"])


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def _start(side: dict[str, Any]) -> str:
    return " ".join(str(side["sentence"]).split()[:3])


class _Picture:
    """Both panels: a row for what goes in, and one for each sub-layer, from the bottom up."""

    def __init__(self, sums: Axes, alone: Axes) -> None:
        rows = range(_SUB_LAYERS + 1)
        for ax in (sums, alone):
            ax.set(xlim=(-1.85, 1.85), ylim=(-0.7, _SUB_LAYERS + 2.6))
            ax.set_xticks([-1, 1], ["", ""])
            ax.axvline(0, color=NEUTRAL, linewidth=0.8)
        below: dict[str, Any] = {"ha": "center", "va": "top", "fontsize": LABEL}
        self._names = [
            ax.text(x, -0.03, "", transform=ax.get_xaxis_transform(), **below)
            for ax in (sums, alone)
            for x in (1, -1)
        ]
        above = range(1, _SUB_LAYERS // 2)  # the lowest layer's two bars have a name each
        places = [0.0, 1.0, 2.0, *(1.5 + 2 * layer for layer in above)]
        names = [
            say("the word"),
            say("attention {layer}", layer=0),
            say("feed-forward {layer}", layer=0),
            *(say("layer {layer}", layer=layer) for layer in above),
        ]
        sums.set_yticks(places, names)
        for ax in (sums, alone):
            ax.tick_params(axis="y", length=0)
        alone.tick_params(labelleft=False)
        sums.set_title(say("what each adds"))
        alone.set_title(say("where the two end without it"))
        for x, ha, words, colour in (
            (0.02, "left", say("attention"), ATTENTION),
            (0.98, "right", say("feed-forward"), SERIES[0]),
        ):
            sums.text(x, 0.93, words, transform=sums.transAxes, ha=ha, color=colour)
        self._bars = [
            [sums.add_patch(Rectangle((0, y - 0.36), 0, 0.72, color=_colour(y))) for y in rows]
            for _ in range(2)
        ]
        self._ends = [
            ax.plot([], [], "o", color=INK, markersize=6)[0] for ax in (sums, alone) for _ in "12"
        ]
        (self._all,) = alone.plot([], [], color=NEUTRAL, linewidth=5, solid_capstyle="butt")
        self._whole = [alone.axvline(0, color=INK, linewidth=1, linestyle=":") for _ in range(2)]
        self._lines = [
            alone.plot([], [], "-", color=_colour(y), linewidth=5, solid_capstyle="butt")[0]
            for y in rows[1:]
        ]
        self._frame = sums.axhspan(0, 1, color=mixed(HIGHLIGHT, 0.16), linewidth=0, zorder=0)
        self._frame_alone = alone.axhspan(0, 1, color=mixed(HIGHLIGHT, 0.16), lw=0, zorder=0)

    def show(self, sides: tuple[Side, Side], off: int) -> None:
        """Draw both sums; without each sub-layer up to `off`, draw what is left."""
        for name, side in zip(self._names, (*sides, *sides), strict=True):
            name.set_text(side.name)
        for side, bars, end, end_alone, whole in zip(
            sides, self._bars, self._ends[:2], self._ends[2:], self._whole, strict=True
        ):
            for bar, place, part in zip(bars, _begins(side), side.bars, strict=True):
                bar.set(x=place, width=part)
            end.set_data([sum(side.bars)], [_SUB_LAYERS + 1])
            end_alone.set_data([side.end], [_SUB_LAYERS + 1])
            whole.set_xdata([side.end, side.end])
        for row, (right, left) in enumerate(zip(*self._bars, strict=True)):
            half = 0.36 if _close(sides, row) else 0.72
            right.set(y=row + 0.36 - half, height=half)
            left.set(y=row - 0.36, height=half)
        self._all.set_data([side.end for side in sides], [_SUB_LAYERS + 1] * 2)
        for number, line in enumerate(self._lines):
            ends = [side.without[number] for side in sides] if number < off else []
            line.set_data(ends, [number + 1] * len(ends))
        for frame in (self._frame, self._frame_alone):
            frame.set(y=off - 0.5, height=1.0, visible=off > 0)


def _begins(side: Side) -> list[float]:
    """Say where each bar begins: at the sum of those below it."""
    return [0.0, *accumulate(side.bars)][:-1]


def _close(sides: tuple[Side, Side], row: int) -> bool:
    """Say whether the two bars of a row would look like one."""
    (low, high), (other_low, other_high) = (
        sorted((_begins(side)[row], _begins(side)[row] + side.bars[row])) for side in sides
    )
    return low < other_high + _APART and other_low < high + _APART


def _colour(row: int) -> str:
    if row == 0:
        return NEUTRAL
    return ATTENTION if row % 2 else SERIES[0]


def _caption(sides: tuple[Side, Side], off: int) -> str:
    river, money = sides
    whole = river.end - money.end
    if off == 0:
        return say("All sub-layers on: the two end {whole:.2f} apart", whole=whole)
    numbers = {
        "layer": (off - 1) // 2,
        "bar": river.bars[off] - money.bars[off],
        "whole": whole,
        "left": river.without[off - 1] - money.without[off - 1],
    }
    if off % 2:
        return say(
            "Layer {layer}'s attention: its bars make {bar:.2f} of the distance {whole:.2f}. "
            "Without it {left:.2f} is left",
            **numbers,
        )
    return say(
        "Layer {layer}'s feed-forward: its bars make {bar:.2f} of the distance {whole:.2f}. "
        "Without it {left:.2f} is left",
        **numbers,
    )
