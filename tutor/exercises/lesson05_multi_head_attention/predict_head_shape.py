"""predict_head_shape: the axes of the queries in their heads."""

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
