"""What shows an explorer's picture in a notebook, and hears where it is touched.

The picture itself is an `Image` of ipywidgets, which every front end has. Where anywidget is
installed, here and in the front end, a second, invisible widget lays a canvas on it: that paints
only what changed, sent as raw pixels, and reports what is touched. It begins when the front end
says hello; where none does, the picture goes on as PNG files.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import ipywidgets
import numpy as np

from tutor.display.canvas import DRAWING, Canvas
from tutor.display.painting import change
from tutor.display.regions import Region, described

_SCRIPTS = Path(__file__).parent / "static"

Cell = tuple[int, int, int]  # the region's place, row, column


class Screen:
    """The picture of an explorer on its page.

    Args:
        image: shows it as PNG.
        canvas: has its pixels.
        regions: what can be touched in it.

    Attributes:
        brush: the widget that paints and hears, None without anywidget.
        hears: whether a front end has said hello.
        on_touch: called with the settings of what was touched.
        on_ask: called before a cell's words are read; draws what the controls say.
    """

    _latest: tuple["Screen", np.ndarray] | None = None  # pixels of one screen: 5 MB each

    def __init__(self, image: ipywidgets.Image, canvas: Canvas, regions: Sequence[Region]) -> None:
        self.image, self._canvas, self._regions = image, canvas, regions
        self.hears = False
        self.on_touch: Callable[[Mapping[str, Any]], None] = lambda settings: None
        self.on_ask: Callable[[], object] = lambda: None
        self.brush = _brush()
        self._number, self._is_outdated = 0, False
        self._told: list[dict[str, Any]] = []
        if self.brush is not None:
            self.brush.on_msg(self._hear)

    def show(self) -> None:
        """Show what the canvas has now."""
        if self.hears:
            self._is_outdated = True
            self._paint()
            self._tell_regions()
        else:
            self.image.value = self._canvas.png()

    def png(self) -> bytes:
        """Return the picture that shows, for those who have no front end that paints."""
        if self._is_outdated:
            self.image.value = self._canvas.png()
            self._is_outdated = False
        return self.image.value

    def _paint(self) -> None:
        """Send what differs from the last picture, or all of it if that is no longer known."""
        now = self._canvas.pixels()
        latest = Screen._latest
        before = latest[1] if latest is not None and latest[0] is self else None
        sent = change(before, now)
        if before is None:
            Screen._latest = (self, now.copy())
        else:
            np.copyto(before, now)  # into memory that is there: to get 5 MB anew takes longer
        if sent is None:
            return
        height, width = now.shape
        frame = {
            "number": self._number + 1,
            "after": None if before is None else self._number,
            "x": sent.x,
            "y": sent.y,
            "packed": sent.is_packed,
            "width": width,
            "height": height,
        }
        self._number += 1
        self._send({"frame": frame}, [sent.rows.tobytes(), sent.columns.tobytes(), sent.pixels])

    def _tell_regions(self) -> None:
        now = described(self._regions)
        if now != self._told:
            self._told = now
            self._send({"regions": now})

    def _send(self, message: Mapping[str, Any], buffers: Sequence[bytes] = ()) -> None:
        if self.brush is not None:
            self.brush.send(message, buffers)

    def _hear(self, _widget: Any, message: Mapping[str, Any], _buffers: Any) -> None:
        with DRAWING:
            if "ping" in message:
                self._pong()
            elif "hello" in message:
                self._welcome(anew=message["hello"] == "again")
            elif "touch" in message:
                self._touch(message["touch"])
            elif "ask" in message:
                self._ask(message["ask"])

    def _pong(self) -> None:
        """Answer a page that has just begun: it says hello only if the answer arrives.

        anywidget throws all messages away on a page that took over two seconds to load it.
        """
        self.hears = False
        if self._is_outdated:
            with suppress(Exception):  # as for words
                self.on_ask()
            self.image.value = self._canvas.png()
        self._send({"pong": True})

    def _welcome(self, *, anew: bool) -> None:
        """Give a page that has just begun, or lost a picture, all that it needs."""
        self.hears, self._told = True, []
        if anew or self._is_outdated:
            Screen._latest = None
            self.on_ask()
            self._paint()
        self._tell_regions()

    def _touch(self, cell: Cell) -> None:
        place, row, column = cell
        self.on_touch(self._regions[place].settings(row, column))
        self._answer(cell)

    def _ask(self, cell: Cell) -> None:
        with suppress(Exception):  # what is wrong at these settings is said below the picture
            self.on_ask()  # others may have drawn something else meanwhile
        self._answer(cell)

    def _answer(self, cell: Cell) -> None:
        place, row, column = cell
        words = self._regions[place].words
        self._send({"answer": True, "told": [cell, words(row, column) if words else ""]})


def _brush() -> Any:
    """Return the widget that paints and hears, None where anywidget is not installed."""
    return _brush_class()() if find_spec("anywidget") else None


@cache
def _brush_class() -> type:
    import anywidget  # loaded with the first live picture

    scripts = [(_SCRIPTS / name).read_text("utf-8") for name in ("regions.js", "picture.js")]
    return type("Brush", (anywidget.AnyWidget,), {"_esm": "\n".join(scripts)})
