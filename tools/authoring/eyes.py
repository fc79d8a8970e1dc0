"""Pictures as others see them: on a dark page, with another kind of eye, in grey."""

import io
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tutor.display.canvas import smaller
from tutor.display.palette import on_dark

# What linear red, green and blue become for other eyes: Machado, Oliveira and Fernandes 2009,
# severity 1; grey is the luminance of WCAG 2.
SEEN_BY = {
    "everybody": np.eye(3),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "grey": np.tile([0.2126, 0.7152, 0.0722], (3, 1)),
}


def linear(colour: str) -> NDArray[np.float64]:
    """Return red, green and blue of a colour as amounts of light, from 0 to 1.

    Example:
        >>> linear("#ff0000")
        array([1., 0., 0.])
    """
    rgb = np.frombuffer(bytes.fromhex(colour[1:]), dtype=np.uint8) / 255
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def seen_by(who: str, colour: str) -> str:
    """Return what a colour looks like to one of `SEEN_BY`.

    Example:
        >>> seen_by("everybody", "#bf8a1e"), seen_by("grey", "#ffffff")
        ('#bf8a1e', '#ffffff')
    """
    light = np.clip(SEEN_BY[who] @ linear(colour), 0, 1)
    rgb = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(255 * channel):02x}" for channel in rgb)


def four_views(png: bytes) -> Image.Image:
    """Return one picture that shows a canvas's four times: light, dark, deuteranopia, grey."""
    picture = Image.open(io.BytesIO(smaller(png)))
    changes: Sequence[Callable[[str], str]] = (
        str,
        on_dark,
        lambda colour: seen_by("deuteranopia", colour),
        lambda colour: seen_by("grey", colour),
    )
    width, height = picture.size
    sheet = Image.new("RGB", (2 * width, 2 * height))
    for place, change in enumerate(changes):
        sheet.paste(_recoloured(picture, change), (place % 2 * width, place // 2 * height))
    return sheet


def _recoloured(picture: Image.Image, change: Callable[[str], str]) -> Image.Image:
    """Return a picture of few colours with each of them changed."""
    colours = bytes(picture.getpalette() or ())
    hexes = (f"#{colours[place : place + 3].hex()}" for place in range(0, len(colours), 3))
    changed = picture.copy()
    changed.putpalette(bytes.fromhex("".join(change(colour)[1:] for colour in hexes)))
    return changed.convert("RGB")
