"""The three layers of feedback, on an exercise small enough to see through."""

from dataclasses import replace

import pytest
import torch

from tutor.checking.calls import FunctionAnswer
from tutor.checking.examine import examine
from tutor.checking.exercise import Exercise, Mistake, Property
from tutor.checking.seeds import Rng, seed_of


def _keeps_zero(call):
    return None if call(torch.zeros(1, 1)).abs().max() == 0 else "Zero became something else."


def _cases(seed):
    rng = Rng(seed)
    return {"wide": {"x": rng.normal(2, 3)}, "long": {"x": rng.normal(4, 1)}}


def _fails_at_zero(x):
    return 2 * x / (x.abs() > 0) if (x != 0).any() else x + 1


double = Exercise(
    "double",
    points=4,
    reference=lambda x: 2 * x,
    cases=_cases,
    returns=("twice",),
    properties=[Property("Zero stays zero.", _keeps_zero)],
    mistakes=[
        Mistake("double-squared", lambda x: x**2, "What is 3 doubled?"),
        Mistake("double-summed", lambda x: 2 * x.sum(-1), "Where did an axis go?"),
        Mistake("double-fails-at-zero", _fails_at_zero, "Which number is special?"),
        Mistake("double-crash", lambda x: 2 * x if x.size(1) == 3 else x / [], "Why there?"),
    ],
)


def judged(function):
    return examine(double, FunctionAnswer(function))


def test_right_answer():
    verdict = judged(lambda x: x + x)
    assert (verdict.status, verdict.points, verdict.max_points) == ("right", 4, 4)
    assert verdict.mistake is None


def test_known_mistake_is_named_beside_the_numbers():
    verdict = judged(lambda x: x * x)
    assert (verdict.status, verdict.points) == ("wrong", 0)
    assert (verdict.mistake, verdict.title) == ("double-squared", "squared")
    assert verdict.hint == "What is 3 doubled?"
    assert verdict.comparison.part == "twice"
    x = _cases(0)["wide"]["x"]
    torch.testing.assert_close(torch.tensor(verdict.comparison.expected), 2 * x[0])
    torch.testing.assert_close(torch.tensor(verdict.comparison.given), x[0] ** 2)


def test_known_mistake_is_found_under_a_wrong_shape():
    verdict = judged(lambda x: x.sum(-1) * 2)
    assert verdict.headline == "Its result has the wrong form."
    assert verdict.mistake == "double-summed"
    assert any("(2,)" in line for line in verdict.details)


def test_known_mistake_is_found_where_it_only_sometimes_fails():
    verdict = judged(lambda x: x + x if x.shape == (2, 3) else None)
    assert verdict.mistake == "double-crash"


def test_unknown_mistake_shows_the_first_differing_cell():
    verdict = judged(lambda x: 2 * x + torch.tensor([0, 0, 0.1]) * x if x.size(1) == 3 else 2 * x)
    assert verdict.mistake is None
    assert verdict.comparison.index == (0, 2)


def test_what_fails_everywhere_is_no_known_mistake():
    verdict = judged(lambda x: undefined_name)  # noqa: F821
    assert verdict.mistake is None
    assert verdict.headline == "It stopped with an error."


def test_right_numbers_are_known_by_the_property_they_break():
    verdict = judged(lambda x: x + x if x.any() else x - 1)
    assert verdict.mistake == "double-fails-at-zero"
    assert judged(lambda x: x + x).mistake is None


def test_broken_property_comes_before_numbers():
    verdict = judged(lambda x: 2 * x + 1)
    assert verdict.headline == "This does not hold: Zero stays zero."
    assert verdict.details == ("Zero became something else.",)


def test_changed_argument_costs_half():
    verdict = judged(lambda x: x.mul_(2))
    assert verdict.headline == "It changes its argument x in place."
    assert (verdict.status, verdict.points) == ("wrong", 2)


def test_changed_argument_and_wrong_numbers_cost_all():
    assert judged(lambda x: x.mul_(3)).points == 0


TWO = Exercise(
    "both",
    4,
    lambda x: (x + 1, 3 * x),
    lambda seed: {"ones": {"x": torch.ones(2)}, "some": {"x": torch.arange(2.0)}},
    returns=("more", "thrice"),
)


@pytest.mark.parametrize(
    ("function", "points"),
    [
        (lambda x: (x + 1, x), 2),
        (lambda x: (x, 3 * x), 2),
        (lambda x: (x + 1, 2 * x + 1), 2),  # right in one case of two is not right
        (lambda x: (x, 2 * x + 1), 0),
        (lambda x: (3 * x, x + 1), 0),
        (lambda x: x + 1, 0),
        (lambda x: (x + 1, 3 * x, x), 0),
        (lambda x: (x + 1, torch.rand(2)), 0),  # what depends on chance earns nothing
    ],
)
def test_a_right_part_of_the_results_earns_half(function, points):
    verdict = examine(TWO, FunctionAnswer(function))
    assert (verdict.status, verdict.points) == ("wrong", points)
    assert any("earns half the points" in note for note in verdict.notes) is (points > 0)


def test_an_argument_handed_back_earns_nothing():
    same = replace(TWO, reference=lambda x: (x, 3 * x))
    assert examine(same, FunctionAnswer(lambda x: (x, x))).points == 0
    assert examine(replace(TWO, points=1), FunctionAnswer(lambda x: (x + 1, x))).points == 0


def test_chance_is_noticed():
    verdict = judged(lambda x: 2 * x + torch.rand(1))
    assert verdict.headline.startswith("Called twice")


def test_function_that_works_only_once():
    calls = []

    def once(x):
        calls.append(x)
        if len(calls) > 1:
            raise StopIteration
        return 2 * x

    assert judged(once).headline == "It worked the first time and not again."


def test_interruption_ends_the_trial():
    calls = []

    def stopped(x):
        calls.append(x)
        raise KeyboardInterrupt

    assert judged(stopped).headline == "It was stopped before it came to an end."
    assert len(calls) == 1


def test_code_as_given_is_open():
    mend = Exercise(
        "mend_double", 1, double.reference, _cases, mistakes=double.mistakes, given="double-squared"
    )
    assert examine(mend, FunctionAnswer(lambda x: x**2)).status == "open"
    assert examine(mend, FunctionAnswer(lambda x: x.sum(-1) * 2)).status == "wrong"
    assert examine(mend, FunctionAnswer(lambda x: x * 2)).status == "right"


def test_several_right_results_are_compared_by_what_they_do():
    turned = Exercise(
        "root", 1, lambda x: x.sqrt(), lambda seed: {"one": {"x": torch.tensor([4.0])}},
        view=lambda root, given: root**2,
    )  # fmt: skip
    assert examine(turned, FunctionAnswer(lambda x: -x.sqrt())).status == "right"
    assert examine(turned, FunctionAnswer(lambda x: x)).status == "wrong"


def test_printing_is_a_note_and_costs_nothing():
    def prints(x):
        print("hello")
        return 2 * x

    verdict = judged(prints)
    assert verdict.status == "right"
    assert "hello" in verdict.notes[0]


def test_seeds_differ_by_learner_class_and_exercise():
    seeds = {
        seed_of(*who) for who in [("", "a", "x"), ("", "b", "x"), ("s", "a", "x"), ("", "a", "y")]
    }
    assert len(seeds) == 4
