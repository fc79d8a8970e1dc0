"""Who may look at whom in the three attentions of the model."""

from collections.abc import Sequence

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch import Tensor

from tutor.display.palette import ATTENTION, NEUTRAL, mixed
from tutor.display.plots import Picture
from tutor.embedding import BOS, PAD
from tutor.explorers.lesson08_full_transformer.traced_sentence import read_and_written
from tutor.mask import causal_keep
from tutor.say import data, say


def three_attentions(source: Sequence[str], target: Sequence[str]) -> Picture:
    """Show who may look at whom in the three attentions of the model.

    Args:
        source: the words the encoder reads, <eos> last, or <pad>, which nobody may look at.
        target: the words the decoder writes, <eos> last; it reads them one place later.
    """
    S, T, read = len(source), len(target), [BOS, *target[:-1]]
    crossing, real = read_and_written(read, target), torch.tensor([w != PAD for w in source])
    tables = (
        (say("encoder"), real.expand(S, S), source, source),
        (say("decoder, masked"), causal_keep(T), read, read),
        (say("cross-attention"), real.expand(T, S), crossing, source),
    )

    def draw(fig: Figure) -> str:
        for ax, (title, keep, asks, answers) in zip(fig.subplots(1, 3), tables, strict=True):
            _open_cells(ax, keep)
            ax.set_title(title)
            ax.set_yticks(range(len(asks)), map(data, asks))
            ax.set_xticks(range(len(answers)), map(data, answers), rotation=45)
        counts = [f"{int(keep.sum())} of {keep.numel()}" for _, keep, _, _ in tables]
        return say("open cells: {counts}", counts=", ".join(counts))

    alt = say(
        "Three tables; rows ask, columns answer. In the encoder every source word asks all that "
        "are no padding; in the decoder each word asks itself and those before it; in "
        "cross-attention each word read, to find the word written, asks the source."
    )
    return Picture(draw, alt=alt, size=(8.0, 2.9))


def _open_cells(ax: Axes, keep: Tensor) -> None:
    """Colour the cells that may be looked at."""
    rows, columns = keep.shape
    for row, column in keep.nonzero().tolist():
        ax.add_patch(Rectangle((column - 0.45, row - 0.45), 0.9, 0.9, color=ATTENTION))
    for row, column in (~keep).nonzero().tolist():
        cell = Rectangle((column - 0.45, row - 0.45), 0.9, 0.9, color=mixed(NEUTRAL, 0.15))
        ax.add_patch(cell)
    ax.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5), aspect="equal")
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
