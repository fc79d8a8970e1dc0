"""Every exercise, every mistake: what must hold of each, without a word about any of them.

A mistake is a subtest of its exercise's test, which costs a third of a test; and the tests of one
exercise run in one process, which works its cases and its mistakes' outcomes out once.
"""

import json
from functools import cache
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import pytest

from tests.tiers import every_quick, first_quick
from tutor.checking.broken_properties import broken_rule
from tutor.checking.calls import FunctionAnswer, ValueAnswer, same_outcome
from tutor.checking.examine import examine, key, mistake_outcome
from tutor.checking.exercise import Exercise, Mistake, Property
from tutor.checking.matching import Made
from tutor.checking.tolerance import distance
from tutor.checking.trial import Trial, TrialCall
from tutor.checking.values import parts
from tutor.exercises import lessons

SEEDS = (0, 1, 2)
SEEDS_AND_STEPS = [pytest.param(0, 4), *(pytest.param(seed, 1) for seed in SEEDS)]
CONTRACT = json.loads((Path(__file__).parent / "contract.json").read_text())
EXERCISES = [exercise for lesson in lessons().values() for exercise in lesson]
NEEDS_A_CALCULATOR = ("predict_left", "predict_rotary_score")  # a power, a cosine


def of_each(exercises: list[Exercise]) -> pytest.MarkDecorator:
    """Run a test for each of these exercises, those of one exercise in one process."""
    return pytest.mark.parametrize("exercise", named(exercises))


def named(exercises: list[Exercise]) -> list[Any]:
    """Give exercises as parameters of a test."""
    return [pytest.param(e, id=e.name, marks=pytest.mark.xdist_group(e.name)) for e in exercises]


of_each_exercise = of_each(EXERCISES)


def ways(exercise: Exercise) -> dict[str, Made]:
    """Give every way of making a known mistake, by a name to report it by."""
    return {
        f"{mistake.id}, way {number}": Made(mistake, function)
        for mistake in exercise.mistakes
        for number, function in enumerate(mistake.functions, start=1)
    }


def answered(exercise: Exercise, function, seed: int):
    """Answer an exercise with a function; a prediction with its value on the drawn numbers."""
    if exercise.kind != "predict":
        return FunctionAnswer(function)
    (case,) = key(exercise, seed).cases.values()
    return ValueAnswer(function(*case.values()))


@cache
def signature(exercise: Exercise, made: Made, seed: int):
    """Give what an exercise compares of a mistake's outcomes, case by case."""
    cases = key(exercise, seed).cases
    outcomes = {case: mistake_outcome(exercise, seed, made, case) for case in cases}
    trial = Trial(exercise, FunctionAnswer(made.function), key(exercise, seed), outcomes)
    return {name: trial.seen(name, outcome) for name, outcome in outcomes.items()}


def alike(exercise: Exercise, one: Made, other: Made, seed: int) -> bool:
    """Say whether two mistakes end alike on every case."""
    first, second = signature(exercise, one, seed), signature(exercise, other, seed)
    return all(same_outcome(first[name], second[name], exercise.absolute) for name in first)


def breaks_a_property(exercise: Exercise, made: Made) -> bool:
    """Say whether a mistake can be known by a property it breaks, its numbers being right."""
    answer = FunctionAnswer(made.function)
    return broken_rule(Trial(exercise, answer, key(exercise, 0), {})) is not None


def test_names_are_unique():
    names = [exercise.name for exercise in EXERCISES]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("lesson", lessons())
def test_lesson_keeps_the_contract(lesson):
    """Names, points, arguments and listed mistakes are those other suites rely on."""
    here = {exercise.name: exercise for exercise in lessons()[lesson]}
    for name, promised in CONTRACT[lesson].items():
        exercise = here[name]
        arguments = next(iter(key(exercise, 0).cases.values()))
        assert list(arguments) == promised["arguments"], name
        assert exercise.points == promised["points"], name
        assert set(promised["mistakes"]) <= {mistake.id for mistake in exercise.mistakes}, name


@pytest.mark.parametrize("lesson", lessons())
def test_lesson_has_two_predictions_and_a_mending(lesson):
    kinds = [exercise.kind for exercise in lessons()[lesson]]
    assert kinds.count("predict") >= 2
    assert kinds.count("mend") >= 1


@of_each_exercise
@pytest.mark.parametrize("seed", first_quick(SEEDS))
def test_reference_is_right(exercise, seed):
    verdict = examine(exercise, answered(exercise, exercise.reference, seed), seed)
    assert verdict.status == "right", verdict
    assert verdict.points == exercise.points


@of_each_exercise
def test_hints_lead_on(exercise):
    assert exercise.hints
    assert len({mistake.id for mistake in exercise.mistakes}) == len(exercise.mistakes)
    assert len({mistake.title for mistake in exercise.mistakes}) == len(exercise.mistakes)


