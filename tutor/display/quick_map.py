"""Draw a map of coloured cells again in a fraction of matplotlib's time, with the same pixels.

Matplotlib resamples the numbers to the size of the axes and then colours each pixel. While a map
keeps its place each pixel shows the same cell, so that it is enough to colour the cells. Which
pixel shows which cell is asked of matplotlib itself; the way is taken only where it has given
matplotlib's own pixels once.
"""

from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backend_bases import RendererBase
from matplotlib.image import AxesImage

_LEAST = 1 << 16  # pixels: smaller maps are drawn soon enough


class _Place(NamedTuple):
    """Where a map stands: which of its cells each row and column of pixels shows.

    Both are None where that is unknown.
    """

    key: Any
    rows: np.ndarray | None
    columns: np.ndarray | None
    left: float
    bottom: float


_places: WeakKeyDictionary[AxesImage, _Place] = WeakKeyDictionary()


def draw_quickly(artist: Artist, renderer: RendererBase) -> bool:
    """Draw a map, if it is one and stands where it stood; tell whether it was drawn."""
    if type(artist) is not AxesImage or not artist.get_visible() or artist.axes is None:
        return False
    key = _key(artist)
    place = _places.get(artist)
    if place is None or place.key != key:
        place = _places[artist] = _placed(artist, key, renderer)
    if place.rows is None or place.columns is None:
        return False
    context = renderer.new_gc()
    context.set_clip_rectangle(artist.get_clip_box())
    pixels = _enlarged(_colours(artist), place.rows, place.columns)
    renderer.draw_image(context, place.left, place.bottom, _bytes(pixels))
    context.restore()
    return True


def _placed(image: AxesImage, key: Any, renderer: RendererBase) -> _Place:
    """Ask matplotlib which cell each pixel shows, by a picture whose colours are the cells."""
    drawn, left, bottom, _ = image.make_image(renderer)
    unknown = _Place(key, None, None, left, bottom)
    numbers = image.get_array()
    if drawn is None or numbers is None or numbers.ndim != 2 or drawn[..., 0].size < _LEAST:
        return unknown
    counted = np.arange(numbers.size, dtype=np.uint32).reshape(numbers.shape)
    image.set_data(_bytes(counted | np.uint32(0xFF000000)))
    cells = _words(image.make_image(renderer)[0]) & 0x00FFFFFF
    image.set_data(numbers)
    if cells.max() >= numbers.size:
        return unknown
    rows, columns = cells[:, 0] // numbers.shape[1], cells[0] % numbers.shape[1]
    is_grid = np.array_equal(_enlarged(counted, rows, columns), cells)
    if not is_grid or not np.array_equal(_enlarged(_colours(image), rows, columns), _words(drawn)):
        return unknown
    return _Place(key, rows, columns, left, bottom)


def _enlarged(cells: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Give each pixel what its cell has."""
    return cells.take(columns, axis=1).take(rows, axis=0)


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
