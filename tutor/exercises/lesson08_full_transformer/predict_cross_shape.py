"""predict_cross_shape: the axes of the cross-attention's weights."""

from collections.abc import Mapping

import torch

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import say


def _sizes_case(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    source, target, batch = (torch.tensor([3, 5, 7, 9])[rng.permutation(4)][:3]).tolist()
    return {"yours": {"B": batch, "h": rng.choice([2, 4, 8]), "source": source, "target": target}}


predict_cross_shape = Exercise(
    "predict_cross_shape",
    points=1,
    reference=lambda B, h, source, target: [B, h, target, source],
    cases=_sizes_case,
    question=lambda B, h, source, target: say(
        "In a training step the encoder reads {B} sentences of {source} tokens each, eos "
        "included, and the decoder reads {target} tokens for each, bos included. There are {h} "
        "heads. What shape have the weights of a cross-attention? Answer with a list of numbers.",
        B=B,
        source=source,
        target=target,
        h=h,
    ),
    mistakes=[
        Mistake(
            "cross-shape-turned",
            lambda B, h, source, target: [B, h, source, target],
            "Your rows belong to source words. Who asks in cross-attention?",
        ),
        Mistake(
            "cross-shape-of-self",
            lambda B, h, source, target: [B, h, target, target],
            "That is the decoder's self-attention. What does cross-attention look at?",
        ),
        Mistake(
            "cross-shape-of-encoder",
            lambda B, h, source, target: [B, h, source, source],
            "That is the encoder's self-attention. Who asks in cross-attention?",
        ),
        Mistake(
            "cross-shape-no-heads",
            lambda B, h, source, target: [B, target, source],
            "That is one head. How many tables of weights are there?",
        ),
        Mistake(
            "cross-shape-one-step",
            lambda B, h, source, target: [B, h, 1, source],
            "That is one step of decoding. How many places are trained in one pass?",
        ),
        Mistake(
            "cross-shape-heads-first",
            lambda B, h, source, target: [h, B, target, source],
            "The four numbers are right. In which order do sentences and heads come?",
        ),
    ],
    hints=["A row for each query, a column for each key: which words are which?"],
)
