"""Every exercise, every mistake: what must hold of each, without a word about any of them."""

import json
from itertools import combinations
from pathlib import Path

import pytest

from tutor.checking.calls import FunctionAnswer, ValueAnswer, same_outcome
from tutor.checking.examine import Made, examine, key, mistake_outcomes
from tutor.checking.exercise import Exercise
from tutor.checking.layers import broken_rule
from tutor.checking.trial import Trial, TrialCall
from tutor.checking.values import distance
from tutor.exercises import lessons

SEEDS = (0, 1, 2)
CONTRACT = json.loads((Path(__file__).parent / "contract.json").read_text())
EXERCISES = [exercise for lesson in lessons().values() for exercise in lesson]
MISTAKES = [
    (exercise, Made(mistake, function))
    for exercise in EXERCISES
    for mistake in exercise.mistakes
    for function in mistake.functions
]
PROPERTIES = [(exercise, rule) for exercise in EXERCISES for rule in exercise.properties]

of_each_exercise = pytest.mark.parametrize(
    "exercise", [pytest.param(exercise, id=exercise.name) for exercise in EXERCISES]
)
of_each_mistake = pytest.mark.parametrize(
    ("exercise", "made"),
    [pytest.param(e, made, id=f"{e.name}-{made.mistake.id}") for e, made in MISTAKES],
)


def answered(exercise: Exercise, function, seed: int):
    """Answer an exercise with a function; a prediction with its value on the drawn numbers."""
    if exercise.kind != "predict":
        return FunctionAnswer(function)
    (case,) = key(exercise, seed).cases.values()
    return ValueAnswer(function(*case.values()))


def signature(exercise: Exercise, made: Made, seed: int):
    """Give what an exercise compares of a mistake's outcomes, case by case."""
    outcomes = mistake_outcomes(exercise, seed)[made]
    trial = Trial(exercise, FunctionAnswer(made.function), key(exercise, seed), outcomes, None)
    return {name: trial.seen(name, outcome) for name, outcome in outcomes.items()}


def alike(exercise: Exercise, one: Made, other: Made, seed: int) -> bool:
    """Say whether two mistakes end alike on every case."""
    first, second = signature(exercise, one, seed), signature(exercise, other, seed)
    return all(same_outcome(first[name], second[name], exercise.absolute) for name in first)


def breaks_a_property(exercise: Exercise, made: Made) -> bool:
    """Say whether a mistake can be known by a property it breaks, its numbers being right."""
    answer = FunctionAnswer(made.function)
    return broken_rule(Trial(exercise, answer, key(exercise, 0), {}, None)) is not None


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
@pytest.mark.parametrize("seed", SEEDS)
def test_reference_is_right(exercise, seed):
    verdict = examine(exercise, answered(exercise, exercise.reference, seed), seed)
    assert verdict.status == "right", verdict
    assert verdict.points == exercise.points


@of_each_exercise
def test_hints_lead_on(exercise):
    assert exercise.hints
    assert len({mistake.id for mistake in exercise.mistakes}) == len(exercise.mistakes)


@of_each_mistake
@pytest.mark.parametrize("seed", SEEDS)
def test_mistake_is_rejected_and_recognised(exercise, made, seed):
    verdict = examine(exercise, answered(exercise, made.function, seed), seed)
    assert verdict.status == ("open" if is_as_given(exercise, made, seed) else "wrong")
    assert verdict.points < exercise.points
    if verdict.status == "wrong":
        assert verdict.mistake is not None
        found = next(known for known in exercise.mistakes if known.id == verdict.mistake)
        ways = [Made(found, function) for function in found.functions]
        assert found is made.mistake or any(alike(exercise, way, made, seed) for way in ways)


def is_as_given(exercise: Exercise, made: Made, seed: int) -> bool:
    """Say whether an answer does what the code handed out for mending does."""
    given = [known for known in exercise.mistakes if known.id == exercise.given]
    ways = [Made(known, function) for known in given for function in known.functions]
    return any(alike(exercise, way, made, seed) for way in ways)


@of_each_mistake
def test_mistake_is_far_from_right(exercise, made):
    """In some case it misses by a hundred tolerances, so that no rounding hides it."""
    expected = Trial(exercise, FunctionAnswer(exercise.reference), key(exercise, 0), {}, None)
    gaps = [
        float("inf")
        if outcome.failure
        else distance(expected.expected(name), outcome.value, exercise.absolute)
        for name, outcome in signature(exercise, made, 0).items()
    ]
    needed = 2 if exercise.kind == "predict" else 100  # predictions allow for rounding by hand
    assert max(gaps) > needed or (max(gaps) <= 1 and breaks_a_property(exercise, made))


@pytest.mark.parametrize(
    "exercise", [pytest.param(e, id=e.name) for e in EXERCISES if e.kind == "predict"]
)
def test_every_learner_gets_numbers_that_expose_the_slips(exercise):
    for seed in range(100):
        for mistake in exercise.mistakes:
            for function in mistake.functions:
                verdict = examine(exercise, answered(exercise, function, seed), seed)
                assert verdict.status == "wrong", (seed, mistake.id)


@of_each_exercise
def test_mistakes_are_told_apart(exercise):
    """Two mistakes share a hint exactly where they give the same numbers."""
    ways = [made for owner, made in MISTAKES if owner is exercise]
    for one, other in combinations(ways, 2):
        same_numbers = all(alike(exercise, one, other, seed) for seed in SEEDS)
        if same_numbers:
            assert one.mistake.hint == other.mistake.hint, (one.mistake.id, other.mistake.id)


@of_each_exercise
def test_hints_of_mistakes_ask_one_question(exercise):
    for mistake in exercise.mistakes:
        assert mistake.hint.count("?") == 1, mistake.hint
        assert len(mistake.hint) <= 240, mistake.hint


@pytest.mark.parametrize(
    ("exercise", "rule"), [pytest.param(e, r, id=f"{e.name}-{r.name}") for e, r in PROPERTIES]
)
def test_property_can_break(exercise, rule):
    """A property that no known mistake breaks would say nothing."""
    sentences = []
    for mistake in exercise.mistakes:
        answer = FunctionAnswer(mistake.function)
        trial = Trial(exercise, answer, key(exercise, 0), {}, None)
        try:
            sentences.append(rule.broken(TrialCall(trial)))
        except Exception:  # a mistake can fail on the small case, too
            continue
    assert any(sentences)


@of_each_exercise
def test_unwritten_answer_is_open(exercise):
    def later(*arguments):
        raise NotImplementedError

    answer = ValueAnswer(...) if exercise.kind == "predict" else FunctionAnswer(later)
    verdict = examine(exercise, answer)
    assert (verdict.status, verdict.points) == ("open", 0)
