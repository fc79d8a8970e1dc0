"""How many lists each model gets right, by the number of names."""

from itertools import pairwise

from matplotlib.figure import Figure

from tutor.data.files import load_results
from tutor.display.palette import INK, NEUTRAL, mixed
from tutor.display.plots import Picture
from tutor.explorers.lesson08_full_transformer.stored_models import stored_models
from tutor.say import say


def accuracy_by_length(task: str) -> Picture:
    """Show how many lists each model gets right by the number of names, with the seeds' range.

    Lines join lengths that follow each other only: what was not measured has no line.
    """
    stored = load_results("trainings")["values"][task]

    def draw(fig: Figure) -> str:
        ax = fig.subplots()
        for model, (name, colour) in stored_models(stored).items():
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
        seeds = {name: len(stored[m]["seeds"]) for m, (name, _) in stored_models(stored).items()}
        counts = ", ".join(f"{name}: {count}" for name, count in seeds.items())
        return say("seeds behind each line, {counts}; lists of 7 were not measured", counts=counts)

    alt = say(
        "Fraction of lists written right by the number of names, a line for each model, from two "
        "to six names. The lines part as lists grow: highest the GRU with attention, then the "
        "Transformer, far below the GRU without attention. Seven names were not measured; at "
        "eight, longer than any list in training, all three have a point at 0."
    )
    return Picture(draw, alt=alt, size=(8.0, 3.0))
