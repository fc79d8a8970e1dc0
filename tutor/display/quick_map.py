"""Draw a map of coloured cells again in a fraction of matplotlib's time, with the same pixels.

Matplotlib resamples the numbers to the size of the axes and then colours each pixel. While a map
keeps its place each pixel shows the same cell, so that it is enough to colour the cells. Which
pixel shows which cell is asked of matplotlib itself; the way is taken only where it has given
matplotlib's own pixels once.
"""

from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backend_bases import RendererBase
from matplotlib.image import AxesImage

_LEAST = 1 << 16  # pixels: smaller maps are drawn soon enough


class _Place(NamedTuple):
    """Where a map stands: which of its cells each pixel shows, or none if that is unknown."""

    image: AxesImage
    key: Any
    cells: np.ndarray | None
    left: float
    bottom: float


_latest: _Place | None = None  # of one map: 3 MB each


def draw_quickly(artist: Artist, renderer: RendererBase) -> bool:
    """Draw a map, if it is one and stands where it stood; tell whether it was drawn."""
    global _latest
    if type(artist) is not AxesImage or not artist.get_visible() or artist.axes is None:
        return False
    key = _key(artist)
    if _latest is None or _latest.image is not artist or _latest.key != key:
        _latest = _placed(artist, key, renderer)
    if _latest.cells is None:
        return False
    pixels = _colours(artist).ravel()[_latest.cells]
    context = renderer.new_gc()
    context.set_clip_rectangle(artist.get_clip_box())
    renderer.draw_image(context, _latest.left, _latest.bottom, _bytes(pixels))
    context.restore()
    return True


def _placed(image: AxesImage, key: Any, renderer: RendererBase) -> _Place:
    """Ask matplotlib which cell each pixel shows, by a picture whose colours are the cells."""
    drawn, left, bottom, _ = image.make_image(renderer)
    numbers = image.get_array()
    if drawn is None or numbers is None or numbers.ndim != 2 or drawn[..., 0].size < _LEAST:
        return _Place(image, key, None, left, bottom)
    counted = np.arange(numbers.size, dtype=np.uint32) | np.uint32(0xFF000000)
    image.set_data(_bytes(counted.reshape(numbers.shape)))
    cells = _words(image.make_image(renderer)[0]) & 0x00FFFFFF
    image.set_data(numbers)
    known = cells.max() < numbers.size
    is_same = known and np.array_equal(_colours(image).ravel()[cells], _words(drawn))
    return _Place(image, key, cells if is_same else None, left, bottom)


def _key(image: AxesImage) -> Any:
    assert image.axes is not None
    box = image.axes.bbox.bounds
    limits = (image.axes.get_xlim(), image.axes.get_ylim())
    numbers = image.get_array()
    shape = None if numbers is None else numbers.shape
    return (box, limits, image.get_extent(), shape, image.get_alpha(), image.get_clip_path())


def _colours(image: AxesImage) -> np.ndarray:
    return _words(image.to_rgba(np.ma.asarray(image.get_array()), bytes=True))


def _words(rgba: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(rgba).view(np.uint32)[..., 0]


def _bytes(pixels: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(pixels).view(np.uint8).reshape(*pixels.shape, 4)
