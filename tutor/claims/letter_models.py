"""The stored runs of the letter models, by their size (lesson 8)."""

from statistics import mean

from tutor.claims.runs import Runs


def losses_by_size(runs: Runs) -> dict[int, list[float]]:
    """Give the losses on new words by the number of parameters, each size at its best rate.

    The rate is chosen by the mean loss on the dev split; the losses are one for each seed.

    Example:
        >>> from tutor.claims.runs import load_sweep
        >>> [len(losses) for losses in losses_by_size(load_sweep("letter_models").runs).values()]
        [3, 3, 3, 3, 3]
    """
    found = {}
    for _, of_width in runs.each(("width",)):
        rates = [at_rate for _, at_rate in of_width.each(("rate",))]
        best = min(rates, key=lambda at_rate: mean(at_rate.numbers("dev")))
        found[int(best.lowest("size"))] = best.numbers("loss")
    return found
