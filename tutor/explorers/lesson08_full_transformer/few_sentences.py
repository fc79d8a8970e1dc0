"""Lesson 8's stored sweep: how many sentences it takes to translate those never seen."""

from statistics import median

from matplotlib.figure import Figure

from tutor.claims.runs import load_sweep
from tutor.display.palette import SERIES
from tutor.display.plots import Picture
from tutor.say import say
from tutor.training.initialisation import INITIALISATIONS

_WAYS = {
    "default": "PyTorch's initialisation",
    "xavier": "Xavier's, as in this course",
    "he": "He's",
}


def few_sentences() -> Picture:
    """Show by the number of sentences learned how many of the others come out right.

    Example:
        >>> few_sentences().caption[:33]
        'right, in the middle of the runs:'
    """
    runs = load_sweep("left_out_sentences").runs.at(layers=1, steps=150, rate=1.0)
    counts = [count for count in runs.values_of("sentences") if count < 95]

    def draw(fig: Figure) -> str:
        ax = fig.subplots()
        for series, way in enumerate(INITIALISATIONS):
            for count in counts:
                right = runs.at(sentences=count, initialisation=way).numbers("right")
                label = say(_WAYS[way]) if count == counts[0] else None
                ax.plot(
                    [count + 1.2 * (series - 1)] * len(right),
                    right,
                    linestyle="",
                    marker="os^"[series],
                    color=SERIES[series],
                    label=label,
                )
        ax.set(xticks=counts, ylim=(-0.03, 1.03), xlabel=say("sentences learned, of 96"))
        ax.set(title=say("Share right of those never seen; three seeds each"))
        ax.grid(visible=True)
        ax.legend(loc="lower right")
        middle = [median(runs.at(sentences=count).numbers("right")) for count in counts]
        pairs = zip(counts, middle, strict=True)
        return say(
            "right, in the middle of the runs: {shares}",
            shares=", ".join(f"{count}: {share:.2f}" for count, share in pairs),
        )

    return Picture(
        draw,
        alt=say(
            "Dots, one for each training run: the share of unseen sentences translated right rises "
            "steeply with the number of sentences learned, and scatters widely on the way."
        ),
        size=(8.0, 2.9),
    )
