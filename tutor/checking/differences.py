"""The third layer of feedback: are the numbers right, and where do they part first?"""

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from tutor.checking.finding import Finding
from tutor.checking.lists import differing_list
from tutor.checking.predicted import of_prediction
from tutor.checking.tolerance import Difference, first_difference
from tutor.checking.trial import Trial
from tutor.checking.values import Canonical, parts
from tutor.checking.verdict import Comparison
from tutor.say import say

ROW_SHOWN = 8  # numbers of a row in a report
MAP_SHOWN = 16  # rows and columns of a matrix that a picture can show readably


def differing_numbers(trial: Trial) -> Finding | None:
    """Find the first list, or else the first cell, that differs in results of the right form."""
    found = first_differing(trial)
    if trial.exercise.kind == "predict":
        if found is None:
            return None
        # The expected numbers would be the answer.
        return Finding(
            say("This is not the answer."), tuple(of_prediction(found[1], trial.absolute))
        )
    lists = (differing_list(trial, case) for case in trial.outcomes)
    if wrong_list := next((finding for finding in lists if finding), None):
        return wrong_list
    return _different(trial, *found) if found else None


def first_differing(trial: Trial) -> tuple[str, Difference] | None:
    """Find the first case that differs, and in it the part that comes about first."""
    for name, outcome in trial.outcomes.items():
        if not trial.well_formed(name, outcome):
            continue
        given = trial.seen(name, outcome).value
        pairs = zip(ordered(trial, trial.expected(name)), ordered(trial, given))
        for (path, wanted), (_, got) in pairs:
            if difference := first_difference(wanted, got, trial.absolute):
                return name, replace(difference, path=path)
    return None


def ordered(trial: Trial, value: Canonical) -> list[tuple[str, Tensor]]:
    """List the parts of a result, those that come about first before the others."""
    computed, returns = trial.exercise.computed, trial.exercise.returns

    def rank(part: tuple[str, Tensor]) -> int:
        name = part_name(returns, part[0])
        return computed.index(name) if name in computed else len(computed)

    return sorted(parts(value), key=rank)


def _different(trial: Trial, case: str, difference: Difference) -> Finding:
    part = part_name(trial.exercise.returns, difference.path)
    where = {"case": say(case), "cases": len(trial.key.cases)}
    if part or difference.index:
        place = part + (str(list(difference.index)) if difference.index else "")
        detail = say(
            'Shape and type are right. In the case "{case}" (one of {cases}) the first '
            "difference is at {place}:",
            place=place,
            **where,
        )
    else:
        detail = say(
            'Shape and type are right. In the case "{case}" (one of {cases}) the numbers differ:',
            **where,
        )
    comparison = _comparison(part, difference)
    return Finding(say("The numbers differ."), (detail,), comparison=comparison)


def part_name(names: Sequence[str], path: str) -> str:
    """Name a result as the exercise does: "[1]" becomes "weights", "['best']" becomes "best".

    Example:
        >>> part_name(("output", "weights"), "[1]"), part_name((), "['best']")
        ('weights', 'best')
    """
    if not path:
        return names[0] if len(names) == 1 else "result"
    first, _, rest = path.strip("[]").partition("][")
    named = names[int(first)] if first.isdigit() and int(first) < len(names) else first.strip("'")
    return named + (f"[{rest}]" if rest else "")


def _comparison(part: str, difference: Difference) -> Comparison:
    index, expected, given = difference.index, difference.expected, difference.given
    if not index:
        return Comparison(part, index, [expected.item()], [given.item()])
    start = max(0, min(index[-1] - 1, expected.shape[-1] - ROW_SHOWN))
    shown = slice(start, start + ROW_SHOWN)
    wanted_row, given_row = expected[index[:-1]][shown], given[index[:-1]][shown]
    maps = _maps(index, expected, given)
    return Comparison(part, index, wanted_row.tolist(), given_row.tolist(), *maps)


def _maps(
    index: tuple[int, ...], expected: Tensor, given: Tensor
) -> tuple[Sequence[Sequence[float]], Sequence[Sequence[float]]]:
    if expected.ndim < 2 or max(expected.shape[-2:]) > MAP_SHOWN or expected.dtype == torch.bool:
        return (), ()
    return expected[index[:-2]].tolist(), given[index[:-2]].tolist()
