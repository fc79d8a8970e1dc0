"""What lesson 8 says it measured with language models of letters, of five sizes."""

from itertools import pairwise
from statistics import mean

from tutor.claims.claim import Claim, Shown
from tutor.claims.letter_models import losses_by_size
from tutor.claims.power_law import fitted
from tutor.claims.runs import Runs

_LESSON, _SWEEP, _CELL = "08_full_transformer", "letter_models", "scaling-laws-sure"
_BY_RATE = (
    Shown("dev", "width", "rate", form=".3f"),
    Shown("loss", "width", "rate", form=".3f"),
)


def _each_step_gains_less(runs: Runs) -> bool:
    """In each of the three rows of runs, one of each size."""
    rows = zip(*losses_by_size(runs).values(), strict=True)
    gains = [[small - large for small, large in pairwise(row)] for row in rows]
    return all(before > after > 0 for row in gains for before, after in pairwise(row))


def _a_floor_is_needed(runs: Runs) -> bool:
    ours = losses_by_size(runs)
    sizes, means = [*ours], [mean(losses) for losses in ours.values()]

    def missed(floor: bool) -> float:
        law = fitted(sizes, means, floor)
        return max(abs(law.at(n) - loss) for n, loss in zip(sizes, means, strict=True))

    return missed(True) < 0.01 and missed(False) > 0.02


CLAIMS = (
    Claim(
        "each-step-gains-less",
        lesson=_LESSON,
        cell=_CELL,
        sentence="From each of the five sizes to the next every training run lost less, but each "
        "step gained less than the one before.",
        compares="the loss on new words from one width to the next, seed by seed",
        sweep=_SWEEP,
        holds=_each_step_gains_less,
        each=(),
        shown=_BY_RATE,
    ),
    Claim(
        "the-loss-has-a-floor",
        lesson=_LESSON,
        cell=_CELL,
        sentence="A power law with a floor comes within .01 nats of the mean of each size, one "
        "without a floor misses some by more than .02.",
        compares="how far the fitted laws miss the mean loss of a size",
        sweep=_SWEEP,
        holds=_a_floor_is_needed,
        each=(),
        shown=_BY_RATE,
    ),
)
