"""Recognising a known mistake by what came of the answer, whatever way it is written.

A mistake is first looked for that ends as the answer does on every case. Where there is none,
another spelling of a mistake may run where this one crashes, or the other way round; but then more
cases must speak for the mistake than end so differently, as its hint may be about the crash.
NaN of the answer's says nothing about a number; NaN of the mistake's alone speaks against it, as
its hint may be about that. All that remains must agree.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

import torch
from torch import Tensor

from tutor.checking.broken_properties import Broken, broken_rule
from tutor.checking.calls import FunctionAnswer, Outcome, same_outcome
from tutor.checking.differences import differing_numbers
from tutor.checking.exercise import Exercise, Mistake
from tutor.checking.forms import wrong_form
from tutor.checking.tolerance import distance, equal
from tutor.checking.trial import Trial
from tutor.checking.values import Canonical, parts, structure
from tutor.checking.variants import VARIANTS

NEAR = 0.02  # how near to a mistake, measured by the mistake's distance from what is right
CLEAR = 20  # tolerances by which a result must be off to speak for a mistake

Sign = Literal["for", "against", "none"]


@dataclass(frozen=True)
class Made:
    """A known mistake and one of the ways of making it."""

    mistake: Mistake
    function: Callable[..., Any]


@lru_cache(maxsize=256)
def ways(exercise: Exercise) -> tuple[Made, ...]:
    """List every way of making every known mistake of an exercise."""
    return tuple(
        Made(mistake, function) for mistake in exercise.mistakes for function in mistake.functions
    )


def recognise(trial: Trial, mistaken: Callable[[Made, str], Outcome]) -> Mistake | None:
    """Find the known mistake that the answer makes, if there is one.

    Args:
        trial: what came of the answer.
        mistaken: gives what comes of a known mistake on a case.
    """
    if not any(outcome.failure is None for outcome in trial.outcomes.values()):
        return None  # whatever fails everywhere tells nothing about why
    alike = _exactly_alike(trial, mistaken)
    if not wrong_form(trial) and not differing_numbers(trial):
        # Every number is right, so only what is broken can tell.
        broken = broken_rule(trial)
        alike = [made for made in alike if _breaks(made, trial, broken)]
    elif not alike:
        alike = _alike_as_far_as_it_shows(trial, mistaken)
    return alike[0].mistake if alike else None


def as_given(trial: Trial, mistaken: Callable[[Made, str], Outcome]) -> bool:
    """Say whether the answer does on every case what a mending's code does as it was given."""
    alike = _exactly_alike(trial, mistaken)
    return any(made.mistake.id == trial.exercise.given for made in alike)


def _exactly_alike(trial: Trial, mistaken: Callable[[Made, str], Outcome]) -> list[Made]:
    alike = list(ways(trial.exercise))
    # Where the answer is wrong few are like it, so that fewer must be run on the other cases.
    for case in sorted(trial.outcomes, key=lambda case: _is_right(trial, case)):
        seen = trial.seen(case, trial.outcomes[case])
        alike = [
            made
            for made in alike
            if same_outcome(trial.seen(case, mistaken(made, case)), seen, trial.absolute)
        ]
        if not alike:
            break
    return alike


def _is_right(trial: Trial, case: str) -> bool:
    outcome = trial.outcomes[case]
    if outcome.failure:
        return False
    return equal(trial.expected(case), trial.seen(case, outcome).value, trial.absolute)


def _breaks(made: Made, trial: Trial, broken: Broken | None) -> bool:
    mistaken = broken_rule(replace(trial, answer=FunctionAnswer(made.function)))
    return broken is not None and mistaken is not None and mistaken.rule is broken.rule


def _alike_as_far_as_it_shows(trial: Trial, mistaken: Callable[[Made, str], Outcome]) -> list[Made]:
    """List the ways that most speaks for; none where it speaks for unlike mistakes alike."""
    cases = [name for name in trial.outcomes if name not in VARIANTS]
    found: dict[Made, int] = {}
    for made in ways(trial.exercise):
        signs = unlike = 0
        for case in cases:
            mistake = mistaken(made, case)
            sign = _sign(trial, case, mistake)
            if sign == "against":
                break
            signs += sign == "for"
            unlike += (mistake.failure is None) != (trial.outcomes[case].failure is None)
        else:
            if signs > unlike:
                found[made] = signs
    most = max(found.values(), default=0)
    best = [made for made, signs in found.items() if signs == most]
    return best if len({made.mistake.hint for made in best}) == 1 else []


def _sign(trial: Trial, case: str, mistake: Outcome) -> Sign:
    """Say whether a case speaks for a mistake or against it."""
    given = trial.outcomes[case]
    if given.failure or mistake.failure:
        return "none"
    right = trial.key.results[case]
    one, other = trial.form(given.value), trial.form(mistake.value)
    if one != other:
        return "against"
    if one != trial.form(right):
        return "for" if equal(mistake.value, given.value, trial.absolute) else "against"
    wanted = trial.expected(case)
    got, slip = trial.seen(case, given).value, trial.seen(case, mistake).value
    is_right = distance(wanted, got, trial.absolute) <= 1
    shows = distance(wanted, slip, trial.absolute) > CLEAR
    if is_right or not shows:
        return "none" if is_right and not shows else "against"
    return _nearness(wanted, got, slip)


def _nearness(wanted: Canonical, got: Canonical, slip: Canonical) -> Sign:
    """Say whether a result lies with a mistake rather than with what is right."""
    if structure(wanted) != structure(slip) or structure(wanted) != structure(got):
        return "for" if equal(slip, got) else "against"
    signs = [
        _near(right, given, wrong)
        for (_, right), (_, given), (_, wrong) in zip(parts(wanted), parts(got), parts(slip))
    ]
    return "against" if "against" in signs else "for" if "for" in signs else "none"


def _near(right: Tensor, given: Tensor, wrong: Tensor) -> Sign:
    if not right.is_floating_point():
        return "against" if not torch.equal(given, wrong) else _shows(right, wrong)
    a, b, c = right.double(), given.double(), wrong.double()
    if (c.isnan() & ~b.isnan() & ~a.isnan()).any():
        return "against"
    comparable = ~(b.isnan() | c.isnan() | a.isnan())
    same = (b == c) | ~comparable  # b == c also covers equal infinities
    gap = torch.where(same, 0.0, (b - c).abs())
    finite = torch.where(comparable & a.isfinite() & c.isfinite(), (a - c).abs(), 0.0)
    off = finite.max().item() if finite.numel() else 0.0
    size = torch.where(a.isfinite(), a.abs(), 0.0).max().item() if a.numel() else 0.0
    most = gap.max().item() if gap.numel() else 0.0
    if math.isnan(most) or most > max(NEAR * off, 1e-4 * max(size, 1e-3)):
        return "against"
    telling = (finite > NEAR * off) & (finite > 0)
    wrongly_nan = (~comparable & ~a.isnan()).sum()
    return "for" if off and telling.sum() * 2 > wrongly_nan else "none"


def _shows(right: Tensor, wrong: Tensor) -> Sign:
    return "none" if torch.equal(right, wrong) else "for"
