"""What changed in a picture, as few bytes that need little time to make.

Packing a picture as PNG takes as long as drawing it. So a page that has the last picture is sent
the rectangle in which the next one differs; of that, rows and columns that repeat their neighbour
are sent once, which makes a map's cells single pixels. What is still large is packed by zlib.
"""

import zlib
from typing import NamedTuple

import numpy as np

_LARGE = 1 << 16  # bytes: to unpack as many takes a page longer than to get them


class Repaint(NamedTuple):
    """A rectangle of pixels.

    Attributes:
        x, y: its upper left corner.
        rows, columns: how often each row and column is repeated, as uint16.
        pixels: RGBA of each row and column, as bytes.
        is_packed: whether the pixels are packed by zlib.
    """

    x: int
    y: int
    rows: np.ndarray
    columns: np.ndarray
    pixels: bytes
    is_packed: bool


def change(before: np.ndarray | None, now: np.ndarray) -> Repaint | None:
    """Return how a picture becomes the next one, None if they are alike.

    Args:
        before: RGBA as uint32 of shape (height, width); None where all is to be sent.
        now: the same of the next picture.

    Example:
        >>> white = np.zeros((60, 80), np.uint32)
        >>> spot = white.copy()
        >>> spot[10:20, 30:50] = 7
        >>> sent = change(white, spot)
        >>> sent.x, sent.y, sent.rows, sent.columns, sent.pixels.hex()
        (30, 10, array([10], dtype=uint16), array([20], dtype=uint16), '07000000')
    """
    x = y = 0
    if before is not None:
        differs = now != before
        places = np.flatnonzero(differs.any(axis=1))
        if not len(places):
            return None
        y, low = places[0], places[-1] + 1
        across = np.flatnonzero(differs[y:low].any(axis=0))
        x, right = across[0], across[-1] + 1
        now = now[y:low, x:right]
    now, rows = _once(now)
    turned, columns = _once(now.T)
    pixels = np.ascontiguousarray(turned.T).tobytes()
    is_packed = len(pixels) > _LARGE
    return Repaint(
        int(x), int(y), rows, columns, zlib.compress(pixels, 1) if is_packed else pixels, is_packed
    )


def _once(lines: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the lines that differ from the one before, and how often each is there."""
    starts = np.flatnonzero((lines[1:] != lines[:-1]).any(axis=1)) + 1
    starts = np.concatenate([[0], starts])
    return lines[starts], np.diff(starts, append=len(lines)).astype(np.uint16)
