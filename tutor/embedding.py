"""From words to numbers to vectors (lesson 2)."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from tutor.output import tied_logits
from tutor.say import say
from tutor.shapes import fitting, pad_within, within

PAD, UNK, BOS, EOS = "<pad>", "<unk>", "<bos>", "<eos>"
Word = TypeVar("Word", int, str)


class Vocabulary:
    """A fixed list of words; a word's id is its place in it, after four special ones.

    Ids 0 to 3 are <pad> (fills up short sentences), <unk> (any word not in the list), <bos>
    (begins a sentence) and <eos> (ends it).

    Args:
        words: the words, without the special ones; the order gives the ids.

    Example:
        >>> vocabulary = Vocabulary(["this", "is", "my", "car"])
        >>> vocabulary.encode("this is my house".split())
        [4, 5, 6, 1]
        >>> vocabulary.decode([4, 5, 6, 7])
        ['this', 'is', 'my', 'car']

    Raises:
        ValueError: a word is listed twice or is one of the special ones.
    """

    pad_id, unknown_id, bos_id, eos_id = range(4)

    def __init__(self, words: Iterable[str]) -> None:
        self.words = [PAD, UNK, BOS, EOS, *words]
        self._ids = {word: number for number, word in enumerate(self.words)}
        if len(self._ids) < len(self.words):
            twice = [word for word, count in Counter(self.words).items() if count > 1]
            raise ValueError(
                say("a vocabulary lists each word once; listed again: {twice}", twice=twice[:5])
            )

    @classmethod
    def from_sentences(
        cls, sentences: Iterable[Sequence[str]], size: int | None = None
    ) -> "Vocabulary":
        """List the words of some sentences, most frequent first, at most size of them.

        Example:
            >>> Vocabulary.from_sentences(["a b a".split(), "a c b".split()], size=2).words[4:]
            ['a', 'b']
        """
        counts = Counter(word for sentence in sentences for word in sentence)
        by_count = sorted(counts, key=lambda word: (-counts[word], word))
        return cls(by_count[:size])

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self._ids

    def encode(self, words: Sequence[str]) -> list[int]:
        """Give each word's id, that of <unk> for a word not listed."""
        return [self._ids.get(word, self.unknown_id) for word in words]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """Give the words back, special ones included."""
        return [self.words[number] for number in ids]


def encode_batch(
    sentences: Sequence[Sequence[int]], max_length: int, bos_id: int, eos_id: int, pad_id: int
) -> Int[Tensor, "batch time"]:
    """Make one rectangle of several sentences: begun, ended, cut if too long, filled up if short.

    Args:
        sentences: the ids of each, without special ones.
        max_length: the most ids a row may have, the two special ones included.
        bos_id: goes before each sentence.
        eos_id: goes after it, also when the sentence was cut.
        pad_id: fills shorter rows on the right.

    Example:
        >>> encode_batch([[7, 8, 9], [5]], max_length=4, bos_id=2, eos_id=3, pad_id=0)
        tensor([[2, 7, 8, 3],
                [2, 5, 3, 0]])

    Raises:
        ValueError: max_length leaves no room for bos and eos.
    """
    if max_length < 2:
        raise ValueError(
            say(
                "max_length counts bos and eos and must be at least 2; it is {max_length}",
                max_length=max_length,
            )
        )
    rows = [[bos_id, *sentence[: max_length - 2], eos_id] for sentence in sentences]
    return pad_rows(rows, pad_id)


def pad_rows(rows: Sequence[Sequence[int]], pad_id: int) -> Int[Tensor, "batch time"]:
    """Fill rows of ids on the right up to the longest.

    Example:
        >>> pad_rows([[7, 8], [5]], pad_id=0)
        tensor([[7, 8],
                [5, 0]])
    """
    longest = max((len(row) for row in rows), default=0)
    filled = [[*row, *[pad_id] * (longest - len(row))] for row in rows]
    return torch.tensor(filled, dtype=torch.long).view(len(rows), longest)


@fitting
def one_hot_lookup(
    ids: Int[Tensor, "batch time"], table: Float[Tensor, "vocabulary d_model"]
) -> Float[Tensor, "batch time d_model"]:
    """Look rows up the long way: a row of zeros with a single 1 at the id, times the table.

    Equal to table[ids], which does none of the multiplications by zero.

    Example:
        >>> table = torch.tensor([[0.0, 1.0], [2.0, 3.0]])
        >>> one_hot_lookup(torch.tensor([[1, 0]]), table)
        tensor([[[2., 3.],
                 [0., 1.]]])
    """
    one_hot = F.one_hot(ids, num_classes=table.size(0)).to(table)  # (B, T, V)
    return one_hot @ table  # (B, T, D)


