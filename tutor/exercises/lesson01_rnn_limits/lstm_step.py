"""lstm_step: three gates, a candidate, and a cell that is kept or added to."""

from collections.abc import Mapping

import torch

from tutor.checking.exercise import Arguments, Call, Exercise, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.lesson01_rnn_limits.lstm_step_mistakes import MISTAKES
from tutor.rnn import lstm_step as step
from tutor.say import say


def _lstm_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(B: int, I: int, H: int) -> Arguments:  # noqa: E741
        return {
            "x": rng.normal(B, I),
            "h": rng.normal(B, H).tanh(),
            "c": rng.normal(B, H),
            "W_ih": rng.normal(4 * H, I) / I**0.5,
            "W_hh": rng.normal(4 * H, H) / H**0.5,
            "b": rng.normal(4 * H),
        }

    return {
        "unequal sizes": case(3, 5, 2),
        "wide words": case(2, 8, 2),
        "square": case(4, 4, 4),
        "wide states": case(2, 3, 5),
        "one sentence": case(1, 3, 2),
        "one number a word and a state": case(2, 1, 1),
        "loud words": loud(rng, case(3, 2, 4)),
        EXAMPLE: {
            "x": torch.zeros(1, 1),
            "h": torch.zeros(1, 1),
            "c": torch.tensor([[0.7]]),
            "W_ih": torch.zeros(4, 1),
            "W_hh": torch.zeros(4, 1),
            "b": torch.tensor([-99.0, 99.0, 0.0, 99.0]),
        },
    }


def loud(rng: Rng, given: Arguments) -> Arguments:
    """Draw words of ±100 and ±3000 until every gate is wide open or shut."""
    while True:
        sizes = 100 + 2900 * rng.integers(0, 1, *given["x"].shape)
        x = ((2 * rng.integers(0, 1, *given["x"].shape) - 1) * sizes).float()
        sums = x @ given["W_ih"].T
        if sums.abs().min() > 40 and sums.min() < -1010 and sums.max() > 1010:
            return {**given, "x": x}


def _keeps(call: Call) -> str | None:
    b = torch.tensor([-50.0, 50.0, 0.0, 50.0])  # write nothing, keep everything, show everything
    nothing, c = torch.zeros(4, 1), torch.tensor([[1.5]])
    _, kept = call(torch.ones(1, 1), torch.zeros(1, 1), c, nothing, nothing, b)
    if torch.allclose(kept, c, atol=1e-3):
        return None
    return say(
        "With the forget gate wide open and the input gate shut, a cell of 1.5 should "
        "stay, and yours becomes {cell:.3f}.",
        cell=kept.item(),
    )


def _shows_little(call: Call) -> str | None:
    h, _ = call(*_lstm_cases(1)["unequal sizes"].values())
    largest = h.abs().max().item()
    if largest < 1:
        return None
    return say(
        "h is what a gate lets through of a tanh, and one of yours is as large as {largest:.3f}.",
        largest=largest,
    )


lstm_step = Exercise(
    "lstm_step",
    points=3,
    reference=step,
    cases=_lstm_cases,
    returns=("h", "c"),
    shapes={
        "x": "B I",
        "h": "B H",
        "c": "B H",
        "W_ih": "4H I",
        "W_hh": "4H H",
        "b": "4H",
    },
    computed=("c", "h"),
    library=("lstm", "lstm_cell"),
    properties=[
        Property("A cell is kept when the forget gate is open and the input gate shut.", _keeps),
        Property("The hidden state lies between −1 and 1.", _shows_little),
    ],
    mistakes=MISTAKES,
    hints=[
        "Add the three parts first: one tensor of shape (B, 4H). Then cut it into four of "
        "(B, H) along the last axis.",
        "Three of the four are gates and lie between 0 and 1; the candidate lies between −1 and "
        "1. Which curve does what?",
        "The new cell is a sum of two products: something of the old cell, and something of the "
        "candidate. The new h comes from the new cell.",
    ],
)
