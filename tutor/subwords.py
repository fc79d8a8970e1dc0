"""Words cut into pieces by byte-pair encoding (lesson 2)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

from tutor.embedding import BOS, EOS, PAD, UNK
from tutor.say import say

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Piece = TypeVar("Piece", int, str)


def count_pairs(
    words: Sequence[Sequence[Piece]], counts: Sequence[int]
) -> Counter[tuple[Piece, Piece]]:
    """Count how often two pieces stand side by side, in the order in which they are first met.

    Args:
        words: each word as its pieces.
        counts: how often each word stands in the text.

    Example:
        >>> count_pairs(["hug", "mug"], [2, 3])
        Counter({('u', 'g'): 5, ('m', 'u'): 3, ('h', 'u'): 2})
    """
    pairs: Counter[tuple[Piece, Piece]] = Counter()
    for word, count in zip(words, counts, strict=True):
        for pair in pairwise(word):
            pairs[pair] += count
    return pairs


def join_pair(word: Sequence[Piece], pair: tuple[Piece, Piece], joined: Piece) -> list[Piece]:
    """Put one piece in the place of every pair, from the left.

    Example:
        >>> join_pair([5, 5, 5, 2], (5, 5), joined=9)
        [9, 5, 2]
    """
    pieces: list[Piece] = []
    place = 0
    while place < len(word):
        found = tuple(word[place : place + 2]) == pair
        pieces.append(joined if found else word[place])
        place += 2 if found else 1
    return pieces


def bpe_merge(
    words: Sequence[Sequence[int]], counts: Sequence[int], new_id: int
) -> tuple[tuple[int, int], list[list[int]]]:
    """Do one step of byte-pair encoding: join the most frequent pair of neighbours everywhere.

    Args:
        words: each word as the ids of its pieces; at least one has two.
        counts: how often each word stands in the text.
        new_id: of the piece that is made.

    Returns:
        The pair, of equally frequent ones the first that is met, and the words afterwards.

    Example:
        >>> bpe_merge([[1, 2, 3], [4, 2, 3]], [2, 3], new_id=9)
        ((2, 3), [[1, 9], [4, 9]])

    Raises:
        ValueError: no word has two pieces.

    Source: Sennrich et al. 2016, algorithm 1.
    """
    pairs = count_pairs(words, counts)
    if not pairs:
        raise ValueError(say("every word is one piece already: there is no pair to join"))
    pair = max(pairs, key=pairs.__getitem__)  # of equals the first, as a Counter keeps its order
    return pair, [join_pair(word, pair, new_id) for word in words]


def train_bpe(sentences: Iterable[str], size: int) -> "Tokenizer":
    """Learn subwords: start from characters, join the most frequent neighbours again and again.

    Args:
        sentences: plain text.
        size: how many pieces the vocabulary may hold, characters and special tokens included.

    Returns:
        A tokenizer of the library `tokenizers`; `.encode(text).tokens` shows the pieces.

    Example:
        >>> words = ["hug"] * 10 + ["pug"] * 5 + ["pun"] * 12 + ["bun"] * 4 + ["hugs"] * 5
        >>> tokenizer = train_bpe(words, size=14)  # 4 special, 7 letters, 3 joined: ug, un, hug
        >>> tokenizer.encode("hugs bug").tokens
        ['hug', 's', 'b', 'ug']

    Source: Sennrich et al. 2016; "Attention Is All You Need", section 5.1 ("byte-pair encoding").
    """
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE(unk_token=UNK))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    special = [PAD, UNK, BOS, EOS]
    trainer = trainers.BpeTrainer(vocab_size=size, special_tokens=special, show_progress=False)
    tokenizer.train_from_iterator(sentences, trainer)
    return tokenizer
