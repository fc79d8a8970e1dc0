"""sinusoidal_encoding, to write."""

import math
from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.position import sinusoidal_encoding as encode
from tutor.say import say


def _reference(length: int, d_model: int) -> Tensor:
    return encode(length, d_model)


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    return {
        "an even width": {"length": rng.number(7, 12), "d_model": 6},
        "an odd width": {"length": rng.number(4, 6), "d_model": rng.choice([7, 9])},
        "square": {"length": (size := 2 * rng.number(3, 5)), "d_model": size},
        "long": {"length": rng.number(110, 190), "d_model": 4},  # any wider, float32 would show
        "any even width": {"length": rng.number(13, 60), "d_model": 2 * rng.number(5, 30)},
        "any odd width": {"length": rng.number(13, 60), "d_model": 2 * rng.number(5, 30) + 1},
        "one position": {"length": 1, "d_model": rng.number(4, 9)},
        "two columns": {"length": rng.number(600, 900), "d_model": 2},
        "one column": {"length": rng.number(3, 9), "d_model": 1},
        EXAMPLE: {"length": 2, "d_model": 4},
    }


def _table(angle: Callable[[Tensor, Tensor, int], Tensor]) -> Callable[[int, int], Tensor]:
    """Build a table of sines and cosines from the angle of pair i at each position."""

    def encoding(length: int, d_model: int) -> Tensor:
        positions = torch.arange(length, dtype=torch.float64)[:, None]
        pairs = torch.arange((d_model + 1) // 2, dtype=torch.float64)
        angles = angle(positions, pairs, d_model)
        both = torch.stack([angles.sin(), angles.cos()], dim=-1)  # (length, pairs, 2)
        return both.flatten(1)[:, :d_model].float()

    return encoding


def _powers(exponent: Callable[[Tensor, int], Tensor], base: float = 1e4) -> Callable[..., Tensor]:
    """Build a table whose base is raised to another exponent."""
    return _table(lambda positions, pairs, d: positions / base ** exponent(pairs, d))


def _angle(positions: Tensor, pairs: Tensor, d_model: int) -> Tensor:
    return positions / 1e4 ** (2 * pairs / d_model)


def _concatenated(length: int, d_model: int) -> Tensor:
    table = encode(length, d_model)
    return torch.cat([table[:, 0::2], table[:, 1::2]], dim=-1)


def _swapped(length: int, d_model: int) -> Tensor:
    angles = _angle(torch.arange(length)[:, None], torch.arange((d_model + 1) // 2), d_model)
    return torch.stack([angles.cos(), angles.sin()], dim=-1).flatten(1)[:, :d_model]


def _one_curve(curve: Callable[[Tensor], Tensor]) -> Callable[[int, int], Tensor]:
    def encoding(length: int, d_model: int) -> Tensor:
        pairs = torch.arange(d_model) // 2
        return curve(_angle(torch.arange(length)[:, None], pairs, d_model))

    return encoding


def _exponent_per_column(length: int, d_model: int) -> Tensor:
    columns = torch.arange(d_model)
    angles = torch.arange(length)[:, None] / 1e4 ** (columns / d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())


def _crashes_when_odd(length: int, d_model: int) -> Tensor:
    """Fill as many odd columns as even ones; a single column is stretched over none."""
    pairs = torch.arange((d_model + 1) // 2)
    angles = _angle(torch.arange(length)[:, None], pairs, d_model)
    table = torch.zeros(length, d_model)
    table[:, 0::2], table[:, 1::2] = angles.sin(), angles.cos()
    return table


def _stacked_and_viewed(length: int, d_model: int) -> Tensor:
    angles = _angle(torch.arange(length)[:, None], torch.arange((d_model + 1) // 2), d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).view(length, d_model)


def _last_zero(length: int, d_model: int) -> Tensor:
    table = encode(length, d_model)
    if d_model % 2:
        table[:, -1] = 0
    return table


def _last_cosine(length: int, d_model: int) -> Tensor:
    table = encode(length, d_model)
    if d_model % 2:
        table[:, -1] = encode(length, d_model + 1)[:, -1]
    return table


def _starts_at_zero_one(call: Call) -> str | None:
    first = call(3, 4)[0].tolist()
    if all(abs(got - due) < 1e-4 for got, due in zip(first, (0.0, 1.0, 0.0, 1.0))):
        return None
    return say(
        "sin 0 is 0 and cos 0 is 1; your row for position 0 is {row}.",
        row=[round(x, 3) for x in first],
    )


def _pairs_lie_on_the_circle(call: Call) -> str | None:
    table = call(4, 6)
    squares = table[:, 0::2].square() + table[:, 1::2].square()
    off = (squares - 1).abs() > 1e-4
    if not off.any():
        return None
    position, pair = off.nonzero()[0].tolist()
    return say(
        "Columns {even} and {odd} at position {position}: the sum of their squares is {total:.3f}.",
        even=2 * pair,
        odd=2 * pair + 1,
        position=position,
        total=squares[position, pair],
    )


_ASK_EXPONENT = (
    "Your first pair of columns is right, the others turn too fast or too slowly. In the exponent "
    "2i/d_model, what is i for column 2?"
)
_ASK_ODD = (
    "Even widths are right, odd ones are not. How many sines and how many cosines does a row of 7 "
    "numbers have, and which exponents?"
)

_MISTAKES = [
    Mistake(
        "pe-concatenated",
        _concatenated,
        "Your columns are right, but in a different order. Where is the cosine of an "
        "angle: beside its sine, or in the other half?",
    ),
    Mistake("pe-exponent-halved", _powers(lambda i, d: i / d), _ASK_EXPONENT),
    Mistake("pe-exponent-doubled", _powers(lambda i, d: 4 * i / d), _ASK_EXPONENT),
    Mistake("pe-exponent-half-width", _powers(lambda i, d: i / max(1, d // 2)), _ASK_ODD),
    Mistake(
        "pe-exponent-one-further",
        _powers(lambda i, d: 2 * (i + 1) / d),
        "Even your first pair of columns turns too slowly. In the exponent 2i/d_model, what is i "
        "for column 0?",
    ),
    Mistake("pe-exponent-width-less-one", _powers(lambda i, d: 2 * i / (d - 1)), _ASK_EXPONENT),
    Mistake(
        "pe-exponent-per-column",
        _exponent_per_column,
        "The two columns of a pair turn at different speeds. In the exponent 2i/d_model, what is "
        "i for columns 2 and 3?",
    ),
    Mistake(
        "pe-sin-cos-swapped",
        _swapped,
        "Your position 0 begins with 1. Which of sin and cos is in the even columns?",
    ),
    Mistake(
        "pe-base-1000",
        _powers(lambda i, d: 2 * i / d, base=1e3),
        "Your slow columns turn too fast. Which number is raised to the power?",
    ),
    Mistake(
        "pe-base-100000",
        _powers(lambda i, d: 2 * i / d, base=1e5),
        "Your slow columns turn too slowly. Which number is raised to the power?",
    ),
    Mistake(
        "pe-base-e",
        _powers(lambda i, d: 2 * i / d, base=math.e),
        "All your columns turn nearly alike. Which number is raised to the power?",
    ),
    Mistake(
        "pe-all-sine",
        _one_curve(torch.sin),
        "Each of your columns occurs twice. Which curve do the odd columns follow?",
    ),
    Mistake(
        "pe-all-cosine",
        _one_curve(torch.cos),
        "Each of your columns occurs twice. Which curve do the even columns follow?",
    ),
    Mistake(
        "pe-axes-exchanged",
        lambda length, d_model: encode(d_model, length).T,
        "Your wavelengths grow with the position. With what should they grow?",
    ),
    Mistake(
        "pe-transposed",
        lambda length, d_model: encode(length, d_model).T,
        "The table lies on its side. What is a row: a position, or a dimension?",
    ),
    Mistake(
        "pe-degrees",
        _table(lambda p, i, d: torch.rad2deg(_angle(p, i, d))),
        "Your first column turns far too fast or far too slowly. In which unit does sin take its "
        "angle?",
        variants=[_table(lambda p, i, d: torch.deg2rad(_angle(p, i, d)))],
    ),
    Mistake(
        "pe-whole-turns",
        _table(lambda p, i, d: 2 * math.pi * _angle(p, i, d)),
        "Your first column is always 0. Is the angle pos itself, or that many turns?",
    ),
    Mistake(
        "pe-multiplied",
        _table(lambda p, i, d: p * 1e4 ** (2 * i / d)),
        "Your later columns jump about. Do wavelengths grow or shrink along a row?",
    ),
    Mistake(
        "pe-from-one",
        lambda length, d_model: encode(length + 1, d_model)[1:],
        "Your first row is that of position 1. From which number are positions counted?",
    ),
    Mistake(
        "pe-negative",
        _table(lambda p, i, d: -_angle(p, i, d)),
        "Your sines have the wrong sign. What is the sign of the exponent, and of the angle?",
    ),
    Mistake(
        "pe-fraction-of-length",
        lambda length, d_model: _table(lambda p, i, d: _angle(p, i, d) / length)(length, d_model),
        "The row of a position depends on how long your table is. May it?",
    ),
    Mistake(
        "pe-length-in-exponent",
        lambda length, d_model: _table(lambda p, i, d: p / 1e4 ** (2 * i / length))(
            length, d_model
        ),
        "Your wavelengths depend on how long the table is. On what should they depend?",
    ),
    Mistake(
        "odd-d-model-crash",
        _crashes_when_odd,
        _ASK_ODD,
        variants=[_stacked_and_viewed],
        label="stops at an odd width",
    ),
    Mistake(
        "odd-d-model-frequency",
        lambda length, d: encode(length, d + d % 2)[:, :d],
        _ASK_ODD,
        label="other frequencies at an odd width",
    ),
    Mistake(
        "odd-d-model-last-zero",
        _last_zero,
        _ASK_ODD,
        label="last column zero at an odd width",
    ),
    Mistake(
        "odd-d-model-last-cosine",
        _last_cosine,
        _ASK_ODD,
        label="last column a cosine at an odd width",
    ),
]

_PROPERTIES = [
    Property("Position 0 is 0, 1, 0, 1, …", _starts_at_zero_one),
    Property("Sine and cosine of an angle are side by side.", _pairs_lie_on_the_circle),
]

sinusoidal_encoding = Exercise(
    "sinusoidal_encoding",
    points=3,
    reference=_reference,
    cases=_cases,
    returns=("encoding",),
    shapes={"length": "T", "d_model": "D", "encoding": "T D"},
    exact_dtype=True,
    promises={
        "an odd width": lambda length, d_model: d_model % 2 == 1,
        "an even width": lambda length, d_model: d_model % 2 == 0,
        "two columns": lambda length, d_model: d_model == 2,
        "longer than wide": lambda length, d_model: length > d_model,
        "wider than long": lambda length, d_model: length < d_model,
        "as long as wide": lambda length, d_model: length == d_model,
    },
    properties=_PROPERTIES,
    mistakes=_MISTAKES,
    hints=[
        "Make the table of angles first: a row for each position, a column for each pair.",
        "For d_model = 4 there are two pairs: the divisors are 1 and 100.",
        "`table[:, 0::2]` are the even columns, `table[:, 1::2]` the odd ones. How many of each "
        "are there if d_model is 7?",
    ],
    absolute=1e-5,
)
