"""What can be seen in a wrong count: by which product of the sizes it is off, in every case."""

import math
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

from torch import Tensor

from tutor.checking.trial import Trial
from tutor.say import say

MOST = 24  # times a product
FACTORS = 3  # of a product at most


def of_counts(trial: Trial) -> list[str]:
    """Say by which product of the arguments a whole number is off in all cases, if by one."""
    cases = [case for case, outcome in trial.outcomes.items() if outcome.failure is None]
    rows = [trial.key.cases[case] for case in cases]
    if len(rows) < FACTORS or not all(isinstance(n, int) for row in rows for n in row.values()):
        return []
    gaps = [_gap(trial, case) for case in cases]
    if None in gaps:
        return []
    return list(_products(rows, [gap for gap in gaps if gap is not None]))[:1]


def _gap(trial: Trial, case: str) -> int | None:
    right, yours = trial.key.results[case], trial.outcomes[case].value
    if not (isinstance(right, Tensor) and isinstance(yours, Tensor) and yours.ndim == 0):
        return None
    gap = yours.double().item() - right.item()
    return int(gap) if right.ndim == 0 and gap == int(gap) else None


def _products(rows: Sequence, gaps: Sequence[int]) -> Iterator[str]:
    names = list(rows[0])
    for count in range(1, FACTORS + 1):
        for factors in combinations_with_replacement(names, count):
            sizes = [math.prod(row[name] for name in factors) for row in rows]
            times = {gap / size for gap, size in zip(gaps, sizes)}
            if len(times) == 1 and 0 < abs(step := times.pop()) <= MOST and step == int(step):
                product = " · ".join((str(abs(int(step))), *factors))
                if step < 0:
                    yield say("In every case yours is {product} too few.", product=product)
                else:
                    yield say("In every case yours is {product} too many.", product=product)
