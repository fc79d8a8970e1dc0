"""Byte-pair encoding: by hand-worked merges, and step by step against the library's."""

from collections import Counter

import pytest

from tutor.embedding import Vocabulary
from tutor.explorers.lesson02_embeddings import TEXT
from tutor.subwords import bpe_merge, count_pairs, join_pair, train_bpe


def test_subwords_join_the_most_frequent_neighbours():
    words = ["hug"] * 10 + ["pug"] * 5 + ["pun"] * 12 + ["bun"] * 4 + ["hugs"] * 5
    letters = train_bpe(words, size=11)
    assert letters.encode("hugs").tokens == ["h", "u", "g", "s"]
    assert train_bpe(words, size=12).encode("hugs").tokens == ["h", "ug", "s"]  # ug 20, un 16
    assert train_bpe(words, size=14).encode("hugs pun").tokens == ["hug", "s", "p", "un"]
    assert letters.encode("bus?").tokens == ["b", "u", "s", "<unk>"]
    assert letters.token_to_id("<pad>") == Vocabulary.pad_id


def test_steps_by_hand_are_the_librarys():
    """Four merges of the lesson's text; at the fifth the library breaks a tie by ids."""
    counts = Counter(TEXT)
    words = [list(word) for word in counts]
    letters = {letter for word in words for letter in word}
    for merges in range(1, 5):
        pairs = count_pairs(words, [*counts.values()])
        pair = max(pairs, key=pairs.__getitem__)
        words = [join_pair(word, pair, "".join(pair)) for word in words]
        library = train_bpe(TEXT, size=4 + len(letters) + merges)
        assert words == [library.encode(word).tokens for word in counts]


def test_neighbours_are_counted_word_by_word_as_often_as_the_word_stands_there():
    pairs = count_pairs([[1, 1, 1], [2, 1], [1]], [2, 5, 9])
    assert pairs == {(1, 1): 4, (2, 1): 5}
    assert [*pairs] == [(1, 1), (2, 1)]


def test_of_equally_frequent_pairs_the_first_met_is_joined_from_the_left():
    assert bpe_merge([[5, 5, 5], [3, 4]], [1, 2], new_id=9) == ((5, 5), [[9, 5], [3, 4]])


def test_words_of_one_piece_have_no_pair():
    with pytest.raises(ValueError, match="no pair"):
        bpe_merge([[1], [2]], [3, 4], new_id=9)
