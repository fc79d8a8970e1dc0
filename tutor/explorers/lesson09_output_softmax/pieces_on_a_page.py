"""Pieces of a text written line by line on a sheet, shaded by how surprising they are."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from tutor.display.palette import HIGHLIGHT, INK, NEUTRAL, mixed
from tutor.models.smollm_excerpt import Written

FULL_COLOUR = 12.0  # nats: what is as surprising as this has the full colour
COLUMNS = 96  # letters a line of a page holds


def blank_page(fig: Figure, lines: int) -> Axes:
    """Give a sheet on which a letter is one unit wide and a line one unit high."""
    ax = fig.add_axes((0.01, 0.01, 0.98, 0.98))
    ax.set(xlim=(0, COLUMNS), ylim=(lines, 0))
    ax.axis("off")
    return ax


def write_pieces(
    ax: Axes, text: Written, line: int, indent: int = 0, grey: int = 0, shaded: bool = True
) -> int:
    """Write a text's pieces in lines, from a line on; give the line after the last."""
    column = indent
    for number, (piece, log_prob) in enumerate(
        zip(text.pieces, text.log_probs.tolist(), strict=True)
    ):
        shown = piece.replace("\n", "¶")
        if column + len(shown) > COLUMNS:
            line, column = line + 1, indent
        if shaded:
            ground = mixed(HIGHLIGHT, 0.7 * min(1.0, -log_prob / FULL_COLOUR))
            ax.add_patch(Rectangle((column, line + 0.05), len(shown), 0.9, facecolor=ground))
        colour = NEUTRAL if number < grey else INK
        ax.text(
            column, line + 0.5, shown, va="center", family="monospace", fontsize=9.6, color=colour
        )
        column += len(shown)
    return line + 1