@fitting
def embed(
    ids: Int[Tensor, "batch time"], table: Float[Tensor, "vocabulary d_model"], pad_id: int
) -> Float[Tensor, "batch time d_model"]:
    """Look up each id's row and scale it by √d_model; padding becomes zeros.

    Example:
        >>> embed(torch.tensor([[1, 0]]), torch.ones(2, 4), pad_id=0)
        tensor([[[2., 2., 2., 2.],
                 [0., 0., 0., 0.]]])

    Raises:
        IndexError: an id has no row in the table.
        ValueError: neither has pad_id.

    Source: "Attention Is All You Need", section 3.4.
    """
    within(ids, len(table))
    pad_within(pad_id, len(table))
    real = (ids != pad_id).unsqueeze(-1)  # (B, T, 1)
    return table[ids] * math.sqrt(table.size(-1)) * real  # (B, T, D)


def fresh_rows(count: int, width: int) -> Float[Tensor, "{count} {width}"]:
    """Draw random rows to start from, each about 1 long.

    Example:
        >>> fresh_rows(3, 4).shape
        torch.Size([3, 4])
    """
    if torch.get_default_device().type == "meta":  # shapes without numbers are asked for,
        return torch.empty(count, width)  # for which torch's randn would load its compiler
    return torch.randn(count, width) * width**-0.5


class TokenEmbedding(nn.Module):
    """The table with one vector per word, for reading words and, if tied, for predicting them.

    Args:
        vocabulary: number of words, V.
        d_model: length of a word's vector, D.
        scale: whether rows are multiplied by √d_model. They start with length about 1, and so
            come out about as long as the position's vector, √(d_model / 2).

    Example:
        >>> embedding = TokenEmbedding(vocabulary=10, d_model=4)
        >>> x = embedding(torch.tensor([[3, 5, 3]]))
        >>> x.shape, torch.equal(x[0, 0], x[0, 2])
        (torch.Size([1, 3, 4]), True)

    Raises:
        IndexError: (when called) an id has no row in the table.

    Source: "Attention Is All You Need", section 3.4; Press and Wolf 2017 for tying.
    """

    def __init__(self, vocabulary: int, d_model: int, scale: bool = True) -> None:
        super().__init__()
        self.table = nn.Parameter(fresh_rows(vocabulary, d_model))
        self.factor = math.sqrt(d_model) if scale else 1.0

    @fitting
    def forward(self, ids: Int[Tensor, "batch time"]) -> Float[Tensor, "batch time d_model"]:
        """Look up each id's row, scaled."""
        within(ids, len(self.table))
        return self.table[ids] * self.factor  # (B, T, D)

    def logits(self, h: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch vocabulary"]:
        """Score every word by the (unscaled) row that embedded it: the tied output."""
        return tied_logits(h, self.table)  # (*batch, V)


@fitting
def cosine_similarities(
    query: Float[Tensor, " d_model"], table: Float[Tensor, "vocabulary d_model"]
) -> Float[Tensor, " vocabulary"]:
    """Compare a vector with every row by the angle alone: 1 same direction, 0 unrelated.

    Example:
        >>> cosine_similarities(torch.tensor([1.0, 0.0]), torch.tensor([[3.0, 0.0], [0.0, 2.0]]))
        tensor([1., 0.])
    """
    return F.normalize(table, dim=-1) @ F.normalize(query, dim=-1)  # (V,)


@fitting
def nearest_neighbours(
    query: Float[Tensor, " d_model"], table: Float[Tensor, "vocabulary d_model"], k: int
) -> Int[Tensor, " k"]:
    """Find the k rows closest to a vector by cosine similarity, best first.

    A row equal to the query counts: to search around a word, leave its own id out yourself.

    Example:
        >>> table = torch.tensor([[0.0, 1.0], [5.0, 0.1], [1.0, 1.0]])
        >>> nearest_neighbours(torch.tensor([1.0, 0.0]), table, k=2)
        tensor([1, 2])
    """
    return cosine_similarities(query, table).topk(k).indices  # (k,)


def window_pairs(sentence: Sequence[Word], window: int) -> list[tuple[Word, Word]]:
    """Pair each word with its context: the words up to `window` places away.

    Example:
        >>> window_pairs(["mina", "drinks", "tea"], window=1)
        [('mina', 'drinks'), ('drinks', 'mina'), ('drinks', 'tea'), ('tea', 'drinks')]

    Source: Mikolov et al. 2013 (skip-gram).
    """
    return [
        (word, sentence[other])
        for place, word in enumerate(sentence)
        for other in range(max(0, place - window), min(len(sentence), place + window + 1))
        if other != place
    ]
