"""What can be seen in wrong numbers that belong to no known mistake: the most telling thing.

Each observation is about the case that is shown, and true of all its numbers.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import torch
from torch import Tensor

from tutor.checking.counting import of_counts
from tutor.checking.differences import first_differing, ordered, part_name
from tutor.checking.leaves import leaves
from tutor.checking.looks import LOOKS, factor_of, first_seen, summand_of
from tutor.checking.tolerance import equal, tolerance
from tutor.checking.trial import Trial
from tutor.checking.values import canonical, parts
from tutor.checking.wrong import FEW, Wrong
from tutor.say import say


def observed(trial: Trial) -> list[str]:
    """Say what is most telling about the first wrong numbers, if anything is."""
    found = first_differing(trial)
    if found is None or trial.exercise.kind == "predict":
        return []
    case, difference = found
    right, yours = difference.expected, difference.given
    said = [*_earlier_part(trial, case, difference.path)]
    if other := _for_other_arguments(trial, case):
        return [*said, other]
    if right.dtype == torch.bool:
        return [*said, *_of_truths(right, yours)]
    if right.numel() < FEW:
        return [*said, *(_of_few(trial, difference.path) or of_counts(trial))]
    near = tolerance(right, yours, trial.absolute)
    axes = _axes(trial, difference.path, right.ndim)
    given = {leaf.name: leaf.value for leaf in leaves(trial.key.cases[case])}
    tensors = {name: value for name, value in given.items() if isinstance(value, Tensor)}
    wrong = Wrong(right.double(), yours.double(), near, axes, trial.sizes(case), tensors)
    return [*said, *first_seen(LOOKS, wrong)]


def _of_few(trial: Trial, path: str) -> list[str]:
    """Look at a result of few numbers in all cases at once; what is seen is true of each."""
    right, yours = [], []
    for case, outcome in trial.outcomes.items():
        if trial.well_formed(case, outcome):
            right.append(dict(parts(trial.expected(case)))[path].double().flatten())
            yours.append(dict(parts(trial.seen(case, outcome).value))[path].double().flatten())
    both = torch.cat(right), torch.cat(yours)
    near = tolerance(both[0].float(), both[1].float(), trial.absolute)
    return first_seen((factor_of, summand_of), Wrong(*both, near, ("0",), {}))


def _axes(trial: Trial, path: str, count: int) -> tuple[str, ...]:
    name = part_name(trial.exercise.returns, path)
    names = str(trial.exercise.shapes.get(name, "")).split()
    known = [one for one in names if one != "…"]  # which stands in front of the others
    known = known if len(known) == len(names) == count or len(known) < len(names) else []
    numbered = [say("axis {number}", number=place) for place in range(count - len(known))]
    return (*numbered, *known)


def _earlier_part(trial: Trial, case: str, path: str) -> Iterator[str]:
    """Say that what comes about before the wrong part is right."""
    names = [
        part_name(trial.exercise.returns, one) for one, _ in ordered(trial, trial.expected(case))
    ]
    wrong = part_name(trial.exercise.returns, path)
    if trial.exercise.computed and wrong in names and names.index(wrong) > 0:
        yield say("Right already: {earlier}. Wrong: {wrong}.", earlier=names[0], wrong=wrong)


def _for_other_arguments(trial: Trial, case: str) -> str:
    """Find two arguments to exchange, or a number to change by 1, that make the result right."""
    given = trial.seen(case, trial.outcomes[case]).value
    arguments = dict(trial.key.cases[case])

    def fits(changed: dict[str, Any]) -> bool:
        try:
            return equal(canonical(trial.exercise.reference(*changed.values())), given)
        except Exception:  # the reference refuses these arguments
            return False

    tensors = [name for name, value in arguments.items() if isinstance(value, Tensor)]
    for one, other in combinations(tensors, 2):
        a, b = arguments[one], arguments[other]
        if (a.shape, a.dtype) == (b.shape, b.dtype) and fits({**arguments, one: b, other: a}):
            return say(
                "Yours is the right result for {one} and {other} exchanged.", one=one, other=other
            )
    for name, value in arguments.items():
        for near in (value + 1, value - 1) if type(value) is int else ():
            if fits({**arguments, name: near}):
                return say("Yours is the right result for {name} = {value}.", name=name, value=near)
    return ""


def _of_truths(right: Tensor, yours: Tensor) -> Iterator[str]:
    if torch.equal(right, ~yours):
        yield say("Every True of yours should be False, and every False True.")
    elif right.ndim > 1 and right.size(-1) == right.size(-2) and torch.equal(right, yours.mT):
        yield say("Your rows and columns are exchanged.")
    else:
        yield say(
            "Yours is True in {yours} of {count} cells, the right one in {right}.",
            yours=int(yours.sum()),
            count=right.numel(),
            right=int(right.sum()),
        )
