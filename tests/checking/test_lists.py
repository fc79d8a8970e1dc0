"""Results that are lists: which entry is wrong, and never how long the right one is."""

import pytest
import torch

from tests.tiers import first_quick
from tutor.checking.calls import FunctionAnswer, ValueAnswer
from tutor.checking.examine import examine, key
from tutor.checking.exercise import Exercise
from tutor.exercises import lessons

EXERCISES = [exercise for lesson in lessons().values() for exercise in lesson]


def neighbours(ids, window):
    places = range(len(ids))
    return [[ids[c], ids[o]] for c in places for o in places if 0 < abs(c - o) <= window]


def first_place_of_each(ids, window):
    """Look a word's place up by the word, which finds the first."""
    return [
        [word, ids[o]]
        for word in ids
        for o in range(len(ids))
        if 0 < abs(ids.index(word) - o) <= window
    ]


pairs = Exercise(
    "pairs",
    1,
    neighbours,
    lambda seed: {"twice": {"ids": [4, 13, 7, 13, 2], "window": 1}},
    returns=("pairs",),
)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (first_place_of_each, "the pair [13, 4] stands in yours more often than it should"),
        (lambda ids, window: neighbours(ids, window)[:-1], "the pair [2, 13] is missing"),
        (lambda ids, window: [*neighbours(ids, window), [2, 2]], "the pair [2, 2], at place 8"),
        (lambda ids, window: neighbours(ids, window)[::-1], "in another order"),
    ],
)
def test_the_pair_is_named(function, words):
    verdict = examine(pairs, FunctionAnswer(function))
    assert verdict.headline == "Your list is not the right one."
    assert words in verdict.details[0], verdict


def test_a_tensor_is_no_list_and_the_length_is_not_told():
    verdict = examine(pairs, FunctionAnswer(lambda *given: torch.tensor(neighbours(*given))))
    assert verdict.headline == "Its result has the wrong form."
    assert "What is asked for is [[int, int], …]." in verdict.details


counted = Exercise(
    "counted", 1, lambda n: list(range(n)), lambda seed: {"four": {"n": 4}}, returns=("numbers",)
)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda n: list(range(n - 1)), "ends too early, before place 3"),
        (lambda n: list(range(n + 1)), "at place 4 (counted from 0) it goes on with 4"),
        (lambda n: [*range(n - 2), n + 1], "right before place 2 (counted from 0); there it has 5"),
    ],
)
def test_the_place_is_named(function, words):
    verdict = examine(counted, FunctionAnswer(function))
    assert words in verdict.details[0], verdict


@pytest.mark.parametrize(
    "exercise",
    first_quick(
        [pytest.param(e, id=e.name) for e in EXERCISES if e.kind != "predict" and key(e, 0).lists]
    ),
)
def test_no_list_is_shown_as_tensors(exercise):
    for mistake in exercise.mistakes:
        verdict = examine(exercise, FunctionAnswer(mistake.function))
        told = [verdict.headline, *verdict.details]
        asked = [line for line in told if line.startswith("What is asked for is")]
        assert not any("× int64" in line for line in asked), verdict
        if verdict.arguments:
            assert "(int64 (" not in verdict.arguments.sentence


def predicted(value, right):
    exercise = Exercise(
        "predict_it", 1, lambda x: right, lambda seed: {"one": {"x": 1}},
        question=lambda x: "", absolute=0.0015,
    )  # fmt: skip
    return examine(exercise, ValueAnswer(value))


def test_which_of_several_predicted_numbers_is_wrong_is_said():
    verdict = predicted([0.1, 0.5, 0.3, 0.4], [0.1, 0.2, 0.3, 0.4])
    assert verdict.details == (
        "One number of yours is wrong, and the others are right: number 2, counted from 1.",
    )
    assert "numbers 1, 4" in predicted([9, 0.2, 0.3, 9], [0.1, 0.2, 0.3, 0.4]).details[0]
    assert predicted([5.0, 6.0], [1.0, 2.0]).details == ()


def test_predicted_numbers_in_another_order_are_seen():
    assert predicted([4, 3, 1, 0], [0, 1, 3, 4]).details == (
        "Your numbers are the right ones, in the wrong places.",
    )


def test_a_list_of_another_length_is_no_other_form():
    """How many there are may be the answer: "which places" asks for a list, of any length."""
    verdict = predicted([0, 1], [0, 1, 3])
    assert (verdict.headline, verdict.details) == (
        "This is not the answer.",
        ("Your list has length 2; that is not right.",),
    )


def test_a_missing_decimal_is_seen():
    assert predicted(0.75, 0.748).details == (
        "0.75 is right as far as it goes. How many decimals are asked for?",
    )
    assert predicted(0.76, 0.748).details == ()
    assert predicted([0.5, 0.75], [0.5, 0.748]).details[1].startswith("0.75 is right")


def test_a_whole_number_may_be_typed_with_a_point():
    assert predicted(2.0, 2).status == "right"
    assert predicted([2.0, 3.0], [2, 3]).status == "right"
    assert predicted(2.5, 2).status == "wrong"
