"""How an explorer's widgets stand on the page: controls, picture, caption."""

from collections.abc import Mapping
from typing import NamedTuple

import ipywidgets

from tutor.display import markup
from tutor.display.canvas import DPI
from tutor.display.controls import longest
from tutor.display.player import Player
from tutor.display.screen import Screen

# In pixels.
_GAP = 16  # between two columns of controls
_LEAST = 169  # of a column
_TRACK = 126  # of a slider without its words: a track of 80 with a handle's room, and margins
_LETTER = 7  # of what stands beside it
_DIGITS = 6  # letters: room that a short number has, too
_PLAY = 80  # of the buttons that play it
_SHORT = 8  # letters: longer names go above their sliders on a phone


class Look(NamedTuple):
    """How an explorer looks: its alt text, its size in inches, at most so many controls a row."""

    alt: str
    size: tuple[float, float]
    columns: int


class View(NamedTuple):
    """The widgets that show an explorer, none of which ever changes its size."""

    note: ipywidgets.HTML
    box: ipywidgets.VBox

    def close(self) -> None:
        """Free them and all inside them."""
        waiting: list[ipywidgets.Widget] = [self.box]
        while waiting:
            widget = waiting.pop()
            waiting += getattr(widget, "children", ())
            waiting += [
                getattr(widget, part) for part in ("layout", "style") if hasattr(widget, part)
            ]
            widget.close()


def picture(size: tuple[float, float]) -> ipywidgets.Image:
    """Return the widget that shows a picture of a size in inches."""
    width, height = (round(side * DPI) for side in size)
    layout = ipywidgets.Layout(height="auto", min_width=markup.least_width(width), **_wide(width))
    image = ipywidgets.Image(format="png", width=width, height=height, layout=layout)
    image.add_class("tutor-picture")
    return image


def _wide(width: int) -> dict[str, str]:
    return {"width": f"{width}px", "max_width": "100%", "margin": "2px 0"}


def view(
    look: Look,
    controls: Mapping[str, ipywidgets.ValueWidget],
    player: Player | None,
    screen: Screen,
) -> View:
    """Lay out the controls, above the picture, above its caption."""
    wide = _wide(round(look.size[0] * DPI))
    note = ipywidgets.HTML(layout=ipywidgets.Layout(min_height="3em", **wide))
    cells = [_cell(widget, player) for widget in controls.values()]
    # As many columns as have room, each wide enough to drag a slider in, and at most so many.
    share = f"(100% - {_GAP * (look.columns - 1)}px) / {look.columns}"
    narrowest = max((_room(widget, player) for widget in controls.values()), default=0)
    columns = f"repeat(auto-fit, minmax(min(100%, max({narrowest}px, {share})), 1fr))"
    layout = ipywidgets.Layout(grid_template_columns=columns, grid_gap=f"0 {_GAP}px", **wide)
    grid = ipywidgets.GridBox(cells, layout=layout)
    grid.add_class("tutor-controls")
    plays = player.slider.description if player else ""
    helper = ipywidgets.HTML(markup.helper(look.alt, plays))
    sideways = ipywidgets.Box([screen.image], layout=ipywidgets.Layout(display="block"))
    unseen = ipywidgets.Box([screen.brush] if screen.brush else [])
    unseen.add_class("tutor-unseen")
    box = ipywidgets.VBox([grid, sideways, note, helper, unseen])
    box.add_class("tutor-explorer")
    return View(note, box)


def _cell(widget: ipywidgets.ValueWidget, player: Player | None) -> ipywidgets.Widget:
    """Return a control as it stands in its cell: the slider that plays has its button before it."""
    if len(getattr(widget, "description", "")) > _SHORT:
        widget.add_class("tutor-long")
    if player is None or widget is not player.slider:
        return widget
    widget.layout.flex = "1 1 auto"
    return ipywidgets.HBox([player.button, widget], layout=ipywidgets.Layout(align_items="center"))


def _room(widget: ipywidgets.ValueWidget, player: Player | None) -> int:
    """Return how many pixels a slider needs: for its name, a track to drag on, its number."""
    if not hasattr(widget, "readout"):
        return _LEAST
    letters = len(widget.description) + max(_DIGITS, longest(widget))
    played = player is not None and widget is player.slider
    return max(_LEAST, _TRACK + _LETTER * letters + (_PLAY if played else 0))
