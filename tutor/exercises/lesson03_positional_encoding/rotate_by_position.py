"""rotate_by_position: pairs of features turned, further from place to place."""

import math
from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Mistake, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.position import rotate_by_position as rotate
from tutor.say import say

Turn = Callable[[Tensor, Tensor, Tensor], Tensor]


def _cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(B: int, T: int, D: int, positions: list[int]) -> Arguments:
        return {"x": rng.normal(B, T, D), "positions": torch.tensor(positions)}

    sentence = case(2, 5, 6, [0, 1, 2, 3, 4])
    return {
        "unequal sizes": sentence,
        "the same words further on": {**sentence, "positions": torch.arange(5) + rng.number(9, 40)},
        "square": case(4, 4, 4, [3, 1, 0, 2]),
        "far along": case(2, 3, 8, [100, 7, 100]),
        "one word": case(3, 1, 2, [9]),
        "one sentence": case(1, 4, 6, [2, 0, 5, 9]),
        "many sentences": case(5, 3, 4, [0, 1, 2]),
        "long and narrow": case(3, 6, 4, [5, 4, 3, 2, 1, 0]),
        "from a place below 0": case(1, 2, 4, [-3, 5]),
        EXAMPLE: {"x": torch.tensor([[[1.0, 0.0], [1.0, 0.0]]]), "positions": torch.tensor([0, 1])},
    }


def _turning(
    angle: Callable[[Tensor, int], Tensor] | None = None, turn: Turn | None = None
) -> Callable[[Tensor, Tensor], Tensor]:
    """Build an answer from its angle of pair i at each position and from how a pair is turned."""

    def turned(x: Tensor, positions: Tensor) -> Tensor:
        d = x.size(-1)
        angles = (angle or _angle)(positions.double()[:, None], d).to(x)  # (T, D / 2)
        first, second = x[..., 0::2], x[..., 1::2]
        if turn is not None:
            return turn(first, second, angles)
        return _both(
            first * angles.cos() - second * angles.sin(),
            first * angles.sin() + second * angles.cos(),
        )

    return turned


def _both(first: Tensor, second: Tensor) -> Tensor:
    return torch.stack([first, second], dim=-1).flatten(-2)


