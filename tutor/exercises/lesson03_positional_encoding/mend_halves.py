"""mend_halves: the sines in one half of a row, the cosines in the other."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import Rng
from tutor.position import sinusoidal_encoding as encode
from tutor.say import say


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    return {
        "unequal sizes": {"length": rng.number(7, 12), "d_model": 6},
        "square": {"length": 8, "d_model": 8},
        "wider than long": {"length": 3, "d_model": 10},
        "one position": {"length": 1, "d_model": 4},
        "two columns": {"length": 3, "d_model": 2},
        "any width": {"length": rng.number(13, 40), "d_model": 2 * rng.number(5, 20)},
    }


def _halves(length: int, d_model: int) -> Tensor:
    table = encode(length, d_model)
    return torch.cat([table[:, 0::2], table[:, 1::2]], dim=-1)


def _with(angle: Callable[[Tensor, Tensor, int], Tensor]) -> Callable[[int, int], Tensor]:
    """Build the table from the angle of pair i at each position."""

    def encoding(length: int, d_model: int) -> Tensor:
        positions = torch.arange(length, dtype=torch.float64)[:, None]
        angles = angle(positions, torch.arange(d_model // 2, dtype=torch.float64), d_model)
        return torch.cat([angles.sin(), angles.cos()], dim=-1).float()

    return encoding


def _starts_at_zero_and_one(call: Call) -> str | None:
    first = [round(number, 3) for number in call(3, 4)[0].tolist()]
    if first == [0.0, 0.0, 1.0, 1.0]:
        return None
    return say("sin 0 is 0 and cos 0 is 1; your row for position 0 is {row}.", row=first)


mend_halves = Exercise(
    "mend_halves",
    points=2,
    reference=_halves,
    cases=_cases,
    returns=("encoding",),
    shapes={"length": "T", "d_model": "D", "encoding": "T D"},
    smallest={"D": 2},
    exact_dtype=True,
    absolute=1e-5,
    given="halves-exponent-halved",
    properties=[Property("Position 0 is all 0, then all 1.", _starts_at_zero_and_one)],
    mistakes=[
        Mistake(
            "halves-exponent-halved",
            _with(lambda pos, i, d: pos / 1e4 ** (i / d)),
            "The first sine and the first cosine are right, and the later clocks turn too fast. In "
            "2i / d_model, what does i count?",
        ),
        Mistake(
            "halves-exponent-doubled",
            _with(lambda pos, i, d: pos / 1e4 ** (4 * i / d)),
            "From the second clock on yours turn too slowly. By what factor is the exponent too "
            "large?",
        ),
        Mistake(
            "halves-mixed",
            encode,
            "Your angles are right. Where are all the cosines to be?",
        ),
        Mistake(
            "halves-cosines-first",
            lambda length, d_model: _halves(length, d_model).roll(d_model // 2, dims=1),
            "Your row for position 0 begins with 1. Which half comes first?",
        ),
        Mistake(
            "halves-from-one",
            lambda length, d_model: _halves(length + 1, d_model)[1:],
            "Your first row is that of the second position. From which number do positions count?",
        ),
        Mistake(
            "halves-base-1000",
            _with(lambda pos, i, d: pos / 1e3 ** (2 * i / d)),
            "The first clock is right and the last too fast. Which number is raised to a power?",
        ),
        Mistake(
            "halves-multiplied",
            _with(lambda pos, i, d: pos * 1e4 ** (2 * i / d)),
            "Later clocks turn faster, not more slowly. Is the position multiplied, or divided?",
        ),
        Mistake(
            "halves-all-sines",
            lambda length, d_model: _halves(length, d_model)[:, : d_model // 2].repeat(1, 2),
            "Both halves of your rows are the same. Which curve belongs in the second?",
        ),
        Mistake(
            "halves-axes-exchanged",
            lambda length, d_model: _halves(length, d_model).T,
            "Your rows and columns have changed places. What is a row: a position, or a clock?",
        ),
    ],
    hints=[
        "Print the first two angles at position 1 for d_model = 4. They should be 1 and 0.01.",
        "Compare the exponent of the code with the one of the formula, for the second clock.",
    ],
)
