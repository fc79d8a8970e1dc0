"""Examining an answer: run it on every case, recognise known mistakes, choose what to say.

Feedback has three layers, and the first that finds something writes the headline: it did not
run or has the wrong form; a property is broken; the numbers differ.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from torch import Tensor

from tutor.checking.calls import Answer, FunctionAnswer, Outcome, same_outcome
from tutor.checking.exercise import Arguments, Exercise, Mistake, Property
from tutor.checking.failures import Failure
from tutor.checking.layers import (
    Finding,
    broken_property,
    broken_rule,
    differing_numbers,
    explained,
    wrong_form,
)
from tutor.checking.telling import told
from tutor.checking.trial import Key, Trial
from tutor.checking.values import Canonical, canonical
from tutor.checking.verdict import Status, Verdict
from tutor.say import say


def examine(exercise: Exercise, answer: Answer, seed: int = 0) -> Verdict:
    """Check an answer on the cases drawn from a seed and say what is right or wrong with it.

    Example:
        >>> double = Exercise("double", 1, lambda x: 2 * x, lambda seed: {"three": {"x": 3}})
        >>> examine(double, FunctionAnswer(lambda x: x + x)).status
        'right'
    """
    trial = _try(exercise, answer, seed)
    first = trial.first
    if first.failure and first.failure.kind == "open":
        return _verdict(trial, "open", Finding(told(first.failure)))
    mistake = recognise(trial, seed)
    if mistake and mistake.id == exercise.given:
        return _verdict(trial, "open", Finding(say("This is still the code as it was given.")))
    finding = wrong_form(trial) or broken_property(trial) or differing_numbers(trial)
    if finding is None:
        return _verdict(trial, "right", Finding(say("Right.")))
    return _verdict(trial, "wrong", finding, mistake)


def recognise(trial: Trial, seed: int) -> Mistake | None:
    """Find the known mistake that ends as the answer does on every case, if there is one."""
    if not any(outcome.failure is None for outcome in trial.outcomes.values()):
        return None  # whatever fails everywhere tells nothing about why
    known = mistake_outcomes(trial.exercise, seed)
    alike = [made for made, outcomes in known.items() if _same_outcomes(trial, outcomes)]
    if alike and not wrong_form(trial) and not differing_numbers(trial):
        # Every number is right, so only what is broken can tell.
        broken = broken_rule(trial)
        alike = [made for made in alike if _breaks(made, trial, broken)]
    return alike[0].mistake if alike else None


@dataclass(frozen=True)
class Made:
    """A known mistake and one of the ways of making it."""

    mistake: Mistake
    function: Callable[..., Any]


def _same_outcomes(trial: Trial, mistaken: Mapping[str, Outcome]) -> bool:
    return trial.outcomes.keys() == mistaken.keys() and all(
        same_outcome(trial.seen(name, mistaken[name]), trial.seen(name, outcome), trial.absolute)
        for name, outcome in trial.outcomes.items()
    )


def _breaks(made: Made, trial: Trial, broken: Property | None) -> bool:
    mistaken = replace(trial, answer=FunctionAnswer(made.function))
    return broken is not None and broken_rule(mistaken) is broken


@lru_cache(maxsize=256)
def mistake_outcomes(exercise: Exercise, seed: int) -> Mapping[Made, Mapping[str, Outcome]]:
    """Run every known mistake of an exercise on its cases: mistake -> case -> outcome."""
    answers = key(exercise, seed)
    return {
        Made(mistake, function): {
            name: _run(exercise, FunctionAnswer(function), arguments, answers.results[name])
            for name, arguments in answers.cases.items()
        }
        for mistake in exercise.mistakes
        for function in mistake.functions
    }


@lru_cache(maxsize=256)
def key(exercise: Exercise, seed: int) -> Key:
    """Give the cases drawn from a seed and the reference's results on them."""
    cases = exercise.cases(seed)
    results = {name: _reference(exercise, arguments) for name, arguments in cases.items()}
    return Key(cases, results)


def sure_calls(exercise: Exercise, seed: int) -> list[Arguments]:
    """List the calls that begin every examination, for those who can make them in one go."""
    cases = list(key(exercise, seed).cases.values())
    return [*cases, cases[0]]


def _reference(exercise: Exercise, arguments: Arguments) -> Canonical:
    return canonical(exercise.reference(*arguments.values()))


def _try(exercise: Exercise, answer: Answer, seed: int) -> Trial:
    """Run the answer on every case, and on the first once more; an interruption ends it."""
    answers = key(exercise, seed)
    outcomes: dict[str, Outcome] = {}
    for name, arguments in answers.cases.items():
        outcomes[name] = _run(exercise, answer, arguments, answers.results[name])
        if _ends_the_trial(outcomes[name].failure):
            return Trial(exercise, answer, answers, outcomes, outcomes[name])
    name, arguments = next(iter(answers.cases.items()))
    again = _run(exercise, answer, arguments, answers.results[name])
    return Trial(exercise, answer, answers, outcomes, again)


def _run(exercise: Exercise, answer: Answer, arguments: Arguments, result: Canonical) -> Outcome:
    outcome = answer.run(arguments)
    if exercise.kind == "predict" and outcome.failure is None:
        return replace(outcome, value=_floats_where_asked(outcome.value, result))
    return outcome


def _floats_where_asked(value: Canonical, expected: Canonical) -> Canonical:
    """Let a learner type 2 where the answer is 2.0."""
    if isinstance(value, Tensor) and isinstance(expected, Tensor):
        convert = expected.dtype.is_floating_point and not value.dtype.is_complex
        return value.to(expected.dtype) if convert else value
    if isinstance(value, tuple) and isinstance(expected, tuple) and len(value) == len(expected):
        return tuple(map(_floats_where_asked, value, expected))
    return value


def _ends_the_trial(failure: Failure | None) -> bool:
    return failure is not None and failure.kind in ("open", "interrupted")


def _verdict(
    trial: Trial, status: Status, finding: Finding, mistake: Mistake | None = None
) -> Verdict:
    most = trial.exercise.points
    return Verdict(
        exercise=trial.exercise.name,
        status=status,
        points={"right": most, "wrong": most / 2 if finding.half else 0, "open": 0}[status],
        max_points=most,
        headline=finding.headline,
        details=finding.details,
        arguments=finding.arguments,
        mistake=mistake.id if mistake else None,
        title=mistake.title if mistake else "",
        hint=mistake.hint if mistake else "",
        comparison=finding.comparison,
        notes=() if status == "open" else _notes(trial),
    )


def _notes(trial: Trial) -> tuple[str, ...]:
    """Say what the answer printed and which warnings it raised."""
    notes = []
    if trial.first.printed:
        start = trial.first.printed.strip().partition("\n")[0][:80]
        notes.append(
            say("Your function prints; on the first case it began with: {start}", start=start)
        )
    for text in trial.first.warned:
        notes += explained(text) or [say("A warning was raised: {text}", text=text)]
    return tuple(notes)
