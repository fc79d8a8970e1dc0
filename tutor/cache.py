"""What a decoder keeps while it writes, so that no key or value is computed twice (lesson 9)."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from tutor.shapes import fitting


class KeyValueCache:
    """The keys and values one attention has already computed, oldest position first.

    Attributes:
        stored: keys (B, h, T, d_k) and values (B, h, T, d_v); None as long as it is empty.

    Example:
        >>> cache = KeyValueCache()
        >>> _ = cache.extend(torch.zeros(1, 2, 3, 4), torch.zeros(1, 2, 3, 5))
        >>> keys, values = cache.extend(torch.ones(1, 2, 1, 4), torch.ones(1, 2, 1, 5))
        >>> cache.length, keys.shape
        (4, torch.Size([1, 2, 4, 4]))
    """

    def __init__(self) -> None:
        self.stored: tuple[Tensor, Tensor] | None = None

    @property
    def length(self) -> int:
        """The number of positions stored."""
        return 0 if self.stored is None else self.stored[0].size(2)

    @fitting
    def extend(
        self,
        keys: Float[Tensor, "batch heads new d_k"],
        values: Float[Tensor, "batch heads new d_v"],
    ) -> tuple[Tensor, Tensor]:
        """Store those of the new positions; return all, the new ones last."""
        if self.stored is not None:
            keys = torch.cat([self.stored[0], keys], dim=2)  # (B, h, T + new, d_k)
            values = torch.cat([self.stored[1], values], dim=2)  # (B, h, T + new, d_v)
        self.stored = keys, values
        return self.stored

    def reorder(self, rows: Int[Tensor, " new_batch"]) -> None:
        """Make row i the former row rows[i], as beam search does with the beams it keeps."""
        if self.stored is not None:
            keys, values = self.stored
            self.stored = keys.index_select(0, rows), values.index_select(0, rows)


class DecoderCache:
    """The caches of all layers of a decoder: of its self-attention and of its cross-attention.

    Make a new one for every batch of sentences to be written (Transformer.new_cache does), and
    hand it to every Transformer.decode.

    Example:
        >>> cache = DecoderCache(layers=6)
        >>> cache.length, len(cache.layers)
        (0, 6)
    """

    def __init__(self, layers: int) -> None:
        self.layers = [(KeyValueCache(), KeyValueCache()) for _ in range(layers)]

    @property
    def length(self) -> int:
        """The number of target positions written so far."""
        return self.layers[0][0].length

    def reorder(self, rows: Int[Tensor, " new_batch"]) -> None:
        """Make row i the former row rows[i] in every layer, the source's keys included."""
        for of_self, of_cross in self.layers:
            of_self.reorder(rows)
            of_cross.reorder(rows)
