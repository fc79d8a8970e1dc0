"""In the kernel: explorers show, beside themselves, the pictures that replace them without one."""

import base64
import hashlib
import io
from typing import Any

import ipywidgets
import numpy as np
from IPython.core.getipython import get_ipython
from PIL import Image

from tutor.display.canvas import DENSITY
from tutor.display.controls import choices
from tutor.display.explorer import Explorer
from tutor.display.stills import is_slider, offered
from tutor.say import say, say_as

from .touched import Touched

_GROUNDS = 6  # pictures among which that below another is sought
_PAYS = 0.6  # of what differs from the first picture, else a cover lies on that
FRAMES = "application/vnd.transformer-tutor.frames+json"


def carry_frames() -> None:
    """Let every explorer that this kernel displays from now on carry its frames."""
    shell: Any = get_ipython()
    formatter = shell.display_formatter.mimebundle_formatter
    formatter.for_type_by_name("tutor.display.explorer", "Explorer", _bundle)


def _bundle(explorer: Explorer) -> tuple[dict, dict]:
    data, metadata = explorer._repr_mimebundle_()
    frames = frames_of(explorer)
    return data | ({FRAMES: frames} if frames["controls"] else {}), metadata


def frames_of(explorer: Explorer) -> dict[str, Any]:
    """Return what a page needs to show an explorer.

    Each control has its positions and the one it starts at. Each combination of positions, the
    last control's fastest, has a picture and a caption. The first picture is stored whole, each
    other one as what covers it, or one other, where they differ: most of a picture stays as it is.
    """
    pixels, caption = explorer.pixels()
    first = _in_fewer_shades(pixels)
    covers, touched, frames = _Covers(first), Touched(explorer), []
    for settings in explorer.settings_offered():
        pixels, told = explorer.pixels(**settings)
        touched.add()
        frames.append([covers.place_of(pixels), told, *touched.places[-1]])
    height, width = first.shape
    return {
        "alt": explorer.alt,
        "width": width // DENSITY,
        "height": height // DENSITY,
        "caption": caption,
        "longest": max((told for _, told, *_ in frames), key=len),
        "first": _webp(first),
        "covers": covers.stored,
        "controls": _tour(explorer) if explorer.tour else _controls(explorer),
        "frames": frames,
        "touched": touched.told(),
    }


def held(frames: dict[str, Any]) -> dict[str, Any]:
    """Return what of the frames only the script needs that moves them."""
    return {part: frames[part] for part in ("covers", "controls", "frames", "touched")}


class _Covers:
    """What covers a first picture, to give the others; each kind of them once.

    Attributes:
        stored: of each the cover that lies below it (-1: none but the first picture), where it
            begins, across and down, and its file.
    """

    def __init__(self, first: np.ndarray) -> None:
        self._first = first
        self._known: dict[bytes, int] = {}
        self._grounds: list[tuple[int, np.ndarray]] = []  # the latest that lie on the first one
        self.stored: list[tuple[int, int, int, str]] = []

    def place_of(self, pixels: np.ndarray) -> int:
        """Return a picture's place among them; it is added if it is a new one."""
        pixels = _in_fewer_shades(pixels)
        name = hashlib.sha256(pixels.tobytes()).digest()
        if name not in self._known:
            self._known[name] = len(self.stored)
            self._add(pixels)
        return self._known[name]

    def _add(self, pixels: np.ndarray) -> None:
        below, ground = self._ground_of(pixels)
        if below < 0:
            self._grounds = [*self._grounds, (len(self.stored), pixels)][-_GROUNDS:]
        differs = pixels != ground
        rows, columns = _span(differs.any(axis=1)), _span(differs.any(axis=0))
        cover = np.where(differs, pixels, 0)[rows, columns]
        self.stored.append((below, columns.start, rows.start, _webp(cover)))

    def _ground_of(self, pixels: np.ndarray) -> tuple[int, np.ndarray]:
        """Return what a picture is best put on: a film's step on an earlier one, if that pays."""
        differing = [np.count_nonzero(pixels != ground) for _, ground in self._grounds]
        place = int(np.argmin(differing)) if differing else 0
        if differing and differing[place] < _PAYS * np.count_nonzero(pixels != self._first):
            return self._grounds[place]
        return -1, self._first


def _span(differs: np.ndarray) -> slice:
    """Return from where to where something differs; one place where nothing does."""
    places = np.flatnonzero(differs)
    return slice(int(places[0]), int(places[-1]) + 1) if places.size else slice(0, 1)


def _in_fewer_shades(pixels: np.ndarray) -> np.ndarray:
    """Return pixels with every eighth shade of each colour: files are a quarter smaller.

    White stays white, and no shade is further off than four of 255.
    """
    shades = np.minimum(255, (np.arange(256) + 4) // 8 * 8).astype(np.uint8)
    return shades[np.ascontiguousarray(pixels).view(np.uint8)].view(np.uint32)


def _controls(explorer: Explorer) -> list[dict[str, Any]]:
    """Describe the controls; one that keeps a single value is told and cannot be moved."""
    player = explorer.player
    return [
        {
            "label": explorer.controls[name].description,
            "kind": _kind(explorer.controls[name], len(values)),
            "start": values.index(explorer.values[name]),
            "positions": [_text(explorer.controls[name], value) for value in values],
            "pace": player.button.interval
            if player and player.slider is explorer.controls[name]
            else 0,
        }
        for name, values in offered(explorer.controls, explorer.kept).items()
    ]


def _tour(explorer: Explorer) -> list[dict[str, Any]]:
    positions = list(explorer.tour)
    starts = [name for name, settings in explorer.tour.items() if not settings]
    start = positions.index(starts[0]) if starts else 0
    menu = {
        "label": say("setting"),
        "kind": "menu",
        "start": start,
        "positions": positions,
        "pace": 0,
    }
    return [menu]


def _kind(widget: ipywidgets.ValueWidget, count: int) -> str:
    if count == 1:
        return "fixed"
    if isinstance(widget, ipywidgets.Checkbox):
        return "box"
    return "slider" if is_slider(widget) else "menu"


def _text(widget: ipywidgets.ValueWidget, value: Any) -> str:
    """Return what stands beside the control at a value, as in the notebook."""
    if isinstance(widget, ipywidgets.Checkbox):
        return say_as("setting", "yes") if value else say_as("setting", "no")
    if hasattr(widget, "options"):
        labels = {option: label for label, option in choices(widget)}
        return str(labels[value])
    return format(value, getattr(widget, "readout_format", ""))


def _webp(pixels: np.ndarray) -> str:
    """Return pixels as a page's address of data has them; those that are 0 are transparent."""
    rgba = np.ascontiguousarray(pixels).view(np.uint8).reshape(*pixels.shape, 4)
    file = io.BytesIO()
    Image.fromarray(rgba).save(file, "WEBP", lossless=True, method=2)
    return base64.b64encode(file.getvalue()).decode()
