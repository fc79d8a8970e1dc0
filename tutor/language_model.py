"""What a search through sentences asks of a language model: how likely is each next word?

Searches (`decode`, `beam`) see a model only through its *step function*: given the sentences so
far, it gives the log-probability of every next word. Two are here: of a toy model that fits in a
table, and of any model that can decode.
"""

from typing import Any, Protocol, runtime_checkable

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from tutor.mask import padding_keep
from tutor.say import say


@runtime_checkable
class Cache(Protocol):
    """What a decoder remembers of the words it has read, so as not to read them again."""

    def reorder(self, rows: Int[Tensor, " kept"]) -> None:
        """Make row i the former row rows[i]."""
        ...


@runtime_checkable
class LanguageModel(Protocol):
    """A model that scores next words, looking at an encoded source if it has one."""

    def decode(
        self,
        target: Int[Tensor, "batch target"],
        memory: Float[Tensor, "batch memory d_model"] | None = None,
        keep: Bool[Tensor, "..."] | None = None,
        memory_keep: Bool[Tensor, "..."] | None = None,
        cache: Any = None,
    ) -> Float[Tensor, "batch target d_model"]:
        """Give a state at each target word, from which the word after it is scored.

        With a cache the target holds only the words not read before; the model adds to the cache
        what it will need of them.
        """
        ...

    def logits(self, states: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch vocabulary"]:
        """Score every word of the vocabulary as the next one."""
        ...

    def new_cache(self) -> Any:
        """Give an empty `Cache` for a batch of sentences that are about to be written."""
        ...


@runtime_checkable
class EncoderDecoder(LanguageModel, Protocol):
    """A language model that reads a source first, and writes what follows from it."""

    def encode(
        self, source: Int[Tensor, "batch source"], keep: Bool[Tensor, "..."] | None = None
    ) -> Float[Tensor, "batch memory d_model"]:
        """Read the source; keep is True at its real words."""
        ...


@runtime_checkable
class StepFunction(Protocol):
    """What a search calls at each step: how may each unfinished sentence, one a row, go on?"""

    def __call__(self, prefixes: Int[Tensor, "rows length"]) -> Float[Tensor, "rows vocabulary"]:
        """Log-probability of each next word after each prefix."""
        ...

    def reorder(self, rows: Int[Tensor, " kept"]) -> None:
        """Make row i the former row rows[i]: some sentences end, others may go on in two ways."""
        ...


class TrigramStep:
    """The step function of a toy language model: the next word depends on the last two.

    Its bos has id 0 and its eos id 1.

    Example:
        >>> table = torch.arange(8.0).view(2, 2, 2)  # table[before, last] scores the next word
        >>> TrigramStep(table)(torch.tensor([[0, 1]]))
        tensor([[2., 3.]])

    Raises:
        ValueError: if log_probs is not (V, V, V).
    """

    bos_id, eos_id = 0, 1

    def __init__(self, log_probs: Float[Tensor, "before last vocabulary"]) -> None:
        if log_probs.dim() != 3 or len(set(log_probs.shape)) != 1:
            raise ValueError(
                say(
                    "log_probs must be (V, V, V), for [before, last, next]: got {log_probs_shape}",
                    log_probs_shape=tuple(log_probs.shape),
                )
            )
        self.log_probs = log_probs

    def __call__(self, prefixes: Int[Tensor, "rows length"]) -> Float[Tensor, "rows vocabulary"]:
        """Look the next word up by the last two; what stands before bos counts as bos too."""
        last = prefixes[:, -1]
        before = prefixes[:, -2] if prefixes.size(1) > 1 else torch.full_like(last, self.bos_id)
        return self.log_probs[before, last]

    def start(self) -> Int[Tensor, "1 1"]:
        """Give the beginning of one sentence: bos alone."""
        return torch.tensor([[self.bos_id]], device=self.log_probs.device)

    def reorder(self, rows: Int[Tensor, " kept"]) -> None:
        """Do nothing: the table is the same for every row."""


class ModelStep:
    """The step function of a model that has read its sources.

    Args:
        model: in evaluation mode, because dropout would make every answer random.
        memory: the encoded sources, one a row, as a vector for each word or one for all of them;
            None for a decoder-only model.
        memory_keep: True where a target word may look in the sources, padding_keep of them.
        use_cache: remember keys and values of the words read (the same result, sooner), or read
            all words again for each new one.

    Example:
        >>> from tutor.transformer import Transformer, TransformerConfig
        >>> model = Transformer(TransformerConfig.tiny(vocabulary=9, stacks="decoder")).eval()
        >>> step = ModelStep(model, memory=None, memory_keep=None)
        >>> step(torch.tensor([[2, 4, 5]])).shape
        torch.Size([1, 9])

    Raises:
        ValueError: if the model is in training mode.
    """

    def __init__(
        self,
        model: LanguageModel,
        memory: Float[Tensor, "rows memory d_model"] | None = None,
        memory_keep: Bool[Tensor, "rows 1 1 source"] | None = None,
        use_cache: bool = True,
    ) -> None:
        if getattr(model, "training", False):
            raise ValueError(
                say("the model is in training mode, dropout on: call model.eval() first")
            )
        self.model, self.memory, self.memory_keep = model, memory, memory_keep
        self.cache: Cache | None = model.new_cache() if use_cache else None
        self.words_read = 0

    def __call__(self, prefixes: Int[Tensor, "rows length"]) -> Float[Tensor, "rows vocabulary"]:
        """Read the new words of the prefixes (without a cache, all) and score the next one."""
        unread = prefixes if self.cache is None else prefixes[:, self.words_read :]
        self.words_read = prefixes.size(1)
        states = self.model.decode(
            unread, self.memory, memory_keep=self.memory_keep, cache=self.cache
        )  # (rows, unread words, D)
        return torch.log_softmax(self.model.logits(states[:, -1]), -1)

    def reorder(self, rows: Int[Tensor, " kept"]) -> None:
        """Take these rows of everything that belongs to a sentence: source, keys, values."""
        if self.memory is not None:
            self.memory = self.memory[rows]
        if self.memory_keep is not None:
            self.memory_keep = self.memory_keep[rows]
        if self.cache is not None:
            self.cache.reorder(rows)


def read_source(
    model: EncoderDecoder, source: Int[Tensor, "batch source"], pad_id: int, use_cache: bool = True
) -> ModelStep:
    """Let the model read a batch of sources, and give the step function of their translations.

    Example:
        >>> from tutor.transformer import Transformer, TransformerConfig
        >>> model = Transformer(TransformerConfig.tiny(vocabulary=9)).eval()
        >>> step = read_source(model, torch.tensor([[4, 5, 3], [6, 3, 0]]), pad_id=0)
        >>> step(torch.tensor([[2], [2]])).shape
        torch.Size([2, 9])

    Raises:
        ValueError: if the model is in training mode.
    """
    keep = padding_keep(source, pad_id)  # (B, 1, 1, S)
    memory = model.encode(source, keep)
    return ModelStep(model, memory, None if keep.all() else keep, use_cache)  # no padding: no mask
