"""How many of the café's orders each memory gets right, by the number of training steps."""

from typing import Any, NamedTuple

from matplotlib.figure import Figure

from tutor.claims.runs import Runs, load_sweep
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import ATTENTION, INK, NEUTRAL, SERIES
from tutor.display.style import SMALL
from tutor.say import say

_MARKED = [30, 100, 300, 600, 1000, 3000, 10_000]
_SHORT = 600  # steps of the trainings that have a mark and no line
_APART = 1.035  # from one run's mark to the next, so that all can be seen


class DrawnLine(NamedTuple):
    """How the runs of one memory are drawn, and what the caption calls the memory."""

    memory: str
    runs: Runs
    colour: str
    line: str = "-"
    mark: str = ""
    each: bool = False  # every run by itself, not their mean


def right_by_steps(tables: bool = False) -> Explorer:
    """Draw the share of right answers against training steps, for every memory.

    Args:
        tables: whether eight runs of a memory that is a table are drawn as well.

    Example:
        >>> right_by_steps().frame(cards=8).caption.split("; GRU")[0]
        '8 cards, 600 steps: attention 1.00'
    """
    long, short = load_sweep("card_steps").runs, load_sweep("cards").runs
    short = short.at(initialisation="default", rate=1e-2)
    looks = {
        say("attention"): DrawnLine(
            say("attention"), long.at(memory="attention", width=32), ATTENTION
        ),
        say("GRU and attention"): DrawnLine(
            say("GRU and attention"), short.at(memory="GRU + attention"), ATTENTION, mark="D"
        ),
        say("LSTM, 2 × 128"): DrawnLine("LSTM", long.at(memory="LSTM", width=128), SERIES[2]),
        say("LSTM, 2 × 64"): DrawnLine("LSTM", long.at(memory="LSTM", width=64), SERIES[2], "--"),
        say("LSTM, 2 × 32"): DrawnLine("LSTM", long.at(memory="LSTM", width=32), SERIES[2], ":"),
        say("GRU, 64"): DrawnLine("GRU", long.at(memory="GRU"), SERIES[0], "--"),
    }
    if tables:
        looks[say("matrix state, 16 × 16")] = _tables()

    def draw(fig: Figure, **_start: Any) -> Update:
        ax = fig.subplots()
        lines = {
            name: ax.plot(
                [], [], color=look.colour, marker=look.mark, ls=look.line, lw=2.3, label=name
            )[0]
            for name, look in looks.items()
        }
        for name, look in looks.items():
            lines[name].set(markersize=13 if look.mark == "D" else 5, zorder=3)
            if look.mark:
                lines[name].set_linestyle("none")
        guess = ax.axhline(0.0, color=NEUTRAL, linewidth=4, alpha=0.5, label=say("most common"))
        ax.set(xscale="log", xlim=(28, 11_000), ylim=(0, 1.05))
        ax.set(xlabel=say("training steps"), ylabel=say("share right"))
        ax.set_xticks(_MARKED, [str(step) for step in _MARKED])
        ax.minorticks_off()
        ax.tick_params(colors=INK)
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=SMALL)

        def update(cards: int) -> str:
            early: dict[str, list[str]] = {}
            for name, look in looks.items():
                steps, shares = _drawn(look, cards)
                lines[name].set_data(steps, shares)
                soon = shares if look.each else [shares[steps.index(_SHORT)]]
                early.setdefault(look.memory, []).append(_range(soon))
            guess.set_ydata([long.at(cards=cards).lowest("commonest")] * 2)
            return say(
                "{cards} cards, {steps} steps: {shares}.",
                cards=cards,
                steps=_SHORT,
                shares="; ".join(f"{memory} {', '.join(own)}" for memory, own in early.items()),
            )

        return update

    return live(
        draw,
        alt=_seen_with_tables() if tables else _seen(),
        size=(8.0, 3.2),
        cards=([2, 4, 8, 16], 8),
    )


def _tables() -> DrawnLine:
    """Each of eight runs whose table has as many numbers as the widest LSTM carries."""
    runs = load_sweep("card_matrix").runs.at(width=16)
    return DrawnLine(say("matrix state"), runs, SERIES[1], mark="s", each=True)


def _seen() -> str:
    return say(
        "Share of right answers against training steps. Attention is at 1 from step 100, a GRU "
        "with attention at step 600. GRU and LSTM lie on the line of the most common drink for "
        "hundreds of steps, and then climb, an LSTM the higher the wider it is."
    )


def _seen_with_tables() -> str:
    return say(
        "Share of right answers against training steps. Attention is at 1 from step 100, a GRU "
        "with attention at step 600. Eight marks side by side are runs of the matrix state at "
        "step 600, all above the line of the most common drink, five of them far above. GRU "
        "and LSTM lie on that line for hundreds of steps, and then climb, an LSTM the higher "
        "the wider it is."
    )


def _drawn(look: DrawnLine, cards: int) -> tuple[list[float], list[float]]:
    """Give the steps of a line's points, and the shares."""
    asked = look.runs.at(cards=cards)
    if look.each:
        shares = list(asked.numbers("right"))
        middle = (len(shares) - 1) / 2
        return [_SHORT * _APART ** (place - middle) for place in range(len(shares))], shares
    if look.mark:
        return [_SHORT], [_mean(asked)]
    steps: list[float] = asked.values_of("steps")
    return steps, [_mean(asked.at(steps=step)) for step in steps]


def _mean(runs: Runs) -> float:
    numbers = runs.numbers("right")
    return sum(numbers) / len(numbers)


def _range(shares: list[float]) -> str:
    """Write one share, or from the least to the largest."""
    low, high = f"{min(shares):.2f}", f"{max(shares):.2f}"
    return low if low == high else say("{low} to {high}", low=low, high=high)
