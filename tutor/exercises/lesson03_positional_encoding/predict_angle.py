"""predict_angle: an angle of the encoding, by hand."""

from collections.abc import Mapping

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import say

D_MODEL = 8  # makes the divisors 1, 10, 100, 1000


def _angle_case(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    return {"yours": {"position": rng.number(11, 49), "column": rng.choice([3, 5])}}


def _angle(position: int, column: int) -> float:
    return position / 10 ** (column // 2)


predict_angle = Exercise(
    "predict_angle",
    points=1,
    reference=_angle,
    cases=_angle_case,
    absolute=1e-3,
    question=lambda position, column: say(
        "In an encoding with d_model = {d_model}, of which angle (in radians) does "
        "column {column} take the sine or cosine at position {position}?",
        d_model=D_MODEL,
        column=column,
        position=position,
    ),
    mistakes=[
        Mistake(
            "angle-column-for-pair",
            lambda position, column: position / 10**column,
            "You took the column's number for the pair's. Which columns share one angle?",
        ),
        Mistake(
            "angle-own-exponent",
            lambda position, column: position / 10 ** (column / 2),
            "Do a sine and the cosine beside it have the same angle?",
        ),
        Mistake(
            "angle-exponent-halved",
            lambda position, column: position / 10 ** (column // 2 / 2),
            "You halved the exponent. In 2i/d_model, what is i here?",
        ),
        Mistake(
            "angle-not-divided",
            lambda position, column: position,
            "That is the angle of the first pair. How do the later pairs slow down?",
        ),
        Mistake(
            "angle-pair-from-one",
            lambda position, column: position / 10 ** (column // 2 + 1),
            "You are one pair too far. Which number does the first pair have?",
        ),
        Mistake(
            "angle-position-lost",
            lambda position, column: 1 / 10 ** (column // 2),
            "That is the angle between neighbours. At which position do you stand?",
        ),
        Mistake(
            "angle-multiplied",
            lambda position, column: position * 10 ** (column // 2),
            "Do later columns turn faster or more slowly?",
        ),
    ],
    hints=["Pair i is divided by 10000^(2i/8). Work that out for i = 0, 1, 2, 3."],
)