def _pairs(d: int) -> Tensor:
    return torch.arange(d // 2, dtype=torch.float64)


def _angle(positions: Tensor, d: int) -> Tensor:
    return positions / 1e4 ** (2 * _pairs(d) / d)


def _in_halves(x: Tensor, positions: Tensor) -> Tensor:
    half = x.size(-1) // 2
    angles = _angle(positions.double()[:, None], x.size(-1)).to(x)
    first, second = x[..., :half], x[..., half:]
    return torch.cat(
        [
            first * angles.cos() - second * angles.sin(),
            first * angles.sin() + second * angles.cos(),
        ],
        dim=-1,
    )


def _angles_in_halves(x: Tensor, positions: Tensor) -> Tensor:
    angles = _angle(positions.double()[:, None], x.size(-1)).to(x).repeat(1, 2)  # (T, D)
    across = _both(-x[..., 1::2], x[..., 0::2])
    return x * angles.cos() + across * angles.sin()


def _lengths_stay(call: Call) -> str | None:
    x, positions = _cases(1)["unequal sizes"].values()
    if torch.allclose(call(x, positions).norm(dim=-1), x.norm(dim=-1), atol=1e-4):
        return None
    return say("A turn changes no length; yours makes some rows longer or shorter.")


def _distance_alone_counts(call: Call) -> str | None:
    q, k = Rng(2).normal(2, 1, 1, 6)

    def score(m: int, n: int) -> float:
        asked, asking = call(k, torch.tensor([n])), call(q, torch.tensor([m]))
        return (asking * asked).sum().item()

    if abs(score(7, 6) - score(12, 11)) < 1e-3:
        return None
    return say(
        "A query at 7 and a key at 6 score {near:.3f}, at 12 and 11 {far:.3f}; the distance is the "
        "same.",
        near=score(7, 6),
        far=score(12, 11),
    )


rotate_by_position = Exercise(
    "rotate_by_position",
    points=4,
    reference=lambda x, positions: rotate(x, positions),
    cases=_cases,
    returns=("turned",),
    shapes={"x": "B T D", "positions": "T", "turned": "B T D"},
    smallest={"D": 2},
    promises={
        "positions not in order": lambda x, positions: bool((positions.diff() < 0).any()),
        "a position twice": lambda x, positions: positions.unique().numel() < positions.numel(),
    },
    properties=[
        Property("A turn changes no length.", _lengths_stay),
        Property("The score depends on the distance alone.", _distance_alone_counts),
    ],
    mistakes=[
        Mistake(
            "rotate-halves",
            _in_halves,
            "You pair the first half of the features with the second. Which two features does a "
            "clock turn here?",
        ),
        Mistake(
            "rotate-backwards",
            _turning(lambda positions, d: -_angle(positions, d)),
            "Your scores are right, but every row is turned the other way. Which of the two "
            "features takes − sin?",
        ),
        Mistake(
            "rotate-exponent-halved",
            _turning(lambda positions, d: positions / 1e4 ** (_pairs(d) / d)),
            "The first pair is right, and the later ones turn too fast. What does i count?",
        ),
        Mistake(
            "rotate-exponent-doubled",
            _turning(lambda positions, d: positions / 1e4 ** (4 * _pairs(d) / d)),
            "The first pair is right, and the later ones turn too slowly. What does i count?",
            reason="arange(0, d, 2) holds 2i already, and is doubled again: seen in a review.",
        ),
        Mistake(
            "rotate-angle-multiplied",
            _turning(lambda positions, d: positions * 1e4 ** (2 * _pairs(d) / d)),
            "Your later pairs turn wildly. Do the clocks get faster or slower along a row?",
            reason="The sign of the exponent is lost: seen in a review.",
        ),
        Mistake(
            "rotate-second-first",
            _turning(
                turn=lambda a, b, t: _both(a * t.sin() + b * t.cos(), a * t.cos() - b * t.sin())
            ),
            "Your numbers are right, but in each pair they have changed places. Which is the first "
            "feature's?",
            reason="Sine comes first in the encoding, and slips in here: seen in a review.",
        ),
        Mistake(
            "rotate-angles-in-halves",
            _angles_in_halves,
            "The two features of a pair are turned by unlike angles in yours. Which angle do "
            "features 2 and 3 share?",
            reason="Angles repeated as models of halves have them, with pairs of neighbours.",
        ),
        Mistake(
            "rotate-one-angle",
            _turning(lambda positions, d: positions.expand(-1, d // 2)),
            "You turn every pair by the same angle. How does each pair get a clock of its own?",
        ),
        Mistake(
            "rotate-one-place-on",
            _turning(lambda positions, d: _angle(positions + 1, d)),
            "Every row is turned one position too far. How far is a word at position 0 turned?",
        ),
        Mistake(
            "rotate-own-counting",
            lambda x, positions: rotate(x),
            "You count the words 0, 1, 2, … yourself. What is the second argument for?",
        ),
        Mistake(
            "rotate-degrees",
            _turning(lambda positions, d: _angle(positions, d) * math.pi / 180),
            "Your turns are far too small. In which unit do sin and cos take an angle?",
        ),
        Mistake(
            "rotate-mirrored",
            _turning(
                turn=lambda a, b, t: _both(a * t.cos() + b * t.sin(), a * t.sin() - b * t.cos())
            ),
            "Lengths stay, but you mirror each pair. Which of the four terms has a minus?",
        ),
        Mistake(
            "rotate-overwritten",
            _turning(
                turn=lambda a, b, t: _both(
                    a * t.cos() - b * t.sin(),
                    (a * t.cos() - b * t.sin()) * t.sin() + b * t.cos(),
                )
            ),
            "The first feature of each pair is right, the second is not. From which first feature "
            "is it made: the old one, or the new?",
        ),
        Mistake(
            "rotate-no-minus",
            _turning(
                turn=lambda a, b, t: _both(a * t.cos() + b * t.sin(), a * t.sin() + b * t.cos())
            ),
            "Your rows change their lengths. Which sign keeps the sum of two squares?",
        ),
        Mistake(
            "rotate-only-cosine",
            _turning(turn=lambda a, b, t: _both(a * t.cos(), b * t.cos())),
            "Your rows get shorter. What does the other feature of the pair add?",
        ),
        Mistake(
            "rotate-added",
            _turning(turn=lambda a, b, t: _both(a + t.sin(), b + t.cos())),
            "You add the position, as the encoding does. What does a rotation do with a pair?",
        ),
        Mistake(
            "rotate-not-put-back",
            _turning(
                turn=lambda a, b, t: torch.cat(
                    [a * t.cos() - b * t.sin(), a * t.sin() + b * t.cos()], dim=-1
                )
            ),
            "Your numbers are right, but in a different order. Where is the second feature of a "
            "pair?",
        ),
        Mistake(
            "rotate-base-1000",
            _turning(lambda positions, d: positions / 1e3 ** (2 * _pairs(d) / d)),
            "The first pair is right and the last turns too fast. Which number is raised to a "
            "power?",
        ),
        Mistake(
            "rotate-along-batch",
            lambda x, positions: rotate(x.transpose(0, 1), positions[: x.size(0)]).transpose(0, 1),
            "You turn each row by the number of its sentence. Which axis of x (B, T, D) holds the "
            "places?",
        ),
    ],
    hints=[
        "x[..., 0::2] are the first features of all pairs, (B, T, D/2). What are the second ones?",
        "The angles have shape (T, D/2): a row for each position, a column for each pair.",
        "torch.stack puts first and second of each pair side by side; flatten(-2) makes a row.",
    ],
)
