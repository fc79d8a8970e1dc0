"""Three texts, each piece on a ground the darker the less likely the model found it."""

from matplotlib.figure import Figure

from tutor.display.plots import Picture
from tutor.explorers.lesson09_output_softmax.pieces_on_a_page import blank_page, write_pieces
from tutor.explorers.lesson09_output_softmax.stored_texts import ONCE
from tutor.models.smollm_excerpt import written
from tutor.say import say


def ribbons() -> Picture:
    """Show three texts, each piece on a ground the darker the less likely the model found it.

    Example:
        >>> ribbons().caption[:40]
        'Mean surprise of a word, in nats: T 1.5:'
    """
    texts = [written(ONCE, how) for how in ("T 1.5", "T 1.5, min-p .1", "T 1, top-p .9")]

    def draw(fig: Figure) -> str:
        ax = blank_page(fig, lines=11)
        line = 0
        for text in texts:
            ax.text(0, line + 0.5, f"{text.how}:", va="center", fontweight="bold")
            line = write_pieces(ax, text, line + 1) + 1
        means = ", ".join(f"{text.how}: {-text.log_probs.mean().item():.1f}" for text in texts)
        return say("Mean surprise of a word, in nats: {means}", means=means)

    return Picture(
        draw,
        alt=(
            "Three continuations of one beginning, drawn in three ways; unlikely words stand on a "
            "dark ground. Heat without a cut has many, heat with a cut few."
        ),
        size=(8.0, 2.86),
    )
