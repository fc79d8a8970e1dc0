"""A figure that draws again only what changed, and hands out its pixels.

Drawing a map with its ticks and labels from nothing takes several times as long as drawing the
map alone. A `Canvas` therefore keeps a picture of everything that stays the same, puts it back,
and draws on top only what moved ("blitting"). It finds out by itself what moved: matplotlib marks
every artist whose data, text or colour was set as stale until it is drawn. Its own blitting wants
a window and animated artists named beforehand; ipympl was measured at more than twice the time.
"""

import io
import threading
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure
from matplotlib.text import Annotation
from PIL import Image

from tutor.display.palette import PAPER
from tutor.display.quick_map import draw_quickly

# Settings, formulas and fonts are shared by all figures of the process, and JupyterLab moves
# sliders on a second thread: whoever draws holds this lock.
DRAWING = threading.RLock()

DPI = 100  # the page's pixels an inch
_HEAVY = 60_000  # bytes: more is not stored in a notebook
_MOST_COLOURS = 65_536
DENSITY = 2  # the picture's pixels for each of the page's: sharp on a projector, or when zoomed


class Canvas:
    """A figure of fixed size, drawn without pyplot.

    Args:
        width, height: the size on the page in inches, at 100 pixels an inch. The picture has
            twice as many pixels each way.

    Example:
        >>> canvas = Canvas(4, 2)
        >>> (line,) = canvas.figure.subplots().plot([0, 1], [0, 1])
        >>> before = canvas.png()
        >>> line.set_ydata([1, 0])
        >>> canvas.png() == before
        False
    """

    def __init__(self, width: float, height: float) -> None:
        self.figure = Figure(
            figsize=(width, height), dpi=DPI * DENSITY, layout="constrained", facecolor=PAPER
        )
        self._agg = _Sheet(self.figure)
        self._parts: list[list[Artist]] = []
        self._moving: set[Artist] = set()
        self._on_top: list[Artist] = []
        self._background: Any = None
        self._is_drawn = False

    def freeze_layout(self) -> None:
        """Keep every axes where it is now, so that nothing jumps when numbers get longer."""
        with DRAWING:
            if any(axes.get_subplotspec() for axes in self.figure.axes):
                self.figure.draw_without_rendering()
            self.figure.set_layout_engine("none")  # axes placed by hand need none from the start

    def png(self) -> bytes:
        """Draw what changed since the last call and return the whole picture as a PNG file."""
        with DRAWING:
            self._draw()
            rgba = Image.frombuffer("RGBA", self._agg.get_width_height(), self._agg.buffer_rgba())
            return _png(rgba.convert("RGB"), effort=1)

    def pixels(self) -> np.ndarray:
        """Draw what changed and return RGBA as uint32, (height, width), until the next drawing."""
        with DRAWING:
            self._draw()
            return np.asarray(self._agg.buffer_rgba()).view(np.uint32)[..., 0]

    def redraw(self) -> None:
        """Forget what was drawn, so that the next picture is drawn whole."""
        self._is_drawn = False

    def _draw(self) -> None:
        parts = _parts(self.figure)
        changed = {artist for group in parts for artist in group if _is_stale(artist)}
        if not self._is_drawn or self._is_outdated(parts, changed):
            self._moving = self._moving | changed if self._is_drawn else set()
            self._parts = parts
            self._on_top = _on_top(parts, self._moving)
            self._draw_background()
            self._is_drawn = True
        elif self._background is None:
            self._agg.draw()
        else:
            self._agg.restore_region(self._background)
        for artist in self._on_top:
            if not draw_quickly(artist, self._agg.get_renderer()):
                self.figure.draw_artist(artist)
        _mark_fresh(self.figure)

    def _is_outdated(self, parts: list[list[Artist]], changed: set[Artist]) -> bool:
        """Tell whether the background shows something that is no longer so."""
        rescaled = any(isinstance(artist, Axis) for artist in changed)
        recoloured = any(axes.patch.stale for axes in self.figure.axes)
        return rescaled or recoloured or parts != self._parts or not changed <= {*self._on_top}

    def _draw_background(self) -> None:
        """Draw, and keep, everything below the artists that move."""
        on_top = set(self._on_top)
        for artist in (artist for group in self._parts for artist in group):
            artist.set_animated(artist in on_top)  # matplotlib leaves out what is animated
        self._agg.draw()
        self._background = self._agg.copy_from_bbox(self.figure.bbox) if on_top else None


@cache
def _paper() -> RendererAgg:
    """Return the one sheet of pixels, made at the first figure: imports draw nothing."""
    return RendererAgg(1, 1, DPI * DENSITY)


class _Sheet(FigureCanvasAgg):
    """Draws all figures on one sheet of pixels: one each would take 5 MB each."""

    def get_renderer(self) -> RendererAgg:
        """Return the sheet, cut to the figure's size as if it were unpickled."""
        paper = _paper()
        width, height = self.get_width_height(physical=True)
        if (paper.width, paper.height) != (width, height):
            paper.__setstate__({"width": width, "height": height, "dpi": self.figure.dpi})
        return paper


