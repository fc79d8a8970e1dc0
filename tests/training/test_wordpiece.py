"""WordPiece by hand-worked cases and against the tokenizers library, which is written in Rust."""

import random

import pytest
from tokenizers import BertWordPieceTokenizer

from tutor.data.files import read_lines
from tutor.training.wordpiece import WordPiece, words

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
PIECES = [*SPECIAL, "un", "##afford", "##able", "##a", "una", "the", "cafe", "-", "'", "##s", "京"]


def test_the_longest_piece_is_taken_first_and_may_lead_astray():
    assert WordPiece(PIECES).tokens("unaffordable") == ["[CLS]", "[UNK]", "[SEP]"]
    without = [piece for piece in PIECES if piece != "una"]
    expected = ["[CLS]", "un", "##afford", "##able", "[SEP]"]
    assert WordPiece(without).tokens("unaffordable") == expected


def test_case_accents_and_punctuation():
    wordpiece = WordPiece(PIECES)
    expected = ["[CLS]", "the", "cafe", "-", "cafe", "'", "[UNK]", "京", "[SEP]"]
    assert wordpiece.tokens("The  CAFÉ-Cafe\u0301's\t京") == expected
    assert wordpiece.encode("the cafes") == [2, 9, 10, 13, 3]


def test_very_long_words_and_nothing_at_all():
    wordpiece = WordPiece([*SPECIAL, "a", "##a"])
    assert len(wordpiece.tokens("a" * 100)) == 102
    assert wordpiece.tokens("a" * 101) == ["[CLS]", "[UNK]", "[SEP]"]
    assert wordpiece.tokens("") == ["[CLS]", "[SEP]"]


def test_words_are_what_stands_between_spaces_and_punctuation():
    found = words("It's 2.5%, e.g. Ärger…\u200b\u00a0$x^2$")
    assert " ".join(found) == "it ' s 2 . 5 % , e . g . arger … $ x ^ 2 $"


def test_a_list_without_special_pieces_is_refused():
    with pytest.raises(ValueError, match=r"2 pieces lacks \['\[CLS\]', '\[SEP\]', '\[UNK\]'\]"):
        WordPiece(["[PAD]", "a"])


def test_equals_the_tokenizers_library_on_real_and_odd_text():
    letters = "abcdefghijklmnopqrstuvwxyz0123456789가나다는그녀를사랑한의京東仮"
    pieces = [*SPECIAL, *letters, *[f"##{letter}" for letter in letters]]
    pieces += ["date", "##day", "mon", "##th", "##rd", "ja", "##ne", "-", "'", ",", "."]
    theirs = BertWordPieceTokenizer({piece: n for n, piece in enumerate(pieces)}, lowercase=True)
    ours = WordPiece(pieces)
    rng = random.Random(0)
    odd = "abc äéßİıſKñçøł βДЖй नमस्ते 東京仮カナ 한국어 🙂 ’'\"-–—…¿!$+<=>^`|~½²"
    odd += "\u0301\u200b\u00ad\ufffd\x00\t\n\u2028\u00a0"
    texts = read_lines("phrasebook.tsv.gz")[::50]
    texts += ["".join(rng.choices(odd, k=rng.randint(1, 25))) for _ in range(3000)]
    for text in texts:
        assert ours.encode(text) == theirs.encode(text).ids, repr(text)
