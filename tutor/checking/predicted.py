"""What is said of a prediction that is wrong: which of its numbers, and whether only decimals lack.

The right numbers would be the answer, so nothing is said of them.
"""

import math
from collections.abc import Iterator

from tutor.checking.tolerance import Difference, tolerance
from tutor.say import say, say_count

DIGITS = 6  # of a float32, as one types it


def of_prediction(difference: Difference, absolute: float | None) -> Iterator[str]:
    """Say which numbers of a list are wrong, and of which only the last decimals are missing."""
    right, yours = difference.expected.double().flatten(), difference.given.double().flatten()
    near = tolerance(difference.expected, difference.given, absolute)
    wrong = [place for place in range(len(right)) if abs(right[place] - yours[place]) > near]
    if len(wrong) > 1 and bool(((right.sort().values - yours.sort().values).abs() <= near).all()):
        yield say("Your numbers are the right ones, in the wrong places.")
    elif difference.given.ndim and 0 < len(wrong) < len(right):
        yield say_count(
            "One number of yours is wrong, and the others are right: number {places}, counted "
            "from 1.",
            "{count} numbers of yours are wrong, and the others are right: numbers {places}, "
            "counted from 1.",
            len(wrong),
            places=", ".join(str(place + 1) for place in wrong),
        )
    short = [place for place in wrong if _is_rounded(right[place].item(), yours[place].item())]
    if short and difference.expected.is_floating_point():
        yield say(
            "{number} is right as far as it goes. How many decimals are asked for?",
            number=f"{yours[short[0]].item():.{DIGITS}g}",
        )


def _is_rounded(right: float, yours: float) -> bool:
    """Say whether a number is another one with fewer decimals, one or more, rounded or cut off.

    Example:
        >>> [_is_rounded(0.748, yours) for yours in (0.75, 0.74, 0.76, 0.7, 1.0)]
        [True, True, False, True, False]
    """
    decimals = len(f"{yours:.{DIGITS}g}".partition(".")[2])
    unit = 10**-decimals
    rounded = abs(right - yours) <= unit * (0.5 + 1e-4)
    cut_off = 0 <= (right - yours) * math.copysign(1, right) < unit * (1 - 1e-4)
    return decimals > 0 and (rounded or cut_off)
