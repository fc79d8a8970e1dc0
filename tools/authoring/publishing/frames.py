"""In the kernel: explorers show, beside themselves, the pictures that replace them without one."""

import base64
import io
from typing import Any

import ipywidgets
import numpy as np
from IPython.core.getipython import get_ipython
from PIL import Image, ImageFilter

from tutor.display.canvas import size_on_page
from tutor.display.controls import choices
from tutor.display.explorer import Explorer
from tutor.display.stills import is_slider, offered

from .touched import Touched

_AROUND = 5  # pixels: two to each side
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
    last control's fastest, has a picture and a caption. Pictures are stored as what covers the
    first one where they differ from it: most of a picture stays as it is.
    """
    stills, touched = [], Touched(explorer)
    for settings in explorer.settings_offered():
        stills.append(explorer.frame(**settings))
        touched.add()
    now = explorer.frame()
    first = _pixels(now.png)
    covers: dict[bytes, int] = {}
    pictures = [covers.setdefault(_cover(first, still.png), len(covers)) for still in stills]
    width, height = size_on_page(now.png)
    return {
        "alt": explorer.alt,
        "width": width,
        "height": height,
        "caption": now.caption,
        "longest": max((still.caption for still in stills), key=len),
        "first": base64.b64encode(_webp(first)).decode(),
        "covers": [base64.b64encode(cover).decode() for cover in covers],
        "controls": _tour(explorer) if explorer.tour else _controls(explorer),
        "frames": [
            [picture, still.caption, *at]
            for picture, still, at in zip(pictures, stills, touched.places, strict=True)
        ],
        "touched": touched.told(),
    }


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
    menu = {"label": "setting", "kind": "menu", "start": start, "positions": positions, "pace": 0}
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
        return "yes" if value else "no"
    if hasattr(widget, "options"):
        labels = {option: label for label, option in choices(widget)}
        return str(labels[value])
    return format(value, getattr(widget, "readout_format", ""))


def _pixels(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def _cover(first: np.ndarray, png: bytes) -> bytes:
    """Return the pixels of a picture that are not the first one's, all others transparent.

    Their neighbours come along: at the edges a page that shrinks both would mix in the first one's.
    """
    picture = _pixels(png)
    differs = (picture != first).any(axis=-1)
    around = Image.fromarray(differs.astype(np.uint8)).filter(ImageFilter.MaxFilter(_AROUND))
    differs = np.asarray(around)[..., None]
    cover = np.concatenate([picture * differs, 255 * differs], axis=-1).astype(np.uint8)
    return _webp(cover)


def _webp(pixels: np.ndarray) -> bytes:
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "WEBP", lossless=True, method=4)
    return file.getvalue()
