"""NaN in a result: where it stands, from which step it comes, and what else is wrong beside it."""

from collections.abc import Mapping
from dataclasses import replace

import torch

from tutor.checking.differences import part_name
from tutor.checking.finding import Finding
from tutor.checking.forms import called_with
from tutor.checking.trial import Trial
from tutor.checking.values import Canonical, parts
from tutor.checking.variants import VARIANTS
from tutor.checking.watching import NanOrigin
from tutor.say import say


def nan_found(trial: Trial) -> Finding | None:
    """Find the first case with a NaN that should not be there."""
    case = next(iter(_cases(trial)), None)
    if case is None:
        return None
    return Finding(nan_headline(), tuple(nan_details(trial)), called_with(trial.key.cases[case]))


def nan_headline() -> str:
    """Say that there is NaN."""
    return say("Some of your results are not a number (NaN).")


def nan_details(trial: Trial) -> list[str]:
    """Say where the first NaN stands, and what made it, if there is one."""
    case = next(iter(_cases(trial)), None)
    if case is None:
        return []
    place = nan_place(trial, trial.outcomes[case].value, trial.key.results[case])
    where = say('In the case "{case}" the first NaN is at {place}.', case=say(case), place=place)
    origin = trial.answer.watch(trial.key.cases[case]).nan
    return [where, say(_ORIGINS[origin])] if origin in _ORIGINS else [where]


# The step that made the first NaN out of numbers -> what it did, and what to ask of it.
_ORIGINS: Mapping[NanOrigin, str] = {
    "product": "It comes of a product: 0 times infinity is no number. Where does a 0 meet one?",
    "sum": "It comes of infinity less infinity, which is no number. Where do the two meet?",
    "quotient": "It comes of a division of 0 by 0, or of infinity by infinity. Which row is it?",
    "hidden row": (
        "It comes of a softmax over scores that are all −∞: a row in which nothing is left to see. "
        "Which row is it, and what should it give?"
    ),
    "endless score": (
        "It comes of a softmax over a score of +∞. At which end must a hidden score lie?"
    ),
    "logarithm": "It comes of a logarithm of a number below 0. Where does that come from?",
    "root": "It comes of a root of a number below 0. Where does that come from?",
    "spread": "It comes of the spread of a single number. By what is it divided there?",
    "mean": "It comes of a mean of no numbers at all. What was left to average?",
}


def without_nan(trial: Trial) -> Trial | None:
    """Give the trial without the cases that hold NaN; None unless most cases are left."""
    lost = set(_cases(trial))
    kept = {case: outcome for case, outcome in trial.outcomes.items() if case not in lost}
    if not lost or len(lost - set(VARIANTS)) >= len(kept.keys() - set(VARIANTS)):
        return None
    again = {case: outcome for case, outcome in trial.again.items() if case in kept}
    return replace(trial, outcomes=kept, again=again)


def _cases(trial: Trial) -> list[str]:
    return [
        case
        for case, outcome in trial.outcomes.items()
        if outcome.failure is None and nan_place(trial, outcome.value, trial.key.results[case])
    ]


def nan_place(trial: Trial, value: Canonical, right: Canonical | None = None) -> str:
    """Say where the first NaN of a result stands, or "" if none does that should not."""
    allowed = dict(parts(right)) if right is not None else {}
    for path, tensor in parts(value):
        nan = torch.isnan(tensor)
        if path in allowed and allowed[path].shape == tensor.shape:
            nan = nan & ~torch.isnan(allowed[path])
        if nan.any():
            index = nan.nonzero()[0].tolist()
            return part_name(trial.exercise.returns, path) + (str(index) if index else "")
    return ""
