"""A beam's four sentences, what they share in grey, and their log-probabilities."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from tutor.display.plots import Picture
from tutor.explorers.lesson09_output_softmax.pieces_on_a_page import blank_page, write_pieces
from tutor.explorers.lesson09_output_softmax.stored_texts import ONCE
from tutor.models.smollm_excerpt import beams
from tutor.say import later, say

_NAMES = {"beam 4": later("beam 4"), "greedy": later("greedy"), "drawn": later("drawn")}


def four_beams() -> Picture:
    """Show a beam's four sentences, what they share in grey, and their log-probabilities.

    Example:
        >>> four_beams().caption.startswith("Sum of log-probabilities: beam 4:")
        True
    """
    texts = beams(ONCE)

    def draw(fig: Figure) -> str:
        of_beam = [text.pieces for text in texts if text.how.startswith("beam")]
        alike = _common_start(of_beam)
        ax = blank_page(fig, lines=12)
        line = 0
        for text in texts:
            total = text.log_probs.sum().item()
            ax.text(
                0,
                line + 0.5,
                f"{say(_NAMES[text.how])} {total:.1f}".replace("-", "−"),
                va="center",
                fontweight="bold",
            )
            shared = alike if text.pieces in of_beam else 0
            line = write_pieces(ax, text, line, indent=15, grey=shared)
        totals = ", ".join(f"{say(_NAMES[t.how])}: {t.log_probs.sum().item():.1f}" for t in texts)
        return say("Sum of log-probabilities: {totals}", totals=totals)

    return Picture(
        draw,
        alt=say(
            "Four sentences of a beam that begin alike and differ in a few last words, then what "
            "greedy search and chance wrote, each with the logarithm of its probability."
        ),
        size=(8.0, 2.9),
    )


def _common_start(texts: Sequence[Sequence[str]]) -> int:
    """Count the pieces with which all texts begin."""
    count = 0
    for column in zip(*texts):
        if len(set(column)) > 1:
            break
        count += 1
    return count
