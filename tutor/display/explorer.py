"""`live`: a picture that follows sliders, made to work in every notebook, kernel or none.

A picture is described once, by a function that draws it and returns another that moves it::

    def draw(fig, **values):
        ax = fig.subplots()
        (line,) = ax.plot(...)          # everything that ever appears is made here

        def update(height):             # one argument for each control
            line.set_ydata(...)         # change what is there; make nothing new
            return f"height {height}"   # one line of computed values, shown under the picture

        return update

What `update` does may depend on nothing but its arguments: moving a slider away and back gives
the same picture. It runs on whatever thread the notebook chooses, in torch's inference mode.
"""

import html
import traceback
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import ipywidgets
import torch

from tutor.display.canvas import DPI, DRAWING, Canvas
from tutor.display.controls import control, positions, spread
from tutor.display.inline import guard_inline_figures, running_cell
from tutor.display.plots import still_bundle, style

guard_inline_figures()

Update = Callable[..., str]
Draw = Callable[..., Update]

_WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


class Frame(NamedTuple):
    """One state of an explorer: its controls' values, picture and caption."""

    values: dict[str, Any]
    png: bytes
    caption: str


def live(
    draw: Draw,
    *,
    alt: str,
    size: tuple[float, float] = (8.0, 4.0),
    columns: int | None = None,
    labels: Mapping[str, str] | None = None,
    **controls: Any,
) -> "Explorer":
    """Show a picture that is drawn anew whenever one of its controls moves.

    Args:
        draw: `draw(fig, **values)` draws the picture at the start values and returns
            `update(**values)`, which changes the artists in place and returns a caption: one line
            of values it computed. `fig` is a matplotlib figure whose layout arranges itself
            until the first picture and then stays.
        alt: what the picture shows, for those who cannot see it: a sentence or two that are true
            whatever the controls say.
        size: width and height in inches, at 100 pixels an inch.
        columns: how many controls stand side by side; three at most unless given.
        labels: what stands beside a control whose name does not say it.
        controls: a control for each value, in the short forms of `tutor.display.controls.control`:
            `(low, high, step, start)`, a list of options, `(options, start)`, True or False, a
            string, or an ipywidget.

    Returns:
        An `Explorer`; as the last line of a cell it shows itself.

    Raises:
        ValueError: if `alt` is empty or a control has no known form.

    Example:
        >>> import math
        >>> def draw(fig, **values):
        ...     ax = fig.subplots()
        ...     ax.set(xlim=(-1, 1), ylim=(-1, 1), aspect="equal")
        ...     (hand,) = ax.plot([0, 1], [0, 0])
        ...     def update(degrees):
        ...         angle = math.radians(degrees)
        ...         hand.set_data([0, math.cos(angle)], [0, math.sin(angle)])
        ...         return f"cos = {math.cos(angle):.2f}, sin = {math.sin(angle):.2f}"
        ...     return update
        >>> clock = live(draw, alt="A hand of length 1 turns.", degrees=(0, 90, 5, 0))
        >>> clock.caption
        'cos = 1.00, sin = 0.00'
        >>> clock.controls["degrees"].value = 60
        >>> clock.caption
        'cos = 0.50, sin = 0.87'
        >>> clock.frame(degrees=90).caption
        'cos = 0.00, sin = 1.00'
    """
    if not alt.strip():
        raise ValueError("alt is empty; expected a sentence that says what the picture shows")
    labels = labels or {}
    widgets = {name: control(name, form, labels.get(name)) for name, form in controls.items()}
    return Explorer(draw, alt, size, columns or min(3, max(1, len(widgets))), widgets)


