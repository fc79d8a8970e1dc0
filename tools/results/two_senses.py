"""MiniLM's vectors of ten words with two senses, for the scripts beside this one."""

from functools import cache

import stored  # noqa: F401  first: it makes the package importable
from torch import Tensor

from tools.data.word_senses import word_senses
from tutor.models.sense_axis import word_states


@cache
def read_senses(word: str, stand_in: str = "") -> tuple[Tensor, Tensor]:
    """Give a word's vectors in the sentences of its first sense, and of its second.

    Args:
        word: one of the ten.
        stand_in: a word put in its place, whose vectors are given instead.
    """
    read = stand_in or word
    first, second = (
        word_states(read, [_with(stand_in, word, sentence) for sentence in sentences])
        for sentences in word_senses()[word]
    )
    return first, second  # each (sentences, depths, D)


def _with(stand_in: str, word: str, sentence: str) -> str:
    if not stand_in:
        return sentence
    return " ".join(stand_in if each.lower() == word else each for each in sentence.split())
