"""Schedules of the learning rate: the rate and the training loss it led to."""

from typing import Any

from matplotlib.figure import Figure

from tutor.data.files import load_results
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import NEUTRAL, SERIES
from tutor.say import say


def rate_and_loss() -> Explorer:
    """Choose a schedule of the learning rate; see the rate and the training loss it led to."""
    schedules = load_results("rates")["values"]["schedules"]
    names = [*schedules]

    def draw(fig: Figure, **_start: Any) -> Update:
        left, right = fig.subplots(1, 2)
        lines = {
            name: (
                left.plot(found["step"], found["rate"], color=NEUTRAL)[0],
                right.plot(found["step"], found["loss"], color=NEUTRAL)[0],
            )
            for name, found in schedules.items()
        }
        left.set(title="Learning rate", xlabel="step", ylim=(0, None))
        right.set(title="Training loss, mean of ten steps", xlabel="step")
        for ax in (left, right):
            ax.grid(visible=True)

        def update(schedule: str) -> str:
            for name, pair in lines.items():
                for line in pair:
                    line.set(
                        color=SERIES[0] if name == schedule else NEUTRAL,
                        linewidth=3.0 if name == schedule else 1.0,
                        zorder=3 if name == schedule else 2,
                    )
            found = schedules[schedule]
            return say(
                "{schedule}: highest rate {rate:.4f}, loss {loss:.2f} at step {step}.",
                schedule=schedule,
                rate=max(found["rate"]),
                loss=found["loss"][-1],
                step=found["step"][-1],
            )

        return update

    return live(
        draw,
        alt=(
            "Left, the learning rate by step, right, the training loss by step, for all schedules; "
            "the chosen one is blue and thick, the others are grey."
        ),
        size=(8.0, 3.6),
        schedule=names,
    )
