"""shift_targets: what the decoder reads and what it must say, one place apart."""

from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.say import say

BOS, EOS, PAD = 1, 2, 3


def _shift(y: Tensor) -> tuple[Tensor, Tensor]:
    return y[:, :-1], y[:, 1:]


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def batch(*lengths: int) -> Arguments:
        longest = max(lengths)
        rows = [
            [BOS, *rng.integers(4, 40, words).tolist(), EOS] + [PAD] * (longest - words)
            for words in lengths
        ]
        rows[0][1] = 0  # a word like any other
        return {"y": torch.tensor(rows)}

    return {
        "unequal lengths": batch(4, 2, 3),
        "one sentence": batch(5),
        "square": batch(2, 1, 2, 1),
        "equal lengths": batch(3, 3),
        "many sentences": batch(*(rng.number(1, 4) for _ in range(7))),
        "any word": {"y": rng.integers(0, 99, 3, 7)},
        "bos and eos alone": {"y": torch.tensor([[BOS, EOS]])},
        EXAMPLE: {"y": torch.tensor([[1, 7, 8, 2]])},
    }


def _answer_is_not_shown(call: Call) -> str | None:
    decoder_input, labels = call(torch.tensor([[BOS, 7, 8, 9, EOS]]))
    if not torch.equal(decoder_input, labels):
        return None
    return say("At every place, the decoder is given the very word it must say.")


shift_targets = Exercise(
    "shift_targets",
    points=1,
    reference=_shift,
    cases=_cases,
    returns=("decoder_input", "labels"),
    shapes={"y": "B T", "decoder_input": "B T−1", "labels": "B T−1"},
    smallest={"T": 2},
    promises={
        "padding": lambda y: bool((y == PAD).any()),
        "a word has the id 0": lambda y: bool((y == 0).any()),
    },
    properties=[Property("The decoder does not read its answer.", _answer_is_not_shown)],
    mistakes=[
        Mistake(
            "shift-missing",
            lambda y: (y, y),
            "Input and labels are the same. What would a decoder learn that is shown each answer?",
            label="no shift",
        ),
        Mistake(
            "shift-backwards",
            lambda y: (y[:, 1:], y[:, :-1]),
            "Your decoder reads a word and must say the one before it. Which comes first in time, "
            "what it reads or what it says?",
        ),
        Mistake(
            "shift-input-only",
            lambda y: (y[:, :-1], y),
            "Your labels begin with bos. Does the decoder ever have to say it?",
        ),
        Mistake(
            "shift-labels-only",
            lambda y: (y, y[:, 1:]),
            "Your input is one longer than the labels. What should be said after the last token?",
        ),
        Mistake(
            "shift-same-cut",
            lambda y: (y[:, :-1], y[:, :-1]),
            "Both lost their end, so they still agree place by place. From which end must each be "
            "cut?",
        ),
        Mistake(
            "shift-rolled",
            lambda y: (y, y.roll(-1, dims=1)),
            "At the end of your labels bos comes back. What falls off when a row moves by one?",
        ),
        Mistake(
            "shift-bos-dropped",
            lambda y: (y[:, 1:], y[:, 1:]),
            "Both lost bos. What does the decoder read before it has said anything?",
        ),
        Mistake(
            "shift-over-batch",
            lambda y: (y[:-1], y[1:]),
            "You lost a sentence, not a place. Which axis is time?",
        ),
        Mistake(
            "shift-by-two",
            lambda y: (y[:, :-2], y[:, 2:]),
            "Your labels lie two places ahead. How far apart are a word and the next?",
        ),
        Mistake(
            "shift-order-exchanged-roll",
            lambda y: (y.roll(1, dims=1), y),
            "At the start of your input stands what was last. What falls off when a row moves by "
            "one?",
        ),
        Mistake(
            "shift-eos-lost",
            lambda y: (y[:, :-1], y[:, 1:-1]),
            "Your labels stop one place early. When does the decoder learn to stop?",
        ),
        Mistake(
            "shift-zeros-before",
            lambda y: (torch.cat([torch.zeros_like(y[:, :1]), y[:, :-1]], dim=1), y),
            "Your input begins with a token that is not in the batch. Does the batch already hold "
            "the token that starts a sentence?",
        ),
        Mistake(
            "shift-real-only",
            lambda y: (y[:, :-1] * (y[:, :-1] != EOS), y[:, 1:]),
            "The eos of shorter sentences is gone from your input. Must the input be cleaned?",
        ),
    ],
    hints=[
        "Write bos w1 w2 eos in a row. Under each token the decoder reads, write the one it must "
        "say next.",
        "Both results are one shorter than y. What does each of them leave out?",
    ],
)
