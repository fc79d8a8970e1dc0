"""How surprising each piece of a sentence is, after another sentence and after itself."""

from matplotlib.figure import Figure

from tutor.display.palette import SERIES
from tutor.display.plots import Picture
from tutor.display.style import SMALL
from tutor.models.smollm_excerpt import read
from tutor.say import data, say

SENTENCE, OTHER = "Mr Dursley met Mrs Potter.", "The museum opens at nine except on Mondays."


def surprises() -> Picture:
    """Show how surprising each piece of a sentence is, after another sentence and after itself.

    Example:
        >>> surprises().caption.split(":")[0]
        'Mean surprise in nats'
    """
    texts = [read(OTHER), read(SENTENCE)]

    def draw(fig: Figure) -> str:
        axes = fig.subplots(2, 1, sharex=True)
        titles = (say("read after another sentence"), say("read after itself"))
        for ax, text, title in zip(axes, texts, titles, strict=True):
            nats = (-text.log_probs).tolist()
            ax.bar(range(len(nats)), nats, color=SERIES[0])
            for place, value in enumerate(nats):
                ax.text(place, value + 0.4, f"{value:.1f}", ha="center", fontsize=SMALL)
            ax.set(ylim=(0, 18), ylabel=say("nats"), title=title)
        axes[1].set_xticks(range(len(texts[1].pieces)), [data(p.strip()) for p in texts[1].pieces])
        after, again = (-text.log_probs.mean().item() for text in texts)
        return say(
            "Mean surprise in nats: after another sentence {after:.1f}, after itself {again:.1f}",
            after=after,
            again=again,
        )

    return Picture(
        draw,
        alt=say(
            "Two rows of bars over the same words: tall where the sentence is new, short where the "
            "model has just read it."
        ),
        size=(8.0, 3.4),
    )
