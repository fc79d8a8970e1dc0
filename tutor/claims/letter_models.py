"""The stored runs of the letter models, by their size (lesson 8)."""

from tutor.claims.runs import Runs


def losses_by_size(runs: Runs) -> dict[int, list[float]]:
    """Give the losses on new words, one for each seed, by the number of parameters.

    Example:
        >>> from tutor.claims.runs import load_sweep
        >>> [len(losses) for losses in losses_by_size(load_sweep("letter_models").runs).values()]
        [3, 3, 3, 3, 3]
    """
    return {int(each.lowest("size")): each.numbers("loss") for _, each in runs.each(("width",))}
