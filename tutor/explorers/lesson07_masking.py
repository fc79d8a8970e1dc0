"""Lesson 7's pictures: all of them, and here a leak that grows with depth, a padded batch."""

from functools import cache
from itertools import product
from typing import Any

import matplotlib.patches as patches
import torch
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from torch import Tensor
from torch.autograd.functional import jacobian

from tutor.attention import scaled_dot_product_attention
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import ATTENTION, HIGHLIGHT, INK, NEUTRAL, mixed
from tutor.explorers.fortune import a_fortune_teller, losses_of_decoders
from tutor.explorers.hiding import hidden_before_softmax
from tutor.explorers.masked_head import a_real_head_masked
from tutor.explorers.meeting_masks import masks_meet
from tutor.explorers.reading_and_saying import read_and_say
from tutor.mask import causal_keep, padding_keep

__all__ = ["EXPLORERS", "a_fortune_teller", "losses_of_decoders"]

_BATCH = (
    ["the", "cat", "that", "I", "saw", "sleeps"],
    ["you", "read", "this", "long", "sentence", "now"],
    ["I", "love", "her", "and", "she", "knows"],
)
_PLACES = 8  # tokens of the leak's stack
_DIAGONALS = range(-2, 5)
_DEPTHS = range(1, 5)

_HIDDEN, _PADDING, _UNUSED = mixed(NEUTRAL, 0.2), mixed(NEUTRAL, 0.6), mixed(ATTENTION, 0.25)
_MASKS = ("padding and look-ahead", "padding only", "look-ahead only", "none")


def moved_diagonal() -> Explorer:
    """Move the edge of the mask and see, in a stack, which inputs reach which outputs.

    Example:
        >>> moved_diagonal().frame(diagonal=1, layers=2).caption
        'Diagonal 1, layers 2: 13 of 28 future cells leak, from up to 2 places ahead.'
    """
    # Gradients cannot be taken while a picture is drawn, so all are taken before.
    measured = {(d, layers): influence(d, layers) for d, layers in product(_DIAGONALS, _DEPTHS)}

    def draw(fig: Figure, **_start: Any) -> Update:
        left, right = fig.subplots(1, 2)
        mask = _cells(left, _PLACES, title="Mask: who may look at whom")
        effect = _cells(right, _PLACES, title="Size of ∂output / ∂input, after all layers")
        right.set(xlabel="input", ylabel="output")

        def update(diagonal: int, layers: int) -> str:
            size = measured[diagonal, layers]
            mask.set_data(_coloured(_band(diagonal), ATTENTION, _HIDDEN).numpy())
            effect.set_data(_past_and_leak(size).numpy())
            leak = size.triu(1) > 0
            ahead = [key - query for query, key in leak.nonzero().tolist()]
            if not ahead:
                return f"Diagonal {diagonal}, layers {layers}: 0 of 28 future cells leak."
            return (
                f"Diagonal {diagonal}, layers {layers}: {len(ahead)} of 28 future cells leak, "
                f"from up to {max(ahead)} place{'s' * (max(ahead) > 1)} ahead."
            )

        return update

    return live(
        draw,
        alt=(
            "Left, the mask of eight places: a triangle whose edge the slider moves. Right, how "
            "much each output of the stack changes with each input, white where it is exactly 0. "
            "Cells above the diagonal are orange: inputs from the future that reach the output."
        ),
        diagonal=([*_DIAGONALS], 1),
        layers=([*_DEPTHS], 1),
    )


def padded_batch() -> Explorer:
    """Pad three sentences and see the table of each: who may look at whom.

    Example:
        >>> padded_batch().frame(pads_1=0, pads_2=2, pads_3=3).caption
        'Words 6, 4, 3. Open cells: 21, 18, 15 of 36; in rows of words: 21, 10, 6.'
    """
    time = len(_BATCH[0])

    def draw(fig: Figure, **_start: Any) -> Update:
        axes = fig.subplots(1, 3)
        tables = [_Sentence(ax, number, time) for number, ax in enumerate(axes)]
        _explain_colours(fig)

        def update(pads_1: int, pads_2: int, pads_3: int, mask: str) -> str:
            words = time - torch.tensor([pads_1, pads_2, pads_3])
            real = torch.arange(time) < words[:, None]  # (B, T)
            keep = _keep_of(mask, real)  # (B, T, T)
            for table, sentence, own_keep in zip(tables, real, keep, strict=True):
                table.show(sentence, own_keep, padding_is_hidden="padding" in mask)
            used = (keep & real[:, :, None]).sum((1, 2))
            return (
                f"Words {_listed(words)}. Open cells: {_listed(keep.sum((1, 2)))} "
                f"of {time * time}; in rows of words: {_listed(used)}."
            )

        return update

    pads: dict[str, Any] = {
        f"pads_{number}": (0, time - 1, 1, start) for number, start in ((1, 0), (2, 2), (3, 3))
    }
    return live(
        draw,
        alt=(
            "Three tables side by side, one for each sentence of the batch; rows ask, columns are "
            "looked at. Padding empties columns, never rows; the look-ahead mask empties the "
            "triangle above the diagonal. Rows of padding are pale: nobody reads them."
        ),
        size=(8.0, 3.9),
        columns=4,
        labels={name: name.replace("_", " ") for name in pads},
        kept={"pads_1": [3, 5], "pads_2": [0], "pads_3": [0]},
        **pads,
        mask=[*_MASKS],
    )


