"""In the kernel: explorers show, beside themselves, the pictures that replace them without one."""

import base64
import io
from typing import Any

import ipywidgets
from IPython.core.getipython import get_ipython
from PIL import Image

from tutor.display.controls import choices

FRAMES = "application/vnd.transformer-tutor.frames+json"
MOST = 11  # positions of one slider

_MENUS = (ipywidgets.Dropdown, ipywidgets.Select, ipywidgets.RadioButtons, ipywidgets.ToggleButtons)


def carry_frames() -> None:
    """Let every explorer that this kernel displays from now on carry its frames."""
    shell: Any = get_ipython()
    formatter = shell.display_formatter.mimebundle_formatter
    formatter.for_type_by_name("tutor.display.explorer", "Explorer", _bundle)


def _bundle(explorer: Any) -> tuple[dict, dict]:
    data, metadata = explorer._repr_mimebundle_()
    frames = frames_of(explorer)
    return data | ({FRAMES: frames} if frames["controls"] else {}), metadata


def frames_of(explorer: Any) -> dict[str, Any]:
    """Return what a page needs to show an explorer whose controls move one at a time.

    Each control has its positions, each with what it is called, the number of its picture and its
    caption. A control that can take any value, a line to type in, is left out.
    """
    pictures: dict[bytes, int] = {}
    controls = []
    for name, widget in explorer.controls.items():
        kind = _kind(widget)
        if kind is None:
            continue
        frames = explorer.frames(name, most=MOST if kind == "slider" else None)
        positions = [
            {
                "text": _text(widget, frame.values[name]),
                "picture": pictures.setdefault(frame.png, len(pictures)),
                "caption": frame.caption,
            }
            for frame in frames
        ]
        start = [frame.values[name] for frame in frames].index(explorer.values[name])
        label = widget.description
        controls.append({"label": label, "kind": kind, "start": start, "positions": positions})
    captions = [position["caption"] for one in controls for position in one["positions"]]
    width, height = Image.open(io.BytesIO(explorer.image.value)).size
    return {
        "alt": explorer.alt,
        "width": width,
        "height": height,
        "longest": max(captions, key=len, default=""),
        "pictures": [_webp(png) for png in pictures],
        "controls": controls,
    }


def _kind(widget: ipywidgets.ValueWidget) -> str | None:
    if isinstance(widget, ipywidgets.Checkbox):
        return "box"
    if isinstance(widget, _MENUS):
        return "menu"
    return "slider" if hasattr(widget, "options") or hasattr(widget, "step") else None


def _text(widget: ipywidgets.ValueWidget, value: Any) -> str:
    """Return what stands beside the control at a value, as in the notebook."""
    if isinstance(widget, ipywidgets.Checkbox):
        return "yes" if value else "no"
    if hasattr(widget, "options"):
        return next(label for label, choice in choices(widget) if choice == value)
    return format(value, widget.readout_format)


def _webp(png: bytes) -> str:
    """Return the same pixels in half to a quarter of the size, in base64."""
    file = io.BytesIO()
    Image.open(io.BytesIO(png)).save(file, "WEBP", lossless=True, method=4)
    return base64.b64encode(file.getvalue()).decode()
