"""jacobian_norms: how much of each state the last one can still feel."""

from collections.abc import Mapping

import torch

from tutor.checking.exercise import Arguments, Call, Exercise, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.lesson01_rnn_limits.jacobian_norms_mistakes import MISTAKES
from tutor.gradients import jacobian_norms as norms
from tutor.say import say


def _jacobian_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(T: int, H: int, size: float) -> Arguments:
        return {
            "hidden_states": torch.tanh(0.7 * rng.normal(T, H)),
            "W_hh": size * rng.normal(H, H) / H**0.5,
        }

    return {
        "unequal sizes": case(5, 3, 1.0),
        "square": case(4, 4, 1.2),
        "wide states": case(2, 5, 0.8),
        "two steps": case(2, 3, 1.5),
        "one step": case(1, 2, 1.0),
        "one number a state": case(6, 1, 1.1),
        "states at the ends of tanh": {
            "hidden_states": torch.cat(
                [torch.ones(1, 2), -torch.ones(1, 2), 0.5 * torch.ones(2, 2)]
            ),
            "W_hh": rng.normal(2, 2),
        },
        EXAMPLE: {"hidden_states": torch.zeros(4, 1), "W_hh": torch.tensor([[0.5]])},
    }


def _last_is_one(call: Call) -> str | None:
    last = call(torch.tensor([[0.5], [0.0], [0.3]]), torch.tensor([[2.0]]))[-1].item()
    if abs(last - 1) < 1e-4:
        return None
    return say(
        "Between h_T and itself there is no step at all, and your last entry is {last:.3f}.",
        last=last,
    )


def _halves(call: Call) -> str | None:
    found = call(torch.zeros(4, 2), 0.5 * torch.eye(2))
    if torch.allclose(found, torch.tensor([0.125, 0.25, 0.5, 1.0]), atol=1e-4):
        return None
    shown = ", ".join(f"{number:.3f}" for number in found.tolist())
    return say(
        "With all states at 0, where tanh has slope 1, and W_hh half the identity, each"
        " step back should halve the norm: 0.125, 0.25, 0.5, 1. Yours are {shown}.",
        shown=shown,
    )


jacobian_norms = Exercise(
    "jacobian_norms",
    points=3,
    reference=norms,
    cases=_jacobian_cases,
    returns=("norms",),
    shapes={"hidden_states": "T H", "W_hh": "H H", "norms": "T"},
    properties=[
        Property("The last entry is 1.", _last_is_one),
        Property("A matrix that halves everything halves the norm at each step back.", _halves),
    ],
    mistakes=MISTAKES,
    hints=[
        "Write one factor first: how does h_t = tanh(W_hh h_{t−1} + …) change when h_{t−1} does? "
        "The slope of tanh can be read off h_t itself.",
        "Walk from the last step back and keep the product so far; it starts as the identity.",
        "torch.linalg.matrix_norm has an argument ord. Which value of it is the largest singular "
        "value?",
    ],
)