@cache
def influence(diagonal: int, layers: int) -> Tensor:
    """Measure how much each output of a small stack of attentions changes with each input.

    Cell (t, s) is the size (Frobenius norm) of ∂output_t/∂input_s. Each layer adds its attention to
    what came in, as in lesson 6; its mask lets query t look at keys up to t + diagonal.

    Example:
        >>> influence(diagonal=0, layers=3).triu(1).max()
        tensor(0., dtype=torch.float64)
    """
    generator = torch.Generator().manual_seed(7)
    tokens, *rest = (
        torch.randn(rows, 4, generator=generator, dtype=torch.float64)
        for rows in (_PLACES, *[4] * 3 * layers)
    )
    keep = _band(diagonal)

    def stack(x: Tensor) -> Tensor:
        for layer in range(layers):
            W_q, W_k, W_v = (W / 2 for W in rest[3 * layer : 3 * layer + 3])
            x = x + scaled_dot_product_attention(x @ W_q, x @ W_k, x @ W_v, keep)[0]
        return x

    with torch.inference_mode(False), torch.enable_grad():
        changes = jacobian(stack, tokens)  # (T, D, T, D)
    return torch.linalg.vector_norm(changes, dim=(1, 3))  # (T, T)


class _Sentence:
    """The table of one sentence of `padded_batch`, with its words at both edges."""

    def __init__(self, ax: Axes, number: int, time: int) -> None:
        self._words = _BATCH[number]
        self._cells = _cells(ax, time, title=f"Sentence {number + 1}")
        ax.set(xlabel="", ylabel="", xticks=[], yticks=[])
        places = range(time)
        self._asking = [ax.text(-0.7, place, "", ha="right", va="center") for place in places]
        self._seen = [
            ax.text(place, time - 0.25, "sentence", ha="center", va="top", rotation=90)
            for place in places
        ]
        for text in self._asking:
            text.set_text("sentence")  # the longest word: its room is kept

    def show(self, real: Tensor, keep: Tensor, *, padding_is_hidden: bool) -> None:
        """Colour the table of a sentence with these real tokens, and write its words."""
        colours = _coloured(keep, ATTENTION, _HIDDEN)
        colours[~real[:, None] & keep] = torch.tensor(to_rgb(_UNUSED))
        if padding_is_hidden:
            colours[:, ~real] = torch.tensor(to_rgb(_PADDING))
        self._cells.set_data(colours.numpy())
        for place, word in enumerate(self._words):
            for text in (self._asking[place], self._seen[place]):
                text.set_text(word if real[place] else "pad")
                text.set_color(INK if real[place] else NEUTRAL)


def _keep_of(mask: str, real: Tensor) -> Tensor:
    """Return who may look where in each sentence, (B, T, T)."""
    batch, time = real.shape
    keep = torch.ones(batch, time, time, dtype=torch.bool)
    if "padding" in mask:
        keep = keep & padding_keep(real.long(), pad_id=0)[:, 0]  # (B, 1, T), over all queries
    if "look-ahead" in mask:
        keep = keep & causal_keep(time)  # (T, T), over all sentences
    return keep


def _band(diagonal: int) -> Tensor:
    """Let each place look at itself, at what comes before, and so many places further."""
    return torch.ones(_PLACES, _PLACES, dtype=torch.bool).tril(diagonal)


def _coloured(keep: Tensor, may_look: str, hidden: str) -> Tensor:
    """Turn a table of True and False into the colours of its cells, (rows, columns, 3)."""
    return torch.where(
        keep[..., None], torch.tensor(to_rgb(may_look)), torch.tensor(to_rgb(hidden))
    )


def _past_and_leak(size: Tensor) -> Tensor:
    """Colour gradients by size: the past in one colour, the future in another, 0 white."""
    strength = (size / size.max()).pow(0.4).clamp(min=0.15) * (size > 0)
    future = torch.ones_like(size, dtype=torch.bool).triu(1)
    full = _coloured(future, HIGHLIGHT, INK)
    return 1 - strength[..., None] * (1 - full)


def _cells(ax: Axes, places: int, title: str) -> AxesImage:
    """Draw a white table with room for a cell of each query and key."""
    image = ax.imshow(torch.ones(places, places, 3).numpy())
    edges = [place - 0.5 for place in range(places + 1)]
    ax.hlines(edges, -0.5, places - 0.5, color="white", linewidth=1.5)
    ax.vlines(edges, -0.5, places - 0.5, color="white", linewidth=1.5)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    numbers = [str(place + 1) for place in range(places)]
    ax.set_xticks(range(places), numbers)
    ax.set_yticks(range(places), numbers)
    ax.set(xlabel="key", ylabel="query", title=title)
    return image


def _explain_colours(fig: Figure) -> None:
    meanings = {
        "may look": ATTENTION,
        "row of a pad: not used": _UNUSED,
        "hidden: future": _HIDDEN,
        "hidden: padding": _PADDING,
    }
    handles = [patches.Patch(color=colour, label=name) for name, colour in meanings.items()]
    fig.legend(handles=handles, loc="outside lower center", ncols=4, fontsize=10)


def _listed(numbers: Tensor) -> str:
    return ", ".join(str(number) for number in numbers.tolist())


EXPLORERS = (
    hidden_before_softmax,
    masks_meet,
    a_real_head_masked,
    moved_diagonal,
    read_and_say,
    padded_batch,
)
