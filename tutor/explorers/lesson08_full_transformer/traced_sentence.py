"""A sentence of three words on its way through lesson 8's smallest translator."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import torch
from torch import Tensor

from tutor.data.talk import MEANINGS
from tutor.embedding import BOS, EOS
from tutor.models.tracing import trace
from tutor.training.talker import talker, write


class TracedSentence(NamedTuple):
    """What the translator read, wrote and computed.

    Attributes:
        source: the words read, <eos> last.
        ids: their numbers in the vocabulary.
        written: the words written, <eos> last.
        tensors: everything it computed, for all the words written at once.
        chances: of every word of the vocabulary to be the next, (T, V).
    """

    source: list[str]
    ids: list[int]
    written: list[str]
    tensors: trace
    chances: Tensor

    @property
    def read(self) -> list[str]:
        """The words the decoder reads: what is written, one place later."""
        return [BOS, *self.written[:-1]]

    def likeliest(self, place: int, count: int) -> list[tuple[str, float]]:
        """Return the likeliest words after a place, with their chances."""
        chances, ids = self.chances[place].topk(count)
        words = talker()[1].target_words.decode(ids.tolist())
        return list(zip(words, chances.tolist(), strict=True))


@cache
def trace_sentence(text: str) -> TracedSentence:
    """Translate a sentence word by word, and keep all that was computed.

    Example:
        >>> trace_sentence("I love her").written
        ['나는', '그녀를', '사랑한다', '<eos>']
    """
    model, task = talker()
    source = task.read(text)
    written = write(model, task, [model.encode(source)])
    read = torch.tensor([task.target_words.encode([BOS, *written[:-1]])])  # (1, T)
    with trace(model) as t, torch.inference_mode():
        logits = model(source, read)  # (1, T, V)
    return TracedSentence(
        [*task.cut(text), EOS], source[0].tolist(), written, t, torch.softmax(logits[0], -1)
    )


def read_and_written(read: Sequence[str], written: Sequence[str]) -> list[str]:
    """Name the rows of a cross-attention, in all pictures alike: word read → word written.

    Example:
        >>> read_and_written(["<bos>", "나는"], ["나는", "그녀를"])
        ['<bos> → 나는', '나는 → 그녀를']
    """
    return [f"{before} → {after}" for before, after in zip(read, written, strict=True)]


def glossed(words: Sequence[str]) -> str:
    """Write Korean words with what each means.

    Example:
        >>> glossed(["나는", "그녀를", "<eos>"])
        '나는 (I) 그녀를 (her)'
    """
    return " ".join(f"{word} ({MEANINGS[word]})" for word in words if word in MEANINGS)
