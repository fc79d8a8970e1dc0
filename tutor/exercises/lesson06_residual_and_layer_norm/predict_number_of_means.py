"""predict_number_of_means: how many means each norm takes off."""

from collections.abc import Mapping

import torch

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import say


def _count_case(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    B, T = torch.tensor([3, 5, 7])[rng.permutation(3)][:2].tolist()
    return {"yours": {"B": B, "T": T, "D": rng.choice([6, 8, 16])}}


predict_number_of_means = Exercise(
    "predict_number_of_means",
    points=1,
    reference=lambda B, T, D: [B * T, D, B * D, 2 * B, 0],
    cases=_count_case,
    question=lambda B, T, D: say(
        "x has the shape (batch {B}, time {T}, features {D}). How many means do layer norm, batch "
        "norm, instance norm, group norm with two groups of features, and RMSNorm take off? "
        "Answer with a list of five whole numbers, in this order.",
        B=B,
        T=T,
        D=D,
    ),
    mistakes=[
        Mistake(
            "means-layer-and-batch-exchanged",
            lambda B, T, D: [D, B * T, B * D, 2 * B, 0],
            "Your first two have changed places. Which of the two has a mean for each feature?",
        ),
        Mistake(
            "means-layer-per-sentence",
            lambda B, T, D: [B, D, B * D, 2 * B, 0],
            "One mean for each sentence would mix its words. What does layer norm normalise as a "
            "unit in a Transformer?",
        ),
        Mistake(
            "means-batch-per-position",
            lambda B, T, D: [B * T, T * D, B * D, 2 * B, 0],
            "Your batch norm has means of its own for each position. Over which two axes does it "
            "run?",
        ),
        Mistake(
            "means-instance-per-sentence",
            lambda B, T, D: [B * T, D, B, 2 * B, 0],
            "Your instance norm mixes the features. What is one instance: a sentence, or one "
            "feature of it?",
        ),
        Mistake(
            "means-instance-per-feature",
            lambda B, T, D: [B * T, D, D, 2 * B, 0],
            "Your instance norm mixes the sentences, as batch norm does. Which axis must it leave "
            "alone?",
        ),
        Mistake(
            "means-group-per-group",
            lambda B, T, D: [B * T, D, B * D, 2, 0],
            "Your groups are shared by all sentences. Does group norm ever leave its example?",
        ),
        Mistake(
            "means-group-per-token",
            lambda B, T, D: [B * T, D, B * D, 2 * B * T, 0],
            "Your groups belong to single tokens. Over which places does group norm run?",
        ),
        Mistake(
            "means-group-size",
            lambda B, T, D: [B * T, D, B * D, B * D // 2, 0],
            "Your groups hold two features each. How many groups are there?",
        ),
        Mistake(
            "means-rms-like-layer-norm",
            lambda B, T, D: [B * T, D, B * D, 2 * B, B * T],
            "RMSNorm has a size for each token. Does it take a mean off?",
        ),
        Mistake(
            "means-numbers-in-one",
            lambda B, T, D: [D, B * T, T, T * D // 2, D],
            "Those are how many numbers share one mean. How many such means are there?",
        ),
    ],
    hints=[
        "Of the axes B, T and D, which disappear when the mean is taken? The others are left.",
        "Groups cut the axis of features in two. Everything else is as in instance norm.",
    ],
)
