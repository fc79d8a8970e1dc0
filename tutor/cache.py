"""What a decoder keeps while it writes, so that no key or value is computed twice (lesson 9)."""

from jaxtyping import Float, Int
from torch import Tensor

from tutor.shapes import fitting


class KeyValueCache:
    """The keys and values one attention has already computed, oldest position first.

    They lie in tensors with room for more, so that a new position is written without copying all
    others; full, they are replaced by tensors twice as long. For writing, not for training: what is
    written in place has no gradient to follow.

    Attributes:
        length: the number of positions stored.
        stored: keys (B, h, T, d_k) and values (B, h, T, d_v); None as long as it is empty.

    Example:
        >>> import torch
        >>> cache = KeyValueCache()
        >>> _ = cache.extend(torch.zeros(1, 2, 3, 4), torch.zeros(1, 2, 3, 5))
        >>> keys, values = cache.extend(torch.ones(1, 2, 1, 4), torch.ones(1, 2, 1, 5))
        >>> cache.length, keys.shape
        (4, torch.Size([1, 2, 4, 4]))
    """

    def __init__(self) -> None:
        self.length = 0
        self.stored: tuple[Tensor, Tensor] | None = None
        self._rooms: tuple[Tensor, Tensor] | None = None

    @fitting
    def extend(
        self,
        keys: Float[Tensor, "batch heads new d_k"],
        values: Float[Tensor, "batch heads new d_v"],
    ) -> tuple[Tensor, Tensor]:
        """Store those of the new positions; return all, the new ones last."""
        past, new = self.length, keys.size(2)
        if self._rooms is not None:  # those of a source come once and need no room for more
            room_k, room_v = (_with_room(room, past, past + new) for room in self._rooms)
            room_k.narrow(2, past, new).copy_(keys)
            room_v.narrow(2, past, new).copy_(values)
            keys, values = room_k, room_v
        return self._store((keys, values), past + new)

    def reorder(self, rows: Int[Tensor, " new_batch"]) -> None:
        """Make row i the former row rows[i], as beam search does with the beams it keeps."""
        if self._rooms is not None:
            room_k, room_v = self._rooms
            self._store((room_k.index_select(0, rows), room_v.index_select(0, rows)), self.length)

    def _store(self, rooms: tuple[Tensor, Tensor], length: int) -> tuple[Tensor, Tensor]:
        """Keep tensors of which so many positions are taken."""
        self._rooms, self.length = rooms, length
        self.stored = rooms[0].narrow(2, 0, length), rooms[1].narrow(2, 0, length)
        return self.stored


def _with_room(room: Tensor, past: int, wanted: int) -> Tensor:
    """Give a tensor with room for so many positions, the past ones in it."""
    batch, heads, positions, width = room.shape
    if positions >= wanted:
        return room
    longer = room.new_empty(batch, heads, 2 * wanted, width)
    longer.narrow(2, 0, past).copy_(room.narrow(2, 0, past))
    return longer


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
        self._sources: list[int] = []  # which source each row reads, once rows have moved

    @property
    def length(self) -> int:
        """The number of target positions written so far."""
        return self.layers[0][0].length

    def reorder(self, rows: Int[Tensor, " new_batch"]) -> None:
        """Make row i the former row rows[i] in every layer, the source's keys included."""
        before, moved = self._sources, rows.tolist()
        self._sources = [before[row] for row in moved] if before else moved
        for of_self, of_cross in self.layers:
            of_self.reorder(rows)
            if self._sources != before:  # the beams of one sentence read the same source
                of_cross.reorder(rows)
