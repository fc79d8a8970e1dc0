"""A matrix as a part of a diagram: coloured cells, their numbers, and who stands at its edges."""

from collections.abc import Sequence

import numpy as np
from matplotlib.collections import QuadMesh
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path
from numpy.typing import ArrayLike

from tutor.display.lettering import fitted, label, short, text_width
from tutor.display.palette import HIGHLIGHT, INK, KINDS, NEUTRAL, colour_map, mixed, readable
from tutor.display.parts import Part, Point, Sheet
from tutor.display.style import LABEL, SMALL, TITLE
from tutor.say import data, say

CELL = (1.15, 0.85)
_PRINTED_FROM = 0.6  # cells smaller than this have no room for numbers
_MOST_SAID = 36  # numbers that an alt text spells out
_GAP, _NAME, _LINE = 0.14, 2.2, 0.36  # beside the cells, widest name, height of a line


class Matrix(Part):
    """A matrix whose cells are coloured by their numbers, which are printed where there is room.

    A NaN leaves its cell empty; −∞ is hatched. Its place and edges are those of the cells; names
    stand outside.

    Attributes:
        name: what stands above it.
        numbers: what it shows now.
        margins: what its names take at the left, the right, below and above.
    """

    def __init__(
        self,
        sheet: Sheet,
        numbers: ArrayLike,
        at: Point,
        *,
        name: str = "",
        kind: str = "neutral",
        rows: Sequence[str] = (),
        columns: Sequence[str] = (),
        asks: str = "",
        looked_at: str = "",
        cell: tuple[float, float] = CELL,
        limit: float | None = None,
        lowest: float = 0.0,
        decimals: int | None = None,
    ) -> None:
        matrix = _matrix(numbers)
        self.shape, self.cell_size, self.name = matrix.shape, cell, name
        super().__init__(sheet, at, self.shape[1] * cell[0], self.shape[0] * cell[1])
        self.rows, self.columns = [*map(data, rows)], [*map(data, columns)]
        finite = matrix[np.isfinite(matrix)]
        whole = bool((finite == finite.round()).all())
        self._decimals = decimals if decimals is not None else (0 if whole else 2)
        signed = kind == "signed" or bool((finite < 0).any())
        highest = float(np.abs(finite).max(initial=0.0)) or 1.0
        share = kind == "attention" and not signed and highest <= 1
        self._draw_cells(kind, signed, lowest, limit or (1.0 if share else highest))
        self.margins = self._write_edges(kind, asks, looked_at)
        self.set(matrix)

    def set(self, numbers: ArrayLike) -> None:
        """Show other numbers in the same cells.

        Raises:
            ValueError: if their shape is another.
        """
        matrix = _matrix(numbers)
        if matrix.shape != self.shape:
            raise ValueError(
                say(
                    "numbers have shape {shape}; this matrix has {own}",
                    shape=matrix.shape,
                    own=self.shape,
                )
            )
        self.numbers = matrix
        self._mesh.set_array(np.ma.masked_invalid(matrix))
        boxes = [self._outline(i, j) for i, j in np.argwhere(np.isneginf(matrix))]
        self._hatched.set_path(Path.make_compound_path(*boxes) if boxes else Path([(0, 0)]))
        for text, number in zip(self._texts, matrix.flat, strict=False):
            text.set(text=self._printed(number), fontsize=self._size(self._printed(number)))
        self._changed()

    def printed(self) -> list[list[str]]:
        """Return the numbers as they stand in the cells."""
        return [[self._printed(number) for number in row] for row in self.numbers]

    def cell(self, row: int, column: int) -> Point:
        """Return the middle of a cell, where an arrow may begin or end."""
        x, y = self._middle(row, column)
        return self.at[0] + x, self.at[1] + y

    def row_edge(self, row: int, side: str = "right") -> Point:
        """Return where a row ends, at the right or at the left."""
        x = self.width / 2 if side == "right" else -self.width / 2
        return self.at[0] + x, self.cell(row, 0)[1]

    def column_edge(self, column: int, side: str = "bottom") -> Point:
        """Return where a column ends, at the bottom or at the top."""
        y = self.height / 2 if side == "top" else -self.height / 2
        return self.cell(0, column)[0], self.at[1] + y

    def mark(self, row: int | None = None, column: int | None = None) -> None:
        """Put a frame round a cell, a row or a column; without both, take it away."""
        wide, tall = self.cell_size
        self._frame.set_visible(row is not None or column is not None)
        count, across = self.shape
        self._frame.set(
            x=-self.width / 2 + (column or 0) * wide,
            y=self.height / 2 - ((row + 1) if row is not None else count) * tall,
            width=wide if column is not None else across * wide,
            height=tall if row is not None else count * tall,
        )

    def dim(self, rows: Sequence[int] = (), columns: Sequence[int] = ()) -> None:
        """Show these rows and columns pale, and all others in full."""
        pale = np.zeros(self.shape, dtype=bool)
        pale[list(rows)] = True
        pale[:, list(columns)] = True
        self._mesh.set(alpha=np.where(pale, 0.3, 1.0))
        for text, is_pale in zip(self._texts, pale.flat, strict=False):
            text.set_alpha(0.35 if is_pale else None)

    def fade(self, faded: bool = True) -> None:
        """Show it pale, or in full again."""
        super().fade(faded)
        self._mesh.set(alpha=np.full(self.shape, 0.25 if faded else 1.0))

    def show(self, visible: bool = True) -> None:
        """Show it, without a mark, or hide it."""
        super().show(visible)
        if visible:
            self._frame.set_visible(False)

    def said(self) -> str:
        """Return its numbers, or, if they are many, how many and between which."""
        name = self.name.replace("\n", " ")
        if self.numbers.size > _MOST_SAID:
            low, high = (short(bound(self.numbers)) for bound in (np.nanmin, np.nanmax))
            return say(
                "{name}: {rows} × {columns} numbers from {low} to {high}",
                name=name,
                rows=self.shape[0],
                columns=self.shape[1],
                low=low,
                high=high,
            )
        lines = [" ".join(number or "–" for number in row) for row in self.printed()]
        if self.rows:
            pairs = zip(self.rows, lines, strict=True)
            lines = [f"{row}: {line}" for row, line in pairs]
        rows = " / ".join(lines)
        if not self.columns:
            return f"{name}: {rows}"
        columns = ", ".join(self.columns)
        return say("{name} (columns {columns}): {rows}", name=name, columns=columns, rows=rows)

    def _draw_cells(self, kind: str, signed: bool, low: float, high: float) -> None:
        (count, across), (width, height) = self.shape, (self.width, self.height)
        has_room = min(self.cell_size) >= _PRINTED_FROM
        edges = np.meshgrid(
            np.linspace(-width / 2, width / 2, across + 1),
            np.linspace(height / 2, -height / 2, count + 1),
        )
        colours = colour_map("signed" if signed else kind, under_text=has_room)
        colours = colours.with_extremes(bad=mixed(NEUTRAL, 0.1))
        self._mesh = QuadMesh(np.stack(edges, axis=-1), cmap=colours, antialiased=False)
        self._mesh.set_clim(-high if signed else low, high)
        self._hatched = PathPatch(Path([(0, 0)]), facecolor="none", hatch="///")
        self._hatched.set_edgecolor(mixed(NEUTRAL, 0.45))
        self._hatched.set_linewidth(0.0)
        edge = KINDS.get(kind, NEUTRAL)
        outline = Rectangle((-width / 2, -height / 2), width, height, fill=False, edgecolor=edge)
        self._frame = Rectangle((0, 0), 0, 0, fill=False, edgecolor=HIGHLIGHT, linewidth=2.6)
        layers = (self._mesh, self._hatched, outline, self._frame)
        for order, artist in enumerate(layers):
            self._add(artist, 3 + 0.1 * order)
        self._frame.set_visible(False)
        places = [self._middle(i, j) for i in range(count) for j in range(across) if has_room]
        self._texts = [self._write(x, y, "", LABEL) for x, y in places]

    def _write_edges(
        self, kind: str, asks: str, looked_at: str
    ) -> tuple[float, float, float, float]:
        """Write the names; return how much room they take at each side."""
        left, below, (width, height) = _GAP, _GAP, (self.width, self.height)
        for row, name in enumerate(self.rows):
            words, size = fitted(label(name), _NAME, self.cell_size[1], LABEL)
            self._write(-width / 2 - _GAP, self._middle(row, 0)[1], words, size, ha="right")
        if self.rows:
            left += max(min(_NAME, text_width(name, LABEL)) for name in self.rows) + 0.1
        upright = any(text_width(name, LABEL) > self.cell_size[0] for name in self.columns)
        for column, name in enumerate(self.columns):
            x, angle = self._middle(0, column)[0], 90 if upright else 0
            place = (x, -height / 2 - _GAP)
            self._write(*place, label(name), LABEL, va="top", rotation=angle)
        if self.columns:
            longest = max(text_width(name, LABEL) for name in self.columns)
            below += (longest if upright else _LINE) + 0.1
        if asks:
            place = (-width / 2 - left - 0.1, 0.0)
            self._write(*place, label(asks), SMALL, rotation=90, fontstyle="italic")
            left += 0.1 + _LINE
        if looked_at:
            place = (0.0, -height / 2 - below)
            self._write(*place, label(looked_at), SMALL, va="top", fontstyle="italic")
            below += _LINE
        above = _GAP
        if self.name:
            colour = readable(KINDS[kind]) if kind in KINDS and kind != "neutral" else INK
            name = f"${self.name}$" if len(self.name) == 1 else self.name
            self._write(0.0, height / 2 + _GAP, label(name), TITLE, va="bottom", color=colour)
            above += _LINE * 1.1 * (1 + self.name.count("\n"))
        return left, _GAP, below, above

    def _middle(self, row: int, column: int) -> Point:
        wide, tall = self.cell_size
        return -self.width / 2 + (column + 0.5) * wide, self.height / 2 - (row + 0.5) * tall

    def _outline(self, row: int, column: int) -> Path:
        (x, y), (wide, tall) = self._middle(row, column), self.cell_size
        corners = [(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)]
        return Path([(x + a * wide / 2, y + b * tall / 2) for a, b in corners], closed=True)

    def _printed(self, number: float) -> str:
        if np.isnan(number):
            return ""
        return "−∞" if np.isneginf(number) else short(float(number), self._decimals)

    def _size(self, printed: str) -> float:
        return fitted(printed, 0.92 * self.cell_size[0], self.cell_size[1], LABEL)[1]


def _matrix(numbers: ArrayLike) -> np.ndarray:
    matrix = np.asarray(numbers, dtype=float)
    if matrix.ndim != 2 or matrix.size == 0:
        raise ValueError(
            say("numbers have shape {shape}; expected (rows, columns)", shape=matrix.shape)
        )
    return matrix
