"""Batches of at most so many tokens: sentences of like length together, to compute little padding.

The order is a pure function of the seed: a run that stopped goes on with exactly the batches it
would have seen.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Int
from torch import Tensor

from tutor.data.pairs import Example
from tutor.embedding import Vocabulary, pad_rows


@dataclass(frozen=True)
class Batch:
    """Sentences as tensors, padded on the right; the labels are the target one step ahead."""

    source: Int[Tensor, "batch source"]
    decoder_input: Int[Tensor, "batch target"]
    labels: Int[Tensor, "batch target"]


def collate(examples: Sequence[Example]) -> Batch:
    """Make one batch of some examples.

    Example:
        >>> batch = collate([Example([5, 3], [2, 7, 8, 3]), Example([6, 9, 3], [2, 7, 3])])
        >>> batch.decoder_input
        tensor([[2, 7, 8],
                [2, 7, 3]])
        >>> batch.labels
        tensor([[7, 8, 3],
                [7, 3, 0]])
    """
    source = pad_rows([example.source for example in examples], Vocabulary.pad_id)  # (B, S)
    target = pad_rows([example.target for example in examples], Vocabulary.pad_id)  # (B, T + 1)
    return Batch(source, target[:, :-1], target[:, 1:])


def by_max_tokens(
    lengths: Sequence[int], max_tokens: int, generator: torch.Generator
) -> list[list[int]]:
    """Group examples into batches of at most so many tokens, padding included, in random order.

    Args:
        lengths: tokens of each example (the longer of its two sides).
        max_tokens: rows × longest length stays within it, unless one example alone is longer.
        generator: decides which of the equally long examples meet, and the order of the batches.

    Returns:
        For each batch the indices of its examples in `lengths`; every example comes once.

    Example:
        >>> by_max_tokens([9, 2, 2, 3], max_tokens=6, generator=torch.Generator().manual_seed(0))
        [[1, 2], [0], [3]]
    """
    order = torch.randperm(len(lengths), generator=generator).tolist()
    order.sort(key=lambda index: lengths[index])  # a stable sort: like lengths stay shuffled
    groups: list[list[int]] = []
    for index in order:  # lengths only grow, so the newcomer is the longest of its batch
        if groups and (len(groups[-1]) + 1) * lengths[index] <= max_tokens:
            groups[-1].append(index)
        else:
            groups.append([index])
    return [groups[i] for i in torch.randperm(len(groups), generator=generator).tolist()]


def endless_batches(
    examples: Sequence[Example], max_tokens: int, seed: int
) -> Iterator[Sequence[int]]:
    """Give batches (as indices of `examples`) epoch after epoch, each epoch in another order."""
    lengths = [max(len(example.source), len(example.target)) for example in examples]
    epoch = 0
    while True:
        generator = torch.Generator().manual_seed(seed * 100_003 + epoch)
        yield from by_max_tokens(lengths, max_tokens, generator)
        epoch += 1
