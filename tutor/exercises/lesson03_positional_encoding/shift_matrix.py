"""shift_matrix: moving on by k places is turning each clock's hand by a fixed angle."""

import math
from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import Rng
from tutor.position import shift_matrix as shift
from tutor.position import sinusoidal_encoding as encode
from tutor.say import say

POSITIONS = 40  # places at which a matrix must do what is asked


def _reference(offset: int, d_model: int) -> Tensor:
    return shift(offset, d_model)


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    return {
        "some places on": {"offset": rng.number(3, 6), "d_model": 6},
        "one place": {"offset": 1, "d_model": 8},
        "back": {"offset": -rng.number(2, 4), "d_model": 4},
        "one clock": {"offset": 2, "d_model": 2},
        "nowhere": {"offset": 0, "d_model": 4},
        "far on": {"offset": rng.number(20, 90), "d_model": 2 * rng.number(4, 10)},
        "far back": {"offset": -rng.number(20, 90), "d_model": 2 * rng.number(4, 10)},
        "one place back": {"offset": -1, "d_model": 6},
    }


def _what_it_does(matrix: Tensor, arguments: Arguments) -> Tensor:
    """Move every position's encoding: several matrices may do the same."""
    encoding = encode(POSITIONS, arguments["d_model"], dtype=torch.float64)
    return (matrix.double() @ encoding.T).T.float()  # (positions, d_model)


def _blocks(
    block: Callable[[float], list[list[float]]], base: float = 1e4
) -> Callable[..., Tensor]:
    """Build the matrix from what stands on its diagonal for each clock's angle."""

    def matrix(offset: int, d_model: int) -> Tensor:
        angles = [offset / base ** (2 * i / d_model) for i in range(d_model // 2)]
        return torch.block_diag(*(torch.tensor(block(angle)) for angle in angles))

    return matrix


def _halves(offset: int, d_model: int) -> Tensor:
    """Turn as if all sines came first: right for a concatenated layout."""
    interleaved = torch.arange(d_model).view(-1, 2).T.flatten()
    return shift(offset, d_model)[interleaved][:, interleaved]


def _distances_stay(call: Call) -> str | None:
    """A turn changes no length."""
    moved = call(3, 4) @ encode(2, 4)[1]
    length = moved.norm().item()
    if abs(length - math.sqrt(2)) < 1e-3:
        return None
    return say(
        "PE(1) has length 1.414 for d_model = 4; moved by 3, yours has length {length:.3f}.",
        length=length,
    )


_ASK_DIRECTION = (
    "Your matrix moves the other way. In which direction does it turn a column (sin, cos): is the "
    "sine of a larger angle sin·cos + cos·sin, or a difference?"
)

shift_matrix = Exercise(
    "shift_matrix",
    points=3,
    reference=_reference,
    cases=_cases,
    returns=("M",),
    shapes={"d_model": "D", "M": "D D"},
    smallest={"D": 2},
    promises={
        "on": lambda offset, d_model: offset > 1,
        "one place on": lambda offset, d_model: offset == 1,
        "nowhere": lambda offset, d_model: offset == 0,
        "one place back": lambda offset, d_model: offset == -1,
        "back": lambda offset, d_model: offset < -1,
    },
    properties=[Property("A turn changes no length.", _distances_stay)],
    mistakes=[
        Mistake("shift-turned-back", lambda k, d: shift(k, d).T, _ASK_DIRECTION),
        Mistake(
            "shift-cosine-first",
            _blocks(lambda a: [[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]]),
            _ASK_DIRECTION,
        ),
        Mistake(
            "shift-halves",
            _halves,
            "Your turns join the wrong columns. Which column holds the cosine of column 0's angle?",
        ),
        Mistake(
            "shift-same-angle",
            lambda k, d: torch.block_diag(*[shift(k, 2)] * (d // 2)),
            "The first clock moves as it should, the others too far. Do all clocks turn by the "
            "same angle?",
        ),
        Mistake(
            "shift-identity",
            lambda k, d: torch.eye(d),
            "Your matrix moves nothing. What should depend on the offset?",
        ),
        Mistake(
            "shift-rows-rolled",
            lambda k, d: torch.eye(d).roll(k, 0),
            "You move numbers from column to column. What moves when a position moves: the "
            "columns, or each clock's angle?",
        ),
        Mistake(
            "shift-base-1000",
            _blocks(lambda a: [[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]], base=1e3),
            "Your slow clocks turn too far. Which base did the encoding use?",
        ),
        Mistake(
            "shift-exponent-halved",
            lambda k, d: torch.block_diag(
                *(torch.tensor(_turn(k / 1e4 ** (i / d))) for i in range(d // 2))
            ),
            "The first clock moves as it should, the others too far. What is the exponent of pair "
            "i?",
        ),
        Mistake(
            "shift-one-too-far",
            lambda k, d: shift(k + 1, d),
            "Everything arrives one position too far. Where does an offset of 0 leave you?",
        ),
        Mistake(
            "shift-degrees",
            _blocks(lambda a: _turn(math.degrees(a))),
            "Your clocks end up anywhere. In which unit do sin and cos take their angle?",
        ),
        Mistake(
            "shift-reflected",
            _blocks(lambda a: [[math.cos(a), math.sin(a)], [math.sin(a), -math.cos(a)]]),
            "Lengths are kept, but your matrix mirrors instead of turning. What does an offset "
            "of 0 make of (sin, cos)?",
        ),
        Mistake(
            "shift-first-clock-only",
            lambda k, d: torch.block_diag(shift(k, 2), torch.eye(d - 2)) if d > 2 else shift(k, d),
            "Only your first clock moves. How many clocks does d_model hold?",
        ),
        Mistake(
            "shift-only-cosines",
            _blocks(lambda a: [[math.cos(a), 0.0], [0.0, math.cos(a)]]),
            "Your clocks' hands become shorter. Which numbers are beside the diagonal of a turn?",
        ),
        Mistake(
            "shift-both-plus",
            _blocks(lambda a: [[math.cos(a), math.sin(a)], [math.sin(a), math.cos(a)]]),
            "Lengths change in yours. Which of the two sines beside the diagonal has a minus?",
        ),
        Mistake(
            "shift-sign-of-offset-lost",
            lambda k, d: shift(abs(k), d),
            "Forward is right, back is not. What does a negative offset do to the angle?",
        ),
    ],
    hints=[
        "Look at one clock first, d_model = 2: sin(a + b) and cos(a + b) in terms of sin a and "
        "cos a.",
        "Each pair of columns turns by its own angle: offset divided by the pair's divisor.",
        "A matrix with 2×2 blocks on its diagonal treats each pair by itself: torch.block_diag.",
    ],
    view=_what_it_does,
    absolute=1e-4,
)


def _turn(angle: float) -> list[list[float]]:
    return [[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]
