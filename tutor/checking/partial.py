"""Partial credit: a function that returns several things, some of them right on every case."""

from tutor.checking.exercise import Arguments
from tutor.checking.tolerance import equal
from tutor.checking.trial import Trial, single
from tutor.checking.values import Canonical, NotAValueError, canonical
from tutor.checking.variants import DOUBLE


def right_part(trial: Trial) -> str | None:
    """Name a part of the results that is right on every case while another is not.

    What an argument already is earns nothing, and neither does code that was given to be mended.
    """
    exercise, names = trial.exercise, trial.exercise.returns
    if len(names) < 2 or exercise.kind != "write" or exercise.points < 2:
        return None
    right = [name for place, name in enumerate(names) if _is_right(trial, place)]
    earned = [name for name in right if not _is_given(trial, names.index(name))]
    return earned[0] if earned and len(right) < len(names) else None


def _is_right(trial: Trial, place: int) -> bool:
    return all(
        outcome.failure is None and _part_is_right(trial, case, outcome.value, place)
        for case, outcome in trial.outcomes.items()
    )


def _part_is_right(trial: Trial, case: str, value: Canonical, place: int) -> bool:
    wanted = trial.expected(case)
    if not (isinstance(value, tuple) and isinstance(wanted, tuple)):
        return False
    if not len(value) == len(wanted) == len(trial.exercise.returns):
        return False
    expected, given = wanted[place], value[place]
    if case == DOUBLE and not trial.exercise.exact_dtype:
        expected, given = single(expected), single(given)
    return equal(expected, given, trial.absolute)


def _is_given(trial: Trial, place: int) -> bool:
    """Say whether a part is but an argument handed back, on any case."""
    return any(
        isinstance(result, tuple)
        and place < len(result)
        and _is_an_argument(result[place], trial.key.cases[case])
        for case, result in trial.key.results.items()
    )


def _is_an_argument(part: Canonical, arguments: Arguments) -> bool:
    for value in arguments.values():
        try:
            if equal(canonical(value), part):
                return True
        except NotAValueError:
            continue
    return False
