"""Schedules of the learning rate: the rate and the training loss it led to."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from tutor.data.files import load_results
from tutor.display.controls import as_said
from tutor.display.explorer import Explorer, Update, live
from tutor.display.leaders import name_at_end, rows_apart
from tutor.display.palette import SERIES, readable
from tutor.display.style import BOLD
from tutor.say import later, say

_SCHEDULES = (later("Noam, warm-up 100"), later("no warm-up"))
_STEPS = 240
_LINE = 0.3  # of the loss, from one name to the next


def rate_and_loss() -> Explorer:
    """Choose a schedule of the learning rate; see the rate and the training loss it led to."""
    stored = load_results("rates")["values"]["schedules"]
    schedules = {name: stored[name] for name in _SCHEDULES}

    def draw(fig: Figure, **_start: Any) -> Update:
        left, right = fig.subplots(1, 2)
        lines = {
            name: (
                left.plot(found["step"], found["rate"], color=colour)[0],
                right.plot(found["step"], found["loss"], color=colour)[0],
            )
            for colour, (name, found) in zip(SERIES, schedules.items(), strict=False)
        }
        left.set(title=say("Learning rate"), xlabel=say("step"), ylim=(0, None))
        right.set(title=say("Training loss, mean of ten steps"), xlabel=say("step"))
        for ax in (left, right):
            ax.grid(visible=True)
        labels = _labels(right, {name: found["loss"][-1] for name, found in schedules.items()})

        def update(schedule: str) -> str:
            for name, pair in lines.items():
                for line in pair:
                    line.set(
                        linewidth=3.0 if name == schedule else 1.2,
                        zorder=3 if name == schedule else 2,
                    )
                chosen = name == schedule
                labels[name].set_color(readable(str(pair[1].get_color())))
                labels[name].set_fontweight(BOLD if chosen else "normal")
            found = schedules[schedule]
            return say(
                "{schedule}: highest rate {rate:.4f}, loss {loss:.2f} at step {step}.",
                schedule=say(schedule),
                rate=max(found["rate"]),
                loss=found["loss"][-1],
                step=found["step"][-1],
            )

        return update

    return live(
        draw,
        alt=say(
            "Left, the learning rate by step, right, the training loss by step, with a warm-up "
            "and without; each with its colour in both and the chosen one thick. Names stand at "
            "the right, each at the end of its loss."
        ),
        size=(8.0, 3.6),
        schedule=as_said(_SCHEDULES),
    )


def _labels(ax: Axes, ends: dict[str, float]) -> dict[str, Annotation]:
    """Write each schedule's name right of its curve's end, as far from the next as a line needs."""
    rows = rows_apart([*ends.values()], _LINE)
    return {
        name: name_at_end(ax, say(name), end=(_STEPS, end), at=(1.14 * _STEPS, row))
        for (name, end), row in zip(ends.items(), rows, strict=True)
    }
