"""A finished picture with its words, in the form that notebooks show and store."""

import base64
from collections.abc import Callable
from typing import Any

from matplotlib.figure import Figure

from tutor.display import markup
from tutor.display.canvas import Canvas, size_on_page, smaller
from tutor.display.parts import Sheet
from tutor.display.style import style
from tutor.say import say


class Picture:
    """A finished picture with its alt text, as the last line of a cell shows it.

    Args:
        draw: `draw(fig)` draws it; a text it returns is the caption, one line of computed values.
        alt: what the picture shows, for those who cannot see it. A diagram's parts add their data.
        size: width and height in inches, at 100 pixels an inch.

    Raises:
        ValueError: if `alt` is empty.

    Example:
        >>> def draw(fig):
        ...     fig.subplots().plot([0, 1])
        >>> Picture(draw, alt="A rising line.")
        A rising line.
    """

    def __init__(
        self,
        draw: Callable[[Figure], str | None],
        *,
        alt: str,
        size: tuple[float, float] = (8.0, 4.0),
    ) -> None:
        """Draw it at once."""
        if not alt.strip():
            raise ValueError(
                say("alt is empty; expected a sentence that says what the picture shows")
            )
        canvas = Canvas(*size)
        with style():
            self.caption = draw(canvas.figure) or ""
            canvas.freeze_layout()
            self.png = canvas.png()
        data = [sheet.said() for sheet in canvas.figure.axes if isinstance(sheet, Sheet)]
        self.alt = " ".join(filter(None, [alt, *data]))

    def __repr__(self) -> str:
        """Return the alt text and the caption."""
        return f"{self.alt}\n{self.caption}".strip()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict, dict]:
        """Give the picture and, for those who cannot see it, its text."""
        return still_bundle(self.png, self.alt, self.caption)


def still_bundle(png: bytes, alt: str, caption: str = "", hint: str = "") -> tuple[dict, dict]:
    """Return a picture with its words as notebooks store and show it, and the metadata to it.

    Args:
        png: a canvas's picture.
        alt: what it shows, for those who cannot see it.
        caption: a line of computed values.
        hint: what a reader may do, shown in JupyterLab but not stored.
    """
    small = smaller(png)
    text = f"{alt}\n{caption}".strip()
    data = {"image/png": base64.b64encode(small).decode(), "text/plain": text}
    if markup.jupyter_shows_this():
        data["text/html"] = markup.figure(small, alt, caption, hint)
    width, height = size_on_page(png)
    return data, {"image/png": {"alt": alt, "width": width, "height": height}}
