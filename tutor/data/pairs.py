"""What all tasks of translation share: pairs of token lists, in four splits."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

from jaxtyping import Int
from torch import Tensor

from tutor.embedding import Vocabulary, pad_rows


class Pair(NamedTuple):
    """A source and what it should become, both as tokens."""

    kind: str
    source: tuple[str, ...]
    target: tuple[str, ...]


class Example(NamedTuple):
    """A pair as ids; the source ends with ``<eos>``, the target begins with ``<bos>`` as well."""

    source: list[int]
    target: list[int]


@dataclass(frozen=True)
class Task:
    """A data set ready to be learned.

    ``train`` is learned, ``dev`` chooses between settings, ``test`` is held out for the numbers
    reported, ``long`` (may be empty) holds sentences longer than any in training. ``cut``
    takes a source text apart into tokens, ``join`` writes target tokens as the text they stand for.
    """

    name: str
    train: Sequence[Pair]
    dev: Sequence[Pair]
    test: Sequence[Pair]
    long: Sequence[Pair]
    source_words: Vocabulary
    target_words: Vocabulary
    cut: Callable[[str], Sequence[str]]
    join: Callable[[Sequence[str]], str]

    def read(self, *texts: str) -> Int[Tensor, "batch source"]:
        """Turn source texts into the ids a model of this task reads, padded on the right."""
        words = self.source_words
        rows = [[*words.encode(self.cut(text)), words.eos_id] for text in texts]
        return pad_rows(rows, words.pad_id)

    def write(self, ids: Iterable[int]) -> str:
        """Turn the ids a model has written into text."""
        return self.join(self.tokens(ids))

    def encode(self, pairs: Sequence[Pair]) -> list[Example]:
        """Turn pairs into ids."""
        source, target = self.source_words, self.target_words
        return [
            Example(
                [*source.encode(pair.source), source.eos_id],
                [target.bos_id, *target.encode(pair.target), target.eos_id],
            )
            for pair in pairs
        ]

    def tokens(self, ids: Iterable[int]) -> tuple[str, ...]:
        """Give the target tokens for some ids, up to ``<eos>``, without special ones."""
        words = self.target_words
        before_end = takewhile(lambda number: number != words.eos_id, ids)
        real = (number for number in before_end if number not in (words.pad_id, words.bos_id))
        return tuple(words.decode(real))


def make_task(
    name: str,
    splits: dict[str, list[Pair]],
    cut: Callable[[str], Sequence[str]],
    join: Callable[[Sequence[str]], str],
) -> Task:
    """Put splits together; the vocabularies are those of the training split."""
    train = splits["train"]
    return Task(
        name=name,
        train=train,
        dev=splits["dev"],
        test=splits["test"],
        long=splits.get("long", []),
        source_words=Vocabulary.from_sentences(pair.source for pair in train),
        target_words=Vocabulary.from_sentences(pair.target for pair in train),
        cut=cut,
        join=join,
    )
