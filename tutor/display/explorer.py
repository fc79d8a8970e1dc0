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

import itertools
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import ipywidgets
import numpy as np
import torch

from tutor.display import markup
from tutor.display.canvas import DRAWING, Canvas
from tutor.display.controls import control
from tutor.display.described import describe_figures
from tutor.display.inline import guard_inline_figures, running_cell
from tutor.display.player import Player
from tutor.display.plots import still_bundle
from tutor.display.regions import Region, regions_of
from tutor.display.screen import Screen
from tutor.display.stills import Kept, Tour, offered
from tutor.display.style import style
from tutor.display.view import Look, picture, view
from tutor.say import say

guard_inline_figures()
describe_figures()

Update = Callable[..., str]
Draw = Callable[..., Update]

_WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


class Still(NamedTuple):
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
    play: str | None = None,
    pace: float = 1.0,
    kept: Kept | None = None,
    tour: Tour | None = None,
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
        play: a slider that gets a play button: what happens step by step is shown as a film.
        pace: seconds from one step of the film to the next.
        kept: for some controls, the values that pages without a kernel offer, if all would be too
            many pictures (see `tutor.display.stills`).
        tour: instead, settings that such a page offers, by what it calls them: for each the
            controls that are not at their start.
        controls: a control for each value, in the short forms of `tutor.display.controls.control`:
            `(low, high, step, start)`, a list of options, `(options, start)`, True or False, a
            string, or an ipywidget.

    Returns:
        An `Explorer`; as the last line of a cell it shows itself.

    Raises:
        ValueError: if `alt` is empty, a control has no known form, or `play`, `kept` or `tour`
            name a control that is not there.

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
        raise ValueError(say("alt is empty; expected a sentence that says what the picture shows"))
    labels, kept, tour = labels or {}, kept or {}, tour or {}
    widgets = {name: control(name, form, labels.get(name)) for name, form in controls.items()}
    named = {*kept, *itertools.chain.from_iterable(tour.values()), *([play] if play else [])}
    if unknown := sorted(named - widgets.keys()):
        raise ValueError(
            say(
                "no control named {unknown}; expected some of {controls}",
                unknown=unknown,
                controls=[*widgets],
            )
        )
    player = Player(widgets, play, pace) if play else None
    look = Look(alt, size, columns or min(3, max(1, len(widgets))))
    return Explorer(draw, look, widgets, player, kept, tour)


