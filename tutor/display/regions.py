"""What can be touched in a picture: places on it, and what they set or tell.

An explorer declares them in `draw`, beside what it draws::

    tiles = d.tokens(words, at=(8, 1))
    for place, tile in enumerate(tiles):
        touch(tile, word=place)                       # as the control `word` set to place
    touch_cells(weights, rows=("query", words))       # a matrix: the row that is pointed at
    touch_along(ax, x=("position", range(50)))        # a slider along an axis, which one can drag

A click or a drag there sets the controls named; the controls stay, move along, and are the way by
keyboard. Each matrix of a diagram tells the number of the cell below the pointer by itself.
Where no kernel runs, the same regions choose among stored pictures.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from tutor.display.corners import (
    Corners,
    corners_of,
    corners_of_axes,
    corners_of_map,
    corners_of_pixels,
    figure_of,
)
from tutor.display.lettering import short
from tutor.display.matrix import Matrix
from tutor.display.parts import Part, Sheet
from tutor.say import say

Edge = tuple[str, Sequence[Any]]  # a control, and what it becomes at each row or column


class Region(NamedTuple):
    """A part of a picture, divided into cells that can be touched.

    Attributes:
        box: gives its corners as they are now; None while it does not show.
        rows, columns: where its cells end, in shares of the box from its top and its left.
        settings: what a cell, by row and column, sets; nothing if it only tells.
        words: what a cell tells, if anything.
        along: "x" or "y" if it is a slider along an axis.
    """

    box: Callable[[], Corners | None]
    rows: Sequence[float] = (0.0, 1.0)
    columns: Sequence[float] = (0.0, 1.0)
    settings: Callable[[int, int], Mapping[str, Any]] = lambda row, column: {}
    words: Callable[[int, int], str] | None = None
    along: str = ""

    @property
    def cells(self) -> Iterator[tuple[int, int]]:
        """Yield row and column of each cell."""
        for row in range(len(self.rows) - 1):
            yield from ((row, column) for column in range(len(self.columns) - 1))


_declared: WeakKeyDictionary[Figure, list[Region]] = WeakKeyDictionary()


def touch(part: Part, /, **values: Any) -> None:
    """Let a part of a diagram, such as a word, set these controls."""
    _declare(part.sheet, Region(lambda: corners_of(part), settings=lambda row, column: values))


def touch_spot(ax: Axes, x: float, y: float, /, *, reach: float = 0.12, **values: Any) -> None:
    """Let a point of a plot set these controls: all within so many inches of it."""

    def box() -> Corners:
        figure = figure_of(ax)
        across, up = ax.transData.transform((x, y))
        far = reach * figure.dpi
        return corners_of_pixels(figure, (across - far, up + far), (across + far, up - far))

    _declare(ax, Region(box, settings=lambda row, column: values))


def touch_cells(
    cells: Matrix | AxesImage,
    *,
    rows: Edge | None = None,
    columns: Edge | None = None,
    each: Edge | None = None,
) -> None:
    """Let the cells of a matrix or a map set a control by their row, another by their column.

    Args:
        cells: a diagram's matrix, or what `imshow` returned; a map has as many rows and columns as
            there are values for them, whatever numbers it shows now.
        rows: a control, and its value for each row.
        columns: a control, and its value for each column.
        each: a control, and its value for each cell, row by row.

    Raises:
        ValueError: if there are more or fewer values than rows, columns or cells of a matrix.
    """
    down, across = cells.shape if isinstance(cells, Matrix) else _array(cells).shape[:2]
    if isinstance(cells, AxesImage):
        down, across = len(rows[1]) if rows else down, len(columns[1]) if columns else across
    for edge, count in ((rows, down), (columns, across), (each, down * across)):
        _check(edge, count)

    def settings(row: int, column: int) -> dict[str, Any]:
        chosen = ((rows, row), (columns, column), (each, row * across + column))
        return {edge[0]: edge[1][place] for edge, place in chosen if edge is not None}

    where: Axes | None
    if isinstance(cells, Matrix):
        where, box, words = cells.sheet, lambda: corners_of(cells), _number_in(cells)
    else:
        shape = (down, across)
        where, box, words = cells.axes, lambda: corners_of_map(cells), _number_on(cells, shape)
    if where is None:
        raise ValueError(say("the map is in no axes; expected what imshow returned"))
    _declare(where, Region(box, _even(down), _even(across), settings, words))


def _check(edge: Edge | None, count: int) -> None:
    if edge is not None and len(edge[1]) != count:
        raise ValueError(
            say(
                "{control} has {values} values; expected {count} of them",
                control=repr(edge[0]),
                values=len(edge[1]),
                count=count,
            )
        )


def touch_along(
    ax: Axes,
    *,
    x: Edge | None = None,
    y: Edge | None = None,
    at: Sequence[float] | None = None,
) -> None:
    """Let a drag along an axis of a plot move a slider.

    Args:
        ax: the plot, whose limits stay as they are now.
        x: the control and its values, along the horizontal axis.
        y: the same, along the vertical axis.
        at: where the values stand on the axis; at themselves unless given.

    Raises:
        ValueError: unless exactly one of x and y is given.
    """
    edge = x or y
    if edge is None or (x and y):
        raise ValueError(say("expected a control along x or along y"))
    control, values = edge[0], list(edge[1])
    transform = ax.transScale.transform
    ends = [_flat(transform, value, bool(x)) for value in (ax.get_xlim() if x else ax.get_ylim())]
    places = values if at is None else at
    shares = [_share(_flat(transform, place, bool(x)), ends) for place in places]
    if not x:
        shares = [1 - share for share in shares]
    middles = [(a + b) / 2 for a, b in pairwise(shares)]
    first, last = (0.0, 1.0) if shares[0] <= shares[-1] else (1.0, 0.0)
    cut = [first, *middles, last]
    set_it = lambda row, column: {control: values[column if x else row]}  # noqa: E731
    region = Region(lambda: corners_of_axes(ax), settings=set_it, along="x" if x else "y")
    _declare(ax, region._replace(columns=cut) if x else region._replace(rows=cut))


def regions_of(figure: Figure) -> list[Region]:
    """Return the regions of a figure: first what its matrices tell, then what was declared."""
    parts = [part for ax in figure.axes if isinstance(ax, Sheet) for part in ax.parts]
    return [_telling(part) for part in parts if isinstance(part, Matrix)] + _declared.get(
        figure, []
    )


def described(regions: Sequence[Region]) -> list[dict[str, Any]]:
    """Return the regions that show now, as a page is told of them: corners, cells, what they do."""
    shown = [(place, region, region.box()) for place, region in enumerate(regions)]
    return [
        {
            "place": place,
            "box": [round(corner, 4) for corner in box],
            "rows": [round(float(cut), 4) for cut in region.rows],
            "columns": [round(float(cut), 4) for cut in region.columns],
            "acts": bool(region.settings(0, 0)),
            "tells": region.words is not None,
            "along": region.along,
        }
        for place, region, box in shown
        if box is not None
    ]


def _declare(where: Axes, region: Region) -> None:
    _declared.setdefault(figure_of(where), []).append(region)


def _telling(matrix: Matrix) -> Region:
    rows, columns = matrix.shape
    return Region(lambda: corners_of(matrix), _even(rows), _even(columns), words=_number_in(matrix))


def _number_in(matrix: Matrix) -> Callable[[int, int], str]:
    """Return what tells the number of a matrix's cell, by the names at its edges."""

    def words(row: int, column: int) -> str:
        across = matrix.columns[column] if matrix.columns else column + 1
        down = matrix.rows[row] if matrix.rows else row + 1
        number = short(float(matrix.numbers[row, column]))
        return _told(" ".join(matrix.name.split()), f"{down} → {across}", number)

    return words


def _number_on(image: AxesImage, shape: tuple[int, int]) -> Callable[[int, int], str]:
    """Return what tells the number of a map's cell, nothing while it has other cells."""

    def words(row: int, column: int) -> str:
        if _array(image).shape != shape:
            return ""
        number = _array(image)[row, column]
        if np.ma.is_masked(number):
            return ""
        return _told("", f"{row + 1} → {column + 1}", short(float(number)))

    return words


def _told(name: str, cell: str, number: str) -> str:
    if not name:
        return say("{cell}: {number}", cell=cell, number=number)
    return say("{name}, {cell}: {number}", name=name, cell=cell, number=number)


def _even(count: int) -> list[float]:
    return [place / count for place in range(count + 1)]


def _array(image: AxesImage) -> np.ma.MaskedArray:
    array = image.get_array()
    assert array is not None
    return np.ma.asarray(array)


def _flat(transform: Callable[[Any], Any], value: float, is_x: bool) -> float:
    """Return where a number lies along an axis whose scale may be logarithmic."""
    return float(transform((value, 1.0))[0] if is_x else transform((1.0, value))[1])


def _share(place: float, ends: Sequence[float]) -> float:
    return min(1.0, max(0.0, (place - ends[0]) / (ends[1] - ends[0])))
