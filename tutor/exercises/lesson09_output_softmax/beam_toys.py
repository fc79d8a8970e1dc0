"""How a beam search goes on a toy, for choosing toys on which every mistake shows."""

from dataclasses import dataclass, field

from torch import Tensor

from tutor.beam import beam_steps
from tutor.exercises.lesson09_output_softmax.toys import EOS
from tutor.language_model import TrigramStep

Ids = tuple[int, ...]


@dataclass
class Beam:
    """A search as it stands: finished and unfinished hypotheses with their totals.

    Attributes:
        finished: in the order in which they ended.
        unfinished: what is still in the beam.
        crossed: whether some step's best hypothesis did not extend the best one before it.
    """

    finished: list[tuple[Ids, float]] = field(default_factory=list)
    unfinished: list[tuple[Ids, float]] = field(default_factory=lambda: [((), 0.0)])
    crossed: bool = False

    def best(self, alpha: float) -> list[int]:
        """Give the finished hypothesis with the best score, or [].

        Example:
            >>> Beam([((2, 1), -1.0), ((3, 3, 1), -1.2)]).best(alpha=1.0)
            [3, 3, 1]
        """
        if not self.finished:
            return []
        return list(max(self.finished, key=lambda each: each[1] / len(each[0]) ** alpha)[0])

    def rival_is_better(self, alpha: float) -> bool:
        """Say whether an unfinished hypothesis would beat all finished ones.

        Example:
            >>> Beam([((2, 1), -1.0)], [((3, 3), -0.5)]).rival_is_better(alpha=1.0)
            True
        """

        def top(some: list[tuple[Ids, float]]) -> float:
            return max(total / len(ids) ** alpha for ids, total in some)

        return top(self.unfinished) > top(self.finished)


def follow(log_probs: Tensor, width: int, max_length: int) -> Beam:
    """Search as the exercise asks it, and tell how it went.

    Example:
        >>> import torch
        >>> follow(torch.tensor([0.2, 0.3, 0.5]).log().expand(3, 3, 3), 2, 3).best(alpha=0.0)
        [1]
    """
    beam, step = Beam(), TrigramStep(log_probs)
    for [kept] in beam_steps(step, step.start(), width, max_length, EOS):
        beam.crossed |= bool(kept) and kept[0].parent > 0
        beam.finished += [(each.ids, each.total) for each in kept if each.ids[-1] == EOS]
        beam.unfinished = [(each.ids, each.total) for each in kept if each.ids[-1] != EOS]
    return beam
