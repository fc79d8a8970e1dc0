"""Batches: within max_tokens, complete, the same for a seed."""

from itertools import islice

import torch

from tests.conftest import seeded
from tutor.data.batches import by_max_tokens, collate, endless_batches
from tutor.data.pairs import Example

LENGTHS = [int(n) for n in torch.randint(1, 30, (500,), generator=seeded(3))]


def test_batches_stay_within_max_tokens_and_hold_each_example_once():
    batches = by_max_tokens(LENGTHS, 120, seeded(0))
    assert sorted(index for batch in batches for index in batch) == list(range(500))
    sizes = [len(batch) * max(LENGTHS[index] for index in batch) for batch in batches]
    assert max(sizes) <= 120
    assert sum(sizes) < 1.1 * sum(LENGTHS)  # little padding
    assert sum(sizes) / len(sizes) > 100  # and full


def test_an_example_longer_than_max_tokens_is_alone():
    batches = by_max_tokens([3, 500, 3], 10, seeded(0))
    assert [1] in batches
    assert sorted(map(len, batches)) == [1, 2]


def test_order_follows_from_the_seed_and_changes_with_the_epoch():
    examples = [Example([5] * n, [2, *[6] * n]) for n in LENGTHS]
    per_epoch = len(by_max_tokens([n + 1 for n in LENGTHS], 120, seeded(0)))
    first = list(islice(endless_batches(examples, 120, seed=1), 2 * per_epoch))
    again = list(islice(endless_batches(examples, 120, seed=1), 2 * per_epoch))
    other = list(islice(endless_batches(examples, 120, seed=2), 2 * per_epoch))
    assert first == again
    assert first != other
    assert first[:per_epoch] != first[per_epoch:]


def test_labels_are_the_input_one_step_ahead():
    batch = collate([Example([5, 3], [2, 7, 8, 9, 3]), Example([6, 9, 3], [2, 7, 3])])
    assert batch.decoder_input.tolist() == [[2, 7, 8, 9], [2, 7, 3, 0]]
    assert batch.labels.tolist() == [[7, 8, 9, 3], [7, 3, 0, 0]]
    assert batch.source.tolist() == [[5, 3, 0], [6, 9, 3]]
