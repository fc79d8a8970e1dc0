"""What a decoder keeps: stored in order, reordered with the beams."""

import torch

from tests.conftest import seeded
from tutor.cache import DecoderCache, KeyValueCache


def test_a_cache_returns_what_it_was_given_oldest_first():
    keys = torch.randn(2, 3, 5, 4, generator=seeded(0))
    values = torch.randn(2, 3, 5, 6, generator=seeded(1))
    cache = KeyValueCache()
    assert cache.length == 0
    for span in (slice(0, 2), slice(2, 3), slice(3, 5)):
        all_keys, all_values = cache.extend(keys[:, :, span], values[:, :, span])
    assert torch.equal(all_keys, keys)
    assert torch.equal(all_values, values)
    assert cache.length == 5


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
