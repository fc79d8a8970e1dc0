"""smooth_labels: a little of each label's certainty is spread over the other words."""

from collections.abc import Mapping

import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Call, Exercise, Property
from tutor.checking.seeds import EXAMPLE, Rng
from tutor.exercises.lesson09_output_softmax.smooth_labels_mistakes import MISTAKES
from tutor.loss import smooth_labels as smooth
from tutor.say import say


def _smoothing_cases(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)

    def case(labels: list[int], vocabulary: int, epsilon: float, pad_id: int) -> Arguments:
        order = rng.permutation(len(labels))
        return {
            "labels": torch.tensor(labels)[order],
            "vocabulary": vocabulary,
            "epsilon": epsilon,
            "pad_id": pad_id,
        }

    return {
        "with padding": case([4, 0, 2, 6, 1, 2], 7, 0.3, 2),
        "no padding": case([3, 0, 1], 6, 0.2, 5),
        "padding is 0": case([3, 0, 1, 2], 5, 0.1, 0),
        "square": case([1, 0, 3, 2], 4, 0.4, 1),
        "one label": case([2], 5, 0.25, 3),
        "only padding": case([1, 1], 4, 0.2, 1),
        "nothing is spread": case([2, 0, 1], 5, 0.0, 1),
        "nearly all is spread": case([0, 2, 3, 1], 6, 0.95, 3),
        "three words": case([2, 1, 0, 2], 3, 0.1, 1),
        "padding is the last id": case([0, 4, 2, 1], 5, 0.3, 4),
        "any labels": case(rng.integers(0, 8, 7).tolist(), 9, 0.15, rng.number(0, 8)),
        EXAMPLE: {
            "labels": torch.tensor([1, 0]),
            "vocabulary": 4,
            "epsilon": 0.1,
            "pad_id": 0,
        },
    }


def _gives(call: Call) -> Tensor:
    return call(torch.tensor([3, 1]), 5, 0.3, 1)


def _real_rows_sum_to_one(call: Call) -> str | None:
    total = _gives(call)[0].sum().item()
    if abs(total - 1) < 1e-3:
        return None
    return say(
        "With V = 5 and ε = 0.3, the row of a real label sums to {total:.3f} in yours.",
        total=total,
    )


def _padding_gets_nothing(call: Call) -> str | None:
    found = _gives(call)
    if found[0, 1].abs() < 1e-4 and found[1].abs().sum() < 1e-4:
        return None
    return say(
        "Padding is word 1 of 5. As a word it should get nothing, and as a label it "
        "should give nothing; you have {column:.3f} in its column and {row:.3f} in its "
        "row.",
        column=found[0, 1].item(),
        row=found[1].sum().item(),
    )


smooth_labels = Exercise(
    "smooth_labels",
    points=3,
    reference=smooth,
    cases=_smoothing_cases,
    returns=("targets",),
    shapes={"labels": "N", "vocabulary": "V", "targets": "N V"},
    smallest={"V": 3},
    exact_dtype=True,
    promises={
        "epsilon is 0": lambda labels, V, epsilon, pad_id: epsilon == 0,
        "epsilon nearly 1": lambda labels, V, epsilon, pad_id: epsilon > 0.9,
        "no padding": lambda labels, V, epsilon, pad_id: bool((labels != pad_id).all()),
        "only padding": lambda labels, V, epsilon, pad_id: bool((labels == pad_id).all()),
        "padding is 0": lambda labels, V, epsilon, pad_id: pad_id == 0,
        "padding is the last id": lambda labels, V, epsilon, pad_id: pad_id == V - 1,
        "a label comes twice": lambda labels, *_: len(labels.unique()) < len(labels),
    },
    properties=[
        Property("Padding neither gets nor gives.", _padding_gets_nothing),
        Property("Each row of a real label sums to 1.", _real_rows_sum_to_one),
    ],
    mistakes=MISTAKES,
    hints=[
        "Start with every word at the share of ε it gets, then set the labels. scatter_, or "
        "indexing with the row numbers, puts a value at each row's own place.",
        "Two words of each row get nothing of ε: the label, which has its own number, and "
        "padding. How many are left?",
        "Last of all come the rows whose label is padding.",
    ],
)
