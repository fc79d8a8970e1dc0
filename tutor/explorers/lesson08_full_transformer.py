"""Lesson 8's pictures: those of rates and losses and of attention here, the others by name."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from torch import Tensor

from tutor.data.files import load_results
from tutor.data.phrasebook import tokenise
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import ATTENTION, NEUTRAL, SERIES, mixed
from tutor.display.plots import Picture
from tutor.embedding import BOS, EOS, PAD
from tutor.explorers.adam import adams_means
from tutor.explorers.chains import chains_tried, follow_the_chain
from tutor.explorers.eight_names import eight_names
from tutor.explorers.few_sentences import few_sentences
from tutor.explorers.hidden_vocabulary import hidden_vocabulary
from tutor.explorers.looking_over import stacks, then_and_now, x_to_z_to_y
from tutor.explorers.models_compared import accuracy_by_length, loss_curve
from tutor.explorers.ninety_six import sentences_learned
from tutor.explorers.one_page import model_on_one_page
from tutor.explorers.passage import read_and_written
from tutor.explorers.phrase import MOST_WORDS, Seen, WordTable, seen, trained
from tutor.explorers.sentence_film import sentence_film
from tutor.explorers.step_time import step_time
from tutor.explorers.training_cost import bleu_and_cost
from tutor.explorers.walk import STAGES, walk_through
from tutor.explorers.wire import change_the_memory, cut_the_wire
from tutor.mask import causal_keep

__all__ = [
    "EXPLORERS",
    "STAGES",
    "accuracy_by_length",
    "adams_means",
    "alignment",
    "bleu_and_cost",
    "chains_tried",
    "cross_attention",
    "eight_names",
    "few_sentences",
    "follow_the_chain",
    "hidden_vocabulary",
    "loss_curve",
    "rate_and_loss",
    "sentence_film",
    "sentences_learned",
    "stacks",
    "step_time",
    "three_attentions",
    "walk_through",
    "x_to_z_to_y",
]

_CAPTION = 120


def rate_and_loss() -> Explorer:
    """Choose a schedule of the learning rate; see the rate and the training loss it led to."""
    schedules = load_results("rates")["values"]["schedules"]
    names = [*schedules]

    def draw(fig: Figure, **_start: Any) -> Update:
        left, right = fig.subplots(1, 2)
        lines = {
            name: (
                left.plot(found["step"], found["rate"], color=NEUTRAL)[0],
                right.plot(found["step"], found["loss"], color=NEUTRAL)[0],
            )
            for name, found in schedules.items()
        }
        left.set(title="Learning rate", xlabel="step", ylim=(0, None))
        right.set(title="Training loss, mean of ten steps", xlabel="step")
        for ax in (left, right):
            ax.grid(visible=True)

        def update(schedule: str) -> str:
            for name, pair in lines.items():
                for line in pair:
                    line.set(
                        color=SERIES[0] if name == schedule else NEUTRAL,
                        linewidth=3.0 if name == schedule else 1.0,
                        zorder=3 if name == schedule else 2,
                    )
            found = schedules[schedule]
            return (
                f"{schedule}: highest rate {max(found['rate']):.4f}, loss {found['loss'][-1]:.2f} "
                f"at step {found['step'][-1]}."
            )

        return update

    return live(
        draw,
        alt=(
            "Left, the learning rate by step, right, the training loss by step, for all schedules; "
            "the chosen one is blue and thick, the others are grey."
        ),
        size=(8.0, 3.6),
        schedule=names,
    )


def alignment() -> Explorer:
    """Type a phrase; see its translation, and where each written word looked in the source.

    Example:
        >>> alignment().frame(phrase="3 days ago").caption
        '3일 전; 4 tokens read, 4 written'
    """

    def draw(fig: Figure, **_start: Any) -> Update:
        table = WordTable(fig.add_axes((0.32, 0.3, 0.62, 0.6)))

        def update(phrase: str, layer: int, heads: str) -> str:
            found = seen(phrase)
            weights = found.tensors[f"decoder.layers.{layer - 1}.cross_attention.weights"][0]
            shown = weights.mean(0) if heads == "mean of all" else weights[int(heads[-1]) - 1]
            rows = read_and_written(found.decoder_input, found.written)
            table.show(shown, rows, found.source, "Word read → word written: where it looked")
            return _alignment_caption(phrase, found)

        return update

    return live(
        draw,
        alt=(
            "A table with a row for each word the model read and the one it wrote then, and a "
            "column for each word of the phrase. The darker a cell, the more it looked there."
        ),
        kept={"phrase": ["Peru, Chad, and Togo", "3 days ago", "May zebra, 2024"]},
        phrase="May 3, 2024",
        layer=([1, 2], 2),
        heads=["mean of all", "head 1", "head 2", "head 3", "head 4"],
    )


def _alignment_caption(phrase: str, found: Seen) -> str:
    """Say what was written, from how many tokens to how many, and what the model could not read."""
    _, task = trained()
    written = task.join([word for word in found.written if word != EOS]) or "(nothing)"
    sizes = f"{len(found.source)} tokens read, {len(found.written)} written"
    words = tokenise(phrase)
    unknown = [word for word in dict.fromkeys(words) if word not in task.source_words]
    notes = [f"unknown: {', '.join(unknown)}"] if unknown else []
    if len(words) > MOST_WORDS:
        notes.append(f"only the first {MOST_WORDS} words are read")
    caption = "; ".join([written, sizes, *notes])
    return caption if len(caption) <= _CAPTION else f"{caption[: _CAPTION - 1]}…"


def three_attentions(source: Sequence[str], target: Sequence[str]) -> Picture:
    """Show who may look at whom in the three attentions of the model.

    Args:
        source: the words the encoder reads, <eos> last, or <pad>, which nobody may look at.
        target: the words the decoder writes, <eos> last; it reads them one place later.
    """
    S, T, read = len(source), len(target), [BOS, *target[:-1]]
    crossing, real = read_and_written(read, target), torch.tensor([w != PAD for w in source])
    tables = (
        ("encoder", real.expand(S, S), source, source),
        ("decoder, masked", causal_keep(T), read, read),
        ("cross-attention", real.expand(T, S), crossing, source),
    )

    def draw(fig: Figure) -> str:
        for ax, (title, keep, asks, answers) in zip(fig.subplots(1, 3), tables, strict=True):
            _open_cells(ax, keep)
            ax.set_title(title)
            ax.set_yticks(range(len(asks)), asks)
            ax.set_xticks(range(len(answers)), answers, rotation=45)
        counts = [f"{int(keep.sum())} of {keep.numel()}" for _, keep, _, _ in tables]
        return f"open cells: {', '.join(counts)}"

    alt = (
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


def cross_attention(phrase: str, layer: int, head: int) -> Picture:
    """Show where each written word of a phrase looked, in one head of one decoder layer."""
    found = seen(phrase)
    weights = found.tensors[f"decoder.layers.{layer - 1}.cross_attention.weights"][0, head - 1]

    def draw(fig: Figure) -> str:
        table = WordTable(fig.add_axes((0.26, 0.24, 0.6, 0.64)))
        rows = read_and_written(found.decoder_input, found.written)
        table.show(weights, rows, found.source, f"Decoder layer {layer}, head {head}")
        best = zip(found.written, weights.argmax(-1).tolist(), strict=True)
        return "; ".join(f"{word} → {found.source[place]}" for word, place in best)

    alt = (
        "A row for each word read and the word written then, a column for each word of the "
        "source. In every row one cell is dark: where the model looked to write this word."
    )
    return Picture(draw, alt=alt, size=(7.0, 3.6))


EXPLORERS: tuple[Callable[[], Explorer], ...] = (
    then_and_now,
    model_on_one_page,
    sentence_film,
    cut_the_wire,
    change_the_memory,
    rate_and_loss,
    alignment,
    walk_through,
    hidden_vocabulary,
    eight_names,
    follow_the_chain,
)
