"""predict_rotary_score: a score of two turned vectors, by hand."""

import math
from collections.abc import Mapping

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import say

_STEPS = (1, 2, 3, 4)


def _score_case(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    key = rng.number(2, 9)
    return {"yours": {"m": key + rng.choice(list(_STEPS)), "n": key, "slide": rng.number(3, 20)}}


predict_rotary_score = Exercise(
    "predict_rotary_score",
    points=1,
    reference=lambda m, n, slide: math.cos(0.5 * (m - n)),
    cases=_score_case,
    absolute=2e-3,
    question=lambda m, n, slide: say(
        "A query and a key are both (1, 0). One clock turns them by 0.5 radians per position. The "
        "query is at {m}, the key at {n}; then both move on by {slide} positions. What is their "
        "dot product now? Give three decimals.",
        m=m,
        n=n,
        slide=slide,
    ),
    mistakes=[
        Mistake(
            "score-moved-query-only",
            lambda m, n, slide: math.cos(0.5 * (m + slide - n)),
            "You moved the query and left the key. What becomes of the distance if both move?",
        ),
        Mistake(
            "score-summed",
            lambda m, n, slide: math.cos(0.5 * (m + n)),
            "You added the two angles. Which angle lies between two hands?",
        ),
        Mistake(
            "score-summed-and-moved",
            lambda m, n, slide: math.cos(0.5 * (m + n + 2 * slide)),
            "You added the two angles. Which angle lies between two hands?",
        ),
        Mistake(
            "score-angle",
            lambda m, n, slide: 0.5 * (m - n),
            "That is the angle between the hands. What is the dot product of two vectors of "
            "length 1?",
        ),
        Mistake(
            "score-sine",
            lambda m, n, slide: math.sin(0.5 * (m - n)),
            "You took the sine. What is the dot product of a vector with itself, at distance 0?",
        ),
        Mistake(
            "score-radians",
            lambda m, n, slide: math.cos(m - n),
            "You turned by one radian per position. How far does this clock turn?",
        ),
        Mistake(
            "score-degrees",
            lambda m, n, slide: math.cos(math.radians(0.5 * (m - n))),
            "At 1 the two hands point the same way. How far apart does the clock turn them, and in "
            "which unit is that given?",
        ),
        Mistake(
            "score-positions-multiplied",
            lambda m, n, slide: math.cos(0.5 * m) * math.cos(0.5 * n),
            "You multiplied the first numbers of both. What do the second numbers add?",
        ),
    ],
    hints=[
        "Draw the two hands. Which angle lies between them, before and after the move?",
        "The dot product of two vectors of length 1 is the cosine of the angle between them.",
    ],
)
