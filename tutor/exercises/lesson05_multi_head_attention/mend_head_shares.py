"""mend_head_shares: what each head adds to the output, with its own block of W_o."""

from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.multi_head import merge_heads
from tutor.say import say


def _blocks(found: Tensor, W_o: Tensor) -> Tensor:
    return W_o.T.reshape(found.size(1), found.size(3), -1)  # (h, d_v, D)


def _shares(found: Tensor, W_o: Tensor) -> Tensor:
    return found @ _blocks(found, W_o)  # (B, h, T, D)


def _reshaped_at_once(found: Tensor, W_o: Tensor) -> Tensor:
    return found @ W_o.reshape(found.size(1), found.size(3), -1)


def _interleaved(found: Tensor, W_o: Tensor) -> Tensor:
    return found @ W_o.T.reshape(found.size(3), found.size(1), -1).transpose(0, 1)


def _whole_for_each(found: Tensor, W_o: Tensor) -> Tensor:
    whole = merge_heads(found) @ W_o.T  # (B, T, D)
    return whole[:, None].expand(-1, found.size(1), -1, -1)


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(batch: int, heads: int, time: int, d_v: int, width: int) -> Arguments:
        return {
            "found": rng.normal(batch, heads, time, d_v),
            "W_o": rng.normal(width, heads * d_v),
        }

    return {
        "unequal sizes": case(2, 3, 4, 5, 7),
        "as wide as the heads together": case(2, 2, 3, 4, 8),
        "as many heads as tokens": case(1, 3, 3, 2, 4),
        "heads as wide as many": case(2, 3, 2, 3, 7),
        "one head": case(2, 1, 3, 4, 3),
        "heads of width 1": case(3, 4, 2, 1, 5),
        "one token": case(2, 2, 1, 3, 4),
        "one number per token": case(2, 2, 3, 2, 1),
        EXAMPLE: {
            "found": torch.tensor([[[[3.0]], [[5.0]]]]),
            "W_o": torch.tensor([[1.0, 2.0], [0.0, 4.0]]),
        },
    }


def _add_up(call: Call) -> str | None:
    rng = Rng(1)
    found, W_o = rng.normal(1, 2, 3, 4), rng.normal(5, 8)
    if torch.allclose(call(found, W_o).sum(1), merge_heads(found) @ W_o.T, atol=1e-4):
        return None
    return say("The shares of all heads together are not the output of the layer.")


def _silent_head(call: Call) -> str | None:
    rng = Rng(2)
    found, W_o = rng.normal(1, 3, 2, 4), rng.normal(5, 12)
    found[:, 1] = 0
    if call(found, W_o)[:, 1].abs().max() < 1e-6:
        return None
    return say("A head that found nothing but zeros adds something in yours.")


mend_head_shares = Exercise(
    "mend_head_shares",
    points=2,
    given="shares-reshaped-at-once",
    reference=_shares,
    cases=_cases,
    returns=("shares",),
    shapes={"found": "B h T d_v", "W_o": "D h·d_v", "shares": "B h T D"},
    properties=[
        Property("All shares together are the output.", _add_up),
        Property("A head of zeros adds nothing.", _silent_head),
    ],
    mistakes=[
        Mistake(
            "shares-reshaped-at-once",
            _reshaped_at_once,
            "Your shares do not add up to the output. With W_o = [[1, 2], [0, 4]] and two heads of "
            "width 1, which two numbers are head 0's?",
        ),
        Mistake(
            "shares-interleaved",
            _interleaved,
            "Your heads have every second column of W_o. Which columns are neighbours of a head?",
        ),
        Mistake(
            "shares-blocks-reversed",
            lambda found, W_o: found @ _blocks(found, W_o).flip(0),
            "Your last head has the first block. Which block belongs to which head?",
        ),
        Mistake(
            "shares-first-block-for-all",
            lambda found, W_o: found @ _blocks(found, W_o)[:1],
            "All your heads share one block of W_o. How many blocks are there?",
        ),
        Mistake(
            "shares-whole-for-each",
            _whole_for_each,
            "Every head of yours adds the whole output. What is the sum then?",
        ),
        Mistake(
            "shares-averaged",
            lambda found, W_o: _shares(found, W_o) / found.size(1),
            "The sum of your shares is too small. Is the output a mean of the heads?",
        ),
        Mistake(
            "shares-already-added",
            lambda found, W_o: _shares(found, W_o).sum(1),
            "You give the output. What did each head add to it?",
        ),
    ],
    hints=[
        "Take W_o = [[1, 2], [0, 4]] and two heads of width 1. Print the block of head 0.",
        "A row x is projected by x Wᵀ. Are a head's numbers met by rows of W_o, or by columns?",
    ],
)