class Explorer:
    """A live picture with its controls, made by `live`.

    Attributes:
        alt: what the picture shows.
        controls: the control widgets by name; setting `.value` moves one, as a reader would.
        image: the widget that shows the picture.
        caption: the line of computed values under the picture.
        error: what went wrong in the last move, shown in the caption's place; else None.
    """

    def __init__(
        self,
        draw: Draw,
        alt: str,
        size: tuple[float, float],
        columns: int,
        controls: dict[str, ipywidgets.ValueWidget],
    ) -> None:
        """Draw the first picture and connect the controls; readers call `live`."""
        self.alt = alt
        self.controls = controls
        self.error: str | None = None
        self._canvas = Canvas(*size)
        with DRAWING, torch.inference_mode(), style():
            self._update = draw(self._canvas.figure, **self.values)
            self.caption = self._update(**self.values)
            self._canvas.freeze_layout()
        self.image, self._note, self._box = _widgets(size, columns, controls)
        self._show(self._canvas.png())
        for widget in controls.values():
            widget.observe(self._on_move, "value")
        _replace_former(self)

    @property
    def values(self) -> dict[str, Any]:
        """What the controls say now."""
        return {name: widget.value for name, widget in self.controls.items()}

    def frame(self, **values: Any) -> Frame:
        """Return picture and caption for the given values; the others as the controls say.

        What is shown does not change.

        Raises:
            ValueError: if there is no control of a given name.
        """
        unknown = sorted(values.keys() - self.controls.keys())
        if unknown:
            raise ValueError(f"no control named {unknown}; expected some of {[*self.controls]}")
        values = self.values | values
        # No style(): matplotlib's settings are every thread's, and a cell may be drawing meanwhile.
        with DRAWING, torch.inference_mode():
            caption = self._update(**values)
            return Frame(values, self._canvas.png(), caption)

    def png(self, **values: Any) -> bytes:
        """Return the picture for the given values as a PNG file; the others as the controls say."""
        return self.frame(**values).png

    def frames(self, name: str, most: int | None = None) -> list[Frame]:
        """Return a frame for each position of one control: the explorer without a kernel.

        Args:
            name: the control; the others stay as they are.
            most: if it has more positions than this, frames for about evenly spread ones only,
                with both ends and the present one among them.

        Raises:
            ValueError: if there is no such control, or it can take any value.
        """
        if name not in self.controls:
            raise ValueError(f"no control named {name!r}; expected one of {[*self.controls]}")
        values = positions(self.controls[name])
        if most is not None and len(values) > most:
            values = [values[n] for n in spread(len(values), most, values.index(self.values[name]))]
        return [self.frame(**{name: value}) for value in values]

    def close(self) -> None:
        """Take the explorer off the page and free its widgets."""
        with DRAWING:
            for widget in (self._box, *self._box.children, *self.controls.values()):
                widget.close()
                for look in (widget.layout, getattr(widget, "style", None)):
                    if look is not None:
                        look.close()

    def _on_move(self, _change: Any) -> None:
        """Draw for what the controls say by now; several moves may have come in the meantime."""
        with DRAWING:
            try:
                frame = self.frame()
            except Exception as error:  # shown where the reader looks, not in a hidden log
                self.error = "".join(traceback.format_exception_only(error)).strip()
                self._note.value = _note_html(self.alt, self.error, wrong=True)
                return
            self.error, self.caption = None, frame.caption
            self._show(frame.png)

    def _show(self, png: bytes) -> None:
        self.image.value = png
        self._note.value = _note_html(self.alt, self.caption)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict, dict]:
        """Give the live widget, and for readers without a kernel a still picture and its text."""
        data, metadata = still_bundle(self.image.value, self.alt, self.caption)
        view = {"version_major": 2, "version_minor": 0, "model_id": self._box.model_id}
        return {_WIDGET_VIEW: view} | data, metadata


def _widgets(
    size: tuple[float, float],
    columns: int,
    controls: Mapping[str, ipywidgets.ValueWidget],
) -> tuple[ipywidgets.Image, ipywidgets.HTML, ipywidgets.VBox]:
    """Return picture, caption and the box that holds them, none of which ever changes its size."""
    width, height = (round(side * DPI) for side in size)
    wide = f"{width}px"
    image = ipywidgets.Image(
        format="png",
        width=width,
        height=height,
        layout=ipywidgets.Layout(width=wide, max_width="100%", height="auto"),
    )
    note = ipywidgets.HTML(layout=ipywidgets.Layout(width=wide, max_width="100%", min_height="3em"))
    grid = ipywidgets.GridBox(
        list(controls.values()),
        layout=ipywidgets.Layout(
            width=wide,
            max_width="100%",
            grid_template_columns=f"repeat({columns}, minmax(0, 1fr))",
            grid_gap="0 16px",
        ),
    )
    return image, note, ipywidgets.VBox([grid, image, note])


def _note_html(alt: str, text: str, *, wrong: bool = False) -> str:
    """Return the line under the picture, after the alt text, which only screen readers see.

    The image widget of ipywidgets has no alt text, and shows nothing at all if given a tooltip.
    """
    hidden = "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)"
    colour = "var(--jp-error-color1, #b00020)" if wrong else "inherit"
    look = f"font-size: var(--jp-content-font-size1, 14px); line-height: 1.4; color: {colour}"
    return (
        f'<div style="{hidden}">{html.escape(alt)}</div>'
        f'<div role="status" style="{look}">{html.escape(text)}</div>'
    )


_open: dict[str, tuple[int, list[Explorer]]] = {}


def _replace_former(explorer: Explorer) -> None:
    """Close what an earlier run of the same cell showed, so that reruns leave nothing behind."""
    place = running_cell()
    if place is None:
        return
    cell, execution = place
    former_execution, former = _open.get(cell, (execution, []))
    if former_execution != execution:
        for old in former:
            old.close()
        former = []
    _open[cell] = (execution, [*former, explorer])
