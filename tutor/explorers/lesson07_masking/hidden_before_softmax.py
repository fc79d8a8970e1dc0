"""Lesson 7's central picture: scores, scores with −∞ where a look is forbidden, weights."""

import math
from typing import Any

import numpy as np
import torch
from matplotlib.figure import Figure
from torch import Tensor

from tutor.attention import dot_product_scores
from tutor.display.controls import as_said
from tutor.display.diagram import Diagram
from tutor.display.explorer import Explorer, Update, live
from tutor.explorers.worked_example import W_K, W_Q, X
from tutor.mask import causal_keep
from tutor.say import later, say

TOKENS = ("the", "river", "bank", "<pad>", "<pad>")
_PADS = 2
_REAL = torch.tensor([token != "<pad>" for token in TOKENS])
_EVERYWHERE = torch.ones(len(TOKENS), len(TOKENS), dtype=torch.bool)
_BOTH = causal_keep(len(TOKENS)) & _REAL
_KEEPS: dict[str, Tensor] = {
    later("none"): _EVERYWHERE,
    later("padding"): _REAL & _EVERYWHERE,
    later("look-ahead"): causal_keep(len(TOKENS)),
    later("both"): _BOTH,
    later("look-ahead, times 0"): causal_keep(len(TOKENS)),
    later("both, times 0"): _BOTH,
    later("padding, on rows"): _REAL[:, None] & _EVERYWHERE,
}


def hidden_before_softmax() -> Explorer:
    """Show in one row what a mask does to scores and weights.

    Example:
        >>> hidden_before_softmax().frame(mask="look-ahead", step=3).caption
        'Mask look-ahead: the gives .00 to what is hidden from it; its weights: 1.00 – – – –'
    """
    scaled = scores_of_padded_words()

    def draw(fig: Figure, **_start: Any) -> Update:
        d = Diagram(fig)
        cell, numbers = (0.66, 0.66), scaled.numpy()
        look: dict[str, Any] = {"columns": TOKENS, "cell": cell, "decimals": 2}
        scores = d.matrix(
            numbers,
            name=say("scaled scores"),
            kind="attention",
            rows=TOKENS,
            asks=say("who asks"),
            **look,
        )
        masked = d.matrix(numbers, name=say("masked"), kind="attention", limit=9.3, **look)
        weights = d.matrix(
            numbers * 0,
            name=say("weights"),
            kind="attention",
            limit=1.0,
            looked_at=say("looked at"),
            **look,
        )
        _, to_masked, _, to_weights, _ = d.row(
            scores, say("mask →"), masked, say("softmax →"), weights, at=(8.05, 3.5)
        )
        broken = [
            d.words(say("NaN: nothing to see"), weights.cell(row, 2))
            for row in range(len(TOKENS) - _PADS, len(TOKENS))
        ]

        def update(mask: str, step: int) -> str:
            hidden, shares = _masked(scaled, mask), _weights(scaled, mask)
            masked.set(hidden.numpy())
            weights.set(np.where(_leaves_a_number(hidden, shares), shares.numpy(), np.nan))
            for part in (masked, to_masked):
                part.show(step >= 2)
            for part in (weights, to_weights):
                part.show(step >= 3)
            for row, words in enumerate(broken, len(TOKENS) - _PADS):
                words.show(step >= 3 and bool(shares[row].isnan().all()))
            keep = _KEEPS[mask]
            return say(
                "Mask {mask}: the gives {leak} to what is hidden from it; its weights: {weights}",
                mask=say(mask),
                leak=_short(shares[0][~keep[0]].sum()),
                weights=" ".join(
                    "–" if hidden[0, key] == -math.inf else _short(weight)
                    for key, weight in enumerate(shares[0])
                ),
            )

        return update

    return live(
        draw,
        alt=say(
            "Three tables in a row, five tokens each way, the last two padding; a row asks, a "
            "column is looked at. First the scaled scores, then the scores under the mask, hatched "
            "with −∞ where a look is forbidden, then the weights: hidden columns stay empty, and "
            "each row is shared out among what is left."
        ),
        size=(8.0, 3.1),
        play="step",
        mask=(as_said(_KEEPS), "padding"),
        step=(1, 3, 1, 3),
    )


def scores_of_padded_words() -> Tensor:
    """Return the scaled scores of lesson 4's three words and two rows of zeros, (5, 5).

    Example:
        >>> scores_of_padded_words()[0]
        tensor([1.1547, 2.3094, 2.3094, 0.0000, 0.0000])
    """
    padded = torch.cat([X, torch.zeros(_PADS, X.size(1))])  # (5, 4)
    return dot_product_scores(padded @ W_Q, padded @ W_K) / math.sqrt(W_K.size(1))


def _masked(scaled: Tensor, mask: str) -> Tensor:
    keep = _KEEPS[mask]
    if mask.endswith("times 0"):
        return scaled * keep
    return scaled.masked_fill(~keep, -math.inf)


def _weights(scaled: Tensor, mask: str) -> Tensor:
    return torch.softmax(_masked(scaled, mask), dim=-1)


def _leaves_a_number(hidden: Tensor, shares: Tensor) -> np.ndarray:
    """Where a weight is to be printed: not where it is exactly 0 behind −∞."""
    return ((hidden > -math.inf) & ~shares.isnan()).numpy()


def _short(number: Tensor) -> str:
    digits = 3 if number < 0.995 and number != 0 else 2
    return f"{number.item():.{digits}f}".removeprefix("0")
