"""Lesson 8's stored trainings: the loss of each model, and the lists it gets right by length."""

from itertools import pairwise
from typing import Any

from matplotlib.figure import Figure

from tutor.data.files import load_results
from tutor.display.palette import INK, NEUTRAL, SERIES, mixed
from tutor.display.plots import Picture
from tutor.output import smoothing_floor
from tutor.say import say

MODELS = {
    "transformer": (say("Transformer"), SERIES[0]),
    "gru-attention": (say("GRU with attention"), SERIES[1]),
    "gru": (say("GRU without attention"), SERIES[2]),
}


def loss_curve(task: str) -> Picture:
    """Show the stored training loss of each model of a task, first seed, and what it cannot beat.

    Models of a task learn with the same smoothing, so there is one floor for all.
    """
    stored = load_results("trainings")["values"][task]
    one = stored["transformer"]
    lowest = smoothing_floor(one["target words"], one["config"]["smoothing"])

    def draw(fig: Figure) -> str:
        ax = fig.subplots()
        for model, (name, colour) in _stored_models(stored).items():
            curve = stored[model]["loss"]
            ax.plot(curve["step"], curve["mean"], color=colour, label=name)
        label = say("floor of smoothed labels")
        ax.axhline(lowest, color=INK, linestyle="--", linewidth=1, label=label)
        ax.set(xlabel=say("step"), title=say("Training loss, mean of twenty steps"))
        ax.set_ylim(bottom=0)
        ax.grid(visible=True)
        ax.legend()
        ends = [
            say(
                "{model} from {first} to {last}",
                model=name,
                first=f"{stored[model]['loss']['mean'][0]:.2f}",
                last=f"{stored[model]['loss']['mean'][-1]:.2f}",
            )
            for model, (name, _) in _stored_models(stored).items()
        ]
        return say("{ends}; floor {floor}", ends="; ".join(ends), floor=f"{lowest:.2f}")

    alt = (
        "The loss falls steeply for some hundred steps, then slowly towards a floor above zero, a "
        "dashed line."
    )
    return Picture(draw, alt=alt, size=(8.0, 2.9))


def accuracy_by_length(task: str) -> Picture:
    """Show how many lists each model gets right by the number of names, with the seeds' range.

    Lines join lengths that follow each other only: what was not measured has no line.
    """
    stored = load_results("trainings")["values"][task]

    def draw(fig: Figure) -> str:
        ax = fig.subplots()
        for model, (name, colour) in _stored_models(stored).items():
            lists = {int(k): share for k, share in stored[model]["exact by list length"].items()}
            ax.plot([*lists], [share["mean"] for share in lists.values()], "o", color=colour)
            for one, next_one in pairwise(lists):
                if next_one == one + 1:
                    ends = [lists[one], lists[next_one]]
                    low, high = ([end[side] for end in ends] for side in ("lowest", "highest"))
                    ax.plot([one, next_one], [end["mean"] for end in ends], color=colour)
                    ax.fill_between([one, next_one], low, high, color=colour, alpha=0.25)
            ax.plot([], [], color=colour, marker="o", label=name)
        ax.axvspan(6.5, 8.2, color=mixed(NEUTRAL, 0.15), zorder=0)
        ax.text(7.35, 0.9, say("longer than\nany learned"), ha="center", va="top", color=INK)
        ax.set(xlabel=say("names in the list"), title=say("Right, word for word"))
        ax.set(xlim=(1.8, 8.2), ylim=(-0.03, 1.03))
        ax.grid(visible=True)
        ax.legend(loc="lower left")
        seeds = {name: len(stored[m]["seeds"]) for m, (name, _) in _stored_models(stored).items()}
        counts = ", ".join(f"{name}: {count}" for name, count in seeds.items())
        return say("seeds behind each line, {counts}; lists of 7 were not measured", counts=counts)

    alt = (
        "Fraction of lists written right by the number of names, a line for each model, from two "
        "to six names. The lines part as lists grow: highest the GRU with attention, then the "
        "Transformer, far below the GRU without attention. Seven names were not measured; at "
        "eight, longer than any list in training, all three have a point at 0."
    )
    return Picture(draw, alt=alt, size=(8.0, 3.0))


def _stored_models(stored: dict[str, Any]) -> dict[str, tuple[str, str]]:
    return {model: shown for model, shown in MODELS.items() if model in stored}
