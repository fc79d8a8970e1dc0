"""What comes after a model's first mistake, when it is read back (lesson 9)."""

from typing import NamedTuple

from jaxtyping import Int
from torch import Tensor

from tutor.data.batches import Batch


class Labels(NamedTuple):
    """Some right words of a batch.

    Attributes:
        places: their rows and columns, to index a (B, T) tensor with.
        ids: the words.
    """

    places: tuple[Tensor, Tensor]
    ids: Int[Tensor, " words"]


def after_the_first_mistake(
    batch: Batch, guess: Int[Tensor, "batch target"], pad_id: int
) -> tuple[Int[Tensor, "batch target"], Labels]:
    """Let each sentence read its first wrong guess back; give it, and the words right after.

    Sentences without a mistake, or with one at their end, are read as they are and not asked.

    Args:
        batch: sentences with the right beginnings.
        guess: the model's best word at every place, after the right beginning.
        pad_id: of padding among the labels.
    """
    real = batch.labels != pad_id
    wrong = (guess != batch.labels) & real  # (B, T)
    first = wrong.float().argmax(1)  # (B,)
    next_is_real = real[:, 1:].gather(1, first.clamp(max=real.size(1) - 2)[:, None])[:, 0]
    rows = (next_is_real & wrong.any(1)).nonzero()[:, 0]
    place = first[rows]
    own = batch.decoder_input.clone()
    own[rows, place + 1] = guess[rows, place]
    return own, Labels((rows, place + 1), batch.labels[rows, place + 1])
