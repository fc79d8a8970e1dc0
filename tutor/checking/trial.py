"""A trial: an exercise, an answer, and what came of it on every case."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor

from tutor.checking.calls import Answer, Outcome
from tutor.checking.exercise import Arguments, CallError, Exercise
from tutor.checking.leaves import leaves
from tutor.checking.sizes import sizes
from tutor.checking.values import Canonical, canonical, is_list, parts, structure
from tutor.checking.variants import DOUBLE


@dataclass(frozen=True)
class Key:
    """The cases drawn from one seed and the reference's result on each.

    Attributes:
        cases: named arguments by the case's name.
        results: what the reference gives.
        lists: where in it lists of numbers stand, as `list_paths` gives them.
    """

    cases: Mapping[str, Arguments]
    results: Mapping[str, Canonical]
    lists: tuple[str, ...] = ()


@dataclass(frozen=True)
class Trial:
    """What came of an answer.

    Attributes:
        exercise: what was asked.
        answer: what was tried.
        key: cases and right results.
        outcomes: case -> outcome, up to an interruption.
        again: the same once more, from the last case to the first.
        notes: on cases whose failure costs nothing; these have no outcome.
    """

    exercise: Exercise
    answer: Answer
    key: Key
    outcomes: Mapping[str, Outcome]
    again: Mapping[str, Outcome] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def first(self) -> Outcome:
        """The outcome of the first case."""
        return next(iter(self.outcomes.values()))

    @property
    def absolute(self) -> float | None:
        """The exercise's absolute tolerance, if it has one."""
        return self.exercise.absolute

    def form(self, value: Canonical) -> Any:
        """Give what must agree before numbers are compared."""
        return structure(value, exact=self.exercise.exact_dtype)

    def well_formed(self, case: str, outcome: Outcome) -> bool:
        """Say whether there is a result of the right form."""
        right = self.key.results[case]
        return outcome.failure is None and self.form(outcome.value) == self.form(right)

    def well_formed_but_for_lists(self, case: str, outcome: Outcome) -> bool:
        """Say whether all is of the right form, but for how long lists of numbers are."""
        right = self.key.results[case]
        return outcome.failure is None and self._outline(outcome.value) == self._outline(right)

    def _outline(self, value: Canonical) -> Any:
        """Give a value's form with no more of its lists than that they are lists."""
        if "" in self.key.lists:
            return "list" if is_list(value) else self.form(value)
        if isinstance(value, dict):
            items, kind = list(value.items()), "dict"
        elif isinstance(value, tuple):
            items, kind = [(str(place), part) for place, part in enumerate(value)], "tuple"
        else:
            return self.form(value)
        lists = self.key.lists
        inside = {
            name: "list" if name in lists and is_list(part) else self.form(part)
            for name, part in items
        }
        return kind, inside

    def seen(self, case: str, outcome: Outcome) -> Outcome:
        """Replace a result of the right form by what the exercise compares of it."""
        result = self.key.results[case]
        if outcome.failure or structure(outcome.value) != structure(result):
            return outcome
        viewed = canonical(self.exercise.view(outcome.value, self.key.cases[case]))
        if case == DOUBLE and not self.exercise.exact_dtype:
            viewed = single(viewed)  # any other float dtype is right inside
        return replace(outcome, value=viewed)

    def expected(self, case: str) -> Canonical:
        """Give what the exercise compares of the right result."""
        return self.seen(case, Outcome(self.key.results[case])).value

    def sizes(self, case: str) -> dict[str, int]:
        """Give the sizes of a case by their names."""
        return sizes(self.exercise.shapes, self.key.cases[case])


def single(value: Canonical) -> Canonical:
    """Give a result with its floats in float32.

    Example:
        >>> single(torch.ones(1, dtype=torch.float64)).dtype
        torch.float32
    """
    if isinstance(value, Tensor):
        return value.float() if value.is_floating_point() else value
    if isinstance(value, dict):
        return {key: single(part) for key, part in value.items()}
    return tuple(map(single, value))


class NanError(Exception):
    """A property's call gave NaN, though none went in.

    Attributes:
        arguments: of the call.
        value: what it gave.
    """

    def __init__(self, arguments: Arguments, value: Canonical) -> None:
        super().__init__()
        self.arguments, self.value = arguments, value


class TrialCall:
    """Calls the answer for a property: by position, giving canonical results."""

    def __init__(self, trial: Trial) -> None:
        self._answer = trial.answer
        self._names = list(next(iter(trial.key.cases.values())))

    def __call__(self, *arguments: Any) -> Canonical:
        """Give the result of the call, floats in float32: their dtype is another matter."""
        named, value = self._value(arguments, gradients=False)
        given = [leaf.value for leaf in leaves(named) if isinstance(leaf.value, Tensor)]
        if has_nan(value) and not has_nan(tuple(given)):
            raise NanError(named, value)
        return single(value)

    def gradients(self, *arguments: Any) -> Canonical:
        """Give the gradients of the summed result."""
        return self._value(arguments, gradients=True)[1]

    def _value(
        self, arguments: tuple[Any, ...], gradients: bool
    ) -> tuple[dict[str, Any], Canonical]:
        named = dict(zip(self._names, arguments, strict=True))
        outcome = self._answer.run(named, gradients)
        if outcome.failure:
            raise CallError(outcome.failure)
        return named, outcome.value


def has_nan(value: Canonical) -> bool:
    """Say whether a number of a value is NaN.

    Example:
        >>> has_nan((torch.ones(2), torch.tensor(float("nan"))))
        True
    """
    return any(bool(torch.isnan(tensor).any()) for _, tensor in parts(value))
