"""A trial: an exercise, an answer, and what came of it on every case."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tutor.checking.calls import Answer, Outcome
from tutor.checking.exercise import Arguments, CallError, Exercise
from tutor.checking.values import Canonical, canonical, structure


@dataclass(frozen=True)
class Key:
    """The cases drawn from one seed and the reference's result on each."""

    cases: Mapping[str, Arguments]
    results: Mapping[str, Canonical]


@dataclass(frozen=True)
class Trial:
    """What came of an answer.

    Attributes:
        exercise: what was asked.
        answer: what was tried.
        key: cases and right results.
        outcomes: case -> outcome, up to an interruption.
        again: the outcome of the first case tried once more at the end.
    """

    exercise: Exercise
    answer: Answer
    key: Key
    outcomes: Mapping[str, Outcome]
    again: Outcome

    @property
    def first(self) -> Outcome:
        """The outcome of the first case."""
        return next(iter(self.outcomes.values()))

    @property
    def absolute(self) -> float | None:
        """The exercise's absolute tolerance, if it has one."""
        return self.exercise.absolute

    def seen(self, case: str, outcome: Outcome) -> Outcome:
        """Replace a result of the right form by what the exercise compares of it."""
        result = self.key.results[case]
        if outcome.failure or structure(outcome.value) != structure(result):
            return outcome
        viewed = self.exercise.view(outcome.value, self.key.cases[case])
        return replace(outcome, value=canonical(viewed))

    def expected(self, case: str) -> Canonical:
        """Give what the exercise compares of the right result."""
        return self.seen(case, Outcome(self.key.results[case])).value


class TrialCall:
    """Calls the answer for a property: by position, giving canonical results."""

    def __init__(self, trial: Trial) -> None:
        self._answer = trial.answer
        self._names = list(next(iter(trial.key.cases.values())))

    def __call__(self, *arguments: Any) -> Canonical:
        """Give the result of the call."""
        return self._value(arguments, gradients=False)

    def gradients(self, *arguments: Any) -> Canonical:
        """Give the gradients of the summed result."""
        return self._value(arguments, gradients=True)

    def _value(self, arguments: tuple[Any, ...], gradients: bool) -> Canonical:
        named = dict(zip(self._names, arguments, strict=True))
        outcome = self._answer.run(named, gradients)
        if outcome.failure:
            raise CallError(outcome.failure)
        return outcome.value