@of_each_exercise
@pytest.mark.parametrize(("seed", "step"), first_quick(SEEDS_AND_STEPS))
def test_mistakes_are_rejected_and_recognised(exercise, seed, step, subtests: pytest.Subtests):
    """Of every `step` mistakes one is tried."""
    for name, made in islice(ways(exercise).items(), None, None, step):
        with subtests.test(mistake=name):
            verdict = examine(exercise, answered(exercise, made.function, seed), seed)
            assert verdict.status == ("open" if is_as_given(exercise, made, seed) else "wrong")
            assert verdict.points < exercise.points
            if verdict.status == "wrong":
                assert is_or_equals(verdict.mistake, exercise, made, seed)


def is_or_equals(found: str | None, exercise: Exercise, made: Made, seed: int) -> bool:
    """Say whether the mistake that was found is this one, or has the same numbers."""
    same_id = [way for way in ways(exercise).values() if way.mistake.id == found]
    return found == made.mistake.id or any(alike(exercise, way, made, seed) for way in same_id)


def is_as_given(exercise: Exercise, made: Made, seed: int) -> bool:
    """Say whether an answer does what the code handed out for mending does."""
    given = [way for way in ways(exercise).values() if way.mistake.id == exercise.given]
    return any(alike(exercise, way, made, seed) for way in given)


@pytest.mark.parametrize("exercise", every_quick(named(EXERCISES), 6))
def test_mistakes_are_far_from_right(exercise, subtests: pytest.Subtests):
    """In some case it misses by a hundred tolerances, so that no rounding hides it."""
    for name, made in ways(exercise).items():
        with subtests.test(mistake=name):
            far = tolerances_from_right(exercise, made)
            needed = 2 if exercise.kind == "predict" else 100  # they allow for rounding by hand
            assert far > needed or (far <= 1 and breaks_a_property(exercise, made))


def tolerances_from_right(exercise: Exercise, made: Made) -> float:
    """Give the largest distance of a mistake's results from the right ones, in any case."""
    expected = Trial(exercise, FunctionAnswer(exercise.reference), key(exercise, 0), {})
    return max(
        float("inf")
        if outcome.failure
        else distance(expected.expected(name), outcome.value, exercise.absolute)
        for name, outcome in signature(exercise, made, 0).items()
    )


@of_each([exercise for exercise in EXERCISES if exercise.kind == "predict"])
@pytest.mark.parametrize("seeds", first_quick([range(8), range(8, 100)]), ids=str)
def test_every_learner_gets_numbers_that_expose_the_slips(exercise, seeds):
    for seed in seeds:
        for mistake in exercise.mistakes:
            for function in mistake.functions:
                verdict = examine(exercise, answered(exercise, function, seed), seed)
                assert verdict.status == "wrong", (seed, mistake.id)


@of_each([e for e in EXERCISES if e.kind == "predict" and e.name not in NEEDS_A_CALCULATOR])
def test_a_prediction_comes_out_even(exercise):
    """Whatever a learner's numbers are, the answer is one of at most two decimals."""
    for seed in range(20):
        for answer in key(exercise, seed).results.values():
            for _, numbers in parts(answer):
                hundred = numbers.double() * 100
                assert (hundred - hundred.round()).abs().max() < 1e-3, (seed, numbers)


@of_each_exercise
def test_mistakes_are_told_apart(exercise):
    """Two mistakes share a hint exactly where they give the same numbers."""
    for one, other in combinations(ways(exercise).values(), 2):
        same_numbers = all(alike(exercise, one, other, seed) for seed in SEEDS)
        if same_numbers:
            assert one.mistake.hint == other.mistake.hint, (one.mistake.id, other.mistake.id)


@of_each_exercise
def test_hints_of_mistakes_ask_one_question(exercise):
    for mistake in exercise.mistakes:
        assert mistake.hint.count("?") == 1, mistake.hint
        assert len(mistake.hint) <= 240, mistake.hint


@of_each_exercise
def test_properties_can_break(exercise, subtests: pytest.Subtests):
    """A property that no known mistake breaks would say nothing."""
    for rule in exercise.properties:
        with subtests.test(property=rule.name):
            assert any(breaks(mistake, rule, exercise) for mistake in exercise.mistakes)


def breaks(mistake: Mistake, rule: Property, exercise: Exercise) -> bool:
    trial = Trial(exercise, FunctionAnswer(mistake.function), key(exercise, 0), {})
    try:
        return bool(rule.broken(TrialCall(trial)))
    except Exception:  # a mistake can fail on the small case, too
        return False


@of_each_exercise
def test_unwritten_answer_is_open(exercise):
    def later(*arguments):
        raise NotImplementedError

    answer = ValueAnswer(...) if exercise.kind == "predict" else FunctionAnswer(later)
    verdict = examine(exercise, answer)
    assert (verdict.status, verdict.points) == ("open", 0)
