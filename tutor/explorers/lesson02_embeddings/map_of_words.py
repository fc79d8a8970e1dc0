"""Some words of the GloVe table in the plane of their two widest directions."""

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tutor.data.glove import load_glove
from tutor.display.palette import SERIES
from tutor.display.plots import Picture
from tutor.display.style import SMALL
from tutor.say import data, later, say


def map_of_words() -> Picture:
    """Show some words of the GloVe table in the plane of their two widest directions."""
    groups: dict[str, tuple[str, ...]] = {
        later("countries"): ("france", "germany", "japan", "korea", "italy"),
        later("capitals"): ("paris", "berlin", "tokyo", "seoul", "rome"),
        later("numbers"): ("two", "three", "four", "five", "six"),
        later("days"): ("monday", "tuesday", "wednesday", "thursday", "friday"),
        later("animals"): ("cat", "dog", "horse", "bird", "fish"),
    }

    sides = dict.fromkeys(("germany", "rome", "fish", "horse"), "left") | {"berlin": "below"}
    crowds = {"numbers": "two … six", "days": "monday … friday"}  # no room for a name at each

    def draw(fig: Figure) -> str:
        words, table = load_glove()
        chosen = [word for group in groups.values() for word in group]
        rows = table[torch.tensor([words.index(word) for word in chosen])]  # (25, 50)
        rows = rows - rows.mean(0)
        _, sizes, directions = torch.linalg.svd(rows, full_matrices=False)
        signs = directions[:2].sum(1).sign()  # a direction and its opposite are equally right
        flat = rows @ directions[:2].T * signs  # (25, 2)
        ax = fig.subplots()
        for number, group in enumerate(groups):
            points = flat[5 * number : 5 * number + 5]
            ax.scatter(*points.T.numpy(), color=SERIES[number], label=say(group))
            if group in crowds:
                _name(ax, crowds[group], points.mean(0).tolist(), distance=12)
                continue
            for word, point in zip(groups[group], points.tolist()):
                _name(ax, word, point, side=sides.get(word, "right"))
        ax.legend(loc="upper right", fontsize=SMALL)
        ax.margins(0.1)
        ax.set_xticks([])
        ax.set_yticks([])
        kept = (sizes[:2].square().sum() / sizes.square().sum()).item()
        caption = say(
            "two of fifty directions hold {kept} of the spread of these words", kept=f"{kept:.2f}"
        )
        ax.set_title(caption)
        return caption

    return Picture(
        draw,
        alt=say(
            "Twenty-five words as points in a plane. Countries, capitals, numbers, days and "
            "animals lie in groups; capitals lie near the countries, the European ones below and "
            "the Asian ones above."
        ),
        size=(7.5, 4.0),
    )


def _name(
    ax: Axes, word: str, point: list[float], side: str = "right", distance: float = 5
) -> None:
    shift, across, upright = {
        "right": ((distance, 0), "left", "center"),
        "left": ((-distance, 0), "right", "center"),
        "below": ((-2, -distance), "left", "top"),
    }[side]
    ax.annotate(
        data(word),
        (point[0], point[1]),
        xytext=shift,
        textcoords="offset points",
        ha=across,
        va=upright,
        fontsize=SMALL,
    )
