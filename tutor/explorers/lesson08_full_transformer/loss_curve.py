"""The stored training loss of each model of a task, and what it cannot beat."""

from matplotlib.figure import Figure

from tutor.data.files import load_results
from tutor.display.palette import INK
from tutor.display.plots import Picture
from tutor.explorers.lesson08_full_transformer.stored_models import stored_models
from tutor.loss import smoothing_floor
from tutor.say import say


def loss_curve(task: str) -> Picture:
    """Show the stored training loss of each model of a task, first seed, and what it cannot beat.

    Models of a task learn with the same smoothing, so there is one floor for all.
    """
    stored = load_results("trainings")["values"][task]
    one = stored["transformer"]
    lowest = smoothing_floor(one["target words"], one["config"]["smoothing"])

    def draw(fig: Figure) -> str:
        ax = fig.subplots()
        for model, (name, colour) in stored_models(stored).items():
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
            for model, (name, _) in stored_models(stored).items()
        ]
        return say("{ends}; floor {floor}", ends="; ".join(ends), floor=f"{lowest:.2f}")

    alt = say(
        "The loss falls steeply for some hundred steps, then slowly towards a floor above zero, a "
        "dashed line."
    )
    return Picture(draw, alt=alt, size=(8.0, 2.9))