class Explorer:
    """A live picture with its controls, made by `live`.

    Attributes:
        alt: what the picture shows.
        controls: the control widgets by name; setting `.value` moves one, as a reader would.
        player: what plays one of them as a film, if there is something to play.
        image: the widget that shows the picture.
        caption: the line of computed values under the picture.
        error: what went wrong in the last move, shown in the caption's place; else None.
        kept, tour: what pages without a kernel offer (see `live`).
        regions: what can be touched in the picture (see `tutor.display.regions`).
    """

    def __init__(
        self,
        draw: Draw,
        look: Look,
        controls: dict[str, ipywidgets.ValueWidget],
        player: Player | None,
        kept: Kept,
        tour: Tour,
    ) -> None:
        """Draw the first picture and connect the controls; readers call `live`."""
        self.alt, self.controls, self.player = look.alt, controls, player
        self.kept, self.tour = kept, tour
        self.error: str | None = None
        self._canvas = Canvas(*look.size)
        with DRAWING, torch.inference_mode(), style():
            self._update = draw(self._canvas.figure, **self.values)
            self.caption = self._update(**self.values)
            self._canvas.freeze_layout()
        self.regions = _checked(regions_of(self._canvas.figure), controls)
        self.image = picture(look.size)
        self._screen = Screen(self.image, self._canvas, self.regions)
        self._screen.on_touch, self._screen.on_ask = self._on_touch, self._draw
        self._view = view(look, controls, player, self._screen)
        self._screen.show()
        self._view.note.value = markup.caption(self.caption)
        self._is_held = False
        for widget in controls.values():
            widget.observe(self._on_move, "value")
        _replace_former(self)

    @property
    def values(self) -> dict[str, Any]:
        """What the controls say now."""
        return {name: widget.value for name, widget in self.controls.items()}

    def frame(self, **values: Any) -> Still:
        """Return picture and caption for the given values; the others as the controls say.

        What is shown does not change.

        Raises:
            ValueError: if there is no control of a given name.
        """
        unknown = sorted(values.keys() - self.controls.keys())
        if unknown:
            raise ValueError(
                say(
                    "no control named {unknown}; expected some of {controls}",
                    unknown=unknown,
                    controls=[*self.controls],
                )
            )
        values = self.values | values
        with DRAWING, torch.inference_mode():
            caption = self._update(**values)
            return Still(values, self._canvas.png(), caption)

    def pixels(self, **values: Any) -> tuple[np.ndarray, str]:
        """Return what `frame` does as pixels, RGBA in one uint32 each, and the caption.

        They are the canvas's own, which the next picture changes.
        """
        with DRAWING, torch.inference_mode():
            caption = self._update(**self.values | values)
            return self._canvas.pixels(), caption

    def png(self, **values: Any) -> bytes:
        """Return the picture for the given values as a PNG file; the others as the controls say."""
        return self.frame(**values).png

    def stills(self) -> list[Still]:
        """Return a frame for each setting a page without a kernel offers, in order.

        Raises:
            ValueError: if those were too many (see `tutor.display.stills`).
        """
        return [self.frame(**settings) for settings in self.settings_offered()]

    def settings_offered(self) -> list[dict[str, Any]]:
        """Return the settings a page without a kernel offers.

        Those of a tour, or every combination of what is offered of each control, the last control
        moving fastest.
        """
        if self.tour:
            return [dict(settings) for settings in self.tour.values()]
        values = offered(self.controls, self.kept)
        every = itertools.product(*values.values())
        return [dict(zip(values, some, strict=True)) for some in every]

    def close(self) -> None:
        """Take the explorer off the page and free its widgets."""
        with DRAWING:
            self._view.close()

    def _on_move(self, _change: Any) -> None:
        """Draw for what the controls say by now; several moves may have come in the meantime."""
        if self._is_held:
            return
        with DRAWING:
            try:
                self.caption = self._draw()
                self._screen.show()
            except Exception as error:  # shown where the reader looks, not in a hidden log
                self.error = "".join(traceback.format_exception_only(error)).strip()
                self._view.note.value = markup.caption(self.error, wrong=True)
                return
            self.error = None
            self._view.note.value = markup.caption(self.caption)

    def _on_touch(self, settings: Mapping[str, Any]) -> None:
        """Move the controls to what was touched in the picture, then draw once."""
        self._is_held = True
        try:
            for name, value in settings.items():
                self.controls[name].value = value
        finally:
            self._is_held = False
        self._on_move(None)

    def _draw(self) -> str:
        """Bring the picture to what the controls say, and return the caption."""
        # No style(): matplotlib's settings are every thread's, and a cell may be drawing meanwhile.
        with DRAWING, torch.inference_mode():
            return self._update(**self.values)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict, dict]:
        """Give the live widget, and for readers without a kernel a still picture and its text."""
        with DRAWING:
            png = self._screen.png()
        data, metadata = still_bundle(png, self.alt, self.caption, hint=say(markup.RUN_AGAIN))
        view = {"version_major": 2, "version_minor": 0, "model_id": self._view.box.model_id}
        return {_WIDGET_VIEW: view} | data, metadata


def _checked(
    regions: Sequence[Region], controls: Mapping[str, ipywidgets.ValueWidget]
) -> Sequence[Region]:
    named = {name for region in regions for name in region.settings(0, 0)}
    if unknown := sorted(named - controls.keys()):
        raise ValueError(
            say(
                "a region sets {unknown}; expected some of {controls}",
                unknown=unknown,
                controls=[*controls],
            )
        )
    return regions


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
