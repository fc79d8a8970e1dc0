"""gru_step: one state, and two gates that say how far it may move."""

from collections.abc import Mapping

import torch

from tutor.checking.exercise import Arguments, Call, Exercise, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.lesson01_rnn_limits.gru_step_mistakes import MISTAKES
from tutor.exercises.lesson01_rnn_limits.lstm_step import loud
from tutor.rnn import gru_step as step
from tutor.say import say


def _gru_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(B: int, I: int, H: int) -> Arguments:  # noqa: E741
        return {
            "x": rng.normal(B, I),
            "h": rng.normal(B, H),
            "W_ih": rng.normal(3 * H, I) / I**0.5,
            "W_hh": rng.normal(3 * H, H) / H**0.5,
            "b_ih": rng.normal(3 * H),
            "b_hh": rng.normal(3 * H),
        }

    return {
        "unequal sizes": case(4, 5, 2),
        "wide words": case(2, 6, 2),
        "square": case(3, 3, 3),
        "wide states": case(2, 3, 5),
        "one sentence": case(1, 4, 2),
        "one number a word and a state": case(2, 1, 1),
        "loud words": loud(rng, case(3, 2, 4)),
        EXAMPLE: {
            "x": torch.zeros(1, 1),
            "h": torch.tensor([[0.7]]),
            "W_ih": torch.zeros(3, 1),
            "W_hh": torch.zeros(3, 1),
            "b_ih": torch.tensor([0.0, 99.0, 0.0]),
            "b_hh": torch.zeros(3),
        },
    }


def _stays(call: Call) -> str | None:
    b = torch.tensor([0.0, 50.0, 0.0])  # the update gate at 1
    nothing, h = torch.zeros(3, 1), torch.tensor([[0.7]])
    new = call(torch.ones(1, 1), h, nothing, nothing, b, torch.zeros(3))
    if torch.allclose(new, h, atol=1e-3):
        return None
    return say(
        "With z = 1 a state of 0.7 should stay as it is, and yours becomes {state:.3f}.",
        state=new.item(),
    )


def _stays_bounded(call: Call) -> str | None:
    given = _gru_cases(1)["unequal sizes"]
    new = call(*({**given, "h": given["h"].tanh()}).values())
    largest = new.abs().max().item()
    if largest < 1:
        return None
    return say(
        "From a state within −1 … 1 comes one as large as {largest:.3f}.",
        largest=largest,
    )


gru_step = Exercise(
    "gru_step",
    points=3,
    reference=step,
    cases=_gru_cases,
    returns=("next h",),
    shapes={
        "x": "B I",
        "h": "B H",
        "W_ih": "3H I",
        "W_hh": "3H H",
        "b_ih": "3H",
        "b_hh": "3H",
        "next h": "B H",
    },
    library=("gru", "gru_cell"),
    properties=[
        Property("A state stays as it is where z is 1.", _stays),
        Property("A state within −1 … 1 stays within.", _stays_bounded),
    ],
    mistakes=MISTAKES,
    hints=[
        "Make two tensors of shape (B, 3H), one from the word and one from the state, each with "
        "its own bias, and cut each into three.",
        "For r and z the two parts are simply added. Why can you not add them for n before you "
        "know r?",
        "The new state is a weighted average of candidate and old state; the weights are 1 − z "
        "and z.",
    ],
)
