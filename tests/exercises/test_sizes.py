"""The sizes of a case tell its axes apart: a number in a message can mean one of them only."""

from itertools import combinations

import pytest
import torch
from torch import Tensor

from tutor.checking.exercise import Arguments, Exercise
from tutor.checking.leaves import leaves
from tutor.checking.sizes import sizes
from tutor.exercises import find, lessons

TENSORS = [
    exercise
    for lesson in lessons().values()
    for exercise in lesson
    if exercise.kind != "predict"
    and any(
        isinstance(leaf.value, Tensor) for leaf in leaves(next(iter(exercise.cases(0).values())))
    )
]


def large(exercise: Exercise, case: Arguments) -> dict[str, int]:
    """Give the sizes above 1 of a case by name; of 1 there may be several."""
    known = sizes(exercise.shapes, case)
    return {axis: size for axis, size in known.items() if axis != "…" and size > 1}


def equals(known: dict[str, int]) -> list[tuple[str, str]]:
    """Name axes of one size."""
    return [pair for pair in combinations(known, 2) if known[pair[0]] == known[pair[1]]]


def products(known: dict[str, int]) -> list[tuple[str, str, str]]:
    """Name two axes, and a third one that is as long as their product."""
    return [
        (one, other, third)
        for one, other in combinations(known, 2)
        for third in known
        if third not in (one, other) and known[one] * known[other] == known[third]
    ]


of_each = pytest.mark.parametrize("exercise", [pytest.param(e, id=e.name) for e in TENSORS])


@of_each
def test_sizes_of_the_first_case_differ(exercise: Exercise):
    """Most messages are about it."""
    assert equals(large(exercise, next(iter(exercise.cases(0).values())))) == []


@of_each
@pytest.mark.parametrize("seed", [0, 20_260])
def test_no_size_is_the_product_of_others(exercise: Exercise, seed: int):
    """Where sizes are equal on purpose, products may be too."""
    for name, case in exercise.cases(seed).items():
        known = large(exercise, case)
        assert equals(known) or not products(known), name


def test_a_product_is_noticed():
    known = large(
        find("folded_attention"), {"q": torch.zeros(2, 3, 4, 5), "keep": torch.zeros(2, 6)}
    )
    assert products(known) == [("B", "h", "Tk")]
