"""A beam search with everything that people get wrong as a setting."""

from collections.abc import Callable
from dataclasses import dataclass

from torch import Tensor

from tutor.exercises.lesson09_output_softmax.toys import BOS, EOS

Ids = tuple[int, ...]
Hypothesis = tuple[Ids, float]  # the words after bos, and their total
Scored = list[tuple[Ids, float, float]]  # ids, score, total


@dataclass(frozen=True)
class Candidate:
    """A hypothesis extended by one word: its parent's number, the word, the new total."""

    parent: int
    word: int
    total: float


def next_words(log_probs: Tensor, ids: Ids) -> list[float]:
    """Give the log-probabilities after some words; bos stands before them.

    Example:
        >>> import torch
        >>> next_words(torch.tensor([[[-1.0, -2.0]] * 2] * 2), (1,))
        [-1.0, -2.0]
    """
    before, last = (BOS, BOS, *ids)[-2:]
    return log_probs[before, last].tolist()


def _by_score(scored: Scored) -> dict[str, list]:
    scored = sorted(scored, key=lambda each: -each[1])
    return {
        "best": list(scored[0][0]) if scored else [],
        "scores": [score for _, score, _ in scored],
    }


@dataclass(frozen=True, kw_only=True)
class Search:
    """The search as asked; each setting is one place where it can go wrong.

    Attributes:
        look_up: the log-probabilities of the next word.
        total: joins what a hypothesis had and the new word's log-probability.
        choose: which candidates are kept; they come best total first.
        parent: which hypothesis the j-th kept candidate really extends.
        room: how many may be kept, by width and number of finished ones.
        finishes: whether a hypothesis is finished.
        goes_on: whether a hypothesis stays in the beam.
        over: whether to stop before max_length, by the finished ones and the width.
        steps: the number of steps, by max_length.
        start: how many hypotheses there are at first, by width.
        ranked: which hypotheses get scores, by finished and unfinished ones.
        score: the score, by ids, total, alpha and max_length.
        result: makes the result of ids, scores and totals, in the order in which they ended.
    """

    look_up: Callable[[Tensor, Ids], list[float]] = next_words
    total: Callable[[float, float], float] = lambda before, new: before + new
    choose: Callable[[list[Candidate], int], list[Candidate]] = lambda best, room: best[:room]
    parent: Callable[[int, int], int] = lambda j, parent: parent
    room: Callable[[int, int], int] = lambda width, finished: width - finished
    finishes: Callable[[Ids], bool] = lambda ids: ids[-1] == EOS
    goes_on: Callable[[Ids], bool] = lambda ids: ids[-1] != EOS
    over: Callable[[list[Hypothesis], int], bool] = lambda finished, width: False
    steps: Callable[[int], int] = lambda max_length: max_length
    start: Callable[[int], int] = lambda width: 1
    ranked: Callable[[list[Hypothesis], list[Hypothesis]], list[Hypothesis]] = (
        lambda finished, unfinished: finished
    )
    score: Callable[[Ids, float, float, int], float] = lambda ids, total, alpha, longest: (
        total / len(ids) ** alpha
    )
    result: Callable[[Scored], dict[str, list]] = _by_score

    def __call__(
        self, log_probs: Tensor, width: int, max_length: int, alpha: float
    ) -> dict[str, list]:
        """Search; arguments and result as in the exercise."""
        beam: list[Hypothesis] = [((), 0.0)] * self.start(width)
        finished: list[Hypothesis] = []
        for _ in range(self.steps(max_length)):
            kept = self._step(log_probs, beam, self.room(width, len(finished)))
            finished += [each for each in kept if self.finishes(each[0])]
            beam = [each for each in kept if self.goes_on(each[0])]
            if not beam or self.over(finished, width):
                break
        ranked = self.ranked(finished, beam)
        return self.result(
            [(ids, self.score(ids, total, alpha, max_length), total) for ids, total in ranked]
        )

    def _step(self, log_probs: Tensor, beam: list[Hypothesis], room: int) -> list[Hypothesis]:
        candidates = [
            Candidate(parent, word, self.total(so_far, new))
            for parent, (ids, so_far) in enumerate(beam)
            for word, new in enumerate(self.look_up(log_probs, ids))
        ]
        kept = self.choose(sorted(candidates, key=lambda each: -each.total), room)
        return [
            ((*beam[self.parent(j, each.parent) % len(beam)][0], each.word), each.total)
            for j, each in enumerate(kept)
        ]
