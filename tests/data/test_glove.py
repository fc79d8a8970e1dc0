"""The GloVe cut: the analogies its words are known for, and the one it misses."""

import pytest
import torch
import torch.nn.functional as F

from tutor.data.glove import load_glove


def analogy(a: str, b: str, c: str) -> str:
    """Word nearest to a − b + c, by cosine, the three themselves left out."""
    words, table = load_glove()
    place = {word: number for number, word in enumerate(words)}
    query = table[place[a]] - table[place[b]] + table[place[c]]
    similarity = F.cosine_similarity(table, query.unsqueeze(0))
    similarity[[place[a], place[b], place[c]]] = -1.0
    return words[int(similarity.argmax())]


@pytest.mark.parametrize(
    ("a", "b", "c", "expected"),
    [
        ("king", "man", "woman", "queen"),
        ("paris", "france", "germany", "berlin"),
        ("tokyo", "japan", "korea", "seoul"),
        ("bigger", "big", "small", "larger"),  # the miss: "smaller" would be right
    ],
)
def test_analogies(a, b, c, expected):
    assert analogy(a, b, c) == expected


def test_table_has_one_row_a_word():
    words, table = load_glove()
    assert table.shape == (10_000, 50)
    assert table.dtype == torch.float32
    assert len(set(words)) == 10_000
    # "the" as Stanford published it, rounded to float16
    expected = torch.tensor([0.418, 0.24968, -0.41242, 0.1217, 0.34527])
    torch.testing.assert_close(table[0, :5], expected, rtol=1e-3, atol=0)
