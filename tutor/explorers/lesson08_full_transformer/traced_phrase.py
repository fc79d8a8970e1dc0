"""A phrase on its way through the trained model, and tables with words beside them (lesson 8)."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import torch
from matplotlib.axes import Axes
from torch import Tensor

from tutor.data.pairs import Task
from tutor.data.phrasebook import tokenise
from tutor.decode import translate
from tutor.display.palette import colour_map
from tutor.embedding import BOS, EOS
from tutor.models.tracing import trace
from tutor.say import data
from tutor.training.experiment import load_trained
from tutor.transformer import Transformer

MOST_WORDS = 12  # of a typed source: more would not be readable
_MOST_WRITTEN = 16
_LETTERS = 11  # of a word beside a table


class TracedPhrase(NamedTuple):
    """One sentence on its way through the trained model.

    Attributes:
        source: the words read, <eos> last.
        written: the words written, <eos> last.
        decoder_input: what the decoder read, <bos> first: written, one place later.
        tensors: everything the model computed, for the words written.
    """

    source: list[str]
    written: list[str]
    decoder_input: list[str]
    tensors: trace


@cache
def trained() -> tuple[Transformer, Task]:
    """Give the model that translates to Korean, and its task; loaded once.

    Example:
        >>> trained()[1].name
        'phrasebook-ko'
    """
    return load_trained("phrasebook-ko")


@cache
def trace_phrase(text: str) -> TracedPhrase:
    """Translate a phrase with the trained model, and keep all it computed.

    Example:
        >>> trace_phrase("3 days ago").written
        ['3', '##일', '전', '<eos>']
    """
    model, task = trained()
    source_words, target_words = task.source_words, task.target_words
    words = [*tokenise(text)][:MOST_WORDS]
    source = torch.tensor([[*source_words.encode(words), source_words.eos_id]])  # (1, S)
    (ids,) = translate(model, source, target_words, max_length=_MOST_WRITTEN)
    target = torch.tensor([[target_words.bos_id, *ids[:-1]]])  # (1, T)
    with trace(model) as t, torch.no_grad():
        model(source, target)
    written = target_words.decode(ids)
    return TracedPhrase([*words, EOS], written, [BOS, *written[:-1]], t)


class LabelledTable:
    """A coloured table whose size may change: weights with words on both sides, or features."""

    def __init__(self, ax: Axes) -> None:
        self.ax = ax
        self.image = ax.imshow(torch.zeros(1, 1).numpy(), aspect="auto")
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        self.title = ax.set_title("")

    def show(
        self, numbers: Tensor, rows: Sequence[str], columns: Sequence[str], title: str
    ) -> None:
        """Show a table: signed numbers if it has no words below, else weights from 0 to 1."""
        height, width = numbers.shape
        high = 1.0 if columns else numbers.abs().max().item()
        self.image.set_data(numbers.numpy())
        self.image.set_cmap(colour_map("attention" if columns else "signed"))
        self.image.set_clim(0.0 if columns else -high, high)
        self.image.set_extent((-0.5, width - 0.5, height - 0.5, -0.5))
        self.ax.set(xlim=(-0.5, width - 0.5), ylim=(height - 0.5, -0.5))
        self.ax.set_yticks(range(len(rows)), [data(_short(word)) for word in rows])
        self.ax.set_xticks(
            range(len(columns)), [data(_short(word)) for word in columns], rotation=90
        )
        self.title.set_text(title)


def _short(label: str) -> str:
    """Cut long words; a row of cross-attention is named by two."""
    words = label.split(" → ")
    cut = [word if len(word) <= _LETTERS else f"{word[: _LETTERS - 1]}…" for word in words]
    return " → ".join(cut)
