"""What lies over words in a picture: other words, lines, and dots that belong to something else."""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from matplotlib.artist import Artist
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgba
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Patch
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from tutor.display.explorer import Explorer

TOUCHING = 2.0  # pixels of the picture, one on the page: letters do not fill their boxes
PALE = 0.35  # of alpha: what is as pale does not hide a word, and is not read


class Drawn(NamedTuple):
    """Something that was drawn, and where."""

    artist: Artist
    box: Bbox
    lines: list[np.ndarray]  # each (points, 2), in pixels
    dots: np.ndarray  # the middles of its markers, (count, 2)
    size: float  # of a marker, in pixels


def words_overlapping(explorer: Explorer, values: dict[str, Any]) -> list[str]:
    """Say what lies over words at a setting; nothing is painted, which would take much longer."""
    figure = explorer._canvas.figure
    with torch.inference_mode():
        explorer._update(**values)
    for artist in figure.findobj():
        artist.set_animated(False)  # else the figure would leave it out
    with recorded() as seen:
        figure.draw_without_rendering()
    return overlaps(seen)


@contextmanager
def recorded() -> Iterator[list[Drawn]]:
    """Note whatever is drawn in the block, in order."""
    seen: list[Drawn] = []
    with pytest.MonkeyPatch.context() as patch:
        for kind in (Text, Line2D, Patch, FancyArrowPatch, PathCollection):
            patch.setattr(kind, "draw", _noting(kind.draw, seen))
        yield seen


def _noting(draw: Any, seen: list[Drawn]) -> Any:
    def noted(artist: Artist, renderer: Any, *others: Any) -> None:
        draw(artist, renderer, *others)
        if artist.get_visible() and (artist.get_alpha() is None or _alpha(artist) > PALE):
            seen.append(_drawn(artist, renderer))

    return noted


def _alpha(artist: Artist) -> float:
    return float(np.max(artist.get_alpha()))


def _drawn(artist: Any, renderer: Any) -> Drawn:
    dots, size, lines = np.empty((0, 2)), 0.0, []
    pixels = renderer.points_to_pixels(1.0)
    if isinstance(artist, Text):
        return Drawn(artist, _ink(artist, renderer), lines, dots, size)
    if isinstance(artist, PathCollection):
        dots = artist.get_offset_transform().transform(artist.get_offsets())
        size = float(np.sqrt(np.max(artist.get_sizes(), initial=0.0))) * pixels
    elif isinstance(artist, Line2D):
        path = artist.get_path().transformed(artist.get_transform())
        if artist.get_marker() not in ("None", "", " ", None):
            dots, size = path.vertices, artist.get_markersize() * pixels
        if artist.get_linestyle() != "None" and artist.get_linewidth() > 0:
            lines = _polylines(path)
    elif artist.get_edgecolor()[3] > PALE and artist.get_linewidth() > 0:
        lines = _polylines(artist.get_path().transformed(artist.get_transform()))
    return Drawn(artist, artist.get_window_extent(renderer), lines, dots, size)


def _polylines(path: Path) -> list[np.ndarray]:
    finite = path.vertices[np.isfinite(path.vertices).all(axis=1)]
    return path.to_polygons(closed_only=False) if len(finite) else []


def _ink(text: Text, renderer: Any) -> Bbox:
    """Return where the letters are: a line is higher than they."""
    box = Text.get_window_extent(text, renderer)  # without the arrow of an annotation
    spare = 0.12 * text.get_fontsize() * renderer.points_to_pixels(1.0)
    upright = text.get_rotation() % 180 == 90
    across, up = (spare, 0.0) if upright else (0.0, spare)
    return Bbox.from_extents(box.x0 + across, box.y0 + up, box.x1 - across, box.y1 - up)


def overlaps(seen: list[Drawn]) -> list[str]:
    """Say of each word that something lies over it, and what."""
    words = [
        (place, one)
        for place, one in enumerate(seen)
        if isinstance(one.artist, Text) and one.artist.get_text().strip()
    ]
    found = [
        f"{_said(one)} over {_said(other)}"
        for (_, one), (_, other) in itertools.combinations(words, 2)
        if one.artist is not other.artist and _meet(one.box, other.box)
    ]
    for place, word in words:
        for number, other in enumerate(seen):
            if other.lines and _struck(word, other) and not _covered(seen, number, place, word):
                found.append(f"a line through {_said(word)}: {other.artist}")
            if len(other.dots) and _dotted(word, other):
                found.append(f"{_said(word)} on a dot of {other.artist}")
    return list(dict.fromkeys(found))


def _said(word: Drawn) -> str:
    assert isinstance(word.artist, Text)
    return repr(word.artist.get_text())


def _meet(one: Bbox, other: Bbox) -> bool:
    across = min(one.x1, other.x1) - max(one.x0, other.x0)
    up = min(one.y1, other.y1) - max(one.y0, other.y0)
    return across > TOUCHING and up > TOUCHING


def _struck(word: Drawn, other: Drawn) -> bool:
    """Say whether a line runs through the middle of a word; a grid lies under all words."""
    if _is_of_a_grid(other.artist) or not _stands_out(other.artist):
        return False
    box = word.box
    up, across = 0.25 * box.height, min(4.0, 0.2 * box.width)
    core = Bbox.from_extents(box.x0 + across, box.y0 + up, box.x1 - across, box.y1 - up)
    if core.width <= 0 or core.height <= 0 or _is_beyond(core, other.artist):
        return False
    return any(
        Path(line).intersects_bbox(core, filled=False) for line in other.lines if len(line) > 1
    )


def _is_beyond(core: Bbox, artist: Artist) -> bool:
    """Say whether a line is cut off, at the edge of its axes, before it gets to a word."""
    room = artist.get_clip_box() if artist.get_clip_on() else None
    return room is not None and Bbox.intersection(core, room) is None


def _stands_out(artist: Any) -> bool:
    """Say whether a line's colour is not as good as the paper's."""
    colour = artist.get_color() if isinstance(artist, Line2D) else artist.get_edgecolor()
    red, green, blue, alpha = to_rgba(colour)
    return alpha * (1 - min(red, green, blue)) > 0.3


def _is_of_a_grid(artist: Artist) -> bool:
    figure = artist.get_figure()
    every = [axis for axes in (figure.axes if figure else []) for axis in (axes.xaxis, axes.yaxis)]
    return any(artist is line for axis in every for line in axis.get_gridlines())


def _covered(seen: list[Drawn], line: int, place: int, word: Drawn) -> bool:
    """Say whether a word stands on paper, its own or a box's, that covers the line."""
    own = word.artist.get_bbox_patch() if isinstance(word.artist, Text) else None
    if line < place and own is not None and _is_filled(own):
        return True
    middle = (word.box.x0 + word.box.width / 2, word.box.y0 + word.box.height / 2)
    return any(
        isinstance(one.artist, Patch) and _is_filled(one.artist) and one.box.contains(*middle)
        for one in seen[line + 1 : place]
    )


def _is_filled(patch: Patch) -> bool:
    return patch.get_fill() and patch.get_facecolor()[3] > 0.8


def _dotted(word: Drawn, other: Drawn) -> bool:
    """Say whether a word lies on a dot that is not a disk to write on."""
    if other.size >= 0.9 * word.box.height:
        return False
    return any(word.box.contains(x, y) for x, y in other.dots)
