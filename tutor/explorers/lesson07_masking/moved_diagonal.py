"""A mask whose edge is moved, and which inputs then reach which outputs of a stack."""

from functools import cache
from itertools import product
from typing import Any

import torch
from matplotlib.figure import Figure
from torch import Tensor
from torch.autograd.functional import jacobian

from tutor.attention import scaled_dot_product_attention
from tutor.display.explorer import Explorer, Update, live
from tutor.display.palette import ATTENTION, HIGHLIGHT, INK
from tutor.explorers.lesson07_masking.cells_of_masks import HIDDEN, coloured, draw_cells
from tutor.say import say, say_count

_PLACES = 8  # tokens of the leak's stack
_DIAGONALS = range(-2, 5)
_DEPTHS = range(1, 5)


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
        mask = draw_cells(left, _PLACES, title=say("Mask: who may look at whom"))
        effect = draw_cells(right, _PLACES, title=say("Size of ∂output / ∂input, after all layers"))
        right.set(xlabel=say("input"), ylabel=say("output"))

        def update(diagonal: int, layers: int) -> str:
            size = measured[diagonal, layers]
            mask.set_data(coloured(_band(diagonal), ATTENTION, HIDDEN).numpy())
            effect.set_data(_past_and_leak(size).numpy())
            leak = size.triu(1) > 0
            ahead = [key - query for query, key in leak.nonzero().tolist()]
            if not ahead:
                return say(
                    "Diagonal {diagonal}, layers {layers}: 0 of 28 future cells leak.",
                    diagonal=diagonal,
                    layers=layers,
                )
            return say_count(
                "Diagonal {diagonal}, layers {layers}: {cells} of 28 future cells leak, from up to "
                "{count} place ahead.",
                "Diagonal {diagonal}, layers {layers}: {cells} of 28 future cells leak, from up to "
                "{count} places ahead.",
                max(ahead),
                diagonal=diagonal,
                layers=layers,
                cells=len(ahead),
            )

        return update

    return live(
        draw,
        alt=say(
            "Left, the mask of eight places: a triangle whose edge the slider moves. Right, how "
            "much each output of the stack changes with each input, white where it is exactly 0. "
            "Cells above the diagonal are orange: inputs from the future that reach the output."
        ),
        diagonal=([*_DIAGONALS], 1),
        layers=([*_DEPTHS], 1),
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


def _band(diagonal: int) -> Tensor:
    """Let each place look at itself, at what comes before, and so many places further."""
    return torch.ones(_PLACES, _PLACES, dtype=torch.bool).tril(diagonal)


def _past_and_leak(size: Tensor) -> Tensor:
    """Colour gradients by size: the past in one colour, the future in another, 0 white."""
    strength = (size / size.max()).pow(0.4).clamp(min=0.15) * (size > 0)
    future = torch.ones_like(size, dtype=torch.bool).triu(1)
    full = coloured(future, HIGHLIGHT, INK)
    return 1 - strength[..., None] * (1 - full)
