"""Results that are lists of numbers or of short lists: which entry is wrong, missing or too many.

Where the right result is such a list, how long it is belongs to the answer: another length is no
wrong form, and the right one is not told.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from torch import Tensor

from tutor.checking.finding import Finding
from tutor.checking.forms import called_with
from tutor.checking.tolerance import equal
from tutor.checking.trial import Trial
from tutor.checking.values import Canonical, parts_at
from tutor.say import later, say

NONE: Any = object()


def differing_list(trial: Trial, case: str) -> Finding | None:
    """Find a list in a case that is not the right one, by its entries or its length."""
    outcome = trial.outcomes[case]
    if outcome.failure or not trial.well_formed_but_for_lists(case, outcome):
        return None
    expected, given = trial.key.results[case], outcome.value
    for path in trial.key.lists:
        right, yours = parts_at(expected, path), parts_at(given, path)
        if equal(right, yours, trial.absolute) or _is_row_of_one_length(right, yours):
            continue
        sentence = _sentence(entries(right), entries(yours), say(case))
        return Finding(
            say("Your list is not the right one."),
            (sentence,),
            called_with(trial.key.cases[case]),
        )
    return None


def _is_row_of_one_length(right: Canonical, yours: Canonical) -> bool:
    """Say whether both are rows of numbers that can be shown below each other."""
    tensors = isinstance(right, Tensor) and isinstance(yours, Tensor)
    return tensors and len(right) == len(yours)


def entries(value: Canonical) -> list[Any]:
    """Give a list's entries as Python has them.

    Example:
        >>> import torch
        >>> entries((torch.tensor([1, 2]), torch.tensor([3, 4])))
        [[1, 2], [3, 4]]
    """
    return value.tolist() if isinstance(value, Tensor) else [entries(part) for part in value]


def _sentence(right: Sequence[Any], yours: Sequence[Any], case: str) -> str:
    if all(isinstance(entry, list) for entry in [*right, *yours]):
        pairs = all(len(entry) == 2 for entry in [*right, *yours])
        return _of_lists(right, yours, case, _PAIRS if pairs else _LISTS)
    place = next(
        place
        for place, (one, other) in enumerate(zip_longest(right, yours, fillvalue=NONE))
        if one is NONE or other is NONE or one != other
    )
    gaps = {"case": case, "place": place, "entry": yours[place] if place < len(yours) else ""}
    if place == len(yours):
        return say(
            'In the case "{case}" yours is right as far as it goes, and ends too early, before '
            "place {place} (counted from 0).",
            **gaps,
        )
    if place == len(right):
        return say(
            'In the case "{case}" yours is right at first, but does not end where it should: at '
            "place {place} (counted from 0) it goes on with {entry}.",
            **gaps,
        )
    return say(
        'In the case "{case}" yours is right before place {place} (counted from 0); there it has '
        "{entry}.",
        **gaps,
    )


_PAIRS: Mapping[str, str] = {
    "extra": later(
        'In the case "{case}" the pair {entry}, at place {place} (counted from 0) of yours, '
        "should not be there."
    ),
    "repeated": later(
        'In the case "{case}" the pair {entry} stands in yours more often than it should.'
    ),
    "missing": later('In the case "{case}" the pair {entry} is missing.'),
    "rarer": later(
        'In the case "{case}" the pair {entry} stands in yours less often than it should.'
    ),
    "order": later(
        'In the case "{case}" all pairs are there, but in another order: the first that '
        "stands at a wrong place is {entry}, at place {place} (counted from 0)."
    ),
}
_LISTS: Mapping[str, str] = {
    "extra": later(
        'In the case "{case}" the entry {entry}, at place {place} (counted from 0) of yours, '
        "should not be there."
    ),
    "repeated": later(
        'In the case "{case}" the entry {entry} stands in yours more often than it should.'
    ),
    "missing": later('In the case "{case}" the entry {entry} is missing.'),
    "rarer": later(
        'In the case "{case}" the entry {entry} stands in yours less often than it should.'
    ),
    "order": later(
        'In the case "{case}" all entries are there, but in another order: the first that '
        "stands at a wrong place is {entry}, at place {place} (counted from 0)."
    ),
}


def _of_lists(
    right: Sequence[Any], yours: Sequence[Any], case: str, sentences: Mapping[str, str]
) -> str:
    """Say which entry is too many, missing, or out of order; the first of each, in this order."""
    asked, given = Counter(map(str, right)), Counter(map(str, yours))
    for place, entry in enumerate(yours):
        if given[str(entry)] > asked[str(entry)]:
            kind = "repeated" if asked[str(entry)] else "extra"
            return say(sentences[kind], case=case, entry=entry, place=place)
    for entry in right:
        if asked[str(entry)] > given[str(entry)]:
            kind = "rarer" if given[str(entry)] else "missing"
            return say(sentences[kind], case=case, entry=entry)
    place = next(place for place, (one, other) in enumerate(zip(right, yours)) if one != other)
    return say(sentences["order"], case=case, entry=yours[place], place=place)
