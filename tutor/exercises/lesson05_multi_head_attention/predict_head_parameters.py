"""predict_head_parameters: what more heads do to the number of parameters."""

from collections.abc import Mapping

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import say


def _count_case(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    return {"yours": {"D": rng.choice([6, 10, 12, 20]), "h": rng.choice([2, 3])}}


predict_head_parameters = Exercise(
    "predict_head_parameters",
    points=1,
    reference=lambda D, h: 4 * (D * D + D),
    cases=_count_case,
    question=lambda D, h: say(
        "Multi-head attention with d_model = {D}, {h} heads, d_k = d_v = d_model / h, "
        "and a bias in each of its four projections. How many parameters does it have?",
        D=D,
        h=h,
    ),
    mistakes=[
        Mistake(
            "count-times-heads",
            lambda D, h: 4 * (D * D + D) * h,
            "You counted a full-width set for every head. How wide is one head's share?",
        ),
        Mistake(
            "count-no-biases",
            lambda D, h: 4 * D * D,
            "Those are the matrices. What else does a projection with a bias have?",
        ),
        Mistake(
            "count-no-output",
            lambda D, h: 3 * (D * D + D),
            "You counted queries, keys and values. What follows when the heads are put together?",
        ),
        Mistake(
            "count-no-output-no-biases",
            lambda D, h: 3 * D * D,
            "You counted three matrices. What else is there, at the end and in each projection?",
        ),
        Mistake(
            "count-one-head",
            lambda D, h: 4 * (D * D + D) // h,
            "That is one head's share. How many heads are there?",
        ),
        Mistake(
            "count-one-projection",
            lambda D, h: D * D + D,
            "That is one projection. How many are there?",
        ),
    ],
    hints=["Count one projection from d_model to all heads' features together, bias included."],
)
