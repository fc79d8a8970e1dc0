"""Which of its arguments an answer does not use, though the result depends on them."""

from collections.abc import Mapping
from typing import Any

from torch import Tensor

from tutor.checking.calls import FunctionAnswer
from tutor.checking.differences import differing_numbers
from tutor.checking.exercise import Arguments, Exercise
from tutor.checking.leaves import Leaf, leaves, others, replaced
from tutor.checking.trial import Trial, has_nan
from tutor.checking.values import Canonical, distance
from tutor.checking.variants import VARIANTS

CASES_TRIED = 2
LEAVES_TRIED = 12
CLEAR = 100  # tolerances by which the right result must change


def ignored_input(trial: Trial) -> str | None:
    """Find an argument that can be changed without changing the answer's result.

    Only a wrong answer is asked; a right one uses all that matters.
    """
    if trial.exercise.kind == "predict" or differing_numbers(trial) is None:
        return None
    used: set[tuple[Any, ...]] = set()
    for case in list(trial.outcomes)[:CASES_TRIED]:
        for leaf in _perhaps_unused(trial, trial.key.cases[case])[:LEAVES_TRIED]:
            if leaf.path in used:
                continue
            other = changed_case(trial.exercise, trial.key.cases[case], leaf.path, leaf.value)
            if other is None:
                continue
            used.add(leaf.path)
            if _stays(trial, case, other) and not _changes_elsewhere(trial, case, leaf.path):
                return leaf.name
    return None


def _changes_elsewhere(trial: Trial, tried: str, path: tuple[Any, ...]) -> bool:
    """Say whether the result depends on an argument in another case, if not in this one."""
    for case, outcome in trial.outcomes.items():
        if case == tried or case in VARIANTS or outcome.failure:
            continue
        arguments = trial.key.cases[case]
        values = [leaf.value for leaf in leaves(arguments) if leaf.path == path]
        other = changed_case(trial.exercise, arguments, path, values[0]) if values else None
        if other and not trial.answer.run(other).failure and not _stays(trial, case, other):
            return True
    return False


def _perhaps_unused(trial: Trial, case: Arguments) -> list[Leaf]:
    """List the arguments on which the result does not seem to depend: one pass backwards tells."""
    floats = [leaf for leaf in leaves(case) if _is_float(leaf.value)]
    gradients = trial.answer.run(case, gradients=True).value
    if not isinstance(gradients, tuple) or len(gradients) != len(floats):
        return leaves(case)
    used = {
        leaf.path
        for leaf, found in zip(floats, gradients)
        if isinstance(found, Tensor) and found.any()
    }
    return [leaf for leaf in leaves(case) if leaf.path not in used]


def _is_float(value: Any) -> bool:
    return isinstance(value, Tensor) and value.is_floating_point()


def changed_case(
    exercise: Exercise, case: Arguments, path: tuple[Any, ...], value: Any
) -> Arguments | None:
    """Give a case with another value at a path, by which the right result changes clearly."""
    right = FunctionAnswer(exercise.reference).run(case).value
    for other in others(value):
        changed = replaced(case, {path: other})
        outcome = FunctionAnswer(exercise.reference).run(changed)
        if outcome.failure is None and _differ(exercise, case, changed, right, outcome.value):
            return changed
    return None


def _differ(
    exercise: Exercise, case: Arguments, changed: Arguments, one: Canonical, other: Canonical
) -> bool:
    if has_nan(other):
        return False
    views = exercise.view(one, case), exercise.view(other, changed)
    return distance(*views, exercise.absolute) > CLEAR


def _stays(trial: Trial, case: str, changed: Mapping[str, Any]) -> bool:
    before, after = trial.outcomes[case], trial.answer.run(changed)
    if before.failure or after.failure:
        return False
    return distance(before.value, after.value, trial.absolute) < 1
