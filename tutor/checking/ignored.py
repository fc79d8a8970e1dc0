"""Which of its arguments, or which cell of one, an answer does not use though the result needs it.

That a whole argument is not used is said only where every part of it was changed, several times
and in every case, and the result stayed as it was.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from tutor.checking.calls import FunctionAnswer
from tutor.checking.differences import differing_numbers
from tutor.checking.exercise import Arguments, Exercise
from tutor.checking.leaves import ArgumentLeaf, leaves, others, redrawn, replaced
from tutor.checking.tolerance import distance
from tutor.checking.trial import Trial, has_nan
from tutor.checking.values import Canonical
from tutor.checking.variants import VARIANTS

CASES_TRIED = 2
LEAVES_TRIED = 12
CLEAR = 100  # tolerances by which the right result must change

Path = tuple[Any, ...]


def ignored_argument(trial: Trial) -> str | None:
    """Name an argument that can be changed in any way without changing the answer's result.

    Only a wrong answer is asked; a right one uses all that matters.
    """
    found = (leaf for _, leaf, _ in _without_effect(trial) if _never_matters(trial, leaf.path))
    return next((leaf.name for leaf in found), None)


@dataclass(frozen=True)
class IgnoredChange:
    """A change of one number or truth by which only the right result changes.

    Attributes:
        name: where it stands, as a learner would write it.
        before: what stands there.
        after: what may stand there as well.
        case: in which case that is so.
    """

    name: str
    before: Any
    after: Any
    case: str


def ignored_change(trial: Trial) -> IgnoredChange | None:
    """Find a change of a single cell that leaves the answer's result as it is.

    Of floats all cells are changed at once: only whole numbers and booleans change one by one.
    """
    for case, leaf, changed in _without_effect(trial):
        after = {one.path: one.value for one in leaves(changed)}[leaf.path]
        if not isinstance(leaf.value, Tensor):
            if len(leaf.path) > 1:
                return IgnoredChange(leaf.name, leaf.value, after, case)
            continue
        places = (leaf.value != after).nonzero().tolist()
        if not leaf.value.is_floating_point() and leaf.value.ndim and len(places) == 1:
            here = tuple(places[0])
            before, there = leaf.value[here].item(), after[here].item()
            return IgnoredChange(leaf.name + str(places[0]), before, there, case)
    return None


def _without_effect(trial: Trial) -> Iterator[tuple[str, ArgumentLeaf, Arguments]]:
    """Give parts of the arguments, and changes of them by which only the right result changes."""
    if trial.exercise.kind == "predict" or differing_numbers(trial) is None:
        return
    used: set[Path] = set()
    for case in list(trial.outcomes)[:CASES_TRIED]:
        for leaf in _perhaps_unused(trial, trial.key.cases[case])[:LEAVES_TRIED]:
            if leaf.path in used:
                continue
            other = changed_case(trial.exercise, trial.key.cases[case], leaf.path, leaf.value)
            if other is None:
                continue
            used.add(leaf.path)
            if _stays(trial, case, other):
                yield case, leaf, other


def _never_matters(trial: Trial, path: Path) -> bool:
    """Say whether no change of an argument, in no case, changes the answer's result."""
    for case, outcome in trial.outcomes.items():
        if case in VARIANTS or outcome.failure:
            continue
        arguments = trial.key.cases[case]
        values = [leaf.value for leaf in leaves(arguments) if leaf.path == path]
        for other in redrawn(values[0]) if values else ():
            changed = replaced(arguments, {path: other})
            if not _stays(trial, case, changed) and _is_allowed(trial.exercise, changed):
                return False
    return True


def _is_allowed(exercise: Exercise, arguments: Arguments) -> bool:
    return FunctionAnswer(exercise.reference).run(arguments).failure is None


def _perhaps_unused(trial: Trial, case: Arguments) -> list[ArgumentLeaf]:
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


def changed_case(exercise: Exercise, case: Arguments, path: Path, value: Any) -> Arguments | None:
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
