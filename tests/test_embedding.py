"""Vocabulary, batches, tables: by hand-worked cases, against torch's functions, and by property."""

import math

import pytest
import torch
import torch.nn.functional as F

from tests.conftest import seeded
from tutor.embedding import (
    TokenEmbedding,
    Vocabulary,
    cosine_similarities,
    embed,
    encode_batch,
    nearest_neighbours,
    one_hot_lookup,
    pad_rows,
)


def randn(*shape: int, seed: int) -> torch.Tensor:
    return torch.randn(*shape, generator=seeded(seed))


def test_special_tokens_come_first():
    vocabulary = Vocabulary(["this", "is", "my", "car"])
    assert vocabulary.words[:5] == ["<pad>", "<unk>", "<bos>", "<eos>", "this"]
    special = ["<pad>", "<unk>", "<bos>", "<eos>"]
    ids = [vocabulary.pad_id, vocabulary.unknown_id, vocabulary.bos_id, vocabulary.eos_id]
    assert vocabulary.encode(special) == ids == [0, 1, 2, 3]
    assert len(vocabulary) == 8
    assert "car" in vocabulary
    assert "bus" not in vocabulary


def test_words_come_back_and_unknown_ones_do_not():
    vocabulary = Vocabulary(["this", "is", "my", "car"])
    words = ["my", "car", "is", "this"]
    assert vocabulary.decode(vocabulary.encode(words)) == words
    assert vocabulary.decode(vocabulary.encode(["my", "bus"])) == ["my", "<unk>"]


def test_a_vocabulary_lists_the_most_frequent_first_and_ties_by_spelling():
    sentences = [line.split() for line in ("b a c", "c b", "c d")]
    assert Vocabulary.from_sentences(sentences).words[4:] == ["c", "b", "a", "d"]
    assert Vocabulary.from_sentences(sentences, size=2).words[4:] == ["c", "b"]


@pytest.mark.parametrize("words", [["a", "b", "a"], ["a", "<pad>"]])
def test_a_word_listed_twice_is_refused(words):
    with pytest.raises(ValueError, match=r"once; listed again: \['(a|<pad>)'\]"):
        Vocabulary(words)


def test_a_batch_is_begun_ended_cut_and_filled():
    batch = encode_batch([[5, 6, 7, 8], [], [0]], max_length=5, bos_id=1, eos_id=2, pad_id=9)
    assert batch.tolist() == [[1, 5, 6, 7, 2], [1, 2, 9, 9, 9], [1, 0, 2, 9, 9]]
    assert batch.dtype == torch.long
    short = encode_batch([[5], []], max_length=50, bos_id=1, eos_id=2, pad_id=9)
    assert short.tolist() == [[1, 5, 2], [1, 2, 9]]
    assert encode_batch([[5]], 2, bos_id=1, eos_id=2, pad_id=9).tolist() == [[1, 2]]


def test_rows_are_filled_on_the_right():
    assert pad_rows([[1], [1, 2, 3]], pad_id=7).tolist() == [[1, 7, 7], [1, 2, 3]]
    assert pad_rows([], pad_id=7).shape == (0, 0)


def test_a_length_without_room_is_refused():
    with pytest.raises(ValueError, match="at least 2; it is 1"):
        encode_batch([[5]], max_length=1, bos_id=1, eos_id=2, pad_id=0)


def test_one_hot_times_table_is_the_look_up():
    table, ids = randn(7, 4, seed=0), torch.tensor([[6, 0, 3], [3, 3, 1]])
    assert torch.equal(one_hot_lookup(ids, table), F.embedding(ids, table))


def test_embedding_scales_real_rows_and_clears_padding():
    table, ids = randn(7, 16, seed=0), torch.tensor([[6, 5, 0], [5, 3, 1]])
    x = embed(ids, table, pad_id=5)
    assert torch.equal(x[0, 0], table[6] * 4)
    assert torch.equal(x[0, 2], table[0] * 4)
    assert x[0, 1].tolist() == x[1, 0].tolist() == [0.0] * 16


def test_the_module_equals_torchs_embedding_times_the_root():
    module = TokenEmbedding(7, 16)
    ids = torch.tensor([[6, 0, 3]])
    assert torch.equal(module(ids), F.embedding(ids, module.table) * math.sqrt(16))
    plain = TokenEmbedding(7, 16, scale=False)
    assert torch.equal(plain(ids), F.embedding(ids, plain.table))


def test_rows_start_with_length_one_and_come_out_beside_the_positions():
    torch.manual_seed(0)
    module = TokenEmbedding(1000, 512)
    assert module.table.norm(dim=-1).mean().item() == pytest.approx(1, abs=0.01)
    words = module(torch.arange(1000)[None])
    assert words.norm(dim=-1).mean().item() == pytest.approx(22.6, abs=0.1)


def test_tied_logits_are_dot_products_with_unscaled_rows_and_train_the_same_table():
    module = TokenEmbedding(7, 16)
    h = randn(2, 3, 16, seed=0)
    logits = module.logits(h)
    assert logits[1, 2, 5].item() == pytest.approx((h[1, 2] @ module.table[5]).item(), abs=1e-6)
    logits.sum().backward()
    torch.testing.assert_close(module.table.grad, h.sum((0, 1)).expand(7, 16))


def test_neighbours_go_by_angle_not_by_length():
    table = torch.tensor([[0.0, 3.0], [9.0, 1.0], [1.0, 1.0], [2.0, 0.0], [-5.0, 0.0]])
    query = torch.tensor([2.0, 0.0])
    assert nearest_neighbours(query, table, k=5).tolist() == [3, 1, 2, 0, 4]
    similarities = cosine_similarities(query, table)
    expected = [F.cosine_similarity(query, row, dim=0).item() for row in table]
    assert similarities.tolist() == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("pad_id", [-1, 3])
def test_padding_without_a_row_of_its_own_is_refused(pad_id):
    with pytest.raises(ValueError, match="pad_id must be from 0 to 2"):
        embed(torch.tensor([[1, 2]]), torch.ones(3, 2), pad_id)
