"""Two predictions: the shape of the queries in their heads, and the number of parameters."""

from collections.abc import Mapping

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import say


def _shape_case(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    heads = rng.choice([3, 4])
    d_k = rng.choice([5, 6])
    return {"yours": {"B": 2, "T": rng.choice([7, 8, 9]), "D": heads * d_k, "h": heads}}


predict_head_shape = Exercise(
    "predict_head_shape",
    points=1,
    reference=lambda B, T, D, h: [B, h, T, D // h],
    cases=_shape_case,
    question=lambda B, T, D, h: say(
        "A batch of {B} sentences of {T} words, d_model = {D}, {h} heads, d_k = d_model"
        " / h. What is the shape of the queries just before the scores are computed in "
        "all heads at once? Answer with a list of numbers.",
        B=B,
        T=T,
        D=D,
        h=h,
    ),
    mistakes=[
        Mistake(
            "shape-not-transposed",
            lambda B, T, D, h: [B, T, h, D // h],
            "The features are cut. Can every head multiply its own (words, d_k) matrix while words "
            "and heads stand in this order?",
        ),
        Mistake(
            "shape-full-width",
            lambda B, T, D, h: [B, h, T, D],
            "Each of your heads is as wide as the model. How many features does one head have?",
        ),
        Mistake(
            "shape-not-split",
            lambda B, T, D, h: [B, T, D],
            "That is the shape before the split. Where are the heads?",
        ),
        Mistake(
            "shape-folded",
            lambda B, T, D, h: [B * h, T, D // h],
            "Sentences and heads are one axis in yours. How does the lesson keep them apart?",
        ),
        Mistake(
            "shape-width-and-heads-exchanged",
            lambda B, T, D, h: [B, D // h, T, h],
            "You have as many heads as features. Which of the two numbers was given?",
        ),
        Mistake(
            "shape-one-sentence",
            lambda B, T, D, h: [h, T, D // h],
            "That is one sentence. How many are in the batch?",
        ),
        Mistake(
            "shape-of-scores",
            lambda B, T, D, h: [B, h, T, T],
            "That is the shape of the scores. What was the shape of the queries that made them?",
        ),
    ],
    hints=["Start with (B, T, D), cut the last axis in two, and look at the order of the axes."],
)


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

EXERCISES = (predict_head_shape, predict_head_parameters)
