"""What a decoder keeps: stored in order, reordered with the beams."""

import itertools

import torch

from tests.conftest import seeded
from tutor.cache import DecoderCache, KeyValueCache


def test_a_cache_returns_what_it_was_given_oldest_first():
    keys = torch.randn(2, 3, 25, 4, generator=seeded(0))
    values = torch.randn(2, 3, 25, 6, generator=seeded(1))
    cache = KeyValueCache()
    assert (cache.length, cache.stored) == (0, None)
    for start, end in itertools.pairwise([0, 2, 3, 4, 20, 22, 23, 25]):
        both = cache.extend(keys[:, :, start:end], values[:, :, start:end])
        for found, expected in zip((*both, *cache.stored), (keys, values) * 2, strict=True):
            assert torch.equal(found, expected[:, :, :end])
        assert cache.length == end


def test_a_reordered_cache_goes_on_and_leaves_alone_what_it_gave_before():
    keys = torch.randn(2, 1, 6, 2, generator=seeded(0))
    cache = KeyValueCache()
    for t in range(4):
        before, _ = cache.extend(keys[:, :, t : t + 1], keys[:, :, t : t + 1])
    cache.reorder(torch.tensor([1, 1]))
    for t in (4, 5):
        after, _ = cache.extend(keys[:, :, t : t + 1], keys[:, :, t : t + 1])
    assert torch.equal(before, keys[:, :, :4])
    assert torch.equal(after[0], torch.cat([keys[1, :, :4], keys[0, :, 4:]], 1))
    assert torch.equal(after[1], keys[1])


def test_reordering_a_decoder_reorders_self_and_cross_in_every_layer():
    cache = DecoderCache(layers=2)
    before = [torch.randn(3, 1, 2, 4, generator=seeded(n)) for n in range(4)]
    for (of_self, of_cross), number in zip(cache.layers, (0, 2)):
        of_self.extend(before[number], -before[number])
        of_cross.extend(before[number + 1], -before[number + 1])
    rows = torch.tensor([2, 0, 2, 1])
    cache.reorder(rows)
    after = [of_one for pair in cache.layers for of_one in pair]
    for one, stored in zip(after, before):
        assert torch.equal(one.stored[0], stored[rows])
        assert torch.equal(one.stored[1], -stored[rows])
    assert cache.length == 2


def test_reordering_an_empty_cache_leaves_it_empty():
    cache = DecoderCache(layers=1)
    cache.reorder(torch.tensor([1, 0]))
    assert cache.length == 0


def test_sources_are_copied_only_when_rows_read_others():
    cache = DecoderCache(layers=1)
    of_self, of_cross = cache.layers[0]
    words, source = torch.randn(2, 2, 1, 3, 4, generator=seeded(0))  # (B, h, T, d_k) each
    for part, given in ((of_self, words), (of_cross, source)):
        part.extend(given, given)
    row, stored = [0, 1], of_cross.stored
    moves = [([0, 0, 1, 1], True), ([1, 0, 3, 2], False), ([0, 1, 3], True), ([1, 0, 2], False)]
    for rows, is_copied in moves:
        cache.reorder(torch.tensor(rows))
        row = [row[place] for place in rows]
        assert torch.equal(of_self.stored[0], words[row])
        assert torch.equal(of_cross.stored[0], source[row])
        assert (of_cross.stored is not stored) == is_copied
        stored = of_cross.stored
