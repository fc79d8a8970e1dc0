"""How an explorer's widgets stand on the page: controls, picture, caption."""

from collections.abc import Mapping
from typing import NamedTuple

import ipywidgets

from tutor.display import markup
from tutor.display.canvas import DPI
from tutor.display.player import Player

_NARROWEST = "13em"  # of a slider with its name and number
_GAP = 16  # pixels between two columns of controls


class Look(NamedTuple):
    """How an explorer looks: its alt text, its size in inches, at most so many controls a row."""

    alt: str
    size: tuple[float, float]
    columns: int


class View(NamedTuple):
    """The widgets that show an explorer, none of which ever changes its size."""

    image: ipywidgets.Image
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


def view(look: Look, controls: Mapping[str, ipywidgets.ValueWidget], player: Player | None) -> View:
    """Lay out the controls, above the picture, above its caption."""
    width, height = (round(side * DPI) for side in look.size)
    wide = {"width": f"{width}px", "max_width": "100%"}
    image = ipywidgets.Image(
        format="png", width=width, height=height, layout=ipywidgets.Layout(height="auto", **wide)
    )
    image.add_class("tutor-picture")
    note = ipywidgets.HTML(layout=ipywidgets.Layout(min_height="3em", **wide))
    cells = [_cell(widget, player) for widget in controls.values()]
    # As many columns as have room, each wide enough to drag a slider in, and at most so many.
    share = f"(100% - {_GAP * (look.columns - 1)}px) / {look.columns}"
    columns = f"repeat(auto-fit, minmax(min(100%, max({_NARROWEST}, {share})), 1fr))"
    layout = ipywidgets.Layout(grid_template_columns=columns, grid_gap=f"0 {_GAP}px", **wide)
    grid = ipywidgets.GridBox(cells, layout=layout)
    box = ipywidgets.VBox([grid, image, note, ipywidgets.HTML(markup.helper(look.alt))])
    box.add_class("tutor-explorer")
    return View(image, note, box)


def _cell(widget: ipywidgets.ValueWidget, player: Player | None) -> ipywidgets.Widget:
    """Return a control as it stands in its cell: the slider that plays has its button before it."""
    if player is None or widget is not player.slider:
        return widget
    widget.layout.flex = "1 1 auto"
    return ipywidgets.HBox([player.button, widget], layout=ipywidgets.Layout(align_items="center"))