def smaller(png: bytes) -> bytes:
    """Return a picture that looks the same as a smaller file, which takes longer to make.

    Diagrams and curves have a few hundred colours, nearly all of them shades of their edges: 255
    are enough, and fewer where much is drawn. The file is then smaller than that of half as many
    pixels each way in all colours.

    Example:
        >>> canvas = Canvas(4, 2)
        >>> quick = canvas.png()
        >>> len(smaller(quick)) < len(quick)
        True
    """
    for colours in (255, 64, 16):
        few = _in_few_colours(Image.open(io.BytesIO(png)), colours)
        if len(small := _png(few, effort=9)) <= _HEAVY:
            break
    return small


def _in_few_colours(picture: Image.Image, count: int) -> Image.Image:
    """Return an RGB picture with a palette, in which each colour is the commonest it stands for.

    So white paper stays white, and every field that is filled evenly keeps its colour. The picture
    itself is used up: a copy would take 5 MB.
    """
    few = picture.quantize(count, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    picture.putalpha(Image.frombuffer("L", few.size, few.tobytes()))  # where in the palette
    palette = few.getpalette() or []
    counted: Any = picture.getcolors(_MOST_COLOURS) or ()
    for _, (*colour, place) in sorted(counted):
        palette[3 * place : 3 * place + 3] = colour
    few.putpalette(palette)
    return few


def size_on_page(png: bytes) -> tuple[int, int]:
    """Return width and height of a canvas's picture in the page's pixels.

    Example:
        >>> size_on_page(Canvas(4, 2).png())
        (400, 200)
    """
    width, height = Image.open(io.BytesIO(png)).size
    return width // DENSITY, height // DENSITY


def _png(image: Image.Image, *, effort: int) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=effort)
    return file.getvalue()


def _on_top(parts: list[list[Artist]], moving: set[Artist]) -> list[Artist]:
    """Return what is drawn over the background, bottom first: what moves, and what covers it.

    Nothing, where axes cover each other or something moves behind them: then all is drawn anew.
    Titles, ticks and their labels stand outside the axes, so no moving artist is below them; a grid
    is inside.
    """
    on_top: list[Artist] = []
    for place, group in enumerate(parts):
        first = next((n for n, artist in enumerate(group) if artist in moving), None)
        if group[0].axes is None:  # the figure's own text, line or arrow
            if first is not None and any(later[0].axes for later in parts[place:]):
                return []
            on_top += group if on_top or first is not None else []
        elif first is not None:
            on_top += [a for a in group[first:] if a in moving or not _is_outside(a)]
    return [] if _axes_overlap(parts) else on_top


def _parts(figure: Figure) -> list[list[Artist]]:
    """Return what the figure draws, bottom first: the children of each axes, or a single artist."""
    children = [child for child in figure.get_children() if child is not figure.patch]
    groups = []
    for child in sorted(children, key=Artist.get_zorder):
        if not child.get_visible():
            continue
        groups.append(sorted(_drawn(child), key=Artist.get_zorder))
    return [group for group in groups if group]


def _drawn(child: Artist) -> Iterator[Artist]:
    """Yield what an axes draws above its own patch, or the artist itself if it is no axes."""
    if not isinstance(child, Axes):
        yield child
        return
    frame = set(child.spines.values()) if not (child.axison and child.get_frame_on()) else set()
    for artist in child.get_children():
        hidden_axis = isinstance(artist, Axis) and not child.axison
        if artist is not child.patch and artist not in frame and not hidden_axis:
            yield artist


def _is_stale(artist: Artist) -> bool:
    # The point an annotation shows is a plain attribute: setting it marks nothing.
    return isinstance(artist, Annotation) or any(part.stale for part in _family(artist))


def _family(artist: Artist) -> Iterator[Artist]:
    """Yield the artist and all it consists of.

    Unlike `findobj` this does not ask an axis where its ticks should be, which takes as long as
    drawing a small map.
    """
    yield artist
    if isinstance(artist, Axis):
        children = [artist.label, artist.offsetText, *artist.majorTicks, *artist.minorTicks]
    else:
        children = artist.get_children()
    for child in children:
        yield from _family(child)


def _is_outside(artist: Artist) -> bool:
    """Tell whether the artist is a title, or draws ticks and labels only, outside the axes."""
    if isinstance(artist, Axis):
        return not any(line.get_visible() for line in artist.get_gridlines())
    axes = artist.axes
    if axes is None or artist is not axes.title:
        return False
    return not axes.title.get_window_extent().overlaps(axes.bbox)


def _axes_overlap(parts: list[list[Artist]]) -> bool:
    boxes = [group[0].axes.bbox for group in parts if group[0].axes]
    return any(a.overlaps(b) for place, a in enumerate(boxes) for b in boxes[place + 1 :])


def _mark_fresh(figure: Figure) -> None:
    """Mark everything as drawn: matplotlib leaves empty texts and invisible artists stale."""
    for artist in _family(figure):
        artist.stale = False
